import { isDeepStrictEqual } from 'node:util'
import { commonHeaders, encodings, type Variant, variants } from '../api/routes.ts'
import type { Addresses } from '../http/addresses.ts'
import type { Answer, Outcome, Request, Sender } from '../http/exchange.ts'
import { elements, failed, header, opaque, requestFor, sameTag } from '../http/exchange.ts'
import { codingOf, excerpt, isRedirect, shown, statusOf } from './answer.ts'
import type { Cause } from './causes.ts'
import type { Difference, Finding } from './judge.ts'
import { differ, judgeExchange, judgeHeaders, judgeSurplus, otherScheme, unless } from './judge.ts'
import type { Resource } from './snapshot.ts'

// One file of the snapshot: what is asked, in which order, and what is wrong with the answers.

/** A resource with the bytes of its files, and where it is asked for. */
export type Subject = Resource & {
  readonly addresses: Addresses
  readonly bytes: Readonly<Record<Variant, Uint8Array>>
}

export type Look = {
  /** Schemes to ask, in the order of asking. */
  readonly schemes: readonly Variant[]
  /** Whether to ask everything, or for the content only. */
  readonly close: boolean
}

/** A request, and what came back. */
export type Exchange = Probe & { readonly outcome: Outcome; readonly seen: Seen }

type Probe = {
  /** What the request wants to know: a key of the table of judgements at the end. */
  readonly question: keyof typeof judgements
  readonly request: Request
}

/** What the body of a 200 turned out to be; `missing` is a 404, `none` everything else. */
type Seen = 'right' | WrongBody | 'missing' | 'none'

type WrongBody = keyof typeof bodies

/** Asks everything about one file, one request after another: what is asked first matters to caches. */
export const askFor = async (
  subject: Subject,
  look: Look,
  send: Sender['send'],
): Promise<readonly Exchange[]> => {
  const exchanges: Exchange[] = []
  const ask = async (probes: readonly Probe[]): Promise<void> => {
    for (const probe of probes) {
      const outcome = await send(probe.request)
      exchanges.push({ ...probe, outcome, seen: seenIn(outcome, subject, probe.request.scheme) })
    }
  }
  await ask(firstRound(subject, look))
  if (look.close) await ask(secondRound(subject, look, exchanges))
  return exchanges
}

/** A query that no client sends, so that no cache holds an answer to it. */
const query = '?verify=shotpress&page=2'

/** Headers by which a stranger could claim that the request came over another scheme. */
const claims = (scheme: string) => ({
  'X-Forwarded-Proto': scheme,
  'X-Forwarded-Protocol': scheme,
  'X-Forwarded-Scheme': scheme,
  'X-Url-Scheme': scheme,
  'X-Forwarded-Ssl': scheme === 'https' ? 'on' : 'off',
  'Front-End-Https': scheme === 'https' ? 'on' : 'off',
  Forwarded: `proto=${scheme}`,
})

const codings = encodings.map(({ name }) => name)
/** Values of Accept-Encoding; each allows what stands in it without `q=0`, and identity. */
const accepted = [
  ...codings,
  ['deflate', ...codings].join(', '),
  codings.map((name) => `${name};q=0`).join(', '),
]

const identity = { 'Accept-Encoding': 'identity' }

const prober = ({ addresses, path, bytes }: Subject, scheme: Variant) => {
  const limit = Math.max(bytes.https.length, bytes.http.length) + 65536
  return (question: Probe['question'], more: Partial<Request> = {}, end = ''): Probe => ({
    question,
    request: requestFor(scheme, addresses[scheme].path + path + end, { limit, headers: identity, ...more }),
  })
}

/** Which scheme comes first matters: a cache that mixes the schemes gives both what was asked for first. */
const firstRound = (subject: Subject, { schemes, close }: Look): readonly Probe[] => [
  ...[...schemes, ...(schemes.length > 1 ? schemes.slice(0, 1) : [])].map((scheme) =>
    prober(subject, scheme)('shared', { headers: {}, host: 'shared' }),
  ),
  ...schemes.map((scheme) => prober(subject, scheme)('plain')),
  ...schemes.flatMap((scheme) => {
    const probe = prober(subject, scheme)
    const other = otherScheme(scheme)
    const encoded = accepted.map((value) => probe('encoded', { headers: { 'Accept-Encoding': value } }))
    if (!close) return encoded
    return [
      ...encoded,
      probe('again', { headers: {} }),
      probe('query', {}, query),
      probe('slash', {}, '/'),
      probe('head', { method: 'HEAD' }),
      probe('spoof', { headers: { ...identity, 'X-Forwarded-Proto': other } }),
      probe('spoof', { headers: { ...identity, ...claims(other) } }),
    ]
  }),
]

