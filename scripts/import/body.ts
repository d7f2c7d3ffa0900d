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

/** The fields of a user or a shot as a body has them, by name. */
export type Fields = ReadonlyMap<string, Json>

/** What the remote says of a member over one scheme. */
export type Remote = {
  /** What the body of `/api/username/<u>` says. */
  readonly user: Fields
  /** What `/api/username/<u>/shots` lists, in that order. */
  readonly shots: readonly Fields[]
  /** What the list holds that is no shot. */
  readonly strays: readonly Json[]
  /** What the body says beside the list, where the API has nothing. */
  readonly others: Fields
}

/** The text of a field, as it stands or sent as a number; `null` where none is said. */
export const textOf = (fields: Fields, key: string): string | null => textIn(fields.get(key))

const textIn = (value: Json | undefined): string | null => {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null && 'number' in value ? value.number : null
}

/** Shots by id; of two with one id the first. */
export const byId = (shots: readonly Fields[] = []): ReadonlyMap<string, Fields> => {
  const found = new Map<string, Fields>()
  for (const fields of shots) {
    const id = textOf(fields, 'id')
    if (id !== null && !found.has(id)) found.set(id, fields)
  }
  return found
}

/** A value as a message shows it. */
export const shown = (value: Json | undefined): string =>
  value === undefined ? 'missing' : (textIn(value) ?? toJson(value).slice(0, 60))

const toJson = (value: Json): string => {
  if (value instanceof Map) {
    return `{${Array.from(value, ([key, one]) => `${JSON.stringify(key)}:${toJson(one)}`).join()}}`
  }
  if (Array.isArray(value)) return `[${value.map(toJson).join()}]`
  return typeof value === 'string' ? JSON.stringify(value) : (textIn(value) ?? String(value))
}

/**
 * Reads the body of one of a member's two addresses, or says why it can't be used, in words that follow a colon; adds what
 * it put up with to `tolerated`.
 */
export const readBody = (
  part: 'user' | 'shots',
  bytes: Uint8Array,
  tolerated: Set<Tolerance>,
): Partial<Remote> | string => {
  const text = decodeText(bytes, tolerated)
  if (/^\s*</.test(text)) return 'it is HTML, such as a login or error page, and not JSON'
  const { value: body, problem } = parseJson(text, tolerated)
  if (problem !== undefined) return `it is not JSON: ${problem}`
  if (!(body instanceof Map)) return 'it is JSON, but no object'
  const keys = [...body.keys()].slice(0, 5).join(', ').slice(0, 200)
  const has = body.size === 0 ? 'it is empty' : `it has ${keys}`
  if (part === 'user') {
    if (!body.has('id') && !body.has('username')) return `it is JSON, but no profile: ${has}`
    noteNumbers(body, tolerated)
    return { user: body }
  }
  const list: Json | undefined = body.get('Shots')
  if (list === undefined) return `it is JSON, but has no "Shots": ${has}`
  const isNone = list === null || list === false || list === '' || (list instanceof Map && list.size === 0)
  if (isNone) tolerated.add('no-list')
  if (!isNone && !Array.isArray(list)) return '"Shots" is not a list'
  const entries: readonly Json[] = Array.isArray(list) ? list : []
  const shots = entries.filter((one) => one instanceof Map)
  for (const shot of shots) noteNumbers(shot, tolerated)
  const others = new Map([...body].filter(([key]) => key !== 'Shots'))
  return { shots, strays: entries.filter((one) => !(one instanceof Map)), others }
}

const noteNumbers = (fields: Fields, tolerated: Set<Tolerance>): void => {
  for (const value of fields.values()) {
    if (typeof value !== 'string' && textIn(value) !== null) tolerated.add('number-for-string')
  }
}

/** The text of a body. Bytes that are not UTF-8 are taken for windows-1252, one by one. */
const decodeText = (bytes: Uint8Array, tolerated: Set<Tolerance>): string => {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const body = isMarked ? bytes.subarray(3) : bytes
  if (isMarked) tolerated.add('byte-order-mark')
  try {
    return utf8.decode(body)
  } catch {
    tolerated.add('latin-1')
    const binary = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
    return binary.replace(notAscii, (part) => {
      const raw = Buffer.from(part, 'latin1')
      return part.length > 1 ? utf8.decode(raw) : windows1252.decode(raw)
    })
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const windows1252 = new TextDecoder('windows-1252')

/** A character in well-formed UTF-8 (Unicode, table 3-7), as one char for each byte; or a single byte. */
const notAscii =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xef](?<!\xed)[\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g

/** A body is read up to here; the API nests three levels, and 15 shots have some 500 parts. */
const maxDepth = 32
const mostParts = 400_000

type ParsedJson = { readonly value?: Json; readonly problem?: string }

/**
 * Reads JSON, and what programs that write it by hand make of it; adds what it put up with to `tolerated`. The text is
 * made plain JSON first, in which a number is an object with its digits.
 */
const parseJson = (text: string, tolerated: Set<Tolerance>): ParsedJson => {
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
