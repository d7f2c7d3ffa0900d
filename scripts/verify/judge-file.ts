import { commonHeaders, type Variant, variants } from '../api/routes.ts'
import { isWeak, opaque, sameTag } from '../http/etag.ts'
import { type Answer, elements, failed, header, type Request } from '../http/exchange.ts'
import type { Cause } from './causes.ts'
import type { Sighting } from './conclude.ts'
import {
  type Difference,
  describeBody,
  differ,
  type Finding,
  isRedirect,
  judgeBody,
  judgeExchange,
  judgeHeaders,
  judgeSurplus,
  shown,
  statusOf,
  unless,
  variantsDiffer,
} from './judge.ts'
import { allowedCodings, codingOf, type Exchange, type Question, type Subject } from './member-probes.ts'

export type FileJudgement = {
  readonly findings: readonly Finding[]
  readonly sightings: readonly Sighting[]
}

/**
 * Judges everything that came back about one file. Where the plain request of a scheme does not bring the right
 * bytes, nothing else is said of that scheme: it would be another matter, or the same once more.
 */
export const judgeFile = (subject: Subject, exchanges: readonly Exchange[]): FileJudgement => {
  const views = variants.flatMap((scheme) => viewOf(subject, scheme, exchanges))
  return {
    findings: [...views.flatMap(judgeView), ...compareTags(subject, exchanges)],
    sightings: views.flatMap(sightingsOf),
  }
}

/** One file over one scheme, and the plain answer. */
type View = {
  readonly subject: Subject
  readonly scheme: Variant
  readonly exchanges: readonly Exchange[]
  readonly plain: Exchange['outcome']
}

const viewOf = (subject: Subject, scheme: Variant, all: readonly Exchange[]): readonly View[] => {
  const exchanges = all.filter(({ request }) => request.scheme === scheme)
  const plain = exchanges.find(({ question }) => question === 'plain')?.outcome
  return plain === undefined ? [] : [{ subject, scheme, exchanges, plain }]
}

const judgeView = (view: View): readonly Finding[] => {
  const { plain, exchanges } = view
  const isRight = !failed(plain) && plain.status === 200 && bodyIn(view, plain) === 'right'
  return exchanges.flatMap((exchange) =>
    judgeExchange(exchange, (answer) => {
      if (exchange.question === 'plain') return judgePlain(view, answer)
      const judge = judgements[exchange.question]
      return isRight ? judge({ ...view, plain, request: exchange.request }, answer) : []
    }),
  )
}

const bodyIn = ({ subject, scheme }: View, answer: Answer) => judgeBody(answer, subject, scheme)

/** What comes with the 200 of a file, besides its ETag. */
const okHeaders = ({ subject }: View) => ({ ...commonHeaders, ...subject.headers })

const judgePlain = (view: View, answer: Answer): readonly Difference[] => {
  if (answer.status !== 200) {
    // that it is missing is judged over all files together
    if (answer.status === 404) return []
    return [differ(isRedirect(answer) ? 'redirects' : 'bad-status', '200', statusOf(answer))]
  }
  const body = bodyIn(view, answer)
  return [
    ...(codingOf(answer) !== 'identity'
      ? [unasked(answer)]
      : // which variant comes is judged over all files together
        body === 'wrong-variant' || body === 'right'
        ? []
        : [differ(body, fileOf(view), describeBody(body, answer))]),
    ...judgeHeaders(answer, okHeaders(view)),
    ...judgeTag(answer),
  ]
}

const unasked = (answer: Answer): Difference =>
  differ('encoding-unasked', 'no Content-Encoding', shown(answer, 'Content-Encoding'))

/** The file that should have come. */
const fileOf = ({ subject, scheme }: View): string => `the bytes of ${subject.files[scheme]}`

/** Judges another answer where the plain one is right. */
type Judge = (
  view: View & { readonly plain: Answer; readonly request: Request },
  answer: Answer,
) => readonly Difference[]

/** The same request with other headers: what its status or body says is judged over all files together. */
const judgeAlike: Judge = (view, answer) => {
  if (answer.status !== 200) return []
  if (codingOf(answer) !== 'identity') return [unasked(answer)]
  const [before, now] = [header(view.plain, 'ETag'), header(answer, 'ETag')]
  if (before === undefined || now === undefined || bodyIn(view, answer) !== 'right') return []
  return unless(sameTag(now, before), 'etag-unstable', `ETag: ${before}, as before`, `ETag: ${now}`)
}

/** The file again: with a slash or a query, or compressed. */
const judgeSame =
  (cause: Cause): Judge =>
  (view, answer) => {
    if (answer.status !== 200) return [differ(cause, '200', statusOf(answer))]
    const body = bodyIn(view, answer)
    if (body !== 'right') return [differ(cause, fileOf(view), describeBody(body, answer))]
    const tagged = header(view.plain, 'ETag') !== undefined
    return [...judgeHeaders(answer, okHeaders(view)), ...(tagged ? judgeTag(answer) : [])]
  }

const judgeSpoof: Judge = (view, answer) => {
  if (answer.status === 200 && bodyIn(view, answer) !== 'wrong-variant') return []
  const got = answer.status === 200 ? 'the other variant' : statusOf(answer)
  return [differ('spoofed-scheme', fileOf(view), got)]
}

