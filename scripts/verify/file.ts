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

// The files of the snapshot: what is asked for each, in which order, and what is wrong with the answers.

/** A resource with the bytes of its files; where it is asked for, and how. */
export type Subject = Resource & {
  readonly addresses: Addresses
  readonly bytes: Readonly<Record<Variant, Uint8Array>>
  /** Schemes to ask, in the order of asking. */
  readonly schemes: readonly Variant[]
  /** Whether to ask everything, or for the content only. */
  readonly close: boolean
}

type Probe = {
  /** What the request wants to know: a key of the table of judgements at the end. */
  readonly question: keyof typeof judgements
  readonly request: Request
}

type Exchange = Probe & { readonly outcome: Outcome; readonly seen: Seen }

/** What the body of a 200 turned out to be; `missing` is a 404, `none` everything else. */
type Seen = 'right' | keyof ReturnType<typeof describe> | 'missing' | 'none'

/**
 * Asks everything about one file, one request after another: what is asked first matters to caches. What is wrong comes
 * scheme by scheme, whichever was asked first.
 */
export const checkFile = async (subject: Subject, send: Sender['send']) => {
  const asked: Exchange[] = []
  const ask = async (probes: readonly Probe[]): Promise<void> => {
    for (const probe of probes) {
      const outcome = await send(probe.request)
      asked.push({ ...probe, outcome, seen: seenIn(outcome, subject, probe.request.scheme) })
    }
  }
  await ask(firstRound(subject))
  if (subject.close) await ask(secondRound(subject, asked))
  const { username, kind, bytes } = subject
  const differs = !areEqual(bytes.https, bytes.http)
  const exchanges = variants.flatMap((scheme) =>
    asked.filter(({ request }) => request.scheme === scheme),
  )
  return {
    findings: [...judge(subject, exchanges), ...compareTags(asked, differs)],
    /** Of which variant the file was seen, to be looked at together with other files'; two questions repeat the plain one. */
    sightings: exchanges
      .filter(
        ({ question, seen }) => ['plain', 'shared', 'again'].includes(question) && seen !== 'none',
      )
      .map(({ question, request, seen }) => ({ username, kind, differs, question, request, seen })),
  }
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
    request: requestFor(scheme, addresses[scheme].path + path + end, {
      limit,
      headers: identity,
      ...more,
    }),
  })
}

