import { type Variant, variants } from '../api/routes.ts'
import { isWeak, opaque, sameTag } from '../http/etag.ts'
import { type Answer, elements, failed, header } from '../http/exchange.ts'
import { type Cause, type Difference, differ, type Finding } from './causes.ts'
import { type Sighting, sightingsOf } from './conclude.ts'
import {
  type Body,
  describeBody,
  judgeBody,
  judgeFailure,
  judgeOkHeaders,
  judgeSurplus,
  shown,
  statusOf,
  variantsDiffer,
} from './judge-answer.ts'
import { allowedCodings, codingOf, type Exchange, otherScheme, type Subject } from './member-probes.ts'

export type FileJudgement = {
  readonly findings: readonly Finding[]
  readonly sightings: readonly Sighting[]
}

/** Judges everything that came back about one file. */
export const judgeFile = (subject: Subject, exchanges: readonly Exchange[]): FileJudgement => {
  const views = variants
    .map((scheme) => viewOf(subject, scheme, exchanges))
    .filter((view) => view !== undefined)
  return {
    findings: [...views.flatMap(judgeView), ...compareTags(views)],
    sightings: views.flatMap(sightingsOf),
  }
}

const judgeView = (view: View): readonly Finding[] =>
  view.exchanges.flatMap((exchange) =>
    judgeFailure(exchange.outcome, (answer) => judge(view, exchange, answer)).map((difference) => ({
      ...difference,
      request: exchange.request,
    })),
  )

const judge = (view: View, exchange: Exchange, answer: Answer): readonly Difference[] => {
  if (exchange.question === 'plain') return judgePlain(view, answer)
  if (view.answer === undefined) return []
  if (['spoof', 'head', 'own-tag', 'encoded-tag'].includes(exchange.question) && !isSteady(view)) return []
  switch (exchange.question) {
    case 'shared':
    case 'again':
      return judgeAlike(view, answer)
    case 'slash':
      return judgeVaried(
        view,
        answer,
        answer.status >= 300 && answer.status < 400 ? 'slash-redirects' : 'slash-differs',
      )
    case 'query':
      return judgeVaried(view, answer, 'query-differs')
    case 'spoof':
      return judgeSpoof(view, answer)
    case 'encoded':
      return judgeEncoded(view, exchange, answer)
    case 'head':
      return judgeHead(view, view.answer, answer)
    case 'own-tag':
      return judgeNotModified(view.answer, answer, 'no-304')
    case 'encoded-tag':
      return judgeNotModified(view.answer, answer, 'no-304-encoded')
    case 'other-tag':
    case 'variant-tag':
      return judgeModified(view, exchange, answer)
    default:
      return exchange.question satisfies never
  }
}

const judgePlain = (view: View, answer: Answer): readonly Difference[] => {
  if (view.body === undefined) {
    if (answer.status === 404) return []
    const isRedirect = answer.status >= 300 && answer.status < 400
    return [differ(isRedirect ? 'redirects' : 'bad-status', '200', statusOf(answer))]
  }
  return [
    ...judgeContent(view, view.body, answer),
    ...judgeOkHeaders(answer, view.subject),
    ...judgeTag(answer),
  ]
}

const bodyCauses = {
  right: undefined,
  // judged over all files together
  'other-variant': undefined,
  reformatted: 'reformatted',
  truncated: 'truncated',
  'other-file': 'wrong-file',
  older: 'not-the-snapshot',
  undecodable: 'encoded-body',
  foreign: 'wrong-body',
} as const satisfies Record<Body, Cause | undefined>

const judgeContent = (view: View, body: Body, answer: Answer): readonly Difference[] => {
  if (codingOf(answer) !== 'identity') return [unasked(answer)]
  const cause = bodyCauses[body]
  return cause === undefined ? [] : [differ(cause, describeFile(view), describeBody(body, answer))]
}

/** The same request with other headers: what is wrong with it is wrong with the plain one, or a matter of the variant. */
const judgeAlike = (view: View, answer: Answer): readonly Difference[] => {
  if (answer.status !== 200) return []
  return codingOf(answer) === 'identity' ? judgeStability(view, answer) : [unasked(answer)]
}

const unasked = (answer: Answer): Difference =>
  differ('encoding-unasked', 'no Content-Encoding', shown(answer, 'Content-Encoding'))

