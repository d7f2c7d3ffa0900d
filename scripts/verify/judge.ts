import { isDeepStrictEqual } from 'node:util'
import type { Variant } from '../api/routes.ts'
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
import { preflightHeaders } from './site-probes.ts'

// What is judged alike of every answer: whether it came, its headers, its body.

/** How an answer differs from what it should be. */
export type Difference = {
  readonly cause: Cause
  /** Plain words or a header line; may hold text from the answer, so it is not printable yet. */
  readonly expected: string
  readonly got: string
}

/** One request that showed one thing wrong; `elsewhere` if no file of the snapshot should have answered it. */
export type Finding = Difference & { readonly request: Request; readonly elsewhere?: true }

export const differ = (cause: Cause, expected: string, got: string): Difference => ({ cause, expected, got })

/** A difference, unless all is as it should be. */
export const unless = (right: boolean, ...difference: Parameters<typeof differ>): readonly Difference[] =>
  right ? [] : [differ(...difference)]

/** Judges one exchange. No answer, too many requests or a host that fails is all that is said of it. */
export const judgeExchange = (
  { request, outcome }: { readonly request: Request; readonly outcome: Outcome },
  judge: (answer: Answer) => readonly Difference[],
): readonly Finding[] => {
  const differences = (): readonly Difference[] => {
    if (failed(outcome)) return [differ('no-answer', 'an answer', outcome.detail)]
    if (outcome.status === 429) return [differ('rate-limited', 'an answer', statusOf(outcome))]
    if (outcome.status >= 500 && outcome.status !== 501)
      return [differ('server-error', 'an answer', statusOf(outcome))]
    return judge(outcome)
  }
  return differences().map((difference) => ({ ...difference, request }))
}

/** The status of an answer, and where it points to. */
export const statusOf = (answer: Answer): string => {
  const location = header(answer, 'Location')
  return location === undefined ? `${answer.status}` : `${answer.status} to ${location}`
}

export const isRedirect = ({ status }: Answer): boolean => status >= 300 && status < 400

type Elements = readonly string[]

const hasAll = (found: Elements, wanted: Elements): boolean => wanted.every((one) => found.includes(one))
const areSame = (a: Elements, b: Elements): boolean => hasAll(a, b) && hasAll(b, a)

/** What no-store says already. */
const uncached = ['no-cache', 'must-revalidate', 'private', 'max-age=0']

/** The cause of each header, and when its elements say what is wanted; without `fits`, it must come once and be equal. */
const headerRules: Readonly<
  Record<string, { cause: Cause; fits?: (found: Elements, wanted: Elements, status: number) => boolean }>
> = {
  'Content-Type': { cause: 'content-type' },
  'Access-Control-Allow-Origin': { cause: 'cors' },
  'X-Content-Type-Options': { cause: 'nosniff' },
  'Access-Control-Expose-Headers': { cause: 'expose-headers', fits: hasAll },
  'Cache-Control': {
    cause: 'cache-control',
    fits: (found, wanted, status) =>
      // an error need not say that it is public
      hasAll(status < 400 ? found : [...found, 'public'], wanted) &&
      hasAll(wanted.includes('no-store') ? [...wanted, ...uncached] : wanted, found),
  },
  Vary: { cause: 'vary', fits: (found) => found.includes('accept-encoding') || found.includes('*') },
  Allow: { cause: 'method-allow', fits: areSame },
  'Access-Control-Allow-Methods': {
    cause: 'options-headers',
    // no page asks for OPTIONS, so that may be left out
    fits: (found, wanted) => areSame([...found, 'options'], wanted),
  },
  'Access-Control-Allow-Headers': {
    cause: 'options-headers',
    fits: (found) =>
      found.includes('*') || found.includes(preflightHeaders['Access-Control-Request-Headers']),
  },
  'Access-Control-Max-Age': {
    cause: 'options-max-age',
    fits: ([age], [wanted]) => Number(age) >= Number(wanted),
  },
}

/** Holds an answer against the headers that it should have. HSTS it should never have. */
export const judgeHeaders = (
  answer: Answer,
  wanted: Readonly<Record<string, string>>,
): readonly Difference[] => [
  ...Object.entries(wanted).flatMap(([name, value]) => {
    const { cause, fits } = headerRules[name]!
    const [line, found] = [`${name}: ${value}`, values(answer, name)]
    if (fits === undefined && found.length > 1)
      return [differ('header-twice', `${line}, once`, shown(answer, name))]
    const right = fits
      ? fits(elements(header(answer, name)), elements(value), answer.status)
      : found[0] === value
    return unless(right, cause, line, shown(answer, name))
  }),
  ...unless(header(answer, hsts) === undefined, 'hsts', `no ${hsts}`, shown(answer, hsts)),
]

const hsts = 'Strict-Transport-Security'

/** What an answer says in a header, as a line to show. */
export const shown = (answer: Answer, name: string): string => {
  const value = header(answer, name)
  return value === undefined ? `no ${name}` : `${name}: ${value}`
}

/** What is wrong with an answer that must have no body. */
export const judgeSurplus = (answer: Answer): readonly Difference[] =>
  unless(!answer.surplus, 'unwanted-body', 'nothing after the headers', 'more bytes')

/** The beginning of a body on one line; not printable yet. */
export const excerpt = (text: string): string => text.slice(0, 200).trim().replace(/\s+/g, ' ').slice(0, 60)

/** What a body turned out to be, compared with the file that it should be: right, or why not. */
export type Body =
  | 'right'
  | Extract<
      Cause,
      | 'wrong-variant'
      | 'reformatted'
      | 'truncated'
      | 'wrong-file'
      | 'not-the-snapshot'
      | 'encoded-body'
      | 'wrong-body'
    >

export const judgeBody = (answer: Answer, subject: Subject, scheme: Variant): Body => {
  const [wanted, other] = [subject.bytes[scheme], subject.bytes[otherScheme(scheme)]]
  const { content } = answer
  if (content === undefined) return 'encoded-body'
  if (!answer.cut && sameBytes(content, wanted)) return 'right'
  if (!answer.cut && sameBytes(content, other)) return 'wrong-variant'
  if (content.length < wanted.length && sameBytes(content, wanted.subarray(0, content.length)))
    return 'truncated'
  const found = parse(content, subject)
  const expected = parse(wanted, subject)
  if (!isRecord(found) || !isRecord(expected)) return 'wrong-body'
  if (isDeepStrictEqual(found, expected)) return 'reformatted'
  if (isDeepStrictEqual(found, parse(other, subject))) return 'wrong-variant'
  if (!isDeepStrictEqual(Object.keys(found), Object.keys(expected)))
    return 'Shots' in found || 'username' in found ? 'wrong-file' : 'wrong-body'
  return 'username' in expected && found.username !== expected.username ? 'wrong-file' : 'not-the-snapshot'
}

/** What a body is, in words; may hold text of it, so it is not printable yet. */
export const describeBody = (body: Body, answer: Answer): string => {
  const bytes = answer.content ?? answer.body
  const length = `${answer.cut ? 'more than ' : ''}${bytes.length} bytes`
  const words: Readonly<Record<Body, string>> = {
    right: 'the right bytes',
    'wrong-variant': 'the other variant',
    reformatted: `the same data in other bytes (${length})`,
    truncated: `only the first ${length}`,
    'wrong-file': `another file of the API (${length})`,
    'not-the-snapshot': `other data (${length})`,
    'encoded-body': `bytes that are not ${codingOf(answer)}`,
    'wrong-body': `${length} that begin with ${excerpt(new TextDecoder().decode(bytes.subarray(0, 200)))}`,
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
