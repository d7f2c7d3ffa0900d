import { isUtf8 } from 'node:buffer'
import { withoutMark } from '../content/read/read-file.ts'
import { escapedUnit, isRecord, jsonIn } from '../text/json.ts'

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

/**
 * The fields of a user or a shot by name: texts, which the digits of numbers are too, or what
 * is none.
 */
export type Fields = ReadonlyMap<string, unknown>

/** What the remote says of a member over one scheme. */
export type Remote = {
  readonly user: Fields
  /**
   * What `/api/username/<u>/shots` lists, in that order. Of what is no object, there is
   * nothing but an `id` that is none.
   */
  readonly shots: readonly Fields[]
  /** The same by id; of two with one id the first. */
  readonly byId: ReadonlyMap<string, Fields>
  /** What the body says beside the list, where the API has nothing. */
  readonly others: Fields
}

/** What the remote says of the profile, or of the shot with an id. */
export const fieldsAt = ({ user, byId }: Partial<Remote>, id?: string): Fields | undefined =>
  id === undefined ? user : byId?.get(id)

/** The text of a field; `null` where none is said. */
export const textOf = (fields: Fields | undefined, key: string): string | null => {
  const value = fields?.get(key)
  return typeof value === 'string' ? value : null
}

/** Whether it is an id as content writes it, of a shot or a project. */
export const isId = (text: string): boolean => /^[1-9][0-9]*$/.test(text)

export const shown = (value: unknown): string => {
  if (value === undefined || typeof value === 'string') return value ?? 'missing'
  return JSON.stringify(value).slice(0, 60)
}

/**
 * Reads the body of one of a member's two addresses, or says why it can't be used, in words
 * that follow a colon; adds what it put up with to `tolerated`.
 */
export const readBody = (
  part: 'user' | 'shots',
  bytes: Uint8Array,
  tolerated: Set<Tolerance>,
): Partial<Remote> | string => {
  const text = decodeText(bytes, tolerated)
  if (text.trim() === '') return 'it is not JSON: it is empty'
  if (/^\s*</.test(text)) return 'it is HTML, such as a login or error page, and not JSON'
  const { value: body, problem } = parseJson(text, tolerated)
  if (problem !== undefined) return `it is not JSON: ${problem}`
  if (!isRecord(body)) return 'it is JSON, but no object'
  if (part === 'user') {
    const isProfile = 'id' in body || 'username' in body
    return isProfile ? { user: fieldsOf(body) } : 'it is JSON, but no profile'
  }
  const { Shots: list, ...others } = body
  if (list === undefined) return 'it is JSON, but has no "Shots"'
  const isNone = !list || (isRecord(list) && Object.keys(list).length === 0)
  if (isNone) tolerated.add('no-list')
  const entries: unknown = isNone ? [] : list
  if (!Array.isArray(entries)) return '"Shots" is not a list'
  const shots = entries.map((one: unknown) => fieldsOf(isRecord(one) ? one : { id: one }))
  const byId = new Map<string, Fields>()
  for (const fields of shots) {
    const id = textOf(fields, 'id')
    if (id !== null && !byId.has(id)) byId.set(id, fields)
  }
  return { shots, byId, others: fieldsOf(others) }
}

const fieldsOf = (record: object): Fields => new Map(Object.entries(record))

/**
 * The text of a body. Of one that is not UTF-8, each character that is none is taken for
 * windows-1252.
 */
const decodeText = (bytes: Uint8Array, tolerated: Set<Tolerance>) => {
  const body = Buffer.from(bytes)
  const isText = isUtf8(body)
  const text = isText ? body.toString() : body.toString('latin1').replace(notAscii, decodeOne)
  if (!isText) tolerated.add('latin-1')
  if (text.startsWith('\ufeff')) tolerated.add('byte-order-mark')
  return withoutMark(text)
}

/** What may be a character in UTF-8, as one char for each byte; or a single byte. */
const notAscii = /[\xc2-\xf4][\x80-\xbf]+|[\x80-\xff]/g

const decodeOne = (part: string) => {
  const bytes = Buffer.from(part, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : windows1252.decode(bytes)
}

const windows1252 = new TextDecoder('windows-1252')

/** A body is read up to here; the API nests three levels. */
const maxDepth = 32

/**
 * Reads JSON, and what programs that write it by hand make of it; adds what it put up with to
 * `tolerated`. The text is made plain JSON first, in which a number is the text of its
 * digits, as ids may be too long for a double.
 */
const parseJson = (text: string, tolerated: Set<Tolerance>) => {
  let depth = 0
  let deepest = 0
  const plain = text.replace(parts, (part) => {
    const [first = ''] = part
    if ('{['.includes(first)) deepest = Math.max(deepest, ++depth)
    if ('}]'.includes(first)) depth--
    if (first === '"') return plainString(part, tolerated)
    if (!/[-,\d]/.test(first)) return part
    tolerated.add(first === ',' ? 'trailing-comma' : 'number-for-string')
    return first === ',' ? '' : `"${part}"`
  })
  if (deepest > maxDepth) return { problem: 'it is nested too deeply' }
  const value = jsonIn(plain)
  if (value !== undefined) return { value }
  return {
    problem:
      depth > 0 ? 'it ends in the middle' : 'a quote, comma, colon or bracket is wrong',
  }
}

/** Strings, the last one perhaps cut off, numbers, brackets, and commas before a closing one. */
const parts = new RegExp(
  [
    /"[^"\\]*(?:\\.[^"\\]*)*"?/,
    /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/,
    /[{}[\]]/,
    /,(?=\s*[}\]])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
)

const plainString = (part: string, tolerated: Set<Tolerance>) =>
  part.replace(/\\.|[\u0000-\u001f]/gs, (found) => {
    const char = found.slice(-1)
    if (found.length === 1) {
      tolerated.add('raw-control-character')
      return escapedUnit(char)
    }
    // JSON.parse says no to letters that mean nothing
    if (/["\\/\w\s]/.test(char)) return found
    tolerated.add('needless-escape')
    return char
  })