/** The path with a slash or a query: it must answer as the plain one does. */
const judgeVaried = (view: View, answer: Answer, cause: Cause): readonly Difference[] => {
  if (answer.status !== 200) return [differ(cause, '200', statusOf(answer))]
  const body = judgeBody(answer, view.subject, view.scheme)
  if (body !== view.body && body !== 'right' && body !== 'other-variant') {
    return [differ(cause, describeFile(view), describeBody(body, answer))]
  }
  return [
    ...judgeOkHeaders(answer, view.subject),
    ...(header(view.answer!, 'ETag') === undefined ? [] : judgeTag(answer)),
  ]
}

const judgeSpoof = (view: View, answer: Answer): readonly Difference[] => {
  if (view.body !== 'right' || !variantsDiffer(view.subject)) return []
  if (answer.status !== 200) return [differ('spoofed-scheme', '200', statusOf(answer))]
  return judgeBody(answer, view.subject, view.scheme) === 'other-variant'
    ? [differ('spoofed-scheme', describeFile(view), `the ${otherScheme(view.scheme)} variant`)]
    : []
}

const judgeEncoded = (view: View, { request }: Exchange, answer: Answer): readonly Difference[] => {
  if (answer.status !== 200) {
    return [differ('encoding-unasked', '200, compressed or not', statusOf(answer))]
  }
  const coding = codingOf(answer)
  const body = judgeBody(answer, view.subject, view.scheme)
  const isAllowed = elements(coding).every((name) => allowedCodings(request).includes(name))
  return [
    ...(isAllowed
      ? []
      : [
          differ(
            'encoding-unasked',
            'a coding that was accepted, or none',
            shown(answer, 'Content-Encoding'),
          ),
        ]),
    ...(body === view.body || body === 'right' || body === 'other-variant'
      ? []
      : [differ('encoded-body', describeFile(view), describeBody(body, answer))]),
    ...(coding === 'identity' || variesByEncoding(answer)
      ? []
      : [differ('vary', 'Vary: Accept-Encoding', shown(answer, 'Vary'))]),
    ...judgeOkHeaders(answer, view.subject),
  ]
}

const variesByEncoding = (answer: Answer): boolean =>
  elements(header(answer, 'Vary')).some((name) => name === 'accept-encoding' || name === '*')

const isStable = (view: View): boolean =>
  view.exchanges.every(
    ({ question, outcome }) =>
      question !== 'again' || failed(outcome) || judgeStability(view, outcome).length === 0,
  )

/** Headers that HEAD must give as GET does. */
const headHeaders = [
  'Content-Type',
  'ETag',
  'Cache-Control',
  'Access-Control-Allow-Origin',
  'X-Content-Type-Options',
  'Content-Encoding',
]

const sameHeader = (name: string, a: string | undefined, b: string | undefined): boolean =>
  a === b || (name === 'ETag' && a !== undefined && b !== undefined && sameTag(a, b))

const judgeHead = (view: View, get: Answer, answer: Answer): readonly Difference[] => {
  if (answer.status !== 200) return [differ('head-differs', '200, as GET', statusOf(answer))]
  const length = header(answer, 'Content-Length')
  return [
    ...headHeaders
      .filter((name) => name !== 'ETag' || isStable(view))
      .filter((name) => !sameHeader(name, header(answer, name), header(get, name)))
      .map((name) => differ('head-differs', `${shown(get, name)}, as GET`, shown(answer, name))),
    ...(length === undefined || Number(length) === get.body.length || view.body !== 'right'
      ? []
      : [
          differ(
            'head-differs',
            `Content-Length: ${get.body.length}, as GET`,
            shown(answer, 'Content-Length'),
          ),
        ]),
    ...judgeSurplus(answer),
  ]
}

/** The ETag of a 200. */
export const judgeTag = (answer: Answer): readonly Difference[] => {
  const tag = header(answer, 'ETag')
  if (tag === undefined) return [differ('etag-missing', 'an ETag', 'no ETag')]
  return opaque(tag) === undefined ? [differ('etag-malformed', 'ETag: "…"', `ETag: ${tag}`)] : []
}

/** What a 304 must repeat of the 200. */
const repeated = ['ETag', 'Cache-Control', 'Access-Control-Allow-Origin']

