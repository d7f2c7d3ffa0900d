/** Why a text is not a timestamp, in words; `undefined` if it is one. */
export const timestampProblem = (text: string): string | undefined => {
  if (surely.test(text)) return undefined
  const match = form.exec(text)
  if (match === null) return 'it is not of the form YYYY-MM-DD HH:MM:SS'
  const [, date, spaced, zulu] = match
  return dateProblem(date!) ?? timeProblem(spaced ?? zulu ?? '00:00:00')
}

/** A timestamp of any of the three forms as `YYYY-MM-DD HH:MM:SS`. */
export const normalTimestamp = (text: string): string =>
  text.length === 10 ? `${text} 00:00:00` : `${text.slice(0, 10)} ${text.slice(11, 19)}`

/** Nearly all timestamps: those of days that every month has. */
const surely =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])(?: (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/

const form = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2})|T(\d{2}:\d{2}:\d{2})Z)?$/

const dateProblem = (date: string): string | undefined => {
  const year = Number(date.slice(0, 4))
  const month = Number(date.slice(5, 7))
  const day = Number(date.slice(8, 10))
  if (year < 1) return 'years run from 0001 to 9999'
  if (month < 1 || month > 12) return 'months run from 01 to 12'
  const days = daysIn(year, month)
  return day < 1 || day > days ? `the days of ${date.slice(0, 7)} run from 01 to ${days}` : undefined
}

const timeProblem = (time: string): string | undefined => {
  if (time.slice(0, 2) > '23') return 'hours run from 00 to 23'
  if (time.slice(3, 5) > '59') return 'minutes run from 00 to 59'
  return time.slice(6) > '59' ? 'seconds run from 00 to 59' : undefined
}

/** Days of a month in the proleptic Gregorian calendar. */
const daysIn = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/**
 * The timestamp that another way of writing it most likely stands for: `10.01.2024`, `2024-1-10`, `2024-01-10 18:30`,
 * `Jan 10, 2024 6:30 pm`. It may not exist in the calendar. With slashes (`10/01/2024`) nobody can tell the order.
 */
export const meantTimestamp = (text: string): string | undefined => {
  const clean = text.normalize('NFKC').trim()
  for (const [form, order] of forms) {
    const match = form.exec(clean)
    const date = match && order(match)
    if (date) return withTime(date, clean.slice(match[0].length))
  }
  return undefined
}

type Parts = readonly [year: string, month: string | number, day: string]

const forms: readonly (readonly [RegExp, (match: RegExpExecArray) => Parts | undefined])[] = [
  [/^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})(?!\d)/, ([, year, month, day]) => [year!, month!, day!]],
  [/^(\d{4})(\d{2})(\d{2})(?!\d)/, ([, year, month, day]) => [year!, month!, day!]],
  [
    /^(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{4})(?!\d)/,
    ([, a, sign, b, year]) => ordered(year!, [a!, b!], sign!),
  ],
  [/^(\d{1,2})\.? ([A-Za-z]{3,9}),? (\d{4})/, ([, day, name, year]) => named(year!, name!, day!)],
  [
    /^([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})/,
    ([, name, day, year]) => named(year!, name!, day!),
  ],
]

/** With dots the day comes first; else only a field above 12 tells. */
const ordered = (year: string, [a, b]: readonly [string, string], sign: string): Parts | undefined => {
  if (Number(a) > 12 || sign === '.') return Number(b) > 12 ? [year, a, b] : [year, b, a]
  return Number(b) > 12 ? [year, a, b] : undefined
}

const named = (year: string, name: string, day: string): Parts | undefined => {
  const month = months.findIndex((full) => name.length >= 3 && full.startsWith(name.toLowerCase())) + 1
  return month === 0 ? undefined : [year, month, day]
}

const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july'],
  ...['august', 'september', 'october', 'november', 'december'],
]

const time =
  /^(?:[T, ]+(?:at )?(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?(?: ?([ap])\.?m\.?)?)? ?(?:Z|UTC|GMT|\+00:?00)?$/i

const withTime = ([year, month, day]: Parts, rest: string): string | undefined => {
  const match = time.exec(rest)
  if (match === null) return undefined
  const [, hour, minute, second = '00', half] = match
  const date = `${year}-${two(month)}-${two(day)}`
  if (hour === undefined) return date
  const isAfternoon = half?.toLowerCase() === 'p'
  if (half !== undefined && Number(hour) > (isAfternoon ? 23 : 12)) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0)
  return `${date} ${two(hours)}:${minute}:${second}`
}

const two = (number: string | number): string => String(number).padStart(2, '0')

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
  const [, first, second] = /^(\d+)[-./] ?(\d+)/.exec(text) ?? []
  return /^\d{4}/.test(text) || Number(first) > 12 || Number(second) > 12
}
