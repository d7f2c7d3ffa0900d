import type { Tolerance } from './tolerance.ts'

/** What a body says. A number keeps the text that it was sent as: ids may be too long for a double. */
export type Json = string | boolean | null | JsonNumber | readonly Json[] | ReadonlyMap<string, Json>
export type JsonNumber = { readonly number: string }

export const isNumber = (value: Json): value is JsonNumber =>
  typeof value === 'object' && value !== null && 'number' in value

export type ParsedJson =
  | { readonly value: Json; readonly tolerated: readonly Tolerance[]; readonly problem?: never }
  | { readonly value?: never; readonly problem: string }

/** Nothing in the interface nests deeper than three levels. */
const maxDepth = 32

/** Reads JSON, and what programs that write it by hand make of it: see {@link Tolerance}. */
export const parseJson = (text: string): ParsedJson => {
  const reader: Reader = { text, at: 0, tolerated: new Set() }
  try {
    const value = readValue(reader, 0)
    skipSpace(reader)
    if (reader.at < text.length) fail(reader, 'more follows after its end')
    return { value, tolerated: [...reader.tolerated] }
  } catch (error) {
    if (error instanceof NotJson) return { problem: error.message }
    throw error
  }
}

class NotJson extends Error {}

type Reader = { readonly text: string; at: number; readonly tolerated: Set<Tolerance> }

const fail = ({ text, at }: Reader, problem: string): never => {
  const before = text.slice(0, at).split('\n')
  throw new NotJson(`${problem} (line ${before.length}, column ${before.at(-1)!.length + 1})`)
}

const readValue = (reader: Reader, depth: number): Json => {
  if (depth > maxDepth) fail(reader, 'it is nested too deeply')
  skipSpace(reader)
  switch (reader.text[reader.at]) {
    case '{':
      return readObject(reader, depth)
    case '[':
      return readList(reader, depth)
    case '"':
      return readString(reader)
    case undefined:
      return fail(reader, reader.text.trim() === '' ? 'it is empty' : 'it ends in the middle')
    default:
      return readWord(reader)
  }
}

const readObject = (reader: Reader, depth: number): ReadonlyMap<string, Json> => {
  const object = new Map<string, Json>()
  readMembers(reader, '}', () => {
    if (reader.text[reader.at] !== '"') fail(reader, 'a key in double quotes is missing')
    const key = readString(reader)
    skipSpace(reader)
    if (reader.text[reader.at] !== ':') fail(reader, 'a colon is missing')
    reader.at++
    if (object.has(key)) reader.tolerated.add('duplicate-key')
    object.set(key, readValue(reader, depth + 1))
  })
  return object
}

const readList = (reader: Reader, depth: number): readonly Json[] => {
  const list: Json[] = []
  readMembers(reader, ']', () => list.push(readValue(reader, depth + 1)))
  return list
}

const readMembers = (reader: Reader, end: '}' | ']', readMember: () => void): void => {
  reader.at++
  for (let first = true; ; first = false) {
    skipSpace(reader)
    if (reader.text[reader.at] === end) {
      if (!first) reader.tolerated.add('trailing-comma')
      break
    }
    readMember()
    skipSpace(reader)
    if (reader.text[reader.at] === end) break
    if (reader.text[reader.at] !== ',')
      fail(reader, reader.at < reader.text.length ? 'a comma is missing' : 'it ends in the middle')
    reader.at++
  }
  reader.at++
}

const readWord = (reader: Reader): Json => {
  word.lastIndex = reader.at
  const found = word.exec(reader.text)?.[0]
  if (found === undefined) return fail(reader, 'this is no value')
  reader.at += found.length
  if (found === 'null') return null
  return found === 'true' || found === 'false' ? found === 'true' : { number: found }
}

const word = /(?:null|true|false|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.+-])/y

const readString = (reader: Reader): string => {
  let result = ''
  for (reader.at++; ; ) {
    stretch.lastIndex = reader.at
    stretch.test(reader.text)
    result += reader.text.slice(reader.at, stretch.lastIndex)
    reader.at = stretch.lastIndex
    const char = reader.text[reader.at]
    if (char === undefined) fail(reader, 'it ends in the middle of a string')
    reader.at++
    if (char === '"') return result
    if (char === '\\') result += readEscape(reader)
    else {
      reader.tolerated.add('raw-control-character')
      result += char
    }
  }
}

/** Characters that stand for themselves: all but the quote, the backslash and controls. */
const stretch = /[^"\\\u0000-\u001f]*/y

const readEscape = (reader: Reader): string => {
  const char = reader.text[reader.at++] ?? fail(reader, 'it ends in the middle of a string')
  const meant = escapes[char]
  if (meant !== undefined) return meant
  if (char === 'u') {
    const hex = reader.text.slice(reader.at, reader.at + 4)
    if (!/^[0-9a-f]{4}$/i.test(hex)) fail(reader, 'an escape is cut off')
    reader.at += 4
    return String.fromCharCode(Number.parseInt(hex, 16))
  }
  if (/[\w\s]/.test(char)) fail(reader, 'there is no such escape')
  reader.tolerated.add('needless-escape')
  return char
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

const skipSpace = (reader: Reader): void => {
  while (isSpace(reader.text.charCodeAt(reader.at))) reader.at++
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d
