import { sizeLimit } from '../layout.ts'
import { type Data, type Entries, emptyMapping, type Mapping } from './data.ts'

/**
 * Reads the plain form of YAML that people write nearly always: block mappings of scalars, lists and flow collections.
 * It answers what `parse` would answer without a problem, in a fifteenth of the time, or it passes with `undefined`:
 * also where a comment may have cut a value short, so that somebody looks.
 */
export const quickParse = (source: string): Data | undefined => {
  if (source.length > sizeLimit) return undefined // an expression would run out of room in some millions
  const lines = source.includes('\r\n') ? source.replaceAll('\r\n', '\n') : source
  if (unusual.test(lines) || !lines.isWellFormed()) return undefined
  const text = lines + (lines.endsWith('\n') ? endMark : `\n${endMark}`)
  const cursor = { text, at: text.startsWith(documentStart) ? documentStart.length : 0 }
  const column = nextLine(cursor)
  if (column === -1) return emptyMapping()
  const data = column === 0 ? mapping(cursor, 0) : undefined
  return nextLine(cursor) === -1 ? data : undefined
}

/** What YAML does not allow, what few write, and spaces that would take an expression long. */
const unusual = /[\0-\x09\x0b-\x1f\x7f-\x9f\ufffe\uffff]|\n +$| {1000}/

/**
 * Two characters that no content may hold. With them no look ahead leaves the text: V8 throws away its optimized code
 * when one does, and then compiles slower code.
 */
const endMark = '\0\0'

/** A line that says that the document begins. */
const documentStart = '---\n'

/** The functions below move `at` past what they read. After one of them has passed, the cursor is of no use. */
type Cursor = { readonly text: string; at: number }

/** What a sticky expression finds at the cursor. */
const take = (cursor: Cursor, expression: RegExp): RegExpExecArray | null => {
  expression.lastIndex = cursor.at
  const found = expression.exec(cursor.text)
  if (found !== null) cursor.at = expression.lastIndex
  return found
}

/** Moves to the start of the next line that is neither blank nor a comment; its indentation, -1 at the end. */
const nextLine = (cursor: Cursor): number => {
  take(cursor, idleLines)
  const width = skipSpaces(cursor.text, cursor.at) - cursor.at
  return cursor.text[cursor.at + width] === '\0' ? -1 : width
}

