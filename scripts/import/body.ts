import { type Json, parseJson, type Tolerance } from './json.ts'

/** What a body says of one field: a text, as it stands or sent as a number; or something that is none. */
export type Said =
  | { readonly kind: 'text' | 'number'; readonly text: string }
  /** `json` is what a message shows: `null`, `missing`, or the beginning of the value. */
  | { readonly kind: 'null' | 'missing' | 'other'; readonly json: string; readonly text?: never }

/** The fields of a user or a shot as a body has them, by name. */
export type Fields = ReadonlyMap<string, Said>

/** What the remote says of a member over one scheme. */
export type Remote = { readonly user: Fields } & RemoteShots

export type RemoteShots = {
  /** In the order in which they are sent. */
  readonly shots: readonly Fields[]
  /** What the body of shots says beside them: the interface has nothing there. */
  readonly others: Fields
  /** What the list holds that is no shot. */
  readonly strays: readonly Said[]
}

const missing: Said = { kind: 'missing', json: 'missing' }

export const saidOf = (fields: Fields, key: string): Said => fields.get(key) ?? missing

/** The text of a field as the base keeps it: `null` where none was said. */
export const textOf = (fields: Fields, key: string): string | null => saidOf(fields, key).text ?? null

/** A value as a message shows it. */
export const shown = (said: Said): string => said.text ?? said.json

export type ReadBody<T> = {
  readonly value?: T
  readonly tolerated: ReadonlySet<Tolerance>
  /** Why there is no value, in words that follow a colon. */
  readonly problem?: string
}

/** Reads the body of `/api/username/<u>`. */
export const readUser = (bytes: Uint8Array): ReadBody<Fields> => {
  const { value, tolerated, problem } = readObject(bytes)
  if (value === undefined) return { tolerated, problem: problem! }
  if (!value.has('id') && !value.has('username')) {
    return { tolerated, problem: `it is JSON, but no profile: ${keysOf(value)}` }
  }
  return { value: toFields(value, tolerated), tolerated }
}

/** Reads the body of `/api/username/<u>/shots`. */
export const readShots = (bytes: Uint8Array): ReadBody<RemoteShots> => {
  const { value, tolerated, problem } = readObject(bytes)
  if (value === undefined) return { tolerated, problem: problem! }
  const { Shots: list, ...rest } = Object.fromEntries(value) as Record<string, Json>
  if (list === undefined) return { tolerated, problem: `it is JSON, but has no "Shots": ${keysOf(value)}` }
  const others = toFields(new Map(Object.entries(rest)), new Set())
  if (isNone(list)) {
    tolerated.add('no-list')
    return { value: { shots: [], others, strays: [] }, tolerated }
  }
  if (!Array.isArray(list)) return { tolerated, problem: '"Shots" is not a list' }
  const [shots, strays]: [Fields[], Said[]] = [[], []]
  for (const one of list as readonly Json[]) {
    if (one instanceof Map) shots.push(toFields(one, tolerated))
    else strays.push(toSaid(one))
  }
  return { value: { shots, others, strays }, tolerated }
}

/** How programs write an empty list. */
const isNone = (list: Json): boolean =>
  list === null || list === false || list === '' || (list instanceof Map && list.size === 0)

type ReadObject = {
  readonly value?: ReadonlyMap<string, Json>
  readonly tolerated: Set<Tolerance>
  readonly problem?: string
}

const readObject = (bytes: Uint8Array): ReadObject => {
  const tolerated = new Set<Tolerance>()
  const other = otherForms.find(([start]) => start.every((byte, index) => bytes[index] === byte))
  if (other !== undefined) return { tolerated, problem: `it is not JSON: it is ${other[1]}` }
  const text = decodeText(bytes, tolerated)
  if (/^\s*</.test(text)) {
    return { tolerated, problem: 'it is HTML, such as a login or error page, and not JSON' }
  }
  const { value, problem } = parseJson(text, tolerated)
  if (problem !== undefined) return { tolerated, problem: `it is not JSON: ${problem}` }
  return value instanceof Map ? { value, tolerated } : { tolerated, problem: 'it is JSON, but no object' }
}

/** What a body may be instead of text in UTF-8, by its first bytes. */
const otherForms: readonly (readonly [start: readonly number[], what: string])[] = [
  [[0xff, 0xfe], 'UTF-16'],
  [[0xfe, 0xff], 'UTF-16'],
  [[0x1f, 0x8b], 'compressed by gzip, which its headers do not say'],
]

const keysOf = (object: ReadonlyMap<string, Json>): string =>
  object.size === 0 ? 'it is empty' : `it has ${[...object.keys()].slice(0, 5).join(', ').slice(0, 200)}`

const toFields = (object: ReadonlyMap<string, Json>, tolerated: Set<Tolerance>): Fields => {
  const fields = new Map<string, Said>()
  for (const [key, value] of object) {
    const said = toSaid(value)
    if (said.kind === 'number') tolerated.add('number-for-string')
    fields.set(key, said)
  }
  return fields
}

const toSaid = (value: Json): Said => {
  if (typeof value === 'string') return { kind: 'text', text: value }
  if (value === null) return { kind: 'null', json: 'null' }
  if (typeof value === 'object' && 'number' in value) return { kind: 'number', text: value.number }
  return { kind: 'other', json: toJson(value).slice(0, 60) }
}

const toJson = (value: Json): string => {
  if (value instanceof Map)
    return `{${Array.from(value, ([key, one]) => `${JSON.stringify(key)}:${toJson(one)}`).join()}}`
  if (Array.isArray(value)) return `[${value.map(toJson).join()}]`
  const number = typeof value === 'object' && value !== null && 'number' in value
  return number ? value.number : JSON.stringify(value)
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
