import { isDeepStrictEqual } from 'node:util'
import { commonHeaders, encodings, type Variant } from '../api/routes.ts'
import type { Addresses } from '../http/addresses.ts'
import {
  type Answer,
  elements,
  failed,
  header,
  type Outcome,
  opaque,
  type Request,
  requestFor,
  type Sender,
  sameTag,
} from '../http/exchange.ts'
import { jsonIn } from '../text/json.ts'
import { fits } from '../text/shape.ts'
import type { Cause } from './causes.ts'
import {
  codingOf,
  type Difference,
  differ,
  excerpt,
  type Finding,
  isRedirect,
  judgeExchange,
  judgeHeaders,
  otherScheme,
  shown,
  statusOf,
  unless,
} from './judge.ts'
import type { Resource } from './snapshot.ts'

// The files of the snapshot: what is asked for each, in which order, and what is wrong with
// the answers.

/** A resource with the bytes of its files; where it is asked for, and how. */
type Subject = Resource & {
  readonly addresses: Addresses
  readonly bytes: Readonly<Record<Variant, Uint8Array>>
  /** Schemes to ask, in the order of asking. */
  readonly schemes: readonly Variant[]
  /** Whether to ask everything, or for the content only. */
  readonly close: boolean
}

type Exchange = {
  readonly judge: Judge
  readonly request: Request
  readonly outcome: Outcome
  readonly seen: Seen
}

/** What the body of a 200 turned out to be; `missing` is a 404, `none` everything else. */
type Seen = 'right' | keyof ReturnType<typeof describe>

type Ask = (
  judge: Judge,
  scheme: Variant,
  more?: Partial<Request>,
  end?: string,
) => Promise<Exchange>

/**
 * Asks everything about one file, one request after another. Where the plain request of a
 * scheme does not bring the right bytes, nothing else is said of that scheme: it would be
 * another matter, or the same once more.
 */
export const checkFile = async (subject: Subject, send: Sender['send']) => {
  const { addresses, path, bytes, schemes, username, route, close } = subject
  const limit = Math.max(bytes.https.length, bytes.http.length) + 65536
  const asked: Exchange[] = []
  const ask: Ask = async (judge, scheme, more = {}, end = '') => {
    const given = { limit, headers: identity, ...more }
    const request = requestFor(scheme, addresses[scheme].path + path + end, given)
    const outcome = await send(request)
    const exchange = { judge, request, outcome, seen: seenIn(outcome, subject, scheme) }
    asked.push(exchange)
    return exchange
  }
  // which scheme comes first matters: a cache that mixes the schemes gives both what was
  // asked for first
  for (const scheme of [...schemes, ...schemes.slice(0, -1)])
    await ask(judgeShared, scheme, { headers: {}, host: 'shared' })
  for (const scheme of schemes) await ask(judgePlain, scheme)
  const differs = !areEqual(bytes.https, bytes.http)
  const sightings = asked
    .filter(({ seen }) => seen !== 'none')
    .map(({ request, seen }) => ({ username, kind: route.name, differs, request, seen }))
  const right = asked.filter(({ judge, seen }) => judge === judgePlain && seen === 'right')
  for (const plain of right) await askMore(plain, { ask, right, close })
  const findings = asked.flatMap(({ judge, request, outcome, seen }) =>
    judgeExchange({ request, outcome }, (answer) => {
      const own = right.find((one) => one.request.scheme === request.scheme)
      const plain = judge === judgePlain ? answer : own?.outcome
      return plain && !failed(plain) ? judge({ subject, request, answer, seen, plain }) : []
    }),
  )
  return { findings: [...findings, ...compareTags(tagsIn(asked), differs)], sightings }
}