/** The answer to If-None-Match with the current ETag. */
export const judgeNotModified = (ok: Answer, answer: Answer, cause: Cause): readonly Difference[] => {
  if (answer.status !== 304) return [differ(cause, '304', statusOf(answer))]
  return [
    ...repeated
      .filter((name) => header(ok, name) !== undefined && header(answer, name) === undefined)
      .map((name) => differ('304-headers', `${name}, as with the 200`, shown(answer, name))),
    ...judgeSurplus(answer),
  ]
}

/** The answer to If-None-Match with an ETag of something else. */
export const judgeModified = (view: View, { request }: Exchange, answer: Answer): readonly Difference[] =>
  answer.status === 304 && view.body === 'right'
    ? [differ('false-304', `200 to If-None-Match: ${request.headers['If-None-Match']}`, '304')]
    : []

/** Whether two answers with the same bytes had the same ETag. */
export const judgeStability = (view: View, answer: Answer): readonly Difference[] => {
  const tag = header(answer, 'ETag')
  const plainTag = view.answer && header(view.answer, 'ETag')
  const body = judgeBody(answer, view.subject, view.scheme)
  return tag === undefined || plainTag === undefined || sameTag(tag, plainTag) || body !== view.body
    ? []
    : [differ('etag-unstable', `ETag: ${plainTag}, as before`, `ETag: ${tag}`)]
}

/** Tags that must not be equal: of the two variants, and of the encodings of one. */
export const compareTags = (views: readonly View[]): readonly Finding[] => {
  const tags = views.flatMap((view) =>
    view.exchanges
      .filter(({ question }) => question === 'plain' || question === 'encoded')
      .flatMap(({ request, outcome }) => {
        if (failed(outcome) || outcome.status !== 200) return []
        const tag = header(outcome, 'ETag')
        const right = judgeBody(outcome, view.subject, view.scheme) === 'right'
        return tag !== undefined && opaque(tag) !== undefined && right
          ? [{ scheme: view.scheme, coding: codingOf(outcome), tag, request }]
          : []
      }),
  )
  const differing = views[0] !== undefined && variantsDiffer(views[0].subject)
  return tags.flatMap((a, i) => {
    const across = tags.slice(0, i).find((b) => b.scheme !== a.scheme && opaque(b.tag) === opaque(a.tag))
    if (differing && across !== undefined) {
      const expected = `another ETag than over ${across.scheme}`
      return [{ ...differ('etag-across-schemes', expected, `ETag: ${a.tag} over both`), request: a.request }]
    }
    const within = tags
      .slice(0, i)
      .find((b) => b.scheme === a.scheme && b.coding !== a.coding && b.tag === a.tag && !isWeak(a.tag))
    return within === undefined
      ? []
      : [
          {
            ...differ(
              'etag-across-encodings',
              `another ETag than with ${within.coding}`,
              `ETag: ${a.tag} with both`,
            ),
            request: a.request,
          },
        ]
  })
}

/** One file over one scheme: what the plain request brought decides what the others are asked to show. */
export type View = {
  readonly subject: Subject
  readonly scheme: Variant
  readonly exchanges: readonly Exchange[]
  readonly plain: Exchange
  /** The plain answer when it is a 200. */
  readonly answer: Answer | undefined
  readonly body: Body | undefined
}

export const viewOf = (subject: Subject, scheme: Variant, all: readonly Exchange[]): View | undefined => {
  const exchanges = all.filter(({ request }) => request.scheme === scheme)
  const plain = exchanges.find(({ question }) => question === 'plain')
  if (plain === undefined) return undefined
  const answer = !failed(plain.outcome) && plain.outcome.status === 200 ? plain.outcome : undefined
  const body = answer && judgeBody(answer, subject, scheme)
  return { subject, scheme, exchanges, plain, answer, body }
}

/** Whether the scheme never got the other variant, whose headers and tags are another matter. */
export const isSteady = (view: View): boolean =>
  view.exchanges
    .filter(({ question }) => ['shared', 'plain', 'again', 'encoded'].includes(question))
    .every(
      ({ outcome }) => failed(outcome) || judgeBody(outcome, view.subject, view.scheme) !== 'other-variant',
    )

/** The file that should have come. */
export const describeFile = ({ subject, scheme }: View): string => `the bytes of ${subject.files[scheme]}`