/** Which scheme comes first matters: a cache that mixes the schemes gives both what was asked for first. */
const firstRound = (subject: Subject): readonly Probe[] => [
  ...[...subject.schemes, ...(subject.schemes.length > 1 ? subject.schemes.slice(0, 1) : [])].map(
    (scheme) => prober(subject, scheme)('shared', { headers: {}, host: 'shared' }),
  ),
  ...subject.schemes.map((scheme) => prober(subject, scheme)('plain')),
  ...subject.schemes.flatMap((scheme) => {
    const probe = prober(subject, scheme)
    const other = otherScheme(scheme)
    const encoded = accepted.map((value) =>
      probe('encoded', { headers: { 'Accept-Encoding': value } }),
    )
    if (!subject.close) return encoded
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
const secondRound = (subject: Subject, first: readonly Exchange[]): readonly Probe[] => {
  const tags = tagsIn(first)
  const plainTag = (scheme: Variant) =>
    tags.find(({ question, request }) => question === 'plain' && request.scheme === scheme)?.tag
  return subject.schemes.flatMap((scheme) => {
    const tag = plainTag(scheme)
    const other = plainTag(otherScheme(scheme))
    if (tag === undefined) return []
    const probe = (question: Probe['question'], value: string, coding = 'identity') =>
      prober(subject, scheme)(question, {
        headers: { 'Accept-Encoding': coding, 'If-None-Match': value },
      })
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
    if (!['plain', 'encoded'].includes(question) || failed(outcome) || outcome.status !== 200)
      return []
    const tag = header(outcome, 'ETag') ?? ''
    return opaque(tag) === undefined
      ? []
      : [{ question, request, seen, tag, coding: codingOf(outcome) }]
  })

const seenIn = (outcome: Outcome, { bytes, kind }: Subject, scheme: Variant): Seen => {
  if (failed(outcome)) return 'none'
  if (outcome.status !== 200) return outcome.status === 404 ? 'missing' : 'none'
  const wanted = bytes[scheme]
  const other = bytes[otherScheme(scheme)]
  const { content, cut } = outcome
  if (content === undefined) return 'encoded-body'
  if (!cut && areEqual(content, wanted)) return 'right'
  if (!cut && areEqual(content, other)) return 'wrong-variant'
  if (content.length < wanted.length && areEqual(content, wanted.subarray(0, content.length)))
    return 'truncated'
  const found = parse(content, kind)
  const expected = parse(wanted, kind)
  if (found === undefined || expected === undefined) return 'wrong-body'
  if (isDeepStrictEqual(found, expected)) return 'reformatted'
  if (isDeepStrictEqual(found, parse(other, kind))) return 'wrong-variant'
  if (!isDeepStrictEqual(Object.keys(found), Object.keys(expected)))
    return 'Shots' in found || 'username' in found ? 'wrong-file' : 'wrong-body'
  return 'username' in expected && found.username !== expected.username
    ? 'wrong-file'
    : 'not-the-snapshot'
}

const areEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** The record of a body, or those of a bin, a line each; `undefined` if it is none. */
const parse = (
  bytes: Uint8Array,
  kind: Subject['kind'],
): Readonly<Record<string, unknown>> | undefined => {
  const text = new TextDecoder().decode(bytes)
  try {
    const lines = text.trimEnd().split('\n')
    if (kind === 'bins') return { lines: lines.map((line) => JSON.parse(line)) }
    if (kind === 'signature' && text.startsWith('-----BEGIN SSH')) return { signature: text }
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
const judge = (subject: Subject, exchanges: readonly Exchange[]): readonly Finding[] =>
  exchanges.flatMap(({ question, request, outcome, seen }) =>
    judgeExchange({ request, outcome }, (answer) => {
      const right = exchanges.find(
        (one) =>
          one.question === 'plain' && one.seen === 'right' && one.request.scheme === request.scheme,
      )
      const plain = question === 'plain' ? answer : right?.outcome
      if (plain === undefined || failed(plain)) return []
      return judgements[question]({ subject, request, answer, seen, plain })
    }),
  )

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
  const isSaid = seen === 'right' || seen === 'wrong-variant'
  return [
    ...(isPlain ? [] : [unasked(answer)]),
    ...(isPlain && !isSaid ? [differ(seen, fileOf(subject, request), describe(answer)[seen])] : []),
    ...judgeOk(subject, answer),
  ]
}

/** What comes with the 200 of a file. */
const judgeOk = ({ headers }: Subject, answer: Answer): readonly Difference[] => {
  const isTag = opaque(header(answer, 'ETag') ?? '') !== undefined
  return [
    ...judgeHeaders(answer, { ...commonHeaders, ...headers }),
    ...unless(isTag, 'etag-missing', 'ETag: "…"', shown(answer, 'ETag')),
  ]
}

const unasked = (answer: Answer): Difference =>
  differ('encoding-unasked', 'no Content-Encoding', shown(answer, 'Content-Encoding'))

const fileOf = ({ files }: Subject, { scheme }: Request): string => `the bytes of ${files[scheme]}`

/** The wrong bodies, each in words for this answer. */
const describe = (answer: Answer) => {
  const length = `${answer.cut ? 'more than ' : ''}${(answer.content ?? answer.body).length} bytes`
  return {
    'wrong-variant': 'the other variant',
    reformatted: `the same data in other bytes (${length})`,
    truncated: `only the first ${length}`,
    'wrong-file': `another file of the API (${length})`,
    'not-the-snapshot': `other data (${length})`,
    'encoded-body': `bytes that are not ${codingOf(answer)}`,
    'wrong-body': `${length} that begin with ${excerpt(answer)}`,
  }
}

/** The same request with other headers: what its status or body says is judged over all files together. */
const judgeAlike: Judge = ({ answer, seen, plain }) => {
  if (answer.status !== 200) return []
  if (codingOf(answer) !== 'identity') return [unasked(answer)]
  const before = header(plain, 'ETag')
  const now = header(answer, 'ETag')
  if (before === undefined || now === undefined || seen !== 'right') return []
  return unless(sameTag(now, before), 'etag-unstable', `ETag: ${before}, as before`, `ETag: ${now}`)
}

/** The file again: with a slash or a query, compressed, or with a stranger's claim of another scheme. */
const judgeSame =
  (cause: Cause): Judge =>
  ({ subject, request, answer, seen }) => {
    if (seen === 'none' || seen === 'missing') return [differ(cause, '200', statusOf(answer))]
    if (seen !== 'right') return [differ(cause, fileOf(subject, request), describe(answer)[seen])]
    return judgeOk(subject, answer)
  }

const judgeEncoded: Judge = (exchange) => {
  const { request, answer } = exchange
  const coding = codingOf(answer)
  const allowed = elements(request.headers['Accept-Encoding']).filter(
    (one) => !one.endsWith(';q=0'),
  )
  if (
    answer.status === 200 &&
    !elements(coding).every((one) => [...allowed, 'identity'].includes(one))
  )
    return [
      differ('encoding-unasked', 'an accepted coding, or none', shown(answer, 'Content-Encoding')),
    ]
  return [
    ...judgeSame('encoded-body')(exchange),
    ...(coding === 'identity' ? [] : judgeHeaders(answer, { Vary: 'Accept-Encoding' })),
  ]
}

/** Headers that HEAD must give as GET does; the ETag only has to be there, since whether it changes is judged elsewhere. */
const headHeaders = [
  'Content-Type',
  'Cache-Control',
  ...Object.keys(commonHeaders),
  'Content-Encoding',
]

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
  unless(
    status !== 304,
    'false-304',
    `200 to If-None-Match: ${request.headers['If-None-Match']}`,
    '304',
  )

const judgements = {
  plain: judgePlain,
  /** One Host header on both schemes, as a shared cache sees it. */
  shared: judgeAlike,
  /** As plain, but without Accept-Encoding; also the second look at the ETag. */
  again: judgeAlike,
  slash: judgeSame('slash-differs'),
  query: judgeSame('query-differs'),
  head: judgeHead,
  spoof: judgeSame('spoofed-scheme'),
  encoded: judgeEncoded,
  /** If-None-Match with the tag that the same request had; or with one of something else. */
  'own-tag': judgeNotModified,
  'other-tag': judgeModified,
} as const satisfies Record<string, Judge>

/** Tags that must not be equal: of the two variants if they differ, and of the encodings of one. */
const compareTags = (exchanges: readonly Exchange[], differs: boolean): readonly Finding[] => {
  const tags = tagsIn(exchanges).filter(({ seen }) => seen === 'right')
  return tags.flatMap(({ coding, tag, request }, i) => {
    const before = tags.slice(0, i)
    const isOwn = (one: { request: Request }): boolean => one.request.scheme === request.scheme
    const across = before.find((one) => !isOwn(one) && sameTag(one.tag, tag))
    const within = before.find((one) => isOwn(one) && one.coding !== coding && one.tag === tag)
    const found = (cause: Cause, than: string) => [
      { ...differ(cause, `another ETag than ${than}`, `ETag: ${tag} with both`), request },
    ]
    if (across && differs) return found('etag-across-schemes', `over ${across.request.scheme}`)
    return within && !tag.startsWith('W/')
      ? found('etag-across-encodings', `with ${within.coding}`)
      : []
  })
}

type Sighting = Awaited<ReturnType<typeof checkFile>>['sightings'][number]

/** What can be said only when all files are looked at together: members not found, variants mixed up. */
export const conclude = (sightings: readonly Sighting[]): readonly Finding[] => [
  ...concludeMissing(sightings.filter(({ question }) => question === 'plain')),
  ...concludeVariants(sightings.filter(({ differs }) => differs)),
]

const concludeMissing = (sightings: readonly Sighting[]): readonly Finding[] => {
  const missing = sightings.filter(({ seen }) => seen === 'missing')
  const present = sightings.filter(({ seen }) => seen !== 'missing')
  const kindOf = ({ request, kind }: Sighting): string => `${request.scheme} ${kind}`
  const kinds = new Set(present.map(kindOf))
  const hasDot = ({ username }: Sighting): boolean => username?.includes('.') ?? false
  const single = missing.filter((one) => one.username !== undefined && kinds.has(kindOf(one)))
  // a name of 20 characters fits any pattern that somebody would write
  const longest = present.reduce((most, { username = '' }) => Math.max(most, username.length), 20)
  const isLong = ({ username = '' }: Sighting): boolean => username.length > longest
  const others = single.every(isLong) ? 'long-names' : 'not-the-snapshot'
  const members = single.every(hasDot) && !present.some(hasDot) ? 'names-with-dots' : others
  const causeOf = (sighting: Sighting): Cause => {
    if (present.length === 0) return 'nothing-found'
    if (!kinds.has(kindOf(sighting))) return 'route-missing'
    // one of many files of the site that is not there is older or newer than the snapshot
    return sighting.username === undefined ? 'not-the-snapshot' : members
  }
  return missing.map((one) => ({ ...differ(causeOf(one), '200', '404'), request: one.request }))
}

/**
 * A host that takes the wrong folder always does; a cache gives what was asked for first, and as the
 * order of the schemes changes from file to file, both schemes get the other's files somewhere.
 */
const concludeVariants = (sightings: readonly Sighting[]): readonly Finding[] => {
  const wrong = sightings.filter(({ seen }) => seen === 'wrong-variant')
  const kinds = new Set(wrong.map(({ kind }) => kind))
  const right = sightings.some(({ seen, kind }) => seen === 'right' && kinds.has(kind))
  const onlyShared = wrong.every(({ question }) => question === 'shared')
  const isOfBoth = new Set(wrong.map(({ request }) => request.scheme)).size === 2
  const isCache =
    right && (onlyShared || (isOfBoth && wrong.some(({ question }) => question === 'shared')))
  const cause = isCache ? 'schemes-mixed-by-cache' : 'wrong-variant'
  return wrong.map(({ request }) => ({
    ...differ(cause, `the ${request.scheme} variant`, `the ${otherScheme(request.scheme)} variant`),
    request,
  }))
}
