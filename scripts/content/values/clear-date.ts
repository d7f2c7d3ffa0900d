import { timestampProblem } from './timestamp.ts'

/**
 * A date that is written in another way, as `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`, where the order of its parts is
 * beyond doubt: the year comes first, or one of day and month is above 12. `undefined` if it is right, or in doubt.
 */
export const clearDate = (text: string): string | undefined => {
  if (timestampProblem(text) === undefined) return undefined
  const [, a, b, c, hour, minute, second = '00'] = form.exec(text) ?? []
  if (a === undefined || b === undefined || c === undefined) return undefined
  const date = a.length === 4 ? [a, b, c] : c.length === 4 ? yearLast([a, b, c]) : undefined
  if (date === undefined) return undefined
  const [year, month, day] = date.map((part) => part.padStart(2, '0'))
  const time = hour === undefined ? '' : ` ${hour.padStart(2, '0')}:${minute}:${second}`
  const result = `${year}-${month}-${day}${time}`
  return timestampProblem(result) === undefined ? result : undefined
}

const form = /^(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?Z?)?$/

const yearLast = ([a, b, year]: readonly [string, string, string]): readonly string[] | undefined => {
  if (Number(a) > 12) return [year, b, a]
  return Number(b) > 12 ? [year, a, b] : undefined
}
