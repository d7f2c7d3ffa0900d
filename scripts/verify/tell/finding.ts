import type { Request } from '../../http/exchange.ts'
import type { Cause } from './causes.ts'

/** One request that showed one thing wrong. */
export type Finding = {
  readonly cause: Cause
  readonly request: Request
  /** Plain words or a header line; may hold text from the answer, so it is not printable yet. */
  readonly expected: string
  readonly got: string
}

/** How an answer differs from what it should be, still without the request that brought it. */
export type Difference = Omit<Finding, 'request'>

export const differ = (cause: Cause, expected: string, got: string): Difference => ({ cause, expected, got })
