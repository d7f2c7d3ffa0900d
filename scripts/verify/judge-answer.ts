import { isDeepStrictEqual } from 'node:util'
import { commonHeaders, contentType, type ErrorAnswer, type Variant } from '../api/routes.ts'
import { type Answer, elements, failed, header, type Outcome, sameBytes, values } from '../http/exchange.ts'
import { type Cause, type Difference, differ } from './causes.ts'
import { codingOf, otherScheme, type Subject } from './member-probes.ts'

/** The headers of a 200, besides its ETag. */
export const judgeOkHeaders = (
  answer: Answer,
  { headers }: Pick<Subject, 'headers'>,
): readonly Difference[] => [
  ...single(answer, 'Content-Type', headers['Content-Type'], 'content-type'),
  ...single(answer, 'Access-Control-Allow-Origin', commonHeaders['Access-Control-Allow-Origin'], 'cors'),
  ...single(answer, 'X-Content-Type-Options', commonHeaders['X-Content-Type-Options'], 'nosniff'),
  ...(elements(expose).every((name) =>
    elements(header(answer, 'Access-Control-Expose-Headers')).includes(name),
  )
    ? []
    : [
        differ(
          'expose-headers',
          `Access-Control-Expose-Headers: ${expose}`,
          shown(answer, 'Access-Control-Expose-Headers'),
        ),
      ]),
  ...(sameElements(elements(header(answer, 'Cache-Control')), elements(headers['Cache-Control']))
    ? []
    : [
        differ('cache-control', `Cache-Control: ${headers['Cache-Control']}`, shown(answer, 'Cache-Control')),
      ]),
  ...judgeHsts(answer),
]

const expose = commonHeaders['Access-Control-Expose-Headers']

/** The headers of an error, besides those that it alone has. */
export const judgeErrorHeaders = (answer: Answer): readonly Difference[] => [
  ...single(answer, 'Content-Type', contentType, 'error-type'),
  ...judgeCorsElsewhere(answer),
  ...single(answer, 'X-Content-Type-Options', commonHeaders['X-Content-Type-Options'], 'nosniff-elsewhere'),
  ...judgeHsts(answer),
]

export const judgeCorsElsewhere = (answer: Answer): readonly Difference[] =>
  single(
    answer,
    'Access-Control-Allow-Origin',
    commonHeaders['Access-Control-Allow-Origin'],
    'cors-elsewhere',
  )

/** How long an error may be kept: `public` may be left out, anything else may not differ. */
export const judgeErrorCaching = (
  answer: Answer,
  error: ErrorAnswer,
  cause: Cause,
): readonly Difference[] => {
  const wanted = elements(error.headers['Cache-Control'])
  const needed = wanted.filter((directive) => directive !== 'public')
  const harmless = needed.includes('no-store') ? [...wanted, ...uncached] : wanted
  const found = elements(header(answer, 'Cache-Control'))
  return needed.every((directive) => found.includes(directive)) &&
    found.every((directive) => harmless.includes(directive))
    ? []
    : [differ(cause, `Cache-Control: ${error.headers['Cache-Control']}`, shown(answer, 'Cache-Control'))]
}

export const judgeHsts = (answer: Answer): readonly Difference[] =>
  header(answer, 'Strict-Transport-Security') === undefined
    ? []
    : [differ('hsts', 'no Strict-Transport-Security', shown(answer, 'Strict-Transport-Security'))]

/** What an answer says in a header, as a line to show. */
export const shown = (answer: Answer, name: string): string => {
  const value = header(answer, name)
  return value === undefined ? `no ${name}` : `${name}: ${value}`
}

export const sameElements = (a: readonly string[], b: readonly string[]): boolean =>
  a.every((element) => b.includes(element)) && b.every((element) => a.includes(element))

/** Directives that say no more than `no-store` does. */
const uncached = ['no-cache', 'must-revalidate', 'private', 'max-age=0']

const single = (answer: Answer, name: string, wanted: string, cause: Cause): readonly Difference[] => {
  const found = values(answer, name)
  if (found.length > 1) return [differ('header-twice', `${name}: ${wanted}, once`, shown(answer, name))]
  return found[0] === wanted ? [] : [differ(cause, `${name}: ${wanted}`, shown(answer, name))]
}

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

/** What is wrong with an answer that must have no body. */
export const judgeSurplus = (answer: Answer): readonly Difference[] =>
  answer.surplus ? [differ('unwanted-body', 'nothing after the headers', 'more bytes')] : []

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
  if (!sameKeys(found, expected)) return isPublished(found) ? 'other-file' : 'foreign'
  return 'username' in expected && found.username !== expected.username ? 'other-file' : 'older'
}

/** What a body is, in words; may hold text of it, so it is not printable yet. */
export const describeBody = (body: Body, answer: Answer): string => {
  const start = excerpt(new TextDecoder().decode((answer.content ?? answer.body).subarray(0, 200)))
  const length = `${answer.cut ? 'more than ' : ''}${(answer.content ?? answer.body).length} bytes`
  switch (body) {
    case 'right':
      return 'the right bytes'
    case 'other-variant':
      return 'the other variant'
    case 'reformatted':
      return `the same data in other bytes (${length})`
    case 'truncated':
      return `only the first ${length}`
    case 'other-file':
      return `another file of the API (${length})`
    case 'older':
      return `other data (${length})`
    case 'undecodable':
      return `bytes that are not ${codingOf(answer)}`
    case 'foreign':
      return `${length} that begin with ${start}`
    default:
      return body satisfies never
  }
}

/** Whether the two files of a resource differ at all. */
export const variantsDiffer = ({ bytes }: Subject): boolean => !sameBytes(bytes.https, bytes.http)

/** The record of a body, or those of a bin, a line each. */
const parse = (bytes: Uint8Array, { kind }: Pick<Subject, 'kind'>): unknown => {
  const text = new TextDecoder().decode(bytes)
  try {
    if (kind !== 'bins') return JSON.parse(text)
    return {
      lines: text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    }
  } catch {
    return undefined
  }
}

type Json = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sameKeys = (a: Json, b: Json): boolean => isDeepStrictEqual(Object.keys(a), Object.keys(b))

/** Whether it is one of the two kinds of body that the API has, whoever's. */
const isPublished = (found: Json): boolean => 'Shots' in found || 'username' in found
