import { meantTimestamp } from './meant-timestamp.ts'
import { timestampProblem } from './timestamp.ts'

/**
 * A date that is written in another way, as `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`, where the order of its parts is
 * beyond doubt: the year comes first, or one of day and month is above 12. `undefined` if it is right, or in doubt.
 */
export const clearDate = (text: string): string | undefined => {
  if (timestampProblem(text) === undefined || !isOrderClear(text)) return undefined
  const meant = meantTimestamp(text)
  return meant !== undefined && timestampProblem(meant) === undefined ? meant : undefined
}

const isOrderClear = (text: string): boolean => {
  const [, first, second] = /^(\d+)[-./](\d+)/.exec(text) ?? []
  return /^\d{4}/.test(text) || Number(first) > 12 || Number(second) > 12
}
