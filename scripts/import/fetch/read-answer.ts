import { type Answer, failed, header, type Outcome } from '../../http/exchange.ts'
import { printable, quote } from '../../text/printable.ts'
import type { Kept } from '../keep/answers.ts'
import { bodyLimit } from '../keep/bodies.ts'
import type { Store } from '../keep/store.ts'

export type ReadAnswerOptions = {
  /** How the address answered before. */
  readonly before: Kept | undefined
  /** Whether the request had the conditions of the body that was kept then. */
  readonly conditional: boolean
  readonly store: Store
}

/** What an answer means: a new body, the body that is kept, or why there is none. */
export const readAnswer = (outcome: Outcome, { before, conditional, store }: ReadAnswerOptions): Kept => {
  if (failed(outcome))
    return { ...bodyOf(before), status: 0, failure: outcome.failure, problem: outcome.detail }
  const { status } = outcome
  const problem = problemOf(outcome)
  if (problem !== undefined) return { ...bodyOf(before), status, problem }
  if (status === 304) {
    return conditional
      ? { ...bodyOf(before), status: 200 }
      : { ...bodyOf(before), status, problem: 'it says 304 to a plain question' }
  }
  return {
    status,
    body: store.putBody(outcome.content!, before?.body),
    etag: sendable(header(outcome, 'ETag')),
    modified: sendable(header(outcome, 'Last-Modified')),
  }
}

/** What is kept of the last body, without what was wrong with the last answer. */
export const bodyOf = ({ problem: _, failure: __, ...kept }: Kept = { status: 0 }): Kept => kept

const problemOf = (answer: Answer): string | undefined => {
  const { status, cut, content } = answer
  if (status === 304) return undefined
  if (status >= 300 && status < 400) {
    const target = header(answer, 'Location')
    return `it redirects${target === undefined ? '' : ` to ${quote(target)}`} (${status})`
  }
  if (status !== 200) return reasons[status] ?? `it says ${status}`
  if (cut) return `its body is larger than ${bodyLimit} bytes`
  return content === undefined ? 'its body is compressed in a way that can not be undone' : undefined
}

const reasons: Readonly<Record<number, string>> = {
  401: 'it wants credentials (401)',
  403: 'it refuses (403)',
  404: 'there is nothing (404)',
  410: 'there is nothing any more (410)',
  429: 'it says "too many requests" (429)',
}

/** A header of an answer, if it can be sent back in a request. */
export const sendable = (value: string | undefined): string | undefined =>
  value !== undefined && value.length < 1000 && isHeader.test(value) && printable(value) === value
    ? value
    : undefined

const isHeader = /^[\x20-\x7e\x80-\xff]+$/

/** Whether an address says that nothing is there. */
export const isAbsent = (kept: Kept | undefined): boolean => kept?.status === 404 || kept?.status === 410