/** Asks for a file in other ways than plainly, and with the tags that it has. */
const askMore = async (
  plain: Exchange,
  {
    ask,
    right,
    close,
  }: { readonly ask: Ask; readonly right: readonly Exchange[]; readonly close: boolean },
) => {
  const { scheme } = plain.request
  const encoded: Exchange[] = []
  for (const value of accepted)
    encoded.push(await ask(judgeEncoded, scheme, { headers: { 'Accept-Encoding': value } }))
  if (!close) return
  await ask(judgeSame('query-differs'), scheme, {}, query)
  await ask(judgeSame('slash-differs'), scheme, {}, '/')
  await ask(judgeHead, scheme, { method: 'HEAD' })
  const claimed = claims(otherScheme(scheme))
  for (const claim of [{ 'X-Forwarded-Proto': claimed['X-Forwarded-Proto'] }, claimed])
    await ask(judgeSame('spoofed-scheme'), scheme, { headers: { ...identity, ...claim } })
  const askWith = (judge: Judge, tag: string, coding = 'identity') =>
    ask(judge, scheme, { headers: { 'Accept-Encoding': coding, 'If-None-Match': tag } })
  const tags = new Map(tagsIn(encoded).map(({ coding, tag }) => [coding, tag]))
  for (const { tag } of tagsIn([plain])) tags.set('identity', tag)
  for (const [coding, tag] of tags) await askWith(judgeNotModified, tag, coding)
  await askWith(judgeModified, '"shotpress-verify"')
  for (const { tag } of tagsIn(right))
    if (!sameTag(tag, tags.get('identity') ?? tag)) await askWith(judgeModified, tag)
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

/** The valid ETags of right answers, where a file's must be the same as long as its encoding is. */
const tagsIn = (exchanges: readonly Exchange[]) =>
  exchanges.flatMap(({ judge, request, outcome, seen }) => {
    if (!tagged.includes(judge) || seen !== 'right' || failed(outcome)) return []
    const tag = header(outcome, 'ETag') ?? ''
    return opaque(tag) ? [{ request, tag, coding: codingOf(outcome) }] : []
  })

const seenIn = (outcome: Outcome, { bytes, route }: Subject, scheme: Variant): Seen => {
  if (failed(outcome) || ![200, 404].includes(outcome.status)) return 'none'
  if (outcome.status === 404) return 'missing'
  const wanted = bytes[scheme]
  const other = bytes[otherScheme(scheme)]
  const { content } = outcome
  if (content === undefined) return 'encoded-body'
  if (areEqual(content, wanted)) return 'right'
  if (areEqual(content, other)) return 'wrong-variant'
  if (areEqual(content, wanted.subarray(0, content.length))) return 'truncated'
  const [found, expected, swapped] = [content, wanted, other].map((one) =>
    recordOf(one, route),
  )
  if (!found || !expected) return 'wrong-body'
  if (isDeepStrictEqual(found, expected)) return 'reformatted'
  if (isDeepStrictEqual(found, swapped)) return 'wrong-variant'
  if (!isDeepStrictEqual(Object.keys(found), Object.keys(expected)))
    return 'Shots' in found || 'username' in found ? 'wrong-file' : 'wrong-body'
  return found.username === expected.username ? 'not-the-snapshot' : 'wrong-file'
}

const areEqual = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0

type Fields = Readonly<Record<string, unknown>>

/** The record of a body, or those of a bin, a line each; `undefined` if it is none. */
const recordOf = (bytes: Uint8Array, { name }: Subject['route']) => {
  const text = new TextDecoder().decode(bytes)
  if (name === 'signature' && text.startsWith('-----BEGIN SSH')) return { text }
  const lines = text.trimEnd().split('\n').map(jsonIn)
  if (name === 'bins' && !lines.includes(undefined)) return { lines }
  const value = jsonIn(text)
  return fits(value, {}) ? (value as Fields) : undefined
}

type Judge = (exchange: {
  readonly subject: Subject
  readonly request: Request
  readonly answer: Answer
  readonly seen: Seen
  /** The plain answer over the same scheme. */
  readonly plain: Answer
}) => readonly Difference[]

/**
 * One Host header on both schemes, as a shared cache sees it, and no Accept-Encoding. What
 * comes is judged over all files together.
 */
const judgeShared: Judge = ({ answer }) => judgeCoding(answer)

const judgePlain: Judge = (exchange) => {
  const { subject, answer, seen } = exchange
  // that a file is missing, and which variant comes, is judged over all files together
  if (seen === 'missing') return []
  if (seen === 'none')
    return [wrong(isRedirect(answer) ? 'redirects' : 'bad-status', exchange)]
  const isSaid = seen === 'right' || seen === 'wrong-variant'
  return [
    ...judgeCoding(answer),
    ...(isSaid ? [] : [wrong(seen, exchange)]),
    ...judgeOk(subject, answer),
  ]
}

/** What comes with the 200 of a file. */
const judgeOk = ({ route }: Subject, answer: Answer): readonly Difference[] => [
  ...judgeHeaders(answer, { ...commonHeaders, ...route.headers }),
  ...unless(
    opaque(header(answer, 'ETag') ?? '') !== undefined,
    'etag-missing',
    'ETag: "…"',
    shown(answer, 'ETag'),
  ),
]

/** Whether an answer is compressed in a way that the request doesn't allow. */
const judgeCoding = (
  answer: Answer,
  { allowed = [] as readonly string[], expected = 'no Content-Encoding' } = {},
) =>
  unless(
    elements(codingOf(answer)).every((one) => one === 'identity' || allowed.includes(one)),
    'encoding-unasked',
    expected,
    shown(answer, 'Content-Encoding'),
  )

/** What is not the file. */
const wrong = (
  cause: Cause,
  { subject, request, answer, seen }: Omit<Parameters<Judge>[0], 'plain'>,
) => {
  const expected =
    answer.status === 200 ? `the bytes of ${subject.files[request.scheme]}` : '200'
  return differ(cause, expected, seen === 'right' ? '' : describe(answer)[seen])
}

const describe = (answer: Answer) => {
  const length = `${answer.cut ? 'more than ' : ''}${(answer.content ?? answer.body).length} bytes`
  return {
    missing: statusOf(answer),
    none: statusOf(answer),
    'wrong-variant': 'the other variant',
    reformatted: `the same data in other bytes (${length})`,
    truncated: `only the first ${length}`,
    'wrong-file': `another file of the API (${length})`,
    'not-the-snapshot': `other data (${length})`,
    'encoded-body': `bytes that are not ${codingOf(answer)}`,
    'wrong-body': `${length} that begin with ${excerpt(answer)}`,
  }
}

/**
 * The file again: with a slash or a query, compressed, or with a stranger's claim of another
 * scheme.
 */
const judgeSame =
  (cause: Cause): Judge =>
  (exchange) =>
    exchange.seen === 'right'
      ? judgeOk(exchange.subject, exchange.answer)
      : [wrong(cause, exchange)]

const judgeEncoded: Judge = (exchange) => {
  const { request, answer } = exchange
  // what is refused there with q=0 has another name
  const allowed = elements(request.headers['Accept-Encoding'])
  const coding = judgeCoding(answer, { allowed, expected: 'an accepted coding, or none' })
  if (coding.length > 0) return coding
  const varies = codingOf(answer) === 'identity' ? {} : { Vary: 'Accept-Encoding' }
  return [...judgeSame('encoded-body')(exchange), ...judgeHeaders(answer, varies)]
}

const judgeHead: Judge = ({ subject, answer, plain }) => {
  if (answer.status !== 200) return [differ('head-differs', '200, as GET', statusOf(answer))]
  const wanted = `${plain.body.length}`
  const length = header(answer, 'Content-Length') ?? wanted
  const words = [`Content-Length: ${wanted}, as GET`, `Content-Length: ${length}`] as const
  return [...judgeOk(subject, answer), ...unless(length === wanted, 'head-differs', ...words)]
}

/** What a 304 must repeat of the 200. */
const repeated = ['ETag', 'Cache-Control', 'Access-Control-Allow-Origin']

/** If-None-Match with the tag that the same request had. */
const judgeNotModified: Judge = ({ answer, plain }) => {
  if (answer.status !== 304) return [differ('no-304', '304', statusOf(answer))]
  return repeated
    .filter((name) => header(plain, name) !== undefined && header(answer, name) === undefined)
    .map((name) => differ('304-headers', `${name}, as with the 200`, shown(answer, name)))
}

/** If-None-Match with the tag of something else. */
const judgeModified: Judge = ({ request, answer: { status } }) =>
  unless(
    status !== 304,
    'false-304',
    `200 to If-None-Match: ${request.headers['If-None-Match']}`,
    '304',
  )

/** Questions whose answers' tags are compared. */
const tagged: readonly Judge[] = [judgeShared, judgePlain, judgeEncoded]

/**
 * Tags that must be equal: of one encoding. And those that must not: of the variants if they
 * differ, and of two encodings.
 */
const compareTags = (tags: ReturnType<typeof tagsIn>, differs: boolean): readonly Finding[] =>
  tags.flatMap(({ coding, tag, request }, i) => {
    const before = tags.slice(0, i)
    const own = before.filter((one) => one.request.scheme === request.scheme)
    const last = own.find((one) => one.coding === coding)
    const across = before.find((one) => !own.includes(one) && sameTag(one.tag, tag))
    const within = own.find((one) => one.coding !== coding && one.tag === tag)
    const found = (
      cause: Cause,
      expected: string,
      got = ' with both',
    ): readonly Finding[] => [{ cause, expected, got: `ETag: ${tag}${got}`, request }]
    if (last && !sameTag(last.tag, tag))
      return found('etag-unstable', `ETag: ${last.tag}, as before`, '')
    if (across && differs)
      return found('etag-across-schemes', `another ETag than over ${across.request.scheme}`)
    return within && !tag.startsWith('W/')
      ? found('etag-across-encodings', `another ETag than with ${within.coding}`)
      : []
  })

type Sighting = Awaited<ReturnType<typeof checkFile>>['sightings'][number]

/**
 * What can be said only when all files are looked at together: members not found, variants
 * mixed up.
 */
export const conclude = (sightings: readonly Sighting[]): readonly Finding[] => [
  ...concludeMissing(sightings.filter((one) => !isShared(one))),
  ...concludeVariants(sightings.filter(({ differs }) => differs)),
]

const concludeMissing = (sightings: readonly Sighting[]): readonly Finding[] => {
  const missing = sightings.filter(({ seen }) => seen === 'missing')
  const present = sightings.filter(({ seen }) => seen !== 'missing')
  const kindOf = ({ request, kind }: Sighting) => `${request.scheme} ${kind}`
  const kinds = new Set(present.map(kindOf))
  const single = missing.filter((one) => one.username !== undefined && kinds.has(kindOf(one)))
  const hasDot = ({ username = '' }: Sighting) => username.includes('.')
  // a name of 20 characters fits any pattern that somebody would write
  const longest = present.reduce(
    (most, { username = '' }) => Math.max(most, username.length),
    20,
  )
  const isLong = ({ username = '' }: Sighting) => username.length > longest
  const others = single.every(isLong) ? 'long-names' : 'not-the-snapshot'
  const members = single.every(hasDot) && !present.some(hasDot) ? 'names-with-dots' : others
  const causeOf = (sighting: Sighting): Cause => {
    if (present.length === 0) return 'nothing-found'
    if (!kinds.has(kindOf(sighting))) return 'route-missing'
    // one of many files of the site that is not there is older or newer than the snapshot
    return sighting.username === undefined ? 'not-the-snapshot' : members
  }
  return missing.map((one) => ({
    ...differ(causeOf(one), '200', '404'),
    request: one.request,
  }))
}

/**
 * A host that takes the wrong folder always does; a cache gives what was asked for first, and
 * as the order of the schemes changes from file to file, both schemes get the other's files
 * somewhere.
 */
const concludeVariants = (sightings: readonly Sighting[]): readonly Finding[] => {
  const wrong = sightings.filter(({ seen }) => seen === 'wrong-variant')
  const isOfBoth = new Set(wrong.map(({ request }) => request.scheme)).size === 2
  const isCache =
    sightings.some(({ seen }) => seen === 'right') &&
    wrong.some(isShared) &&
    (isOfBoth || wrong.every(isShared))
  const cause = isCache ? 'schemes-mixed-by-cache' : 'wrong-variant'
  return wrong.map(({ request }) => ({
    ...differ(
      cause,
      `the ${request.scheme} variant`,
      `the ${otherScheme(request.scheme)} variant`,
    ),
    request,
  }))
}

const isShared = ({ request }: Sighting) => request.host === 'shared'
