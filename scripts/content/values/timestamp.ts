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
  const clean = text
    .normalize('NFKC')
    .replace(/^["'“”„‘’«»([~\s]+|["'“”‘’«»)\]\s,;.]+$/g, '')
    .replace(/^(?:le|den|am|on|el|il|ca|circa|about|around)\b\.?\s*/i, '')
    .replace(/[\u2010-\u2015_]/g, '-')
    .replace(/(?<=\d)[oO]|[oO](?=\d)/g, '0')
    .replace(/^(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日?/, '$1-$2-$3')
    .replace(/(?<=\p{L}.*)['’](\d\d)$/u, '20$1')
    .replace(/(?<=^\d{4}-\d\d-\d\d)-(?=\d\d:)/, ' ')
    .replace(/^(?:mon|tue|wed|thu|fri|sat|sun)\p{L}*[,.]? /iu, '')
  for (const [form, order] of forms) {
    const match = form.exec(clean)
    const date = match && order(match)
    if (date) return withTime(date, clean.slice(match[0].length))
  }
  return undefined
}

type Parts = readonly [year: string, month: string | number, day: string]

const forms: readonly (readonly [RegExp, (match: RegExpExecArray) => Parts | undefined])[] = [
  [
    /^(\d{4})\s*[-/. –]\s*(\d{1,2})\s*[-/. –]\s*(\d{1,2})(?!\d)/,
    ([, year, month, day]) => [year!, month!, day!],
  ],
  [/^(\d{4})(\d{2})(\d{2})(?!\d)/, ([, year, month, day]) => [year!, month!, day!]],
  [
    /^(\d{1,2})\s*([-/.])\s*(\d{1,2})\s*\2\s*(\d{4})(?!\d)/,
    ([, a, sign, b, year]) => ordered(year!, [a!, b!], sign!),
  ],
  [
    /^(\d{1,2})([/.])(\d{1,2})\2(\d{2})(?!\d)/,
    ([, a, sign, b, year]) => ordered(`20${year}`, [a!, b!], sign!),
  ],
  [/^(\d{4})[- ](\p{L}{3,9})[- ](\d{1,2})(?!\d)/u, ([, year, name, day]) => named(year!, name!, day!)],
  [
    /^(\d{1,2})(?:\.|st|nd|rd|th)?[- ](?:of |de )?(\p{L}{3,9})\.?,?[- ](?:de )?(\d{4})/u,
    ([, day, name, year]) => named(year!, name!, day!),
  ],
  [
    /^(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})/u,
    ([, name, day, year]) => named(year!, name!, day!),
  ],
]

/** With dots the day comes first; else only a field above 12 tells. */
const ordered = (year: string, [a, b]: readonly [string, string], sign: string): Parts | undefined => {
  if (Number(a) > 12 || sign === '.') return Number(b) > 12 ? [year, a, b] : [year, b, a]
  return Number(b) > 12 ? [year, a, b] : undefined
}

const named = (year: string, name: string, day: string): Parts | undefined => {
  const month = monthOf(name)
  return month === 0 ? undefined : [year, month, day]
}

/** The number of a month by the beginning of its name in some languages, 0 if it is none. */
const monthOf = (name: string): number =>
  months.findIndex((starts) => starts.split(' ').some((one) => name.toLowerCase().startsWith(one))) + 1

const months = [
  ...['jan ene gen', 'feb fév fev', 'mar mär maa', 'apr avr abr', 'may mai mei mag maj', 'jun juin giu'],
  ...['jul juil lug', 'aug aoû aou ago', 'sep set', 'oct okt ott out', 'nov', 'dec dez déc dic'],
]

const time =
  /^(?:[T, –-]+(?:(?:at|um) )?(\d{1,2})(?:[:.h](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?(?: ?([ap])\.?m\.?)?| ?([ap])\.?m\.?)(?: uhr)?)? ?(?:Z|UTC|GMT|\+00:?00)?$/i

const withTime = ([year, month, day]: Parts, rest: string): string | undefined => {
  const match = time.exec(rest)
  if (match === null) return undefined
  const [, hour, minute = '00', second = '00', before, half = before] = match
  const date = `${year}-${two(month)}-${two(day)}`
  if (hour === undefined) return date
  const isAfternoon = half?.toLowerCase() === 'p'
  if (half !== undefined && Number(hour) > (isAfternoon ? 23 : 12)) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0)
  return `${date} ${two(hours)}:${minute}:${second}`
}

const two = (number: string | number): string => String(number).padStart(2, '0')

/**
 * The timestamps that a text may stand for where nobody can tell which: all orders of `10/01/2024` and `24-05-01`, the
 * other one of `2024-13-01`, the first day of `May 2024`, and the moment in UTC of `2024-01-10T18:30:00+02:00` or of
 * the seconds `1714521600`.
 */
export const possibleTimestamps = (text: string): readonly string[] => {
  const clean = text.trim()
  const [, a, b, year] = /^(\d{1,2})[-/](\d{1,2})[-/]((?:20)?\d{2})$/.exec(clean) ?? []
  if (a !== undefined) {
    const [first, second] = [two(a), two(b!)]
    const yearFirst = /^\d\d-\d\d-\d\d$/.test(clean) ? [`20${a}-${second}-${year}`] : []
    return [
      ...yearFirst,
      `${year!.padStart(4, '20')}-${second}-${first}`,
      `${year!.padStart(4, '20')}-${first}-${second}`,
    ]
  }
  const [, seconds] = /^(1\d{9})(?:\d{3})?$/.exec(clean) ?? []
  if (seconds !== undefined) return [normalTimestamp(new Date(Number(seconds) * 1000).toISOString())]
  const [, start, swapped, month13] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(clean) ?? []
  if (start !== undefined) return [`${start}-${month13}-${swapped}`]
  const [, name = '', ofName = '', plain = ofName, month = '01'] =
    /^(?:(\p{L}{3,9})\.? (\d{4})|(\d{4})(?:[-/.](\d{1,2}))?)$/u.exec(clean) ?? []
  if (plain !== '') return [`${plain}-${name === '' ? two(month) : two(monthOf(name))}-01`]
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)? ?[+-]\d\d:?\d\d$/.test(clean)) return []
  const moment = new Date(clean.replace(/(?<=\d\d) ?([+-]\d\d):?(\d\d)$/, '$1:$2').replace(' ', 'T'))
  return Number.isNaN(moment.getTime()) ? [] : [normalTimestamp(moment.toISOString())]
}

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
  const [, first, second] = /^(\d+)\s*[-./]\s*(\d+)/.exec(text) ?? []
  return /^\d{4}/.test(text) || (/\d{4}/.test(text) && (Number(first) > 12 || Number(second) > 12))
}

/** The same moment in years that may have been meant instead of one that has not come yet: 2014 of 2041, or one before. */
export const otherYears = (text: string): readonly string[] => {
  const [, year, a, b] = /^(\d\d(\d)(\d))/.exec(text) ?? []
  if (year === undefined) return []
  const earlier = Array.from({ length: 100 }, (_, before) =>
    String(Number(year) - before - 1).padStart(4, '0'),
  )
  return [`${year.slice(0, 2)}${b}${a}`, ...earlier].map((one) => one + text.slice(4))
}
