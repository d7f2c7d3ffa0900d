import { isDeepStrictEqual } from 'node:util'
import { commonHeaders, contentType, type ErrorAnswer, type Variant } from '../api/routes.ts'
import {
  type Answer,
  elements,
  failed,
  header,
  type Outcome,
  type Request,
  sameBytes,
  values,
} from '../http/exchange.ts'
import type { Cause } from './causes.ts'
import { codingOf, otherScheme, type Subject } from './member-probes.ts'

// What is judged alike of every answer: whether it came, its headers, its body.

/** How an answer differs from what it should be. */
export type Difference = {
  readonly cause: Cause
  /** Plain words or a header line; may hold text from the answer, so it is not printable yet. */
  readonly expected: string
  readonly got: string
}

/** One request that showed one thing wrong. */
export type Finding = Difference & { readonly request: Request }

export const differ = (cause: Cause, expected: string, got: string): Difference => ({ cause, expected, got })

/** A difference, unless all is as it should be. */
export const unless = (right: boolean, ...difference: Parameters<typeof differ>): readonly Difference[] =>
  right ? [] : [differ(...difference)]

/** A difference of a header from the line that it should be, unless it says the same in other words. */
export const unlessHeader = (
  answer: Answer,
  [name, wanted]: readonly [name: string, wanted: string],
  { cause, right }: { readonly cause: Cause; readonly right: boolean },
): readonly Difference[] => unless(right, cause, `${name}: ${wanted}`, shown(answer, name))

/**
 * What is judged before everything else: no answer, too many requests, a host that fails. Only an answer that
 * passes is judged further.
 */
export const judgeFailure = (
  outcome: Outcome,
  judge: (answer: Answer) => readonly Difference[],
): readonly Difference[] => {
  if (failed(outcome)) return [differ('no-answer', 'an answer', outcome.detail)]
  if (outcome.status === 429) return [differ('rate-limited', 'an answer', statusOf(outcome))]
  if (outcome.status >= 500 && outcome.status !== 501)
    return [differ('server-error', 'an answer', statusOf(outcome))]
  return judge(outcome)
}

/** The status of an answer, and where it points to. */
export const statusOf = (answer: Answer): string => {
  const location = header(answer, 'Location')
  return location === undefined ? `${answer.status}` : `${answer.status} to ${location}`
}

export const isRedirect = ({ status }: Answer): boolean => status >= 300 && status < 400

/** The headers of a 200, besides its ETag. */
export const judgeOkHeaders = (
  answer: Answer,
  { headers }: Pick<Subject, 'headers'>,
): readonly Difference[] => {
  const expose = 'Access-Control-Expose-Headers'
  const [exposed, caching] = [commonHeaders[expose], headers['Cache-Control']]
  const listed = elements(header(answer, expose))
  return [
    ...once(answer, ['Content-Type', headers['Content-Type']], 'content-type'),
    ...once(answer, cors, 'cors'),
    ...once(answer, nosniff, 'nosniff'),
    ...unlessHeader(answer, [expose, exposed], {
      cause: 'expose-headers',
      right: elements(exposed).every((name) => listed.includes(name)),
    }),
    ...unlessHeader(answer, ['Cache-Control', caching], {
      cause: 'cache-control',
      right: sameElements(elements(header(answer, 'Cache-Control')), elements(caching)),
    }),
    ...judgeHsts(answer),
  ]
}

/** The headers of an error, besides those that it alone has. */
export const judgeErrorHeaders = (answer: Answer): readonly Difference[] => [
  ...once(answer, ['Content-Type', contentType], 'error-type'),
  ...judgeCorsElsewhere(answer),
  ...once(answer, nosniff, 'nosniff-elsewhere'),
  ...judgeHsts(answer),
]

export const judgeCorsElsewhere = (answer: Answer): readonly Difference[] =>
  once(answer, cors, 'cors-elsewhere')

const [cors, nosniff] = (['Access-Control-Allow-Origin', 'X-Content-Type-Options'] as const).map(
  (name) => [name, commonHeaders[name]] as const,
) as [readonly [string, string], readonly [string, string]]

/** How long an error may be kept: `public` may be left out, anything else may not differ. */
export const judgeErrorCaching = (
  answer: Answer,
  error: ErrorAnswer,
  cause: Cause,
): readonly Difference[] => {
  const line = error.headers['Cache-Control']!
  const wanted = elements(line)
  const needed = wanted.filter((directive) => directive !== 'public')
  const harmless = needed.includes('no-store') ? [...wanted, ...uncached] : wanted
  const found = elements(header(answer, 'Cache-Control'))
  const right =
    needed.every((directive) => found.includes(directive)) &&
    found.every((directive) => harmless.includes(directive))
  return unlessHeader(answer, ['Cache-Control', line], { cause, right })
}

