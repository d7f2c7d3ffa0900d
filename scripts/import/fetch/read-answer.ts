import { printable, quote } from '../../text/printable.ts'
import { type Answer, failed, header, type Outcome } from '../../wire/exchange.ts'
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
  const { problem: _, failure: __, ...old } = before ?? { status: 0 }
  if (failed(outcome)) return { ...old, status: 0, failure: outcome.failure, problem: outcome.detail }
  const { status } = outcome
  const problem = problemOf(outcome)
  if (problem !== undefined) return { ...old, status, problem }
  const { content, ...answer } = outcome
  if (status === 304) {
    return conditional
      ? { ...old, status: 200 }
      : { ...old, status, problem: 'it says 304 to a plain question' }
  }
  const [etag, modified] = [header(answer, 'ETag'), header(answer, 'Last-Modified')]
  return {
    status,
    body: store.putBody(content!, old.body),
    ...(etag !== undefined && isSendable(etag) && { etag }),
    ...(modified !== undefined && isSendable(modified) && { modified }),
  }
}

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

/** Whether a header of an answer can be sent back in a request. */
export const isSendable = (value: string): boolean =>
  value.length < 1000 && /^[\x20-\x7e\x80-\xff]+$/.test(value) && printable(value) === value

/** Whether an address says that nothing is there. */
export const isAbsent = (kept: Kept | undefined): boolean => kept?.status === 404 || kept?.status === 410