const idleLines = /(?: *(?:#[^\n]*)?\n)*/y

const skipSpaces = (text: string, at: number): number => {
  let i = at
  while (text.charCodeAt(i) === 32) i++
  return i
}

/** Moves to the next line, over spaces and perhaps a comment; false when something else is there. */
const finishLine = (cursor: Cursor): boolean => take(cursor, restOfLine) !== null

const restOfLine = / *(?:(?<= )#[^\n]*)?\n/y

/** YAML allows 1024. */
const maxKey = 1000

/** A key that is nothing but letters, digits and `_`, perhaps in quotes, and its colon. */
const plainKey = new RegExp(String.raw`(["']?)(\w{1,${maxKey}})\1:(?=[ \n])`, 'y')

const takeKey = (cursor: Cursor): string | undefined => take(cursor, plainKey)?.[2]

const isKey = ({ text, at }: Cursor): boolean => {
  plainKey.lastIndex = at
  return plainKey.test(text)
}

/** The entries whose keys stand at `column`; the first key is at the cursor. */
const mapping = (cursor: Cursor, column: number): Mapping | undefined => {
  if (column > maxColumn) return undefined
  const entries = emptyMapping()
  for (;;) {
    if (!(column === 0 && readCommon(cursor, entries)) && !readEntry(cursor, column, entries))
      return undefined
    if (nextLine(cursor) !== column) return entries
    cursor.at += column
  }
}

/** Deeper than anyone indents, and well within what `parse` allows. */
const maxColumn = 40

/** Reads a key and its value; false if the quick reader passes. */
const readEntry = (cursor: Cursor, column: number, entries: Entries): boolean => {
  const key = takeKey(cursor)
  if (key === undefined || entries[key] !== undefined) return false
  const value = valueBehind(cursor, column)
  if (value === undefined) return false
  entries[key] = value
  return true
}

const valueBehind = (cursor: Cursor, column: number): Data | undefined => {
  const { text } = cursor
  cursor.at = skipSpaces(text, cursor.at)
  const first = text[cursor.at]!
  // was it meant as a comment, or as the value?
  if (first === '#' && !/[ \n]/.test(text[cursor.at + 1]!)) return undefined
  if (first === '\n' || first === '#') return valueBelow(cursor, column)
  if (first === '|' || first === '>') return column === 0 ? blockScalar(cursor) : undefined
  return flowNode(cursor, { indent: column + 1, depth: 0 })
}

const valueBelow = (cursor: Cursor, column: number): Data | undefined => {
  const { text } = cursor
  finishLine(cursor)
  const { at } = cursor
  const below = nextLine(cursor)
  if (below < column) return ''
  if (text.startsWith('- ', cursor.at + below)) return blockList(cursor, below)
  if (below === column) return ''
  const commented = text.slice(at, cursor.at).includes('#')
  cursor.at += below
  if (isKey(cursor)) return mapping(cursor, below)
  // yaml refuses some comments in front of a scalar
  return commented ? undefined : flowNode(cursor, { indent: column + 1, depth: 0 })
}

/** The items whose dashes stand at `column`; the cursor is at the start of the first one's line. */
const blockList = (cursor: Cursor, column: number): readonly Data[] | undefined => {
  const { text } = cursor
  const items: Data[] = []
  do {
    const start = cursor.at
    cursor.at = skipSpaces(text, start + column + 1)
    const item = isKey(cursor)
      ? mapping(cursor, cursor.at - start)
      : flowNode(cursor, { indent: column + 1, depth: 0 })
    if (item === undefined) return undefined
    items.push(item)
  } while (nextLine(cursor) === column && text.startsWith('- ', cursor.at + column))
  return items
}

/** A scalar or a flow collection; outside of brackets with the rest of its line. */
const flowNode = (cursor: Cursor, nesting: Nesting): Data | undefined => {
  const { indent, depth } = nesting
  const first = cursor.text[cursor.at]!
  const isQuoted = first === '"' || first === "'"
  if (!isQuoted && first !== '[' && first !== '{')
    return depth === 0 ? plainLines(cursor, indent) : take(cursor, flowPlain)?.[0]
  const value = isQuoted ? quoted(cursor, indent) : collection(cursor, { indent, depth: depth + 1 })
  return depth > 0 || finishLine(cursor) ? value : undefined
}

/** How far further lines of a value are indented at least, and how many brackets it stands in. */
type Nesting = { readonly indent: number; readonly depth: number }

/** Excludes what no plain scalar begins with. */
const start = String.raw`(?![\s,[\]{}&*!|>'"%@${'`'}#]|[-?:][ \n])`

/** Excludes what few begin with, too. */
const commonStart = String.raw`(?![\s,[\]{}&*!|>'"%@${'`'}#?:-])`

/** The rest of a plain scalar on one line: no colon before a space, no `#` after one, and no space at the end. */
const plain = String.raw`[^\n:#]*(?:(?::(?![ \n])|(?<! )#)[^\n:#]*)*(?<! )`

/** The same between brackets, where more characters have a meaning, up to what ends it there. */
const flowPlain = new RegExp(
  String.raw`${commonStart}[^\n:#,[\]{}]*(?:(?::(?![ \n,[\]{}])|(?<! )#)[^\n:#,[\]{}]*)*(?<! )(?=[ \n]*[,\]}])`,
  'y',
)

const firstLine = new RegExp(start + plain, 'y')
const furtherLine = new RegExp(plain, 'y')

/** A plain scalar on one or several lines. */
const plainLines = (cursor: Cursor, indent: number): string | undefined => {
  const { text } = cursor
  let value = take(cursor, firstLine)?.[0]
  if (value === undefined) return undefined
  for (;;) {
    if (text[skipSpaces(text, cursor.at)] !== '\n') {
      // was it meant as a comment, or as a part of the value?
      return take(cursor, clearComment) === null ? undefined : value
    }
    const breaks = take(cursor, emptyLines)![0].split('\n').length - 1
    const from = skipSpaces(text, cursor.at)
    if (text[from] === '\0' || text[from] === '#' || from - cursor.at < indent) return value
    cursor.at = from
    const further = take(cursor, furtherLine)?.[0]
    if (further === undefined) return undefined
    value += fold(breaks) + further
  }
}

const clearComment = / +#(?=[ \n])[^\n]*\n/y

/** The end of a line, and empty lines after it. */
const emptyLines = /(?: *\n)+/y

/** What folding makes of line ends in a row. */
const fold = (breaks: number): string => (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1))

/** A quoted scalar up to its closing quote. Further lines belong to it when indented by `indent` or more. */
const quoted = (cursor: Cursor, indent: number): string | undefined => {
  const isDouble = cursor.text[cursor.at] === '"'
  const raw = take(cursor, isDouble ? doubleQuoted : singleQuoted)?.[0].slice(1, -1)
  let isRight = true
  const value = raw?.replace(isDouble ? doubleMarks : singleMarks, (mark) => {
    const lastBreak = mark.lastIndexOf('\n')
    if (lastBreak === -1) return isDouble ? unescaped(mark) : "'"
    if (mark.length - lastBreak - 1 < indent) isRight = false
    return mark.startsWith('\\') ? '' : fold(mark.split('\n').length - 1)
  })
  return isRight ? value : undefined
}

const doubleQuoted =
  /"[^"\\]*(?:\\(?:["\\/ bfnrt\n]|x(?!00)[\dA-Fa-f]{2}|u(?!0000|[Dd][89A-Fa-f])[\dA-Fa-f]{4})[^"\\]*)*"/y
const singleQuoted = /'[^']*(?:''[^']*)*'/y

/** An escaped line end, another escape, and line ends that are folded. */
const doubleMarks = /\\\n *|\\(?:x..|u....|.)|(?: *\n)+ */g
const singleMarks = /(?: *\n)+ *|''/g

const unescaped = (mark: string): string =>
  mark.length === 2
    ? (letters[mark[1]!] ?? mark[1]!)
    : String.fromCharCode(Number.parseInt(mark.slice(2), 16))

const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** `[…]` or `{…}` up to its closing bracket, of scalars and others of their kind, without comments. */
const collection = (cursor: Cursor, nesting: Nesting): Data | undefined => {
  const { text } = cursor
  if (nesting.depth > maxDepth) return undefined
  const isList = text[cursor.at++] === '['
  const end = isList ? ']' : '}'
  const items: Data[] = []
  const entries = emptyMapping()
  for (;;) {
    if (!skipBlanks(cursor, nesting)) return undefined
    if (text[cursor.at] === end) break
    const key = isList ? '' : takeKey(cursor)
    if (key === undefined || entries[key] !== undefined || !skipBlanks(cursor, nesting)) return undefined
    const item = flowNode(cursor, nesting)
    if (item === undefined || !skipBlanks(cursor, nesting)) return undefined
    if (isList) items.push(item)
    else entries[key] = item
    if (text[cursor.at] === ',') cursor.at++
    else if (text[cursor.at] !== end) return undefined
  }
  cursor.at++
  return isList ? items : entries
}

/** Deeper than anyone nests, and well within what `parse` allows. */
const maxDepth = 9

/** Moves over spaces and line ends; false at a comment, at the end, and where a line is indented too little. */
const skipBlanks = (cursor: Cursor, { indent, depth }: Nesting): boolean => {
  const blanks = take(cursor, /[ \n]*/y)![0]
  const next = cursor.text[cursor.at]!
  if (next === '#' || next === '\0') return false
  const lineFeed = blanks.lastIndexOf('\n')
  // the bracket that closes the outermost one may stand below the key
  const closes = depth === 1 && (next === ']' || next === '}')
  return lineFeed === -1 || blanks.length - lineFeed - 1 >= indent - (closes ? 1 : 0)
}

/** A literal or folded scalar without an indentation indicator, below a key at the start of its line. */
const blockScalar = (cursor: Cursor): string | undefined => {
  const header = take(cursor, /([|>])([-+]?)(?: +#[^\n]*| *)\n/y)
  if (header === null) return undefined
  const lines = take(cursor, /(?: [^\n]*\n|\n)*/y)![0].split('\n')
  // what comes after the last line end is no line
  lines.pop()
  const first = lines.find((line) => /[^ ]/.test(line))
  if (first === undefined) return undefined
  const indent = skipSpaces(first, 0)
  let value = ''
  let breaks = 0
  let wasMore = true
  for (const line of lines) {
    const width = skipSpaces(line, 0)
    const isBlank = width === line.length
    if (isBlank && width <= indent) breaks++
    // yaml refuses what is wider above the first line
    else if (width < indent || (isBlank && value === '')) return undefined
    else {
      const isMore = width > indent
      value += isMore || wasMore || header[1] === '|' ? '\n'.repeat(breaks) : fold(breaks)
      value += line.slice(indent)
      wasMore = isMore
      breaks = 1
    }
  }
  if (header[2] === '+') return value + '\n'.repeat(breaks)
  return header[2] === '-' ? value : `${value}\n`
}

/**
 * Reads an entry whose key begins its line, if its value has one of the most common forms and the line after it begins
 * with a key too; false, and nothing done, if not. All but one in a hundred entries are read here.
 */
const readCommon = (cursor: Cursor, entries: Entries): boolean => {
  const { text, at } = cursor
  const colon = text.indexOf(':', at)
  const { entry, read } = forms[text[colon + 2]!] ?? plainForm
  entry.lastIndex = at
  if (!entry.test(text)) return false
  const key = text.slice(at, colon)
  if (entries[key] !== undefined) return false
  cursor.at = entry.lastIndex
  entries[key] = read(text.slice(colon + 2, cursor.at - 1))
  return true
}

type Form = {
  /** Key, colon and value, to the end of the value's last line. */
  readonly entry: RegExp
  /** Takes all from the second character after the colon on, without the line's end. */
  readonly read: (raw: string) => Data
}

/** `value` is the expression for all that stands between the colon and the end of the value's last line. */
const form = (value: string, read: Form['read']): Form => ({
  entry: new RegExp(String.raw`\w{1,${maxKey}}:${value}\n(?=[\w\0])`, 'y'),
  read,
})

/** A word in a flow list, without any character that may have a meaning there. */
const word = String.raw`${commonStart}[^\n:#,[\]{}]+(?<! )`

const blockForm = form(String.raw` [|>]-?(?:\n  \S[^\n]*)+`, (raw) => {
  const header = raw.indexOf('\n')
  const lines = raw.slice(header + 3).replaceAll('\n  ', raw.startsWith('|') ? '\n' : ' ')
  return header === 1 ? `${lines}\n` : lines
})

/** By the second character after the colon. */
const forms: Readonly<Record<string, Form>> = {
  '"': form(String.raw` "[^"\\\0-\x1f]*(?:\\["\\/bfnrt][^"\\\0-\x1f]*)*"`, (raw) =>
    raw.includes('\\') ? JSON.parse(raw) : raw.slice(1, -1),
  ),
  '[': form(String.raw` \[${word}(?:, ${word})*\]`, (raw) => raw.slice(1, -1).split(', ')),
  ' ': form(String.raw`(?:\n  - ${commonStart}${plain})+`, (raw) => raw.slice('  - '.length).split('\n  - ')),
  '|': blockForm,
  '>': blockForm,
}

const plainForm = form(` ${commonStart}${plain}`, (raw) => raw)
