import { emptyMapping } from './data.ts'
import type { Stretch } from './document.ts'
import { leaf, maxAliasWeight, type Tree, weightOf } from './tree.ts'

export type Read = {
  readonly tree: Tree
  /** The text as the offsets count it: each line ends with a line feed alone. */
  readonly text: string
  /** Whether a comment such as `#x`, or an anchor that no alias repeats, may have been meant for a part of a value. */
  readonly mayBeCut: boolean
}

/**
 * Reads one document of YAML without tags and complex keys, in one pass. The answer is what `yaml` says of a
 * text with which it finds nothing wrong; where that isn't sure, it is `undefined`.
 */
export const readTree = (source: string): Read | undefined => {
  const lines = source.includes('\r') ? source.replaceAll('\r\n', '\n') : source
  if (unusual.test(lines) || !lines.isWellFormed()) return undefined
  // a last line of spaces without an end
  if (lines.endsWith(' ') && /(?:^|\n) +$/.test(lines)) return undefined
  const text = lines.endsWith('\n') ? lines : `${lines}\n`
  const reader = new Reader(text)
  try {
    const tree = reader.document()
    return { tree, text, mayBeCut: reader.mayBeCut() }
  } catch (error) {
    if (error === passed) return undefined
    throw error
  }
}

/** What YAML doesn't allow, or few write. */
const unusual = /[\0-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff]/

const passed = new Error('the reader passes')

const pass = (): never => {
  throw passed
}

/** Bounds the recursion; `yaml` has a bound of its own for what is deeper. */
const maxDepth = 60

/** YAML allows no more in front of the colon. */
const maxKeyLength = 1024

// What stands at a place of the text, each line of which ends with a line feed.

const spaces = /[ \t]*/y
const indentation = / */y
/** A comment needs a space in front of it. */
const lineRest = /[ \t]*(?:(?<=[ \t])#[^\n]*)?\n/y
/** Lines that say nothing, and the indentation of the next one. */
const idleLines = /(?: *(?:#[^\n]*)?\n)* */y
const nextLine = new RegExp(lineRest.source + idleLines.source, 'y')
/** A line of hashtags, of which one alone is most likely a comment. */
const hashtags = /\n(?: +#\p{L}|#\p{L}\S* +#\p{L})/u
const oddComment = /[ \t]*#[^\s#]/y
const documentMark = /(?:---|\.\.\.)(?=[ \t\n])/y
const itemStart = /-(?:(?=\n)| +)/y
const colon = /[ \t]*:(?=[ \t\n,])[ \t]*/y
/** As in JSON, a value may follow at once. */
const colonInBrackets = /[ \t]*:[ \t]*/y
const anchor = /&[\w-]+(?=[ \t\n])[ \t]*/y
const alias = /\*[\w-]+(?=[ \t\n,\]}])/y
const blockHeader = /[|>](?:[-+][1-9]?|[1-9][-+]?)?(?=[ \t\n])/y
/** Whatever its escapes are. */
const quotedText = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^']*(?:''[^']*)*'/y

/** The forms of plain text on a line, where it begins and where it goes on, without the spaces at its end. */
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
const escaped = String.raw`\\(?:x.{2}|u.{4}|U.{8}|(?:\n *)+|[^\n])`
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
const fold = (breaks: number): string => (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1))

const breaksIn = (text: string): number => text.split('\n').length - 1

/** The spaces in front of the last line. */
const indentAfter = (ends: string): number => ends.length - ends.lastIndexOf('\n') - 1

const listOf = ({ from, to }: Stretch, values: readonly Tree[]): Tree => ({
  from,
  to,
  data: values.map(({ data }) => data),
  keys: undefined,
  values,
})

const mappingOf = ({ from, to }: Stretch, keys: readonly Tree[], values: readonly Tree[]): Tree => {
  const data = emptyMapping()
  for (const [at, value] of values.entries()) {
    const key = String(keys[at]?.data)
    if (data[key] !== undefined) pass()
    data[key] = value.data
  }
  return { from, to, data, keys, values }
}

/** Stands before what it reads next. Each value is left right behind it, or on the next line that says something. */
class Reader {
  private readonly text: string
  private hasOddComment = false
  private readonly anchors = new Map<string, Tree>()
  /** The names of anchors that an alias repeats. */
  private readonly repeated = new Set<string>()
  /** Of all that aliases repeat. */
  private weight = 0
  private at = 0
  /** Of what a line begins with, or what follows a dash on it; -1 at the end of the document. */
  private column = 0
  private depth = 0
  /** Of these, those in brackets. */
  private brackets = 0
  private hasBegun = false

  constructor(text: string) {
    this.text = text
  }

  mayBeCut(): boolean {
    return this.hasOddComment || this.repeated.size < this.anchors.size
  }

