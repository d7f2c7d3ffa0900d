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
  [/^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/, ([, a, sign, b, year]) => ordered(year!, [a!, b!], sign!)],
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
