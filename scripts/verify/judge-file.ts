import { type Variant, variants } from '../api/routes.ts'
import { isWeak, opaque, sameTag } from '../http/etag.ts'
import { type Answer, elements, failed, header, type Request } from '../http/exchange.ts'
import { type Served, servedOf } from './bins.ts'
import type { Cause } from './causes.ts'
import { type Sighting, sightingsOf } from './conclude.ts'
import {
  type Body,
  type Difference,
  describeBody,
  differ,
  type Finding,
  isRedirect,
  judgeBody,
  judgeFailure,
  judgeOkHeaders,
  judgeSurplus,
  shown,
  statusOf,
  unless,
  unlessHeader,
  variantsDiffer,
} from './judge-answer.ts'
import {
  allowedCodings,
  codingOf,
  type Exchange,
  otherScheme,
  type Question,
  type Subject,
} from './member-probes.ts'

export type FileJudgement = {
  readonly findings: readonly Finding[]
  readonly sightings: readonly Sighting[]
  readonly served: readonly Served[]
}

/** Judges everything that came back about one file. */
export const judgeFile = (subject: Subject, exchanges: readonly Exchange[]): FileJudgement => {
  const views = variants.flatMap((scheme) => viewOf(subject, scheme, exchanges))
  return {
    findings: [...views.flatMap(judgeView), ...compareTags(views)],
    sightings: views.flatMap(sightingsOf),
    served: views.flatMap(servedOf),
  }
}

/** One file over one scheme: what the plain request brought decides what the others are asked to show. */
export type View = {
  readonly subject: Subject
  readonly scheme: Variant
  readonly exchanges: readonly Exchange[]
  /** The plain answer when it is a 200, with what its body is. */
  readonly ok: { readonly answer: Answer; readonly body: Body } | undefined
}

const viewOf = (subject: Subject, scheme: Variant, all: readonly Exchange[]): readonly View[] => {
  const exchanges = all.filter(({ request }) => request.scheme === scheme)
  const answer = exchanges.find(({ question }) => question === 'plain')?.outcome
  if (answer === undefined) return []
  const isOk = !failed(answer) && answer.status === 200
  const ok = isOk ? { answer, body: judgeBody(answer, subject, scheme) } : undefined
  return [{ subject, scheme, exchanges, ok }]
}

const judgeView = (view: View): readonly Finding[] =>
  view.exchanges.flatMap(({ question, request, outcome }) =>
    judgeFailure(outcome, (answer) => {
      if (question === 'plain') return judgePlain(view, answer)
      if (view.ok === undefined || (ofOneVariant.includes(question) && !isSteady(view))) return []
      return judgements[question]({ ...view, ...view.ok }, { ...answer, request })
    }).map((difference) => ({ ...difference, request })),
  )

/** Questions that say nothing while the scheme gets the other variant, whose headers and tags are another matter. */
const ofOneVariant: readonly Question[] = ['spoof', 'head', 'own-tag', 'encoded-tag']

const isSteady = (view: View): boolean =>
  view.exchanges
    .filter(({ question }) => ['shared', 'plain', 'again', 'encoded'].includes(question))
    .every(
      ({ outcome }) => failed(outcome) || judgeBody(outcome, view.subject, view.scheme) !== 'other-variant',
    )

const judgePlain = (view: View, answer: Answer): readonly Difference[] => {
  if (view.ok === undefined) {
    // that it is missing is judged over all files together
    if (answer.status === 404) return []
    return [differ(isRedirect(answer) ? 'redirects' : 'bad-status', '200', statusOf(answer))]
  }
  const cause = bodyCauses[view.ok.body]
  return [
    ...(codingOf(answer) !== 'identity'
      ? [unasked(answer)]
      : unless(cause === undefined, cause!, fileOf(view), describeBody(view.ok.body, answer))),
    ...judgeOkHeaders(answer, view.subject),
    ...judgeTag(answer),
  ]
}

const bodyCauses: Readonly<Record<Body, Cause | undefined>> = {
  right: undefined,
  // judged over all files together
  'other-variant': undefined,
  reformatted: 'reformatted',
  truncated: 'truncated',
  'other-file': 'wrong-file',
  older: 'not-the-snapshot',
  undecodable: 'encoded-body',
  foreign: 'wrong-body',
}