  document(): Tree {
    this.matches(idleLines)
    this.beginLine()
    this.hasBegun = true
    // an empty file, or one that holds comments only, says as much as `{}`
    if (this.column === -1) return mappingOf({ from: 0, to: 0 }, [], [])
    const tree = this.block(0)
    return this.column === -1 ? tree : pass()
  }

  /** Goes behind what has a form, if that stands here. */
  private matches(form: RegExp): boolean {
    form.lastIndex = this.at
    const isHere = form.test(this.text)
    if (isHere) this.at = form.lastIndex
    return isHere
  }

  /** Takes what has a form; `''` where nothing has. */
  private take(form: RegExp): string {
    const { at } = this
    return this.matches(form) ? this.text.slice(at, this.at) : ''
  }

  private next(): string | undefined {
    return this.text[this.at]
  }

  /** Leaves what may follow a value on its line, and goes to the next one that says something. */
  private endLine(): void {
    if (this.next() !== '\n') {
      oddComment.lastIndex = this.at
      this.hasOddComment ||= oddComment.test(this.text)
    }
    const { text, at } = this
    if (!this.matches(nextLine)) pass()
    const hasIdleLines = text.indexOf('\n', at) < text.lastIndexOf('\n', this.at - 1)
    this.hasOddComment ||= hasIdleLines && hashtags.test(text.slice(at, this.at))
    this.beginLine()
  }

  private beginLine(): void {
    const { text, at } = this
    const first = text[at]
    let start = at
    while (text[start - 1] === ' ') start--
    this.column = first === undefined ? -1 : at - start
    // as indentation, a tab is wrong
    if (first === '\t') pass()
    if (start === at && (first === '-' || first === '.')) this.documentMark()
  }

  private documentMark(): void {
    const mark = this.take(documentMark)
    if (mark === '---') {
      if (this.hasBegun) pass()
      this.hasBegun = true
      this.endLine()
    } else if (mark === '...') {
      if (!this.hasBegun || /[^ \t\n]/.test(this.text.slice(this.at))) pass()
      this.column = -1
    }
  }

  /** Reads what begins at the column; a text goes on in lines with at least so many spaces. */
  private block(least: number): Tree {
    if (this.isItem()) return this.list()
    const key = this.key(least)
    return key === undefined ? this.inline(least) : this.mapping(key)
  }

  private isItem(): boolean {
    itemStart.lastIndex = this.at
    return itemStart.test(this.text)
  }

  private list(): Tree {
    this.enter()
    const { at: from, column } = this
    const values: Tree[] = []
    while (this.column === column) {
      const dash = this.take(itemStart)
      if (dash === '') break
      values.push(this.value(column, column + dash.length))
    }
    this.leave(column)
    return listOf({ from, to: values.at(-1)?.to ?? from }, values)
  }

  private mapping(first: Tree): Tree {
    this.enter()
    const { column } = this
    const keys = [first]
    const values = [this.value(column)]
    while (this.column === column) {
      keys.push(this.key(column + 1) ?? pass())
      values.push(this.value(column))
    }
    this.leave(column)
    return mappingOf({ from: first.from, to: values.at(-1)?.to ?? first.to }, keys, values)
  }

  private enter(): void {
    this.depth++
    if (this.depth > maxDepth) pass()
  }

  private leave(column: number): void {
    this.depth--
    if (this.column > column) pass()
  }

  /** Reads what follows a colon or a dash, on its line or below it; `inner` is the column of what follows a dash. */
  private value(column: number, inner?: number): Tree {
    const name = this.anchor()
    const isEmpty = this.next() === '\n' || this.next() === '#'
    if (isEmpty) return this.anchored(name, this.below(column, inner === undefined))
    // in front of a key on its line, an anchor is the key's
    if (inner === undefined || name !== '') return this.anchored(name, this.inline(column + 1))
    this.column = inner
    return this.block(column + 1)
  }

