import { isUtf8 } from 'node:buffer'
import { withoutMark } from '../content/read/read-file.ts'
import { jsonIn } from '../text/json.ts'

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

/** The fields of a user or a shot by name: texts, which the digits of numbers are too, or what is none. */
export type Fields = ReadonlyMap<string, unknown>

/** What the remote says of a member over one scheme. */
export type Remote = {
  readonly user: Fields
  /** What `/api/username/<u>/shots` lists, in that order. */
  readonly shots: readonly Fields[]
  /** What the list holds that is no shot. */
  readonly strays: readonly unknown[]
  /** What the body says beside the list, where the API has nothing. */
  readonly others: Fields
  /** Why a body says nothing, in words. */
  readonly problem?: string | undefined
}

/** The text of a field; `null` where none is said. */
export const textOf = (fields: Fields, key: string): string | null => {
  const value = fields.get(key)
  return typeof value === 'string' ? value : null
}

/** An id as content writes it, of a shot or a project. */
export const idIn = (fields: Fields, key: string): string | undefined => {
  const text = textOf(fields, key)
  return text !== null && /^[1-9][0-9]*$/.test(text) ? text : undefined
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

export const shown = (value: unknown): string => {
  if (value === undefined || typeof value === 'string') return value ?? 'missing'
  return JSON.stringify(value).slice(0, 60)
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
  if (!isRecord(body)) return 'it is JSON, but no object'
  const keys = Object.keys(body)
  const has =
    keys.length === 0 ? 'it is empty' : `it has ${keys.slice(0, 5).join(', ').slice(0, 200)}`
  if (part === 'user') {
    const isProfile = keys.includes('id') || keys.includes('username')
    return isProfile ? { user: fieldsOf(body) } : `it is JSON, but no profile: ${has}`
  }
  const { Shots: list, ...others } = body
  if (list === undefined) return `it is JSON, but has no "Shots": ${has}`
  const isNone = !list || (isRecord(list) && Object.keys(list).length === 0)
  if (isNone) tolerated.add('no-list')
  if (!isNone && !Array.isArray(list)) return '"Shots" is not a list'
  const entries = isNone ? [] : (list as readonly unknown[])
  return {
    shots: entries.filter(isRecord).map(fieldsOf),
    strays: entries.filter((one) => !isRecord(one)),
    others: fieldsOf(others),
  }
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldsOf = (record: object): Fields => new Map(Object.entries(record))

/** The text of a body. Bytes that are not UTF-8 are taken for windows-1252, one by one. */
const decodeText = (bytes: Uint8Array, tolerated: Set<Tolerance>): string => {
  const body = Buffer.from(bytes)
  const isText = isUtf8(body)
  const text = isText ? body.toString() : body.toString('latin1').replace(notAscii, decodeOne)
  if (!isText) tolerated.add('latin-1')
  if (text.startsWith('\ufeff')) tolerated.add('byte-order-mark')
  return withoutMark(text)
}

const decodeOne = (part: string): string =>
  part.length > 1
    ? Buffer.from(part, 'latin1').toString()
    : windows1252.decode(Buffer.from(part, 'latin1'))

const windows1252 = new TextDecoder('windows-1252')

/** A character in well-formed UTF-8 (Unicode, table 3-7), as one char for each byte; or a single byte. */
const notAscii = new RegExp(
  [
    /[\xc2-\xdf][\x80-\xbf]/,
    /\xe0[\xa0-\xbf][\x80-\xbf]/,
    /\xed[\x80-\x9f][\x80-\xbf]/,
    /[\xe1-\xef](?<!\xed)[\x80-\xbf]{2}/,
    /\xf0[\x90-\xbf][\x80-\xbf]{2}/,
    /[\xf1-\xf3][\x80-\xbf]{3}/,
    /\xf4[\x80-\x8f][\x80-\xbf]{2}/,
    /[\x80-\xff]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** A body is read up to here; the API nests three levels, and 15 shots have some 500 parts. */
const maxDepth = 32
const mostParts = 400_000

/**
 * Reads JSON, and what programs that write it by hand make of it; adds what it put up with to `tolerated`. The text is
 * made plain JSON first, in which a number is the text of its digits, as ids may be too long for a double.
 */
const parseJson = (text: string, tolerated: Set<Tolerance>) => {
  if (text.trim() === '') return { problem: 'it is empty' }
  let depth = 0
  let count = 0
  let isTooMuch = false
  const plain = text.replace(parts, (part) => {
    const first = part.charAt(0)
    if (first === '{' || first === '[') depth++
    if (first === '}' || first === ']') depth--
    isTooMuch ||= depth > maxDepth || ++count > mostParts
    if (isTooMuch) return ''
    if (first === '"') return plainString(part, tolerated)
    if (!/[-,\d]/.test(first)) return part
    tolerated.add(first === ',' ? 'trailing-comma' : 'number-for-string')
    return first === ',' ? '' : `"${part}"`
  })
  if (isTooMuch) return { problem: 'it is nested too deeply, or has too many values' }
  const value = jsonIn(plain)
  if (value !== undefined) return { value }
  return {
    problem: depth > 0 ? 'it ends in the middle' : 'a quote, comma, colon or bracket is wrong',
  }
}

/** Strings, the last one perhaps cut off, numbers, brackets, and commas before a closing one. */
const parts = new RegExp(
  [/"[^"\\]*(?:\\.[^"\\]*)*"?/, /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/, /[{}[\]]/, /,(?=\s*[}\]])/]
    .map(({ source }) => source)
    .join('|'),
  'gs',
)

const plainString = (part: string, tolerated: Set<Tolerance>): string =>
  part.replace(/\\.|[\u0000-\u001f]/gs, (found) => {
    const char = found.slice(-1)
    if (found.length === 1) {
      tolerated.add('raw-control-character')
      return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
    }
    // JSON.parse says no to letters that mean nothing
    if (/["\\/\w\s]/.test(char)) return found
    tolerated.add('needless-escape')
    return char
  })
