import { type Data, emptyMapping, type Mapping } from '../data.ts'
import { type Cursor, codes, isBreak, isEnd, skipBreaks, skipSpaces } from './cursor.ts'
import { keyEnd, maxKey } from './quick-key.ts'
import { quoted, startsPlain } from './quick-scalars.ts'

const {
  closingBrace,
  closingBracket,
  colon,
  comma,
  dash,
  doubleQuote,
  hash,
  lineFeed,
  openingBrace,
  openingBracket,
  questionMark,
  singleQuote,
  space,
} = codes

/** What may go on over several lines, and how deep it nests. */
type Place = {
  /** Further lines are indented by this much or more. */
  readonly indent: number
  readonly depth: number
}

/** `[…]` or `{…}` up to its closing bracket, of scalars and others of their kind, without comments. */
export const flowCollection = (cursor: Cursor, indent: number): Data | undefined =>
  collection(cursor, { indent, depth: 0 })

/** Deeper than anyone nests, and well within what `parse` allows. */
const maxDepth = 8

const collection = (cursor: Cursor, { indent, depth }: Place): Data | undefined => {
  if (depth > maxDepth) return undefined
  const place = { indent, depth: depth + 1 }
  const isList = cursor.text.charCodeAt(cursor.at) === openingBracket
  cursor.at++
  return isList ? list(cursor, place) : mapping(cursor, place)
}

const list = (cursor: Cursor, place: Place): readonly Data[] | undefined => {
  const { text } = cursor
  const items: Data[] = []
  for (;;) {
    if (!skipBlanks(cursor, place)) return undefined
    if (text.charCodeAt(cursor.at) === closingBracket) break
    const item = value(cursor, place)
    if (item === undefined) return undefined
    items.push(item)
    if (!skipBlanks(cursor, place)) return undefined
    const code = text.charCodeAt(cursor.at)
    if (code === closingBracket) break
    if (code !== comma) return undefined
    cursor.at++
  }
  cursor.at++
  return items
}

const mapping = (cursor: Cursor, place: Place): Mapping | undefined => {
  const { text } = cursor
  const entries = emptyMapping()
  for (;;) {
    if (!skipBlanks(cursor, place)) return undefined
    if (text.charCodeAt(cursor.at) === closingBrace) break
    const key = keyBefore(cursor)
    if (key === undefined || entries[key] !== undefined || !skipBlanks(cursor, place)) return undefined
    const item = value(cursor, place)
    if (item === undefined) return undefined
    entries[key] = item
    if (!skipBlanks(cursor, place)) return undefined
    const code = text.charCodeAt(cursor.at)
    if (code === closingBrace) break
    if (code !== comma) return undefined
    cursor.at++
  }
  cursor.at++
  return entries
}

/** A key, plain or quoted, and the colon after it. */
const keyBefore = (cursor: Cursor): string | undefined => {
  const { text, at } = cursor
  const first = text.charCodeAt(at)
  if (first !== doubleQuote && first !== singleQuote) {
    const end = keyEnd(text, at)
    cursor.at = end + 1
    return end === -1 ? undefined : text.slice(at, end)
  }
  const key = quoted(cursor, Number.POSITIVE_INFINITY)
  const end = cursor.at
  if (key === undefined || end - at > maxKey || text.charCodeAt(end) !== colon) return undefined
  cursor.at = end + 1
  return isBreak(text.charCodeAt(end + 1)) ? key : undefined
}

const value = (cursor: Cursor, place: Place): Data | undefined => {
  const code = cursor.text.charCodeAt(cursor.at)
  if (code === openingBracket || code === openingBrace) return collection(cursor, place)
  if (code === doubleQuote || code === singleQuote) return quoted(cursor, Number.POSITIVE_INFINITY)
  return plain(cursor)
}

/** A plain scalar on one line, up to what ends it. */
const plain = (cursor: Cursor): string | undefined => {
  const { text, at } = cursor
  const first = text.charCodeAt(at)
  if (first === dash || first === questionMark || first === colon || !startsPlain(text, at)) return undefined
  let end = at
  for (let i = at; ; i++) {
    const code = text.charCodeAt(i)
    if (code === space) continue
    if (code === comma || code === closingBracket || code === closingBrace) {
      cursor.at = i
      return text.slice(at, end)
    }
    if (code === lineFeed) {
      // another line may belong to the scalar
      cursor.at = i
      return endsPlain(text, skipEmptyLines(text, i)) ? text.slice(at, end) : undefined
    }
    if (isEnd(code) || code === openingBracket || code === openingBrace) return undefined
    if (code === hash && text.charCodeAt(i - 1) === space) return undefined
    if (code === colon && endsKey(text.charCodeAt(i + 1))) return undefined
    end = i + 1
  }
}

const endsPlain = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code === comma || code === closingBracket || code === closingBrace
}

/** Whether a colon before this character is one after a key. */
const endsKey = (code: number): boolean =>
  isBreak(code) ||
  code === comma ||
  code === openingBracket ||
  code === closingBracket ||
  code === openingBrace ||
  code === closingBrace

const skipEmptyLines = (text: string, at: number): number => {
  let i = at
  while (text.charCodeAt(i) === lineFeed || text.charCodeAt(i) === space) i++
  return i
}

/** Moves over spaces and line ends; false at a comment, at the end, and where a line is indented too little. */
const skipBlanks = (cursor: Cursor, { indent, depth }: Place): boolean => {
  const { text } = cursor
  cursor.at = skipSpaces(text, cursor.at)
  if (text.charCodeAt(cursor.at) === lineFeed) {
    skipBreaks(cursor)
    const at = skipSpaces(text, cursor.at)
    const missing = indent - (at - cursor.at)
    // the bracket that closes the outermost one may stand below the key
    const closes = depth === 1 && endsPlain(text, at) && text.charCodeAt(at) !== comma
    if (missing > (closes ? 1 : 0)) return false
    cursor.at = at
  }
  const code = text.charCodeAt(cursor.at)
  return code !== hash && !isEnd(code)
}
