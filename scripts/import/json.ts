/** What a body says. A number keeps the text that it was sent as: ids may be too long for a double. */
export type Json =
  | string
  | boolean
  | null
  | { readonly number: string }
  | readonly Json[]
  | ReadonlyMap<string, Json>

/** What the reader tolerates in a body, by name; each is told once a run. */
export const tolerances = {
  'byte-order-mark': 'a byte order mark before the body',
  'latin-1': 'bytes that are not UTF-8, read as Latin-1 (windows-1252)',
  'trailing-comma': 'a comma after the last member of an object or list',
  'raw-control-character': 'a line break or control character inside a string',
  'needless-escape': "a backslash before a character that needs none, such as \\'",
  'no-list': 'shots that are null, false, "" or {}, taken for none',
  'no-shots-404': 'a 404 for the shots of a member that is there, taken for none',
  'number-for-string': 'a number where a string belongs, taken as it is written',
} as const

export type Tolerance = keyof typeof tolerances

/** A body is read up to here; the API nests three levels, and 15 shots have some 500 parts. */
const maxDepth = 32
const mostParts = 400_000

export type ParsedJson = { readonly value?: Json; readonly problem?: string }

/**
 * Reads JSON, and what programs that write it by hand make of it; adds what it put up with to `tolerated`. The text is
 * made plain JSON first, in which a number is an object with its digits.
 */
export const parseJson = (text: string, tolerated: Set<Tolerance>): ParsedJson => {
  if (text.trim() === '') return { problem: 'it is empty' }
  let [depth, count] = [0, 0]
  let isTooMuch = false
  const plain = text.replace(parts, (part) => {
    const [first] = part
    if (first === '{' || first === '[') depth++
    if (first === '}' || first === ']') depth--
    isTooMuch ||= depth > maxDepth || ++count > mostParts
    if (isTooMuch) return ''
    if (first === '"') return plainString(part, tolerated)
    if (first === ',') tolerated.add('trailing-comma')
    return first === ',' ? '' : /[-\d]/.test(first!) ? `{"${digits}":"${part}"}` : part
  })
  if (isTooMuch) return { problem: 'it is nested too deeply, or has too many values' }
  try {
    return { value: JSON.parse(plain, revive) as Json }
  } catch {
    return { problem: depth > 0 ? 'it ends in the middle' : 'a quote, comma, colon or bracket is wrong' }
  }
}

/** Strings, the last one perhaps cut off, numbers, brackets, and commas before a closing one. */
const parts = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[{}[\]]|,(?=\s*[}\]])/gs

/** The key under which the digits of a number stand. */
const digits = '#number'

const plainString = (part: string, tolerated: Set<Tolerance>): string =>
  part.replace(/\\.|[\u0000-\u001f]/gs, (found) => {
    const char = found.at(-1)!
    if (found.length === 1) {
      tolerated.add('raw-control-character')
      return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
    }
    // JSON.parse says no to letters that mean nothing
    if (/["\\/\w\s]/.test(char)) return found
    tolerated.add('needless-escape')
    return char
  })

const revive = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const number = (value as Readonly<Record<string, unknown>>)[digits]
  return typeof number === 'string' ? { number } : new Map(Object.entries(value))
}