/** Directives that say no more than `no-store` does. */
const uncached = ['no-cache', 'must-revalidate', 'private', 'max-age=0']

export const judgeHsts = (answer: Answer): readonly Difference[] => {
  const name = 'Strict-Transport-Security'
  return unless(header(answer, name) === undefined, 'hsts', `no ${name}`, shown(answer, name))
}

/** What an answer says in a header, as a line to show. */
export const shown = (answer: Answer, name: string): string => {
  const value = header(answer, name)
  return value === undefined ? `no ${name}` : `${name}: ${value}`
}

export const sameElements = (a: readonly string[], b: readonly string[]): boolean =>
  a.every((element) => b.includes(element)) && b.every((element) => a.includes(element))

const once = (
  answer: Answer,
  [name, wanted]: readonly [name: string, wanted: string],
  cause: Cause,
): readonly Difference[] => {
  const found = values(answer, name)
  if (found.length > 1) return [differ('header-twice', `${name}: ${wanted}, once`, shown(answer, name))]
  return unlessHeader(answer, [name, wanted], { cause, right: found[0] === wanted })
}

/** What is wrong with an answer that must have no body. */
export const judgeSurplus = (answer: Answer): readonly Difference[] =>
  unless(!answer.surplus, 'unwanted-body', 'nothing after the headers', 'more bytes')

/** The beginning of a body on one line; not printable yet. */
export const excerpt = (text: string): string => text.slice(0, 200).trim().replace(/\s+/g, ' ').slice(0, 60)

/** What a body turned out to be, compared with the file that it should be. */
export type Body =
  | 'right'
  | 'other-variant'
  | 'reformatted'
  | 'truncated'
  | 'other-file'
  | 'older'
  | 'undecodable'
  | 'foreign'

export const judgeBody = (answer: Answer, subject: Subject, scheme: Variant): Body => {
  const wanted = subject.bytes[scheme]
  const { content } = answer
  if (content === undefined) return 'undecodable'
  if (!answer.cut && sameBytes(content, wanted)) return 'right'
  if (!answer.cut && sameBytes(content, subject.bytes[otherScheme(scheme)])) return 'other-variant'
  if (content.length < wanted.length && sameBytes(content, wanted.subarray(0, content.length))) {
    return 'truncated'
  }
  const found = parse(content, subject)
  const expected = parse(wanted, subject)
  if (!isRecord(found) || !isRecord(expected)) return 'foreign'
  if (isDeepStrictEqual(found, expected)) return 'reformatted'
  if (isDeepStrictEqual(found, parse(subject.bytes[otherScheme(scheme)], subject))) return 'other-variant'
  if (!isDeepStrictEqual(Object.keys(found), Object.keys(expected)))
    return 'Shots' in found || 'username' in found ? 'other-file' : 'foreign'
  return 'username' in expected && found.username !== expected.username ? 'other-file' : 'older'
}

/** What a body is, in words; may hold text of it, so it is not printable yet. */
export const describeBody = (body: Body, answer: Answer): string => {
  const bytes = answer.content ?? answer.body
  const length = `${answer.cut ? 'more than ' : ''}${bytes.length} bytes`
  const words: Readonly<Record<Body, string>> = {
    right: 'the right bytes',
    'other-variant': 'the other variant',
    reformatted: `the same data in other bytes (${length})`,
    truncated: `only the first ${length}`,
    'other-file': `another file of the API (${length})`,
    older: `other data (${length})`,
    undecodable: `bytes that are not ${codingOf(answer)}`,
    foreign: `${length} that begin with ${excerpt(new TextDecoder().decode(bytes.subarray(0, 200)))}`,
  }
  return words[body]
}

/** Whether the two files of a resource differ at all. */
export const variantsDiffer = ({ bytes }: Subject): boolean => !sameBytes(bytes.https, bytes.http)

/** The record of a body, or those of a bin, a line each. */
const parse = (bytes: Uint8Array, { kind }: Pick<Subject, 'kind'>): unknown => {
  const text = new TextDecoder().decode(bytes)
  try {
    if (kind !== 'bins') return JSON.parse(text)
    const lines = text.trimEnd().split('\n')
    return { lines: lines.map((line) => JSON.parse(line)) }
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