const unasked = (answer: Answer): Difference =>
  differ('encoding-unasked', 'no Content-Encoding', shown(answer, 'Content-Encoding'))

/** The file that should have come. */
const fileOf = ({ subject, scheme }: View): string => `the bytes of ${subject.files[scheme]}`

/** A view whose plain answer is a 200, and what is said of another answer then. */
type Seen = View & NonNullable<View['ok']>
type Judge = (view: Seen, answer: Answer & { readonly request: Request }) => readonly Difference[]

/** The same request with other headers: what is wrong with it is wrong with the plain one, or a matter of the variant. */
const judgeAlike: Judge = (view, answer) => {
  if (answer.status !== 200) return []
  return codingOf(answer) === 'identity' ? judgeStability(view, answer) : [unasked(answer)]
}

/** Whether two answers with the same bytes had the same ETag. */
const judgeStability = (view: Seen, answer: Answer): readonly Difference[] => {
  const [before, now] = [header(view.answer, 'ETag'), header(answer, 'ETag')]
  if (before === undefined || now === undefined) return []
  const same = sameTag(now, before) || judgeBody(answer, view.subject, view.scheme) !== view.body
  return unless(same, 'etag-unstable', `ETag: ${before}, as before`, `ETag: ${now}`)
}

/** The path with a slash or a query: it must answer as the plain one does. */
const judgeVaried =
  (cause: Cause, redirected: Cause = cause): Judge =>
  (view, answer) => {
    if (answer.status !== 200)
      return [differ(isRedirect(answer) ? redirected : cause, '200', statusOf(answer))]
    const wrong = judgeAsPlain(view, answer, cause)
    if (wrong.length > 0) return wrong
    const tagged = header(view.answer, 'ETag') !== undefined
    return [...judgeOkHeaders(answer, view.subject), ...(tagged ? judgeTag(answer) : [])]
  }

/** A body that is as the plain one, or one of the two variants. */
const judgeAsPlain = (view: Seen, answer: Answer, cause: Cause): readonly Difference[] => {
  const body = judgeBody(answer, view.subject, view.scheme)
  const right = [view.body, 'right', 'other-variant'].includes(body)
  return unless(right, cause, fileOf(view), describeBody(body, answer))
}

const judgeSpoof: Judge = (view, answer) => {
  if (view.body !== 'right' || !variantsDiffer(view.subject)) return []
  if (answer.status !== 200) return [differ('spoofed-scheme', '200', statusOf(answer))]
  const isOther = judgeBody(answer, view.subject, view.scheme) === 'other-variant'
  return unless(!isOther, 'spoofed-scheme', fileOf(view), `the ${otherScheme(view.scheme)} variant`)
}

const judgeEncoded: Judge = (view, answer) => {
  if (answer.status !== 200) return [differ('encoding-unasked', '200, compressed or not', statusOf(answer))]
  const coding = codingOf(answer)
  const accepted = elements(coding).every((name) => allowedCodings(answer.request).includes(name))
  const varies = elements(header(answer, 'Vary')).some((name) => name === 'accept-encoding' || name === '*')
  return [
    ...unless(
      accepted,
      'encoding-unasked',
      'a coding that was accepted, or none',
      shown(answer, 'Content-Encoding'),
    ),
    ...judgeAsPlain(view, answer, 'encoded-body'),
    ...unlessHeader(answer, ['Vary', 'Accept-Encoding'], {
      cause: 'vary',
      right: coding === 'identity' || varies,
    }),
    ...judgeOkHeaders(answer, view.subject),
  ]
}

/** Headers that HEAD must give as GET does. */
const headHeaders = [
  'Content-Type',
  'ETag',
  'Cache-Control',
  'Access-Control-Allow-Origin',
  'X-Content-Type-Options',
  'Content-Encoding',
]

