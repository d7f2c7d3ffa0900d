import { emptyMapping, type Mapping } from './data.ts'
import { leaf, type Tree } from './tree.ts'

type Read = {
  readonly tree: Tree
  /** The text as the offsets count it: each line ends with a line feed alone. */
  readonly text: string
  /**
   * Whether a comment such as `#x`, an anchor that no alias repeats, or a backslash may have
   * been meant for a part of a value.
   */
  readonly mayBeCut: boolean
}

/**
 * Reads one document of YAML without tags and complex keys, in one pass. The answer is what
 * `yaml` says of a text with which it finds nothing wrong; where that isn't sure, it is
 * `undefined`.
 */
export const readTree = (source: string): Read | undefined => {
  const lines = source.replaceAll('\r\n', '\n')
  if (unusual.test(lines) || !lines.isWellFormed()) return undefined
  // a last line of spaces without an end
  if (lines.endsWith(' ') && /(?:^|\n) +$/.test(lines)) return undefined
  const text = lines.endsWith('\n') ? lines : `${lines}\n`
  const reader = new Reader(text)
  try {
    return { tree: reader.document(), text, mayBeCut: reader.mayBeCut() }
  } catch (error) {
    if (error === passed) return undefined
    throw error
  }
}

/** What YAML doesn't allow, or few write. */
const unusual = /[\0-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff]/

const passed = new Error('the reader passes')

const pass: () => never = () => {
  throw passed
}

/** Bounds the recursion; `yaml` has a bound of its own for what is deeper. */
const maxDepth = 60

/** YAML allows no more in front of the colon. */
const maxKeyLength = 1024

/** Of a text that aliases repeat; `yaml` adds up what longer ones and collections come to. */
const maxAliasLength = 200

// What stands at a place of the text, each line of which ends with a line feed.

const spaces = /[ \t]*/y
const indentation = / */y
/** A comment needs a space in front of it. */
const lineRest = /[ \t]*(?:(?<=[ \t])#[^\n]*)?\n/y
/** Lines that say nothing, and the indentation of the next one. */
const idleLines = /(?: *(?:#[^\n]*)?\n)* */y
const nextLine = new RegExp(lineRest.source + idleLines.source, 'y')
/** Below a line, one of hashtags, of which one alone is most likely a comment. */
const oddComment = /^[ \t]*#[^\s#]|\n(?: +#\p{L}|#\p{L}\S* +#\p{L})/u
const documentStart = /(?<! )---(?=[ \t\n])/y
const documentMark = /(?<! )(?:---|\.\.\.)(?=[ \t\n])/y
const itemStart = /-(?:(?=\n)| +)/y
const colon = /[ \t]*:(?=[ \t\n,])[ \t]*/y
/** As in JSON, a value may follow at once. */
const colonInBrackets = /[ \t]*:[ \t]*/y
const anchor = /&[\w-]+(?=[ \t\n])[ \t]*/y
const alias = /\*[\w-]+(?=[ \t\n,\]}])/y
const blockHeader = /[|>](?:[-+][1-9]?|[1-9][-+]?)?(?=[ \t\n])/y
/** Empty lines, and the indentation of the next one. */
const emptyLines = /(?: *\n)* */y
/** A line of a folded text that goes on in the next one: both begin with no space. */
const foldedLine = /(?<=^|\n)([^ \t\n][^\n]*)(\n+)(?=[^ \t\n])/g
/** Whatever its escapes are. */
const quotedText = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^']*(?:''[^']*)*'/y

/**
 * The forms of plain text on a line, where it begins and where it goes on, without the spaces
 * at its end.
 */
const plainText = (marks: string) => {
  const blank = String.raw`[ \t\n${marks}]`
  const rest = String.raw`[^\n:#${marks}]*`
  const more = String.raw`${rest}(?:(?::(?!${blank})|(?<![ \t])#)${rest})*(?<![ \t])`
  const first = String.raw`(?![ \t\n,[\]{}&*!|>'"%@${'`'}#]|[-?:]${blank})`
  return { first: new RegExp(first + more, 'y'), more: new RegExp(more, 'y') }
}

const inLines = plainText('')
const inBrackets = plainText(String.raw`,[\]{}`)

