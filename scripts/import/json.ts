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
  'duplicate-key': 'a key that is given twice, of which the last one counts',
  'no-list': 'shots that are null, false, "" or {}, taken for none',
  'no-shots-404': 'a 404 for the shots of a member that is there, taken for none',
  'number-for-string': 'a number where a string belongs, taken as it is written',
} as const

export type Tolerance = keyof typeof tolerances

/** Nothing in the API nests deeper than three levels, and 15 shots have 225 values. */
const maxDepth = 32
const mostValues = 100_000

class NotJson extends Error {}

export type ParsedJson = { readonly value?: Json; readonly problem?: string }

/** Reads JSON, and what programs that write it by hand make of it; adds what it put up with to `tolerated`. */
export const parseJson = (text: string, tolerated: Set<Tolerance>): ParsedJson => {
  let [at, count] = [0, 0]
  const fail = (problem: string): never => {
    const before = text.slice(0, at).split('\n')
    throw new NotJson(`${problem} (line ${before.length}, column ${before.at(-1)!.length + 1})`)
  }
  const skipSpace = (): void => {
    space.lastIndex = at
    space.test(text)
    at = space.lastIndex
  }
  const readValue = (depth: number): Json => {
    if (depth > maxDepth) fail('it is nested too deeply')
    if (++count > mostValues) fail(`it has more than ${mostValues} values`)
    skipSpace()
    if (text[at] === '{') return readObject(depth)
    if (text[at] === '[') return readList(depth)
    if (text[at] === '"') return readString()
    if (at === text.length) fail(text.trim() === '' ? 'it is empty' : 'it ends in the middle')
    word.lastIndex = at
    const found = word.exec(text)?.[0] ?? fail('this is no value')
    at += found.length
    if (found === 'null') return null
    return found === 'true' || found === 'false' ? found === 'true' : { number: found }
  }
  const readObject = (depth: number): Json => {
    const object = new Map<string, Json>()
    readMembers('}', () => {
      if (text[at] !== '"') fail('a key in double quotes is missing')
      const key = readString()
      skipSpace()
      if (text[at] !== ':') fail('a colon is missing')
      at++
      if (object.has(key)) tolerated.add('duplicate-key')
      object.set(key, readValue(depth + 1))
    })
    return object
  }
  const readList = (depth: number): Json => {
    const list: Json[] = []
    readMembers(']', () => list.push(readValue(depth + 1)))
    return list
  }
  const readMembers = (end: '}' | ']', readMember: () => void): void => {
    at++
    for (let first = true; ; first = false) {
      skipSpace()
      if (text[at] === end) {
        if (!first) tolerated.add('trailing-comma')
        break
      }
      readMember()
      skipSpace()
      if (text[at] === end) break
      if (text[at] !== ',') fail(at < text.length ? 'a comma is missing' : 'it ends in the middle')
      at++
    }
    at++
  }
  const readString = (): string => {
    let result = ''
    for (at++; ; ) {
      stretch.lastIndex = at
      stretch.test(text)
      result += text.slice(at, stretch.lastIndex)
      at = stretch.lastIndex
      const char = text[at] ?? fail('it ends in the middle of a string')
      at++
      if (char === '"') return result
      if (char === '\\') result += readEscape()
      else {
        tolerated.add('raw-control-character')
        result += char
      }
    }
  }
  const readEscape = (): string => {
    const char = text[at++] ?? fail('it ends in the middle of a string')
    const meant = escapes[char]
    if (meant !== undefined) return meant
    if (char === 'u') {
      const hex = text.slice(at, at + 4)
      if (!/^[0-9a-f]{4}$/i.test(hex)) fail('an escape is cut off')
      at += 4
      return String.fromCharCode(Number.parseInt(hex, 16))
    }
    if (/[\w\s]/.test(char)) fail('there is no such escape')
    tolerated.add('needless-escape')
    return char
  }
  try {
    const value = readValue(0)
    skipSpace()
    if (at < text.length) fail('more follows after its end')
    return { value }
  } catch (error) {
    if (error instanceof NotJson) return { problem: error.message }
    throw error
  }
}

const space = /[ \t\n\r]*/y
const word = /(?:null|true|false|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.+-])/y
/** Characters that stand for themselves: all but the quote, the backslash and controls. */
const stretch = /[^"\\\u0000-\u001f]*/y
const escapes: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
}
