import { type Json, parseJson, type Tolerance } from './json.ts'

/** The fields of a user or a shot as a body has them, by name. */
export type Fields = ReadonlyMap<string, Json>

/** What the body of `/api/username/<u>/shots` says. */
export type RemoteShots = {
  /** In the order in which they are sent. */
  readonly shots: readonly Fields[]
  /** What the list holds that is no shot. */
  readonly strays: readonly Json[]
  /** What the body says beside the list, where the API has nothing. */
  readonly others: Fields
}

/** What the remote says of a member over one scheme. */
export type Remote = { readonly user: Fields } & RemoteShots

/** The text of a field, as it stands or sent as a number; `null` where none is said. */
export const textOf = (fields: Fields, key: string): string | null => textIn(fields.get(key))

const textIn = (value: Json | undefined): string | null => {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null && 'number' in value ? value.number : null
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

/** A body, or why it can't be used, in words that follow a colon. */
export type Body<T> =
  | { readonly value: T; readonly problem?: never }
  | { readonly value?: never; readonly problem: string }

/** Reads the body of `/api/username/<u>`; adds what it put up with to `tolerated`. */
export const readUser = (bytes: Uint8Array, tolerated: Set<Tolerance>): Body<Fields> => {
  const { value, problem } = readObject(bytes, tolerated)
  if (value === undefined) return { problem: problem! }
  if (!value.has('id') && !value.has('username')) {
    return { problem: `it is JSON, but no profile: ${keysOf(value)}` }
  }
  noteNumbers(value, tolerated)
  return { value }
}

/** Reads the body of `/api/username/<u>/shots` in the same way. */
export const readShots = (bytes: Uint8Array, tolerated: Set<Tolerance>): Body<RemoteShots> => {
  const { value, problem } = readObject(bytes, tolerated)
  if (value === undefined) return { problem: problem! }
  const list = value.get('Shots')
  if (list === undefined) return { problem: `it is JSON, but has no "Shots": ${keysOf(value)}` }
  const others = new Map([...value].filter(([key]) => key !== 'Shots'))
  if (isNone(list)) {
    tolerated.add('no-list')
    return { value: { shots: [], strays: [], others } }
  }
  if (!Array.isArray(list)) return { problem: '"Shots" is not a list' }
  const [shots, strays]: [Fields[], Json[]] = [[], []]
  for (const one of list as readonly Json[]) {
    if (!(one instanceof Map)) strays.push(one)
    else {
      noteNumbers(one, tolerated)
      shots.push(one)
    }
  }
  return { value: { shots, strays, others } }
}

/** How programs write an empty list. */
const isNone = (list: Json): boolean =>
  list === null || list === false || list === '' || (list instanceof Map && list.size === 0)

const noteNumbers = (fields: Fields, tolerated: Set<Tolerance>): void => {
  for (const value of fields.values()) {
    if (typeof value !== 'string' && textIn(value) !== null) tolerated.add('number-for-string')
  }
}

const readObject = (bytes: Uint8Array, tolerated: Set<Tolerance>): Body<Fields> => {
  const text = decodeText(bytes, tolerated)
  if (/^\s*</.test(text)) return { problem: 'it is HTML, such as a login or error page, and not JSON' }
  const { value, problem } = parseJson(text, tolerated)
  if (problem !== undefined) return { problem: `it is not JSON: ${problem}` }
  return value instanceof Map ? { value } : { problem: 'it is JSON, but no object' }
}

const keysOf = (object: Fields): string =>
  object.size === 0 ? 'it is empty' : `it has ${[...object.keys()].slice(0, 5).join(', ').slice(0, 200)}`

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
