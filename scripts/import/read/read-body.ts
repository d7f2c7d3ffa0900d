import { decodeText } from './decode-text.ts'
import { type Json, parseJson } from './parse-json.ts'
import { type Fields, type Said, toFields, toSaid } from './said.ts'
import type { Tolerance } from './tolerance.ts'

export type ReadBody<T> =
  | {
      readonly value: T
      /** What a body of shots says beside them. */
      readonly others?: Fields
      /** What its list holds that is no shot. */
      readonly strays?: readonly Said[]
      readonly tolerated: readonly Tolerance[]
      readonly problem?: never
    }
  | { readonly value?: never; readonly problem: string }

/** Reads the body of `/api/username/<u>`; a problem is in words that follow a colon. */
export const readUser = (bytes: Uint8Array): ReadBody<Fields> => {
  const read = readObject(bytes)
  if (read.value === undefined) return read
  if (!read.value.has('id') && !read.value.has('username')) {
    return { problem: `it is JSON, but no profile: ${keysOf(read.value)}` }
  }
  const fields = toFields(read.value)
  return { value: fields, tolerated: withNumbers(read.tolerated, [fields]) }
}

/** Reads the body of `/api/username/<u>/shots`: the shots in the order in which they are sent. */
export const readShots = (bytes: Uint8Array): ReadBody<readonly Fields[]> => {
  const read = readObject(bytes)
  if (read.value === undefined) return read
  const list = read.value.get('Shots')
  if (list === undefined) return { problem: `it is JSON, but has no "Shots": ${keysOf(read.value)}` }
  const others = toFields(new Map([...read.value].filter(([key]) => key !== 'Shots')))
  if (isNone(list)) return { value: [], others, tolerated: [...read.tolerated, 'no-list'] }
  if (!Array.isArray(list)) return { problem: '"Shots" is not a list' }
  const shots: Fields[] = []
  const strays: Said[] = []
  for (const one of list) {
    if (one instanceof Map) shots.push(toFields(one))
    else strays.push(toSaid(one))
  }
  return { value: shots, others, strays, tolerated: withNumbers(read.tolerated, shots) }
}

/** How programs write an empty list. */
const isNone = (list: Json): boolean =>
  list === null || list === false || list === '' || (list instanceof Map && list.size === 0)

const readObject = (bytes: Uint8Array): ReadBody<ReadonlyMap<string, Json>> => {
  const other = otherForms.find(([start]) => start.every((byte, index) => bytes[index] === byte))
  if (other !== undefined) return { problem: `it is not JSON: it is ${other[1]}` }
  const { text, tolerated } = decodeText(bytes)
  if (/^\s*</.test(text)) return { problem: 'it is HTML, such as a login or error page, and not JSON' }
  const parsed = parseJson(text)
  if (parsed.problem !== undefined) return { problem: `it is not JSON: ${parsed.problem}` }
  if (!(parsed.value instanceof Map)) return { problem: 'it is JSON, but no object' }
  return { value: parsed.value, tolerated: [...tolerated, ...parsed.tolerated] }
}

/** What a body may be instead of text in UTF-8, by its first bytes. */
const otherForms: readonly (readonly [start: readonly number[], what: string])[] = [
  [[0xff, 0xfe], 'UTF-16'],
  [[0xfe, 0xff], 'UTF-16'],
  [[0x1f, 0x8b], 'compressed by gzip, which its headers do not say'],
]

const keysOf = (object: ReadonlyMap<string, Json>): string =>
  object.size === 0 ? 'it is empty' : `it has ${[...object.keys()].slice(0, 5).join(', ')}`

const withNumbers = (tolerated: readonly Tolerance[], records: readonly Fields[]): readonly Tolerance[] => {
  const numbers = records.some((fields) => [...fields.values()].some(({ kind }) => kind === 'number'))
  return numbers ? [...tolerated, 'number-for-string'] : tolerated
}
