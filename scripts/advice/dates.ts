import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'

// What a date was meant to be that is written in another way.

/** What a wrong date surely means: its year comes first, or one of day and month is above 12. `undefined` if in doubt. */
export const clearDate = (text: string): string | undefined => {
  const typed = asciiDigits(text)
  const [, first, second] = /^(\d+)\s*[-./]\s*(\d+)/.exec(typed) ?? []
  const isOrdered = Number(first) > 12 || Number(second) > 12 || Number(first) === Number(second)
  const isClear = /^\d{4}/.test(typed) || (/\d{4}/.test(typed) && isOrdered)
  if (timestampProblem(text) === undefined || !isClear) return undefined
  return momentsIn(cleaned(text), forms)[0]
}

/** A text with the digits of every script as 0 to 9. */
export const asciiDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const zero = [...zeros].find(
      (one) => digit >= one && digit.charCodeAt(0) < one.charCodeAt(0) + 10,
    )
    return zero === undefined ? digit : String(digit.charCodeAt(0) - zero.charCodeAt(0))
  })

/** The zeros of Arabic, Persian, Devanagari, Bengali, Gurmukhi, Gujarati, Tamil, Thai and full-width digits. */
const zeros = '٠۰०০੦૦௦๐０'

/** The timestamps that another way of writing may stand for: mostly one, but both orders of `10/01/2024`. */
export const timestampsIn = (text: string): readonly string[] => {
  const clean = cleaned(text)
  const clear = momentsIn(clean, forms)
  return clear.length > 0 ? clear : [...momentsIn(clean, vagueForms), ...momentInUtc(clean)]
}