/** Questions about the ETags that the first round brought. */
const secondRound = (subject: Subject, { schemes }: Look, first: readonly Exchange[]): readonly Probe[] => {
  const tags = tagsIn(first)
  const plainTag = (scheme: Variant) =>
    tags.find(({ question, request }) => question === 'plain' && request.scheme === scheme)?.tag
  return schemes.flatMap((scheme) => {
    const [tag, other] = [plainTag(scheme), plainTag(otherScheme(scheme))]
    if (tag === undefined) return []
    const probe = (question: Probe['question'], value: string, coding = 'identity') =>
      prober(subject, scheme)(question, { headers: { 'Accept-Encoding': coding, 'If-None-Match': value } })
    const encoded = tags.filter(
      ({ question, request, coding }) =>
        question === 'encoded' && request.scheme === scheme && coding !== 'identity',
    )
    return [
      probe('own-tag', tag),
      probe('other-tag', '"shotpress-verify"'),
      ...(other === undefined || sameTag(other, tag) ? [] : [probe('other-tag', other)]),
      ...Array.from(new Map(encoded.map(({ coding, tag }) => [coding, tag])), ([coding, tag]) =>
        probe('own-tag', tag, coding),
      ),
    ]
  })
}

/** The valid ETags of plain and of encoded answers. */
const tagsIn = (exchanges: readonly Exchange[]) =>
  exchanges.flatMap(({ question, request, outcome, seen }) => {
    if (!['plain', 'encoded'].includes(question) || failed(outcome) || outcome.status !== 200) return []
    const tag = header(outcome, 'ETag') ?? ''
    return opaque(tag) === undefined ? [] : [{ question, request, seen, tag, coding: codingOf(outcome) }]
  })

const seenIn = (outcome: Outcome, { bytes, kind }: Subject, scheme: Variant): Seen => {
  if (failed(outcome)) return 'none'
  if (outcome.status !== 200) return outcome.status === 404 ? 'missing' : 'none'
  const [wanted, other] = [bytes[scheme], bytes[otherScheme(scheme)]]
  const { content, cut } = outcome
  if (content === undefined) return 'encoded-body'
  if (!cut && areEqual(content, wanted)) return 'right'
  if (!cut && areEqual(content, other)) return 'wrong-variant'
  if (content.length < wanted.length && areEqual(content, wanted.subarray(0, content.length)))
    return 'truncated'
  const [found, expected] = [parse(content, kind), parse(wanted, kind)]
  if (found === undefined || expected === undefined) return 'wrong-body'
  if (isDeepStrictEqual(found, expected)) return 'reformatted'
  if (isDeepStrictEqual(found, parse(other, kind))) return 'wrong-variant'
  if (!isDeepStrictEqual(Object.keys(found), Object.keys(expected)))
    return 'Shots' in found || 'username' in found ? 'wrong-file' : 'wrong-body'
  return 'username' in expected && found.username !== expected.username ? 'wrong-file' : 'not-the-snapshot'
}

const areEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** The record of a body, or those of a bin, a line each; `undefined` if it is none. */
const parse = (bytes: Uint8Array, kind: Subject['kind']): Readonly<Record<string, unknown>> | undefined => {
  const text = new TextDecoder().decode(bytes)
  try {
    const lines = text.trimEnd().split('\n')
    if (kind === 'bins') return { lines: lines.map((line) => JSON.parse(line)) }
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * What is wrong with the answers. Where the plain request of a scheme does not bring the right bytes, nothing else is
 * said of that scheme: it would be another matter, or the same once more.
 */
export const judgeFile = (subject: Subject, exchanges: readonly Exchange[]): readonly Finding[] => [
  ...variants.flatMap((scheme) => {
    const own = exchanges.filter(({ request }) => request.scheme === scheme)
    const right = own.find(({ question, seen }) => question === 'plain' && seen === 'right')?.outcome
    return own.flatMap(({ question, request, outcome, seen }) =>
      judgeExchange({ request, outcome }, (answer) => {
        const plain = question === 'plain' ? answer : right
        if (plain === undefined || failed(plain)) return []
        return judgements[question]({ subject, request, answer, seen, plain })
      }),
    )
  }),
  ...compareTags(subject, exchanges),
]

type Judge = (exchange: {
  readonly subject: Subject
  readonly request: Request
  readonly answer: Answer
  readonly seen: Seen
  /** The plain answer over the same scheme. */
  readonly plain: Answer
}) => readonly Difference[]

const judgePlain: Judge = ({ subject, request, answer, seen }) => {
  // that a file is missing, and which variant comes, is judged over all files together
  if (seen === 'missing') return []
  if (seen === 'none')
    return [differ(isRedirect(answer) ? 'redirects' : 'bad-status', '200', statusOf(answer))]
  const isPlain = codingOf(answer) === 'identity'
  const isJudged = isPlain && seen !== 'right' && seen !== 'wrong-variant'
  return [
    ...(isPlain ? [] : [unasked(answer)]),
    ...(isJudged ? [differ(seen, fileOf(subject, request), describeBody(seen, answer))] : []),
    ...judgeHeaders(answer, okHeaders(subject)),
    ...judgeTag(answer),
  ]
}

/** What comes with the 200 of a file, besides its ETag. */
const okHeaders = ({ headers }: Subject) => ({ ...commonHeaders, ...headers })

const unasked = (answer: Answer): Difference =>
  differ('encoding-unasked', 'no Content-Encoding', shown(answer, 'Content-Encoding'))

/** The file that should have come. */
const fileOf = ({ files }: Subject, { scheme }: Request): string => `the bytes of ${files[scheme]}`

/** What a wrong body is, in words; they may hold text of it, so they are not printable yet. */
const bodies = {
  'wrong-variant': () => 'the other variant',
  reformatted: (length) => `the same data in other bytes (${length})`,
  truncated: (length) => `only the first ${length}`,
  'wrong-file': (length) => `another file of the API (${length})`,
  'not-the-snapshot': (length) => `other data (${length})`,
  'encoded-body': (_, answer) => `bytes that are not ${codingOf(answer)}`,
  'wrong-body': (length, _, bytes) =>
    `${length} that begin with ${excerpt(new TextDecoder().decode(bytes.subarray(0, 200)))}`,
} as const satisfies Partial<Record<Cause, (length: string, answer: Answer, bytes: Uint8Array) => string>>

const describeBody = (body: WrongBody, answer: Answer): string => {
  const bytes = answer.content ?? answer.body
  return bodies[body](`${answer.cut ? 'more than ' : ''}${bytes.length} bytes`, answer, bytes)
}

/** The ETag of a 200. */
const judgeTag = (answer: Answer): readonly Difference[] => {
  const isTag = opaque(header(answer, 'ETag') ?? '') !== undefined
  return unless(isTag, 'etag-missing', 'ETag: "…"', shown(answer, 'ETag'))
}

/** The same request with other headers: what its status or body says is judged over all files together. */
const judgeAlike: Judge = ({ answer, seen, plain }) => {
  if (answer.status !== 200) return []
  if (codingOf(answer) !== 'identity') return [unasked(answer)]
  const [before, now] = [header(plain, 'ETag'), header(answer, 'ETag')]
  if (before === undefined || now === undefined || seen !== 'right') return []
  return unless(sameTag(now, before), 'etag-unstable', `ETag: ${before}, as before`, `ETag: ${now}`)
}

/** The file again: with a slash or a query, or compressed. */
const judgeSame =
  (cause: Cause): Judge =>
  ({ subject, request, answer, seen, plain }) => {
    if (seen === 'none' || seen === 'missing') return [differ(cause, '200', statusOf(answer))]
    if (seen !== 'right') return [differ(cause, fileOf(subject, request), describeBody(seen, answer))]
    const tagged = header(plain, 'ETag') !== undefined
    return [...judgeHeaders(answer, okHeaders(subject)), ...(tagged ? judgeTag(answer) : [])]
  }

const judgeSpoof: Judge = ({ subject, request, answer, seen }) => {
  const got = answer.status === 200 ? 'the other variant' : statusOf(answer)
  const isRight = answer.status === 200 && seen !== 'wrong-variant'
  return unless(isRight, 'spoofed-scheme', fileOf(subject, request), got)
}

const judgeEncoded: Judge = (exchange) => {
  const { request, answer } = exchange
  const coding = codingOf(answer)
  const allowed = elements(request.headers['Accept-Encoding']).filter((one) => !one.endsWith(';q=0'))
  if (answer.status === 200 && !elements(coding).every((one) => [...allowed, 'identity'].includes(one)))
    return [differ('encoding-unasked', 'an accepted coding, or none', shown(answer, 'Content-Encoding'))]
  return [
    ...judgeSame('encoded-body')(exchange),
    ...(coding === 'identity' ? [] : judgeHeaders(answer, { Vary: 'Accept-Encoding' })),
  ]
}

/** Headers that HEAD must give as GET does; the ETag only has to be there, since whether it changes is judged elsewhere. */
const headHeaders = ['Content-Type', 'Cache-Control', ...Object.keys(commonHeaders), 'Content-Encoding']

const judgeHead: Judge = ({ answer, plain }) => {
  if (answer.status !== 200) return [differ('head-differs', '200, as GET', statusOf(answer))]
  const differing = headHeaders.filter((name) => header(answer, name) !== header(plain, name))
  const wanted = `${plain.body.length}`
  const length = header(answer, 'Content-Length') ?? wanted
  return [
    ...[...differing, ...['ETag'].filter(isLost(plain, answer))].map((name) =>
      differ('head-differs', `${shown(plain, name)}, as GET`, shown(answer, name)),
    ),
    ...unless(
      Number(length) === Number(wanted),
      'head-differs',
      `Content-Length: ${wanted}, as GET`,
      `Content-Length: ${length}`,
    ),
    ...judgeSurplus(answer),
  ]
}

/** Whether the plain answer has a header that another lacks. */
const isLost = (plain: Answer, answer: Answer) => (name: string) =>
  header(plain, name) !== undefined && header(answer, name) === undefined

/** What a 304 must repeat of the 200. */
const repeated = ['ETag', 'Cache-Control', 'Access-Control-Allow-Origin']

const judgeNotModified: Judge = ({ answer, plain }) => {
  if (answer.status !== 304) return [differ('no-304', '304', statusOf(answer))]
  return [
    ...repeated
      .filter(isLost(plain, answer))
      .map((name) => differ('304-headers', `${name}, as with the 200`, shown(answer, name))),
    ...judgeSurplus(answer),
  ]
}

const judgeModified: Judge = ({ request, answer: { status } }) =>
  unless(status !== 304, 'false-304', `200 to If-None-Match: ${request.headers['If-None-Match']}`, '304')

const judgements = {
  plain: judgePlain,
  /** One Host header on both schemes, as a shared cache sees it. */
  shared: judgeAlike,
  /** As plain, but without Accept-Encoding; also the second look at the ETag. */
  again: judgeAlike,
  slash: judgeSame('slash-differs'),
  query: judgeSame('query-differs'),
  head: judgeHead,
  spoof: judgeSpoof,
  encoded: judgeEncoded,
  /** If-None-Match with the tag that the same request had; or with one of something else. */
  'own-tag': judgeNotModified,
  'other-tag': judgeModified,
} as const satisfies Record<string, Judge>

/** Tags that must not be equal: of the two variants, and of the encodings of one. */
const compareTags = (subject: Subject, exchanges: readonly Exchange[]): readonly Finding[] => {
  const tags = tagsIn(exchanges).filter(({ seen }) => seen === 'right')
  return tags.flatMap(({ coding, tag, request }, i) => {
    const before = tags.slice(0, i)
    const isOwn = (one: { request: Request }): boolean => one.request.scheme === request.scheme
    const across = before.find((one) => !isOwn(one) && sameTag(one.tag, tag))
    const within = before.find((one) => isOwn(one) && one.coding !== coding && one.tag === tag)
    const found = (cause: Cause, than: string) => [
      { ...differ(cause, `another ETag than ${than}`, `ETag: ${tag} with both`), request },
    ]
    if (across && variantsDiffer(subject))
      return found('etag-across-schemes', `over ${across.request.scheme}`)
    return within && !tag.startsWith('W/') ? found('etag-across-encodings', `with ${within.coding}`) : []
  })
}

/** Whether the two files of a resource differ at all. */
export const variantsDiffer = ({ bytes }: Subject): boolean => !areEqual(bytes.https, bytes.http)
