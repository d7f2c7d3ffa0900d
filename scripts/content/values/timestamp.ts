const day = String.raw`\d{4}-\d\d-\d\d`
const time = String.raw`\d\d:\d\d:\d\d`
const form = new RegExp(`^${day}(?: ${time}|T${time}Z)?$`)

/** Nearly all timestamps: those of days that every month has. */
const usualDay = String.raw`(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])`
const usualTime = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d`
const surely = new RegExp(`^${usualDay}(?: ${usualTime})?$`)

/** Why a text is not a timestamp, in words; `undefined` if it is one. */
export const timestampProblem = (text: string): string | undefined => {
  if (surely.test(text)) return undefined
  if (!form.test(text)) return 'it is not of the form YYYY-MM-DD HH:MM:SS'
  const numbers = normalTimestamp(text).split(/[- :]/).map(Number)
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers
  if (year < 1) return 'years run from 0001 to 9999'
  if (month < 1 || month > 12) return 'months run from 01 to 12'
  // the calendar repeats itself every 400 years; years below 100 are others to Date
  const days = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  if (day < 1 || day > days) return `the days of ${text.slice(0, 7)} run from 01 to ${days}`
  if (hour > 23) return 'hours run from 00 to 23'
  if (minute > 59) return 'minutes run from 00 to 59'
  return second > 59 ? 'seconds run from 00 to 59' : undefined
}

/** A timestamp of any of the three forms as `YYYY-MM-DD HH:MM:SS`. */
export const normalTimestamp = (text: string): string =>
  text.length === 10 ? `${text} 00:00:00` : `${text.slice(0, 10)} ${text.slice(11, 19)}`
