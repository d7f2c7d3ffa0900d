import type { Variant } from '../api/routes.ts'
import {
  type Answer,
  elements,
  failed,
  header,
  type Outcome,
  type Request,
  values,
} from '../http/exchange.ts'
import type { Cause } from './causes.ts'

// What is judged alike of every answer: whether it came, and its headers; and what it says,
// in words. These may hold text of the answer, so they are not printable yet.

/** How an answer differs from what it should be. */
export type Difference = {
  readonly cause: Cause
  /** Plain words or a header line. */
  readonly expected: string
  readonly got: string
}

/**
 * One request that showed one thing wrong; `elsewhere` if no file of the snapshot should have
 * answered it.
 */
export type Finding = Difference & { readonly request: Request; readonly elsewhere?: true }

/** What an answer is where another is due. */
export const differ = (cause: Cause, expected: string, got: string): Difference => ({
  cause,
  expected,
  got,
})

/** A difference, unless all is as it should be. */
export const unless = (
  right: boolean,
  ...difference: Parameters<typeof differ>
): readonly Difference[] => (right ? [] : [differ(...difference)])

/**
 * Judges one exchange. No answer, too many requests or a host that fails is all that is said
 * of it. Bytes after an answer that has no body should never come.
 */
export const judgeExchange = (
  { request, outcome }: { readonly request: Request; readonly outcome: Outcome },
  judge: (answer: Answer) => readonly Difference[],
): readonly Finding[] => {
  const differences = () => {
    if (failed(outcome)) return [differ('no-answer', 'an answer', outcome.detail)]
    const { status } = outcome
    if (status === 429) return [differ('rate-limited', 'an answer', statusOf(outcome))]
    if (status >= 500 && status !== 501)
      return [differ('server-error', 'an answer', statusOf(outcome))]
    const isEnd = !outcome.surplus
    return [
      ...judge(outcome),
      ...unless(isEnd, 'unwanted-body', 'nothing after the headers', 'more bytes'),
    ]
  }
  return differences().map((difference) => ({ ...difference, request }))
}

export const otherScheme = (scheme: Variant): Variant =>
  scheme === 'https' ? 'http' : 'https'

/** The status of an answer, and where it points to. */
export const statusOf = (answer: Answer): string =>
  [answer.status, header(answer, 'Location')].filter((one) => one !== undefined).join(' to ')

export const isRedirect = ({ status }: Answer): boolean => status >= 300 && status < 400

export const isOk = ({ status }: Answer): boolean => status >= 200 && status < 300

/** The content coding of an answer; `identity` is none. */
export const codingOf = (answer: Answer): string =>
  elements(header(answer, 'Content-Encoding')).join(', ') || 'identity'

/** What an answer says in a header, as a line to show. */
export const shown = (answer: Answer, name: string): string => {
  const value = header(answer, name)
  return value === undefined ? `no ${name}` : `${name}: ${value}`
}

export const textOf = (answer: Answer): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(answer.content ?? answer.body)

/** The beginning of a body on one line. */
export const excerpt = (answer: Answer): string =>
  textOf(answer).slice(0, 200).trim().replace(/\s+/g, ' ').slice(0, 60)

/** What a browser sends before a request with If-None-Match across origins. */
export const preflightHeaders = {
  Origin: 'https://verify.example',
  'Access-Control-Request-Method': 'GET',
  'Access-Control-Request-Headers': 'if-none-match',
} as const

type Elements = readonly string[]

const hasAll = (found: Elements, wanted: Elements) =>
  wanted.every((one) => found.includes(one))
const areSame = (a: Elements, b: Elements) => hasAll(a, b) && hasAll(b, a)

/**
 * The cause of each header, and when its elements say what is wanted; without `fits`, it must
 * come once and be equal.
 */
const headerRules: Readonly<
  Record<
    string,
    { cause: Cause; fits?: (found: Elements, wanted: Elements, status: number) => boolean }
  >
> = {
  'Content-Type': { cause: 'content-type' },
  'Access-Control-Allow-Origin': { cause: 'cors' },
  'X-Content-Type-Options': { cause: 'nosniff' },
  'Access-Control-Expose-Headers': { cause: 'expose-headers', fits: hasAll },
  'Cache-Control': {
    cause: 'cache-control',
    fits: (found, wanted, status) =>
      // an error need not say that it is public
      hasAll(status < 400 ? found : [...found, 'public'], wanted) && hasAll(wanted, found),
  },
  Vary: {
    cause: 'vary',
    fits: (found) => found.includes('accept-encoding') || found.includes('*'),
  },
  Allow: { cause: 'method-allow', fits: areSame },
  'Access-Control-Allow-Methods': {
    cause: 'options-headers',
    // no page asks for OPTIONS, so that may be left out
    fits: (found, wanted) => areSame([...found, 'options'], wanted),
  },
  'Access-Control-Allow-Headers': {
    cause: 'options-headers',
    fits: (found) =>
      found.includes('*') ||
      found.includes(preflightHeaders['Access-Control-Request-Headers']),
  },
  'Access-Control-Max-Age': {
    cause: 'options-max-age',
    fits: ([age], [wanted]) => Number(age) >= Number(wanted),
  },
}

/** Holds an answer against the headers that it should have. HSTS it should never have. */
export const judgeHeaders = (
  answer: Answer,
  wanted: Readonly<Record<string, string>> = {},
): readonly Difference[] => [
  ...Object.entries(wanted).flatMap(([name, value]) => {
    const { cause, fits } = headerRules[name]!
    const line = `${name}: ${value}`
    const found = values(answer, name)
    if (!fits && found.length > 1)
      return [differ('header-twice', `${line}, once`, shown(answer, name))]
    const right = fits
      ? fits(elements(header(answer, name)), elements(value), answer.status)
      : found[0] === value
    return unless(right, cause, line, shown(answer, name))
  }),
  ...unless(header(answer, hsts) === undefined, 'hsts', `no ${hsts}`, shown(answer, hsts)),
]

const hsts = 'Strict-Transport-Security'