  /** Reads what stands below a key or a dash; the dashes below a key may stand in its column. */
  private below(column: number, isOfKey: boolean): Tree {
    const { at } = this
    this.endLine()
    const isBelow = this.column > column || (this.column === column && isOfKey && this.isItem())
    if (!isBelow) return leaf('', at, at)
    const value = this.block(column + 1)
    // in front of a text, `yaml` takes such a comment for its indentation
    if (typeof value.data === 'string' && /\n(?:#| +#\S)/.test(this.text.slice(at, value.from)))
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
    const target = this.anchors.get(name) ?? pass()
    this.repeated.add(name)
    this.weight += weightOf(target, maxAliasWeight - this.weight)
    return this.weight > maxAliasWeight ? pass() : { ...target, from, to: this.at }
  }

  /** Reads a key with its colon and the spaces around it, if there is one. */
  private key(least: number): Tree | undefined {
    const { at: from, brackets } = this
    const isQuoted = this.isQuote()
    const key = isQuoted ? this.quoted(least) : this.word()
    const { data, to } = key
    if (to === from || !this.matches(isQuoted && brackets > 0 ? colonInBrackets : colon)) {
      this.at = from
      return undefined
    }
    const isOverLines = isQuoted && this.text.slice(from, to).includes('\n')
    const isMerge = data === '<<' && !isQuoted
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

  private flowItem(least: number): Tree {
    return this.anchored(this.anchor(), this.flowValue(least))
  }

  private isQuote(): boolean {
    return this.next() === '"' || this.next() === "'"
  }

  private flow(least: number): Tree {
    this.enter()
    this.brackets++
    const from = this.at
    const isList = this.next() === '['
    const close = isList ? ']' : '}'
    const keys: Tree[] = []
    const values: Tree[] = []
    this.at++
    this.skip(least)
    while (this.next() !== close) {
      if (isList) values.push(this.flowItem(least))
      else {
        keys.push(this.key(least) ?? pass())
        const { at } = this
        this.skip(least)
        const isEmpty = this.next() === ',' || this.next() === close
        values.push(isEmpty ? leaf('', at, at) : this.flowItem(least))
      }
      this.skip(least)
      if (this.next() === ',') {
        this.at++
        this.skip(least)
      } else if (this.next() !== close) pass()
    }
    this.at++
    this.brackets--
    this.depth--
    const stretch = { from, to: this.at }
    return isList ? listOf(stretch, values) : mappingOf(stretch, keys, values)
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

  /** Reads what there is of a plain text on this line. */
  private word(): Tree {
    const { at: from } = this
    return leaf(this.take(this.plainForm().first), from, this.at)
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
      data += fold(breaksIn(ends)) + line
    }
  }

  private quoted(least: number): Tree {
    const { at: from } = this
    const raw = this.take(quotedText) || pass()
    const inner = raw.slice(1, -1)
    const isDouble = raw.startsWith('"')
    if (!(isDouble ? /[\\\n]/ : /['\n]/).test(inner)) return leaf(inner, from, this.at)
    if (/\n *\t/.test(inner)) pass()
    const data = inner.replace(isDouble ? doubleMarks : singleMarks, (mark) => {
      if (mark.includes('\n')) {
        if (indentAfter(mark) < Math.max(least, 1)) pass()
        const breaks = breaksIn(mark)
        if (!mark.startsWith('\\')) return fold(breaks)
        return breaks === 1 ? '' : fold(breaks - 1)
      }
      if (mark.startsWith('\\')) return unescaped(mark)
      return mark === "''" ? "'" : mark
    })
    return leaf(data, from, this.at)
  }

  /** Reads a literal or folded text: its header, and the lines below that are indented. */
  private blockText(least: number): Tree {
    const { at: from } = this
    const header = this.take(blockHeader) || pass()
    const digit = Number(/\d/.exec(header) ?? 0)
    if (!this.matches(lineRest)) pass()
    const { data, to, breaks } = this.blockLines(
      least,
      digit && least - 1 + digit,
      header.startsWith('>'),
    )
    this.matches(idleLines)
    this.beginLine()
    const isKept = header.includes('+')
    if (data === '') return isKept ? pass() : leaf('', from, to)
    const end = isKept ? '\n'.repeat(breaks) : '\n'
    return leaf(header.includes('-') ? data : data + end, from, to)
  }

  /** Reads indented lines; `breaks` are those behind the last one that says something. */
  private blockLines(least: number, given: number, isFolded: boolean) {
    const { text } = this
    let indent = given
    let data = ''
    let end = this.at - 1
    let breaks = 0
    let widest = 0
    let wasMore = true
    for (;;) {
      const start = this.at
      const width = this.take(indentation).length
      if (this.next() === '\n' && (data === '' || width <= indent)) {
        breaks++
        widest = Math.max(widest, width)
        this.at++
        continue
      }
      if (this.at === text.length || width < (indent || least)) {
        this.at = start
        break
      }
      indent ||= width
      // `yaml` has its own ways with what is wider above the first line
      if (data === '' && widest > indent) pass()
      const isMore = width > indent || this.next() === '\t'
      end = text.indexOf('\n', this.at)
      data += isFolded && !isMore && !wasMore ? fold(breaks) : '\n'.repeat(breaks)
      data += text.slice(start + indent, end)
      this.at = end + 1
      breaks = 1
      wasMore = isMore
    }
    while (text[end - 1] === ' ' || text[end - 1] === '\n') end--
    return { data, to: end, breaks }
  }
}
