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