const judgeEncoded: Judge = (view, answer) => {
  const coding = codingOf(answer)
  const accepted = elements(coding).every((name) => allowedCodings(view.request).includes(name))
  if (answer.status === 200 && !accepted)
    return [differ('encoding-unasked', 'an accepted coding, or none', shown(answer, 'Content-Encoding'))]
  return [
    ...judgeSame('encoded-body')(view, answer),
    ...(coding === 'identity' ? [] : judgeHeaders(answer, { Vary: 'Accept-Encoding' })),
  ]
}

/** Headers that HEAD must give as GET does; the ETag only has to be there, since whether it changes is judged elsewhere. */
const headHeaders = ['Content-Type', 'Cache-Control', ...Object.keys(commonHeaders), 'Content-Encoding']

const judgeHead: Judge = ({ plain }, answer) => {
  if (answer.status !== 200) return [differ('head-differs', '200, as GET', statusOf(answer))]
  const differing = headHeaders.filter((name) => header(answer, name) !== header(plain, name))
  const length = header(answer, 'Content-Length') ?? `${plain.body.length}`
  return [
    ...[...differing, ...lost('ETag', { plain, answer })].map((name) =>
      differ('head-differs', `${shown(plain, name)}, as GET`, shown(answer, name)),
    ),
    ...unless(
      Number(length) === plain.body.length,
      'head-differs',
      `Content-Length: ${plain.body.length}, as GET`,
      `Content-Length: ${length}`,
    ),
    ...judgeSurplus(answer),
  ]
}

/** The name of a header that the plain answer has and another lacks. */
const lost = (name: string, { plain, answer }: { readonly plain: Answer; readonly answer: Answer }) =>
  header(plain, name) !== undefined && header(answer, name) === undefined ? [name] : []

/** The ETag of a 200. */
const judgeTag = (answer: Answer): readonly Difference[] =>
  unless(
    opaque(header(answer, 'ETag') ?? '') !== undefined,
    'etag-missing',
    'ETag: "…"',
    shown(answer, 'ETag'),
  )

/** What a 304 must repeat of the 200. */
const repeated = ['ETag', 'Cache-Control', 'Access-Control-Allow-Origin']

/** The answer to If-None-Match with the current ETag. */
const judgeNotModified: Judge = ({ plain }, answer) => {
  if (answer.status !== 304) return [differ('no-304', '304', statusOf(answer))]
  return [
    ...repeated
      .flatMap((name) => lost(name, { plain, answer }))
      .map((name) => differ('304-headers', `${name}, as with the 200`, shown(answer, name))),
    ...judgeSurplus(answer),
  ]
}

/** The answer to If-None-Match with an ETag of something else. */
const judgeModified: Judge = ({ request }, { status }) =>
  unless(status !== 304, 'false-304', `200 to If-None-Match: ${request.headers['If-None-Match']}`, '304')

const judgements: Readonly<Record<Exclude<Question, 'plain'>, Judge>> = {
  shared: judgeAlike,
  again: judgeAlike,
  slash: judgeSame('slash-differs'),
  query: judgeSame('query-differs'),
  head: judgeHead,
  spoof: judgeSpoof,
  encoded: judgeEncoded,
  'own-tag': judgeNotModified,
  'other-tag': judgeModified,
}

/** Tags that must not be equal: of the two variants, and of the encodings of one. */
const compareTags = (subject: Subject, exchanges: readonly Exchange[]): readonly Finding[] => {
  const tags = exchanges.flatMap(({ question, request, outcome }) => {
    if ((question !== 'plain' && question !== 'encoded') || failed(outcome)) return []
    const tag = header(outcome, 'ETag') ?? ''
    if (opaque(tag) === undefined || outcome.status !== 200) return []
    const isRight = judgeBody(outcome, subject, request.scheme) === 'right'
    return isRight ? [{ scheme: request.scheme, coding: codingOf(outcome), tag, request }] : []
  })
  return tags.flatMap(({ scheme, coding, tag, request }, i) => {
    const before = tags.slice(0, i)
    const across = before.find((one) => one.scheme !== scheme && opaque(one.tag) === opaque(tag))
    const within = before.find((one) => one.scheme === scheme && one.coding !== coding && one.tag === tag)
    const found = (cause: Cause, than: string) => ({
      ...differ(cause, `another ETag than ${than}`, `ETag: ${tag} with both`),
      request,
    })
    if (across !== undefined && variantsDiffer(subject))
      return [found('etag-across-schemes', `over ${across.scheme}`)]
    return within === undefined || isWeak(tag)
      ? []
      : [found('etag-across-encodings', `with ${within.coding}`)]
  })
}

/** Questions whose answers tell whether the file is there, and of which variant. */
const telling: readonly Question[] = ['shared', 'plain', 'again']

const sightingsOf = (view: View): readonly Sighting[] =>
  view.exchanges.flatMap(({ question, request, outcome }) => {
    if (!telling.includes(question) || failed(outcome)) return []
    const { username, kind } = view.subject
    const isMissing = question === 'plain' && outcome.status === 404
    if (outcome.status !== 200 && !isMissing) return []
    const seen = isMissing ? 'missing' : bodyIn(view, outcome)
    return [{ username, kind, differs: variantsDiffer(view.subject), question, request, seen }]
  })