const judgeHead: Judge = (view, answer) => {
  if (answer.status !== 200) return [differ('head-differs', '200, as GET', statusOf(answer))]
  const unstable = view.exchanges.some(
    ({ question, outcome }) =>
      question === 'again' && !failed(outcome) && judgeStability(view, outcome).length > 0,
  )
  const same = (name: string): boolean => {
    const [a, b] = [header(answer, name), header(view.answer, name)]
    return a === b || (name === 'ETag' && (unstable || (a !== undefined && b !== undefined && sameTag(a, b))))
  }
  const length = header(answer, 'Content-Length')
  const wanted = view.answer.body.length
  return [
    ...headHeaders.flatMap((name) =>
      unless(same(name), 'head-differs', `${shown(view.answer, name)}, as GET`, shown(answer, name)),
    ),
    ...unless(
      length === undefined || Number(length) === wanted || view.body !== 'right',
      'head-differs',
      `Content-Length: ${wanted}, as GET`,
      shown(answer, 'Content-Length'),
    ),
    ...judgeSurplus(answer),
  ]
}

/** The ETag of a 200. */
const judgeTag = (answer: Answer): readonly Difference[] => {
  const tag = header(answer, 'ETag')
  if (tag === undefined) return [differ('etag-missing', 'an ETag', 'no ETag')]
  return unless(opaque(tag) !== undefined, 'etag-malformed', 'ETag: "…"', `ETag: ${tag}`)
}

/** What a 304 must repeat of the 200. */
const repeated = ['ETag', 'Cache-Control', 'Access-Control-Allow-Origin']

/** The answer to If-None-Match with the current ETag. */
const judgeNotModified =
  (cause: Cause): Judge =>
  (view, answer) => {
    if (answer.status !== 304) return [differ(cause, '304', statusOf(answer))]
    const lost = repeated.filter(
      (name) => header(view.answer, name) !== undefined && header(answer, name) === undefined,
    )
    return [
      ...lost.map((name) => differ('304-headers', `${name}, as with the 200`, shown(answer, name))),
      ...judgeSurplus(answer),
    ]
  }

/** The answer to If-None-Match with an ETag of something else. */
const judgeModified: Judge = (view, { status, request }) =>
  unless(
    status !== 304 || view.body !== 'right',
    'false-304',
    `200 to If-None-Match: ${request.headers['If-None-Match']}`,
    '304',
  )

const judgements: Readonly<Record<Exclude<Question, 'plain'>, Judge>> = {
  shared: judgeAlike,
  again: judgeAlike,
  slash: judgeVaried('slash-differs', 'slash-redirects'),
  query: judgeVaried('query-differs'),
  head: judgeHead,
  spoof: judgeSpoof,
  encoded: judgeEncoded,
  'own-tag': judgeNotModified('no-304'),
  'encoded-tag': judgeNotModified('no-304-encoded'),
  'other-tag': judgeModified,
  'variant-tag': judgeModified,
}

/** Tags that must not be equal: of the two variants, and of the encodings of one. */
const compareTags = (views: readonly View[]): readonly Finding[] => {
  const tags = views.flatMap(({ subject, scheme, exchanges }) =>
    exchanges.flatMap(({ question, request, outcome }) => {
      if ((question !== 'plain' && question !== 'encoded') || failed(outcome)) return []
      const tag = header(outcome, 'ETag')
      if (tag === undefined || opaque(tag) === undefined || outcome.status !== 200) return []
      const right = judgeBody(outcome, subject, scheme) === 'right'
      return right ? [{ scheme, coding: codingOf(outcome), tag, request }] : []
    }),
  )
  const [first] = views
  return tags.flatMap(({ scheme, coding, tag, request }, i) => {
    const before = tags.slice(0, i)
    const across = before.find((one) => one.scheme !== scheme && opaque(one.tag) === opaque(tag))
    const within = before.find((one) => one.scheme === scheme && one.coding !== coding && one.tag === tag)
    const found = (cause: Cause, than: string, both: string) => ({
      ...differ(cause, `another ETag than ${than}`, `ETag: ${tag} ${both}`),
      request,
    })
    if (across !== undefined && variantsDiffer(first!.subject))
      return [found('etag-across-schemes', `over ${across.scheme}`, 'over both')]
    if (within === undefined || isWeak(tag)) return []
    return [found('etag-across-encodings', `with ${within.coding}`, 'with both')]
  })
}
