import { failed, header, type Outcome } from '../../http/exchange.ts'

/** How often an address is asked before it is given up: less often if that takes long, as a time-out does. */
export const triesOf = (outcome: Outcome): number => (isTimeout(outcome) ? 2 : 5)

export const isTimeout = (outcome: Outcome): boolean => failed(outcome) && outcome.failure === 'timeout'

/** The longest pause that a server may ask for, in milliseconds, and how often one that asks for more gets it. */
export const longestPause = 15_000
export const longPauses = 2

/** Milliseconds before the second try; each further one waits twice as long. */
export const firstPause = 250

/** Whether another try may go better. */
export const isPassing = (outcome: Outcome): boolean =>
  failed(outcome)
    ? ['closed', 'garbled', 'refused', 'timeout'].includes(outcome.failure)
    : [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524].includes(outcome.status)

/** The milliseconds that an answer asks to wait, given as seconds or as a date; `undefined` if it doesn't ask. */
export const askedPause = (outcome: Outcome, now: number): number | undefined => {
  if (failed(outcome)) return undefined
  const value = header(outcome, 'Retry-After')?.trim() ?? ''
  if (/^\d{1,15}$/.test(value)) return Number(value) * 1000
  // Date.parse reads a date out of nearly anything, "-1" and "in 3 minutes" included
  const date = /^[a-z]{3,9},? .*\d\d:\d\d:\d\d GMT$/i.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(date)) return undefined
  // compared with the server's own clock, if the answer has its time
  const sent = Date.parse(header(outcome, 'Date') ?? '')
  return Math.max(0, date - (Number.isNaN(sent) ? now : sent))
}