/** Line ends in a row, with the spaces around them, where a plain text may go on behind them. */
const lineEnds = /[ \t]*\n(?: *\n)* +(?![ \t\n#])/y

/** What stands for something else in quotes: escapes, line ends, and two quotes for one. */
const blanks = String.raw`[ \t]*(?:\n *)+|[ \t]{2,}`
const escaped = String.raw`\\(?:x.{2}|u.{4}|U.{8}|\n *|[^\n])`
const doubleMarks = new RegExp(`${escaped}|${blanks}`, 'g')
const singleMarks = new RegExp(`''|${blanks}`, 'g')

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  '\t': '\t',
}

const unescaped = (mark: string): string => {
  if (mark.length === 2) return escapes[mark.charAt(1)] ?? pass()
  const code = /^..[\dA-Fa-f]+$/.test(mark) ? Number.parseInt(mark.slice(2), 16) : 0
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : pass()
}

/** What folding makes of line ends in a row. */
const fold = (ends: string): string => ends.replace(/[^\n]+/g, '').slice(1) || ' '

/** The spaces in front of the last line. */
const indentAfter = (ends: string): number => ends.length - ends.lastIndexOf('\n') - 1

/** A list, or a mapping of keys. */
const collection = (from: number, to: number, values: Tree[], keys?: Tree[]): Tree => ({
  from,
  to,
  data: keys ? mappingOf(keys, values) : values.map(({ data }) => data),
  keys,
  values,
})

const mappingOf = (keys: readonly Tree[], values: readonly Tree[]): Mapping => {
  const data = emptyMapping()
  keys.forEach((key, at) => {
    const name = key.data as string
    if (data[name] !== undefined) pass()
    data[name] = values[at]!.data
  })
  return data
}

/**
 * Stands before what it reads next. Each value is left right behind it, or on the next line
 * that says something.
 */
class Reader {
  private readonly text: string
  private hasOddMark = false
  private readonly anchors = new Map<string, Tree>()
  /** The names of anchors that an alias repeats. */
  private readonly repeated = new Set<string>()
  private at = 0
  /** Of what a line begins with, or what follows a dash on it; -1 at the end of the document. */
  private column = 0
  private depth = 0
  /** Of these, those in brackets. */
  private brackets = 0

  constructor(text: string) {
    this.text = text
  }

  mayBeCut(): boolean {
    return this.hasOddMark || this.repeated.size < this.anchors.size
  }

  document(): Tree {
    this.matches(idleLines)
    if (this.matches(documentStart)) this.endLine()
    else this.beginLine()
    // an empty file, or one that holds comments only, says as much as `{}`
    if (this.column === -1) return collection(0, 0, [], [])
    const tree = this.block(0)
    return this.column === -1 ? tree : pass()
  }

  private notice(comments: string): void {
    this.hasOddMark ||= comments.includes('#') && oddComment.test(comments)
  }

  private isAt(form: RegExp): boolean {
    form.lastIndex = this.at
    return form.test(this.text)
  }

  /** Goes behind what has a form, if that stands here. */
  private matches(form: RegExp): boolean {
    const isHere = this.isAt(form)
    if (isHere) this.at = form.lastIndex
    return isHere
  }

  /** Takes what has a form; `''` where nothing has. */
  private take(form: RegExp): string {
    const { at } = this
    return this.matches(form) ? this.text.slice(at, this.at) : ''
  }

  private next(): string {
    return this.text.charAt(this.at)
  }

  /** Leaves what may follow a value on its line, and goes to the next one that says something. */
  private endLine(): void {
    // most lines end at once, and the next one begins with a letter
    if (this.next() === '\n' && this.text.charAt(this.at + 1) > '/') {
      this.at++
      this.column = 0
      return
    }
    const rest = this.take(nextLine) || pass()
    this.notice(rest)
    this.beginLine()
  }

  private beginLine(): void {
    const { text, at } = this
    this.column = at === text.length ? -1 : at - text.lastIndexOf('\n', at - 1) - 1
    // as indentation, a tab is wrong
    if (this.next() === '\t' || this.isAt(documentMark)) pass()
  }

  /** Reads what begins at the column; a text goes on in lines with at least so many spaces. */
  private block(least: number): Tree {
    this.enter()
    const { column } = this
    const tree = this.isAt(itemStart) ? this.list() : this.mappingOrText(least)
    this.depth--
    return this.column > column ? pass() : tree
  }

  private enter(): void {
    this.depth++
    if (this.depth > maxDepth) pass()
  }

  private list(): Tree {
    const { at: from, column } = this
    const values: Tree[] = []
    while (this.column === column) {
      const dash = this.take(itemStart)
      if (dash === '') break
      values.push(this.value(column, column + dash.length))
    }
    return collection(from, values.at(-1)?.to ?? from, values)
  }

  private mappingOrText(least: number): Tree {
    const { at: from, column } = this
    const keys: Tree[] = []
    const values: Tree[] = []
    while (this.column === column) {
      const key = this.key()
      if (key === undefined) return keys.length > 0 ? pass() : this.inline(least)
      keys.push(key)
      values.push(this.value(column))
    }
    return collection(from, values.at(-1)?.to ?? from, values, keys)
  }

  /**
   * Reads what follows a colon or a dash, on its line or below it; `inner` is the column of
   * what follows a dash.
   */
  private value(column: number, inner?: number): Tree {
    const name = this.anchor()
    const isEmpty = this.next() === '\n' || this.next() === '#'
    if (isEmpty) return this.anchored(name, this.below(column, inner === undefined))
    // in front of a key on its line, an anchor is the key's
    if (inner === undefined || name !== '')
      return this.anchored(name, this.inline(column + 1))
    this.column = inner
    return this.block(column + 1)
  }

  /** Reads what stands below a key or a dash; the dashes below a key may stand in its column. */
  private below(column: number, isOfKey: boolean): Tree {
    const { at } = this
    this.endLine()
    const isBelow =
      this.column > column || (this.column === column && isOfKey && this.isAt(itemStart))
    if (!isBelow) return leaf('', at, at)
    const value = this.block(column + 1)
    // in front of a text, `yaml` takes some comments for its indentation
    if (typeof value.data === 'string' && this.text.slice(at, value.from).includes('#'))
      pass()
    return value
  }

  /** Takes an anchor, and the spaces behind it: `&name`, or `''`. */
  private anchor(): string {
    return this.next() === '&' ? this.take(anchor).trim() || pass() : ''
  }

  private anchored(name: string, value: Tree): Tree {
    if (name === '') return value
    if (value.data === '') pass()
    this.anchors.set(name.slice(1), value)
    return value
  }

  private alias(): Tree {
    const { at: from } = this
    const name = this.take(alias).slice(1)
    this.repeated.add(name)
    const { data } = this.anchors.get(name) ?? pass()
    if (typeof data !== 'string' || data.length > maxAliasLength) pass()
    return leaf(data, from, this.at)
  }

  /** Reads a key with its colon and the spaces around it, if there is one. */
  private key(): Tree | undefined {
    const { at: from, brackets } = this
    const isQuoted = this.isQuote()
    const key = isQuoted
      ? this.quoted(0)
      : leaf(this.take(this.plainForm().first), from, this.at)
    if (
      key.to === from ||
      !this.matches(isQuoted && brackets > 0 ? colonInBrackets : colon)
    ) {
      this.at = from
      return undefined
    }
    const isOverLines = isQuoted && this.text.slice(from, key.to).includes('\n')
    const isMerge = key.data === '<<' && !isQuoted
    return isOverLines || isMerge || this.at - from > maxKeyLength ? pass() : key
  }

  private inline(least: number): Tree {
    const first = this.next()
    // no text alone makes a file
    if (least === 0 && first !== '[' && first !== '{') pass()
    if (first === '|' || first === '>') return this.blockText(least)
    const value = this.flowValue(least)
    this.endLine()
    return value
  }

  /** Reads what may stand between brackets, too. */
  private flowValue(least: number): Tree {
    const first = this.next()
    if (first === '[' || first === '{') return this.flow(least)
    if (first === '*') return this.alias()
    return this.isQuote() ? this.quoted(least) : this.plain(least)
  }

  private isQuote(): boolean {
    return this.next() === '"' || this.next() === "'"
  }

  private flow(least: number): Tree {
    this.enter()
    this.brackets++
    const { at: from } = this
    const isList = this.next() === '['
    const close = isList ? ']' : '}'
    const keys: Tree[] = []
    const values: Tree[] = []
    this.step(least)
    while (this.next() !== close) {
      if (!isList) keys.push(this.key() ?? pass())
      const { at } = this
      this.skip(least)
      const isEmpty = !isList && (this.next() === ',' || this.next() === close)
      values.push(
        isEmpty ? leaf('', at, at) : this.anchored(this.anchor(), this.flowValue(least)),
      )
      this.skip(least)
      if (this.next() === ',') this.step(least)
      else if (this.next() !== close) pass()
    }
    this.at++
    this.brackets--
    this.depth--
    return collection(from, this.at, values, isList ? undefined : keys)
  }

  /** Leaves a bracket or comma, and what says nothing behind it. */
  private step(least: number): void {
    this.at++
    this.skip(least)
  }

  /** Leaves spaces, comments and line ends between brackets. */
  private skip(least: number): void {
    const { at } = this
    this.matches(spaces)
    if (this.next() !== '\n' && this.next() !== '#') return
    this.endLine()
    // `yaml` refuses some of these comments
    if (/\n#/.test(this.text.slice(at, this.at))) pass()
    // the last bracket may stand below the key
    const isLast = this.brackets === 1 && (this.next() === ']' || this.next() === '}')
    if (this.column < (isLast ? least - 1 : least)) pass()
  }

  private plainForm() {
    return this.brackets > 0 ? inBrackets : inLines
  }

  private plain(least: number): Tree {
    const { at: from } = this
    const { first, more } = this.plainForm()
    let data = this.take(first) || pass()
    for (;;) {
      const to = this.at
      const ends = this.take(lineEnds)
      const line = ends !== '' && indentAfter(ends) >= least ? this.take(more) : ''
      if (line === '') {
        this.at = to
        return leaf(data, from, to)
      }
      data += fold(ends) + line
    }
  }

  private quoted(least: number) {
    const { at: from } = this
    const raw = this.take(quotedText) || pass()
    const inner = raw.slice(1, -1)
    const isDouble = raw.startsWith('"')
    if (!(isDouble ? /[\\\n]/ : /['\n]/).test(inner)) return leaf(inner, from, this.at)
    this.hasOddMark ||= isDouble && /\S \\ /.test(inner)
    if (/\n *\t/.test(inner)) pass()
    const data = inner.replace(isDouble ? doubleMarks : singleMarks, (mark) => {
      if (mark.includes('\n')) {
        if (indentAfter(mark) < Math.max(least, 1)) pass()
        return mark.startsWith('\\') ? '' : fold(mark)
      }
      if (mark.startsWith('\\')) return unescaped(mark)
      return mark === "''" ? "'" : mark
    })
    return leaf(data, from, this.at)
  }

  /** Reads a literal or folded text: its header, and the lines below that are indented. */
  private blockText(least: number): Tree {
    const { at: from, text } = this
    const header = this.take(blockHeader) || pass()
    if (!this.matches(lineRest)) pass()
    const { at: start } = this
    const above = this.take(emptyLines)
    const digit = Number(/\d/.exec(header) ?? 0)
    const indent = digit > 0 ? least - 1 + digit : Math.max(least, indentAfter(above))
    // `yaml` has its own ways with what is wider above the first line
    if (digit === 0 && above.includes(`${' '.repeat(indent + 1)}\n`)) pass()
    this.at = start
    const lines = this.textLines(indent)
    let end = lines.length
    while (lines[end - 1] === '\n') end--
    let to = this.at
    while (text[to - 1] === ' ' || text[to - 1] === '\n') to--
    this.notice(`\n${this.take(idleLines)}`)
    this.beginLine()
    const isKept = header.includes('+')
    const isEmpty = !/[^ \n]/.test(lines)
    this.hasOddMark ||= isEmpty && digit > 0
    if (isEmpty) return isKept ? pass() : leaf('', from, to)
    const said = lines.slice(0, end)
    const data = header.startsWith('>')
      ? said.replace(foldedLine, (_, line, ends) => line + fold(ends))
      : said
    if (isKept) return leaf(data + lines.slice(end), from, to)
    return leaf(header.includes('-') ? data : `${data}\n`, from, to)
  }

  /** Takes the lines that are empty or indented, without their indentation. */
  private textLines(indent: number): string {
    const { text } = this
    let lines = ''
    for (;;) {
      const { at } = this
      const width = this.take(indentation).length
      if (this.next() === '' || (width < indent && this.next() !== '\n')) {
        this.at = at
        return lines
      }
      this.at = text.indexOf('\n', at) + 1
      lines += text.slice(at + Math.min(width, indent), this.at)
    }
  }
}