const cleaned = (text: string): string =>
  asciiDigits(text)
    .normalize('NFKC')
    .replace(/^["'“”„‘’«»([~\s]+|["'“”‘’«»)\]\s,;.]+$/g, '')
    .replace(/^(?:le|den|am|on|el|il|ca|circa|about|around)\b\.?\s*/i, '')
    .replace(/[\u2010-\u2015_]/g, '-')
    .replace(/(?<=\d)[oO]|[oO](?=\d)/g, '0')
    .replace(/^(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日?/, '$1-$2-$3')
    .replace(/(?<=\p{L}.*)['’](\d\d)$/u, '20$1')
    .replace(/(?<=^\d{4}-\d\d-\d\d)-(?=\d\d:)/, ' ')
    .replace(/^(?:mon|tue|wed|thu|fri|sat|sun)\p{L}*[,.]? /iu, '')

/** A way to write a date, and the orders in which its parts may stand for year, month and day. */
type Form = readonly [form: RegExp, ...orders: string[]]

/** With dots the day comes first; with slashes both orders are tried. */
const forms: readonly Form[] = [
  [/^(\d{4})\s*[-/. –]\s*(\d{1,2})\s*[-/. –]\s*(\d{1,2})(?!\d)/, '1 2 3'],
  [/^(\d{4})(\d{2})(\d{2})(?!\d)/, '1 2 3'],
  [/^(\d{1,2})\s*\.\s*(0?[1-9]|1[0-2])\s*\.\s*(\d{4})(?!\d)/, '3 2 1'],
  [/^(\d{1,2})\.(0?[1-9]|1[0-2])\.(\d{2})(?!\d)/, '3 2 1'],
  [/^(\d{1,2})\s*([-/.])\s*(\d{1,2})\s*\2\s*(\d{4})(?!\d)/, '4 3 1', '4 1 3'],
  [/^(\d{1,2})[/.](\d{1,2})[/.](\d{2})(?!\d)/, '3 2 1', '3 1 2'],
  [/^(\d{4})[- ](\p{L}{3,9})[- ](\d{1,2})(?!\d)/u, '1 2 3'],
  [/^(\d{1,2})(?:\.|st|nd|rd|th)?[- ](?:of |de )?(\p{L}{3,9})\.?,?[- ](?:de )?(\d{4})/u, '3 2 1'],
  [/^(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})/u, '3 1 2'],
]

/** Parts that are not there count as 1. */
const vagueForms: readonly Form[] = [
  [/^(\d\d)-(\d\d)-(\d\d)$/, '1 2 3', '3 2 1', '3 1 2'],
  [/^(\d{1,2})-(\d{1,2})-(\d\d)$/, '3 2 1', '3 1 2'],
  [/^(\d{4})-(\d\d)-(\d\d)$/, '1 3 2'],
  [/^(\p{L}{3,9})\.? (\d{4})$/u, '2 1 3'],
  [/^(\d{4})(?:[-/.](\d{1,2}))?$/, '1 2 3'],
]

/** The moments that the first form gives which gives any. */
const momentsIn = (text: string, all: readonly Form[]): readonly string[] => {
  for (const [form, ...orders] of all) {
    const match = form.exec(text)
    const clock = match && timeIn(text.slice(match[0].length))
    if (match === null || clock === undefined) continue
    const moments = orders.map((order) => {
      const [year, month, day] = order.split(' ').map((part) => match[Number(part)] ?? '1')
      const number = /\p{L}/u.test(month!) ? monthOf(month!) : month!
      return `${year!.padStart(4, '20')}-${two(number)}-${two(day!)}${clock}`
    })
    const right = moments.filter((one) => timestampProblem(one) === undefined)
    if (right.length > 0) return [...new Set(right)]
  }
  return []
}

/** The number of a month by the beginning of its name in some languages, 0 if it is none. */
const monthOf = (name: string): number =>
  months.findIndex((starts) =>
    starts.split(' ').some((one) => name.toLowerCase().startsWith(one)),
  ) + 1

const months = [
  'jan ene gen',
  'feb fév fev',
  'mar mär maa',
  'apr avr abr',
  'may mai mei mag maj',
  'jun juin giu',
  'jul juil lug',
  'aug aoû aou ago',
  'sep set',
  'oct okt ott out',
  'nov',
  'dec dez déc dic',
]

const time =
  /^(?:[T, –-]+(?:(?:at|um) )?(\d{1,2})(?:[:.h](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?(?: ?([ap])\.?m\.?)?| ?([ap])\.?m\.?)(?: uhr)?)? ?(?:Z|UTC|GMT|\+00:?00)?$/i

/** ` 18:30:00` of what stands behind a date, `''` of nothing; `undefined` of what is no time of day in UTC. */
const timeIn = (rest: string): string | undefined => {
  const match = time.exec(rest)
  if (match === null) return undefined
  const [, hour, minute = '00', second = '00', before, half = before] = match
  if (hour === undefined) return ''
  const isAfternoon = half?.toLowerCase() === 'p'
  if (half !== undefined && Number(hour) > (isAfternoon ? 23 : 12)) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0)
  return ` ${two(hours)}:${minute}:${second}`
}

const two = (number: string | number): string => String(number).padStart(2, '0')

/** The moment of `2024-01-10T18:30:00+02:00`, and of the seconds `1714521600`. */
const momentInUtc = (text: string): readonly string[] => {
  const [, seconds] = /^(1\d{9})(?:\d{3})?$/.exec(text) ?? []
  const iso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)? ?[+-]\d\d:?\d\d$/.test(text)
  if (seconds === undefined && !iso) return []
  const moment = new Date(seconds ? Number(seconds) * 1000 : text.replace(/ (?=[+-])/, ''))
  return Number.isNaN(moment.getTime()) ? [] : [normalTimestamp(moment.toISOString())]
}

/** The same moment in years that may have been meant instead of one that has not come yet: 2014 of 2041, or one before. */
export const otherYears = (timestamp: string): readonly string[] => {
  const [a, b, c, d] = timestamp
  const year = Number(timestamp.slice(0, 4))
  const earlier = Array.from({ length: 100 }, (_, before) =>
    String(year - before - 1).padStart(4, '0'),
  )
  return [`${a}${b}${d}${c}`, ...earlier].map((one) => one + timestamp.slice(4))
}
