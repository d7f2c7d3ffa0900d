import { once } from '../content/once.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { breakAtEnd, unseen } from '../content/values/unlikely.ts'

// What a date was meant to be that is written in another way.

/**
 * What a wrong date surely means: its year comes first, or one of day and month is above 12.
 * `undefined` if in doubt.
 */
export const clearDate = (text: string): string | undefined => {
  const typed = asciiDigits(text)
  const [, first, second] = /^(\d+)\s*[-./]\s*(\d+)/.exec(typed) ?? []
  const isOrdered =
    Number(first) > 12 || Number(second) > 12 || Number(first) === Number(second)
  const isClear =
    !/[([<]|\/\//.test(typed) && (/^\d{4}/.test(typed) || (/\d{4}/.test(typed) && isOrdered))
  // the moment in another zone of time may be meant as it stands
  if (timestampProblem(text) === undefined || !isClear || isElsewhere(typed)) return undefined
  return isOtherCalendar(text) ? undefined : momentsIn(cleaned(text), forms)[0]
}

/** A text with the digits of every script as 0 to 9. */
export const asciiDigits = (text: string): string =>
  text.replace(/(?!\d)\p{Nd}/gu, (digit) => {
    const zero = [...zeros].find(
      (one) => digit >= one && digit.charCodeAt(0) < one.charCodeAt(0) + 10,
    )
    return zero === undefined ? digit : String(digit.charCodeAt(0) - zero.charCodeAt(0))
  })

/**
 * The zeros of Arabic, Persian, Devanagari, Bengali, Gurmukhi, Gujarati, Tamil, Thai and
 * full-width digits.
 */
const zeros = '٠۰०০੦૦௦๐０'

/**
 * The timestamps that another way of writing may stand for: mostly one, but both orders of
 * `10/01/2024`.
 */
export const timestampsIn = (text: string): readonly string[] => {
  if (isOtherCalendar(text)) return []
  const clean = cleaned(text)
  const clear = momentsIn(clean, forms)
  if (clear.length > 0) return clear
  const vague = [...momentsIn(clean, vagueForms), ...countedMoment(clean)]
  const likely =
    vague.length > 0 ? vague : momentsIn(clean, forms, isBeside).flatMap(momentsBeside)
  return likely.length > 0 ? likely : beginningsOf(clean)
}

const yearAlone = /(?<![\p{L}\d])(?:19|20)\d\d(?![\p{L}\d])/gu

/**
 * The first day of each year, or of the quarter of a single one, in a text that tells no
 * more: `since 2020`, `Q2 2023`.
 */
const beginningsOf = (text: string) => {
  const found = monthsAndDays(text).length > 0 ? [] : (text.match(yearAlone) ?? [])
  const years = [...new Set(found)]
  const quarter = years.length === 1 ? /\bQ([1-4])\b/i.exec(text)?.[1] : undefined
  return years.map((year) => `${year}-${two(Number(quarter ?? 1) * 3 - 2)}-01`)
}

/** What a text holds beside years: names of months, and numbers. */
const monthsAndDays = (text: string) => {
  const parts = text.replace(yearAlone, ' ').match(/\p{L}{3,}|(?<!\p{L})\d+/gu) ?? []
  return parts.filter((part) => /\d/.test(part) || monthOf(part) > 0)
}

/** Why a text is no timestamp, in words: that its month has no such day, else its form. */
export const dateProblem = (text: string): string | undefined => {
  const isShort = text.length <= longestDate && !isOtherCalendar(text)
  const [day = text] = isShort ? momentsIn(cleaned(text), forms, isBeside) : []
  return timestampProblem(day)
}

/** No date is longer; to look for one in a text takes a square of its length. */
const longestDate = 200

const isTimestamp = (text: string) => timestampProblem(text) === undefined

/** Whether a timestamp is right but for its month, which is too short, or for 24:00. */
const isBeside = (timestamp: string) => {
  const inside = timestamp.replace(/(?<=-)(?:29|30|31)(?!-)/, '28').replace(' 24:00:00', '')
  return !isTimestamp(timestamp) && isTimestamp(inside)
}

/**
 * The last day of its month and the first of the next; of 24:00, the beginning of the next
 * day and of its own.
 */
const momentsBeside = (timestamp: string): readonly string[] => {
  const [year = 0, month = 0, day = 0] = timestamp.split(/[- ]/).map(Number)
  const isEnd = timestamp.endsWith(' 24:00:00')
  const last = isEnd ? Date.UTC(year, month - 1, day) : Date.UTC(year, month, 0)
  const time = isEnd ? ' 00:00:00' : timestamp.slice(10)
  const both = [last, last + 86_400_000].map((one) => timestampOf(one).slice(0, 10) + time)
  return isEnd ? both.toReversed() : both
}

/** `new Date("2024-05-01")` and the like. */
const inCall = /^(?:new )?[\w.]+\(\s*(["'])([^"']*)\1\s*\);?$/

/** What has to be added to a text that names no whole day, in words; `''` if it names one. */
export const lackingIn = (text: string): string => {
  const clean = cleaned(text)
  const told = monthsAndDays(clean)
  if (told.length > 1 || /\d{5}/.test(clean)) return ''
  return told.length === 0 ? 'the month and the day' : 'the day'
}

/** Whether the digits and the year are those of Iran: `۱۴۰۳/۰۲/۱۲`. */
const isOtherCalendar = (text: string) =>
  asciiDigits(text) !== text && /^1[34]\d\d\D/.test(cleaned(text))

const cleaned = (text: string) =>
  asciiDigits(text)
    .normalize('NFKC')
    .replace(unseen, '')
    .replace(inCall, '$2')
    .replace(breakAtEnd, '')
    // a month or a day that nobody knows
    .replace(/(?<=^\d{4}(?:[-/.]\d\d?)?)(?:[-/.](?:xx|\?\?|00))+$/i, '')
    .replace(/(?<!\s)\s*(?:\([^()]*\)|\[[^[\]]*\]|(?:\/\/|<!--).*)$/, '')
    .replace(/^["'“”„‘’«»([~@\s]+|["'“”‘’«»)\]\s,;.]+$/g, '')
    .replace(/^(?:the|le|den|am|on|el|il|ca|circa|about|around)\b\.?\s*/i, '')
    .replace(/[\u2010-\u2015_]/g, '-')
    .replace(/٫/g, '.')
    // but not in 1o de maio
    .replace(/(?<=\d)o(?! ?\p{L})|o(?=\d)/giu, '0')
    .replace(/(?<=\d)[lI](?!\p{L})|(?<!\p{L})[lI](?=\d)/gu, '1')
    .replace(/^(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?/, '$1-$2-$3')
    .replace(/(?<=\p{L}.*)['’](\d\d)$/u, '20$1')
    .replace(/^(?:mon|tue|wed|thu|fri|sat|sun)\p{L}*[,.]? /iu, '')
    // a day of the week in another language, a place, and the word for a year
    .replace(/^\p{L}+[,.]? +(?=\d{1,2}[^\s\d]* +(?:de )?\p{L})/u, '')
    .replace(/^\p{L}+, +(?=\d+[-/.]\d)/u, '')
    .replace(/(?<=\d{4}) *(?:г|р|года|року)\.?$/u, '')

/** A way to write a date, and the orders in which its parts may stand for year, month and day. */
type Form = readonly [form: RegExp, ...orders: string[]]

const sign = String.raw`(?:\s*[-/.–]\s*|\s+)`
const dayBefore = String.raw`(\d{1,2})(?:\. ?|(?:st|nd|rd|th|er|[ao°])?[- ])(?:of |de )?`

/** With dots the day comes first; with slashes both orders are tried. */
const forms: readonly Form[] = [
  [new RegExp(String.raw`^(\d{4})${sign}(\d{1,2})${sign}(\d{1,2})(?!\d)`), '1 2 3'],
  [/^(\d{4})(\d{2})(\d{2})(?!\d)/, '1 2 3'],
  [/^(\d{1,2})\s*\.\s*(0?[1-9]|1[0-2])\s*\.\s*(\d{4})(?!\d)/, '3 2 1'],
  [/^(\d{1,2})\.(0?[1-9]|1[0-2])\.(\d{2})(?!\d)/, '3 2 1'],
  [/^(\d{1,2})\s*([-/.])\s*(\d{1,2})\s*\2\s*(\d{4})(?!\d)/, '4 3 1', '4 1 3'],
  [/^(\d{1,2})[/.](\d{1,2})[/.](\d{2})(?!\d)/, '3 2 1', '3 1 2', '1 2 3'],
  [/^(\d{4})\.?[- ](\p{L}{3,14})\.?[- ](\d{1,2})(?!\d)/u, '1 2 3'],
  [
    new RegExp(`^${dayBefore}(\\p{L}{3,14})\\.?,?[- ](?:del? )?(\\d{4}|\\d\\d)(?!\\d)`, 'u'),
    '3 2 1',
  ],
  [/^(\p{L}{3,14})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})/u, '3 1 2'],
]

/** Parts that are not there count as 1. */
const vagueForms: readonly Form[] = [
  [/^(\d\d)-(\d\d)-(\d\d)$/, '1 2 3', '3 2 1', '3 1 2'],
  [/^(\d{1,2})-(\d{1,2})-(\d\d)$/, '3 2 1', '3 1 2'],
  [/^(\d{4})-(\d\d)-(\d\d)$/, '1 3 2'],
  [/^(\p{L}{3,9})\.? (\d{4})$/u, '2 1 3'],
  [/^(\d{1,2})[/.](\d{4})$/, '2 1 3'],
  [/^(\d{4})(?:[-/.](\d{1,2}))?$/, '1 2 3'],
]

/** The moments that the first form gives which gives any that will do. */
const momentsIn = (
  text: string,
  all: readonly Form[],
  willDo: (moment: string) => boolean = isTimestamp,
): readonly string[] => {
  for (const [form, ...orders] of all) {
    const match = form.exec(text)
    const rest = match && timeIn(text.slice(match[0].length))
    if (!match || !rest) continue
    const moments = orders.flatMap((order) => {
      const [year = '', month = '', day = ''] = order
        .split(' ')
        .map((part) => match[Number(part)] ?? '1')
      const number = /\p{L}/u.test(month) ? monthOf(month) : month
      const local = `${year.padStart(4, '20')}-${two(number)}-${two(day)}${rest.clock}`
      return [inUtc(local, rest.ahead), local]
    })
    const right = moments.filter(willDo)
    if (right.length > 0) return [...new Set(right)]
  }
  return []
}

/**
 * The number of a month by the beginning of its name in some languages, 0 if it is none; the
 * longest one counts.
 */
const monthOf = (name: string) => {
  const fitting = monthStarts().filter(([start]) => name.toLowerCase().startsWith(start))
  return fitting.sort(([a], [b]) => b.length - a.length)[0]?.[1] ?? 0
}

const monthStarts = once(() =>
  months.flatMap((row, at) => row.split(' ').map((start) => [start, at + 1] as const)),
)

// but for words that mean another month in another language, such as lipanj and lipiec
const months = [
  'jan ene gen ian sty oca led tam янв січ ιαν يناير',
  'feb fév fev lut şub úno hel фев лют φεβ فبراير',
  'mar mär maa mrt bře maal мар бер μάρ مارس',
  'apr ápr avr abr kwi nis dub huh апр кві απρ أبريل ابريل',
  'may mai mei mag maj máj kvě tou май мая тра μαΐ مايو',
  'jun jún juin giu iun cze haz kes meith июн чер ιουν يونيو',
  'jul júl juil lug iul lipc lipi tem hei июл лип ιουλ يوليو',
  'aug aoû aou ago agu avg sie ağu elo авг сер αυγ أغسطس اغسطس',
  'sep szep set wrz eyl zář syy сен вер σεπ سبتمبر',
  'oct okt ott out paź eki říj lok окт жов οκτ أكتوبر اكتوبر',
  'nov noi kas marr ноя лис νοε νοέ نوفمبر',
  'dec dez déc dic des gru ara jou дек гру δεκ ديسمبر',
]

const halfOfDay = String.raw` ?([ap])\.?m\.?`
const clock = String.raw`(\d{1,2})(?:[:.h]?(\d{2})(?:[:.]?(\d{2})(?:[.,]\d+)?)?(?:${halfOfDay})?|${halfOfDay}|(?<![–-] ?\d\d?) ?(?:h|uhr)\b)`
const time = new RegExp(
  String.raw`^(?:[T, –-]+(?:(?:at|um|à) )?${clock}(?: uhr)?)? ?(?:Z|UTC|GMT)? ?([+-]\d\d(?::?\d\d)?)?$`,
  'i',
)
/** Whether a date has the time of another zone than UTC. */
export const isElsewhere = (text: string): boolean => elsewhere.test(text)
const elsewhere = /:\d\d(?:\.\d+)?(?: ?GMT)? ?[+-](?!00(?::?00)?\b)\d\d/

/**
 * What stands behind a date: ` 18:30:00`, or `''` of nothing, and the minutes that it is
 * ahead of UTC; or no time of day.
 */
const timeIn = (
  rest: string,
): { readonly clock: string; readonly ahead: number } | undefined => {
  const match = time.exec(rest)
  if (match === null) return undefined
  const [, hour, minute = '00', second = '00', before, half = before, zone = '+0000'] = match
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', ''))
  const ahead = zone.startsWith('-') ? -minutes : minutes
  if (hour === undefined) return { clock: '', ahead: 0 }
  const isAfternoon = half?.toLowerCase() === 'p'
  if (half !== undefined && Number(hour) > (isAfternoon ? 23 : 12)) return undefined
  if (isAfternoon && Number(hour) === 0) return undefined
  const told =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0)
  return { clock: ` ${two(told)}:${minute}:${second}`, ahead }
}

const two = (number: string | number) => String(number).padStart(2, '0')

/** The same moment as clocks tell it in UTC. */
const inUtc = (local: string, ahead: number) =>
  ahead === 0 || timestampProblem(local) !== undefined
    ? local
    : timestampOf(Date.parse(`${local.replace(' ', 'T')}Z`) - ahead * 60_000)

const timestampOf = (moment: number) => normalTimestamp(new Date(moment).toISOString())

/**
 * The moment that is so many seconds (`1714521600`) or milliseconds after 1970, or so many
 * days on in a spreadsheet.
 */
const countedMoment = (text: string): readonly string[] => {
  if (/^1\d{9}(?:\d{3})?$/.test(text)) return [timestampOf(Number(text.slice(0, 10)) * 1000)]
  const days = /^[345]\d{4}$/.test(text) ? Number(text) - 25_569 : undefined
  return days === undefined ? [] : [timestampOf(days * 86_400_000).slice(0, 10)]
}

/**
 * The same moment in years that may have been meant instead of an odd one: 2014 of 2041, 2024
 * of 0024, or one before.
 */
export const otherYears = (timestamp: string): readonly string[] => {
  // what programs write for none
  if (timestamp.startsWith('1970-01-01 00:00:00')) return []
  const [a, b, c, d] = timestamp
  const before = String(Number(timestamp.slice(0, 4)) - 1)
  const years = [
    `${b}${a}${c}${d}`,
    `${a}${c}${b}${d}`,
    `${a}${b}${d}${c}`,
    `20${c}${d}`,
    before,
    // as Thailand counts them
    String(Number(timestamp.slice(0, 4)) - 543),
  ]
  return [...new Set(years)]
    .filter((year) => year >= '1900')
    .map((year) => year + timestamp.slice(4))
}
