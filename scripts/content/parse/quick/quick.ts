import { sizeLimit } from '../../layout.ts'
import { type Data, type Entries, emptyMapping, type Mapping } from '../data.ts'
import { type Cursor, codes, endMark, finishLine, isEnd, nextLine, skipSpaces } from './cursor.ts'
import { blockScalar } from './quick-block-scalar.ts'
import { readCommon } from './quick-common.ts'
import { flowCollection } from './quick-flow.ts'
import { keyEnd } from './quick-key.ts'
import { flowScalar } from './quick-scalars.ts'

const { bar, dash, greater, hash, lineFeed, openingBrace, openingBracket, space } = codes

/**
 * Reads the plain form of YAML that people write nearly always: block mappings of scalars, lists and flow collections.
 * It answers what `parse` would answer without a problem, some forty times as fast, or it passes with `undefined`: also
 * where a comment may have cut a value short, so that somebody looks.
 */
export const quickParse = (source: string): Data | undefined => {
  if (source.length > sizeLimit) return undefined // an expression would run out of room in some millions
  const lines = source.includes('\r\n') ? source.replaceAll('\r\n', '\n') : source
  if (!lines.isWellFormed() || lines.includes('\r') || lines.includes('\t') || lines.includes('\0'))
    return undefined
  const text = lines + endMark
  const cursor = { text, at: text.startsWith(documentStart) ? documentStart.length : 0 }
  const column = nextLine(cursor)
  if (column === -1) return emptyMapping()
  const data = column === 0 ? mapping(cursor, 0) : undefined
  return nextLine(cursor) === -1 ? data : undefined
}

/** A line that says that the document begins. */
const documentStart = '---\n'

/** The entries whose keys stand at `column`; the first key is at the cursor. */
const mapping = (cursor: Cursor, column: number): Mapping | undefined => {
  if (column > maxColumn) return undefined
  const entries = emptyMapping()
  for (;;) {
    const isRead = (column === 0 && readCommon(cursor, entries)) || readEntry(cursor, column, entries)
    if (!isRead) return undefined
    if (nextLine(cursor) !== column) return entries
    cursor.at += column
  }
}

/** Reads a key and its value; false if the quick reader passes. */
const readEntry = (cursor: Cursor, column: number, entries: Entries): boolean => {
  const { text, at } = cursor
  const end = keyEnd(text, at)
  if (end === -1) return false
  const key = text.slice(at, end)
  if (entries[key] !== undefined) return false
  cursor.at = end + 1
  const value = valueBehind(cursor, column)
  if (value === undefined) return false
  entries[key] = value
  return true
}

/** Deeper than anyone indents, and well within what `parse` allows. */
const maxColumn = 40

const valueBehind = (cursor: Cursor, column: number): Data | undefined => {
  const { text } = cursor
  const at = skipSpaces(text, cursor.at)
  const code = text.charCodeAt(at)
  if (code === lineFeed || code === hash || isEnd(code)) return valueBelow(cursor, column)
  cursor.at = at
  if (code === bar || code === greater) return blockScalar(cursor, column)
  return flowNode(cursor, column + 1)
}

const valueBelow = (cursor: Cursor, column: number): Data | undefined => {
  const { text } = cursor
  finishLine(cursor)
  const { at } = cursor
  const below = nextLine(cursor)
  if (below < column) return ''
  if (isItem(text, cursor.at + below)) return blockList(cursor, below)
  if (below === column) return ''
  const commented = text.slice(at, cursor.at).includes('#')
  cursor.at += below
  if (keyEnd(text, cursor.at) !== -1) return mapping(cursor, below)
  // yaml refuses some comments in front of a scalar
  return commented ? undefined : flowNode(cursor, column + 1)
}

/** A scalar or a flow collection, and the rest of its line. Further lines are indented by `indent` or more. */
const flowNode = (cursor: Cursor, indent: number): Data | undefined => {
  const code = cursor.text.charCodeAt(cursor.at)
  if (code !== openingBracket && code !== openingBrace) return flowScalar(cursor, indent)
  const collection = flowCollection(cursor, indent)
  return finishLine(cursor) ? collection : undefined
}

const isItem = (text: string, at: number): boolean =>
  text.charCodeAt(at) === dash && text.charCodeAt(at + 1) === space

/** The items whose dashes stand at `column`; the cursor is at the start of the first one's line. */
const blockList = (cursor: Cursor, column: number): readonly Data[] | undefined => {
  const { text } = cursor
  const items: Data[] = []
  do {
    const start = cursor.at
    cursor.at = skipSpaces(text, start + column + 1)
    const item =
      keyEnd(text, cursor.at) === -1 ? flowNode(cursor, column + 1) : mapping(cursor, cursor.at - start)
    if (item === undefined) return undefined
    items.push(item)
  } while (nextLine(cursor) === column && isItem(text, cursor.at + column))
  return items
}
