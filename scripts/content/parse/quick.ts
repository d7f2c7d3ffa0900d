import { sizeLimit } from '../layout.ts'
import { type Data, emptyMapping, type Mapping } from './data.ts'

/**
 * Reads the plain form of YAML that people write nearly always: keys at the start of their lines, with texts, words in
 * a list, lists of short mappings, and short mappings. It answers what `parse` would answer without a problem, in a fifteenth of the
 * time, or it passes with `undefined`: also where a comment may have cut a value short, so that somebody looks.
 */
export const quickParse = (source: string): Data | undefined => {
  if (source.length > sizeLimit) return undefined // an expression would run out of room in some millions
  const lines = source.includes('\r\n') ? source.replaceAll('\r\n', '\n') : source
  if (unusual.test(lines) || !lines.isWellFormed()) return undefined
  const text = `\n${lines}${lines.endsWith('\n') ? endMark : `\n${endMark}`}`
  const data = emptyMapping()
  let at = text.startsWith(documentStart) ? documentStart.length - 1 : 0
  for (;;) {
    restOfLine.lastIndex = at
    if (!restOfLine.test(text)) return undefined
    at = restOfLine.lastIndex
    if (text[at] === '\0') return data
    const colon = text.indexOf(':', at)
    const { entry, read } = text[colon + 1] === '\n' ? belowForm : (forms[text[colon + 2]!] ?? plainForm)
    entry.lastIndex = at
    const key = text.slice(at, colon)
    if (!entry.test(text) || data[key] !== undefined) return undefined
    at = entry.lastIndex
    const value = read(text.slice(colon + 2, at))
    if (value === undefined) return undefined
    data[key] = value
  }
}

/** What YAML does not allow, what few write, and spaces that would take an expression long. */
const unusual = /[\0-\x09\x0b-\x1f\x7f-\x9f\ufffe\uffff]|\n +$| {1000}/

/**
 * Two characters that no content may hold. With them no look ahead leaves the text: V8 throws away its optimized code
 * when one does, and then compiles slower code.
 */
const endMark = '\0\0'

/** A line that says that the document begins. */
const documentStart = '\n---\n'

/** What may stand after a value, and the lines below it that say nothing. Was `#x` meant as a comment, or as a text? */
const restOfLine = /(?: +#(?=[ \n])[^\n]*| *)\n(?: *(?:#[^\n]*)?\n)*/y

type Form = {
  /** Key, colon and value. What goes on below it in another way begins with a space, and so is no entry. */
  readonly entry: RegExp
  /** Takes all from the second character after the colon on; `undefined` if the quick reader passes. */
  readonly read: (raw: string) => Data | undefined
}

/** `value` is the expression for all that stands after the colon. YAML allows keys of 1024 characters. */
const form = (value: string, read: Form['read']): Form => ({
  entry: new RegExp(String.raw`\w{1,1000}:${value}`, 'y'),
  read,
})

/** Excludes what no plain scalar begins with. */
const start = String.raw`(?![\s,[\]{}&*!|>'"%@${'`'}#]|[-?:][ \n])`

/** The rest of a plain scalar on one line: no colon before a space, no `#` after one, and no space at the end. */
const plain = String.raw`[^\n:#]*(?:(?::(?![ \n])|(?<! )#)[^\n:#]*)*(?<! )`

const plainForm = form(String.raw` ${start}${plain}(?:(?: *\n)+ +(?![ \n#])${plain})*`, (raw) =>
  raw.includes('\n') ? raw.replace(lineEnds, folded) : raw,
)

/** A line end and empty lines after it, with the spaces around them. */
const lineEnds = /(?: *\n)+ */g

/** What folding makes of line ends in a row. */
const fold = (breaks: number): string => (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1))

const folded = (ends: string): string => fold(ends.split('\n').length - 1)

/** A line end in quotes: the next line is indented, or empty. */
const lineEnd = String.raw`\n(?=[ \n])`

const escaped = String.raw`\\(?:["\\/ bfnrt]|${lineEnd}|x(?!00)[\dA-Fa-f]{2}|u(?!0000|[Dd][89A-Fa-f])[\dA-Fa-f]{4})`

const doubleForm = form(String.raw` "[^"\\\n]*(?:(?:${escaped}|${lineEnd})[^"\\\n]*)*"`, (raw) => {
  const text = raw.slice(1, -1)
  return /[\\\n]/.test(text) ? text.replace(doubleMarks, unescaped) : text
})

const singleForm = form(String.raw` '[^'\n]*(?:(?:''|${lineEnd})[^'\n]*)*'`, (raw) =>
  raw.slice(1, -1).replace(singleMarks, (mark) => (mark === "''" ? "'" : folded(mark))),
)

/** An escaped line end, another escape, and line ends that are folded. */
const doubleMarks = /\\\n *|\\(?:x..|u....|.)|(?: *\n)+ */g
const singleMarks = /(?: *\n)+ *|''/g

const unescaped = (mark: string): string => {
  if (!mark.startsWith('\\')) return folded(mark)
  if (mark[1] === '\n') return ''
  return mark.length === 2
    ? (letters[mark[1]!] ?? mark[1]!)
    : String.fromCharCode(Number.parseInt(mark.slice(2), 16))
}

const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** A text between brackets, without any character that may have a meaning there. */
const word = String.raw`(?:(?![?:-])${start}[^\n:#,[\]{}]*(?::(?![ \n,[\]{}])[^\n:#,[\]{}]*)*(?<! )|"[^"\\\n,{}]*"|'[^'\n,{}]*')`

const flowMapping = String.raw`\{ ?\w+: ${word}(?:, *\w+: ${word})* ?\}`

const flow = String.raw`\[(?:${flowMapping}|${word})(?:, *(?:${flowMapping}|${word}))*\]`

const itemsIn = (raw: string): Data | undefined => {
  const items = raw.slice(1, -1)
  return /[{"']/.test(items) ? listOf(items.match(/\{[^}]*\}|[^, ][^,]*/g)!) : items.split(/, */)
}

const flowForm = form(` ${flow}`, itemsIn)

const oneLine = String.raw`(?:${start}${plain}|"[^"\\\n]*"|'[^'\n]*')`

const comment = String.raw`(?: +#(?=[ \n])[^\n]*)?`

/** Blank lines, and those of comments. */
const idle = String.raw`(?:\n *(?:#[^\n]*)?)*`

/** Lines below a key: the first of them, and more of another form, which has the same spaces in front. */
const linesOf = (first: string, more: string): string =>
  String.raw`${idle}\n${first}${comment}(?:${idle}\n${more}${comment})*`

const wideEntry = String.raw`\w+: (?:${flow}|${oneLine})`
const textEntry = String.raw`\w+: ${oneLine}`
const item = `(?:${flowMapping}|${oneLine})`

/** Nothing, or what is below the key: a mapping; a list of mappings in lines, or of texts and mappings in braces. */
const belowForm = form(
  `${comment}(?:${[
    linesOf(String.raw`( +)${wideEntry}`, String.raw`\1${wideEntry}`),
    linesOf(String.raw`( *)- ${textEntry}`, String.raw`\2(?:- |  )${textEntry}`),
    linesOf(String.raw`( *)- ${item}`, String.raw`\3- ${item}`),
  ].join('|')})?`,
  (raw) => {
    if (raw === '') return ''
    const hasComments = raw.includes('#')
    // within quotes, what looks like a comment is none
    if (hasComments && /["']/.test(raw)) return undefined
    const bare = hasComments ? raw.replace(/(?:^|(?<=\n)| ) *#[^\n]*/g, '') : raw
    const rows = bare.split('\n').filter((row) => /[^ ]/.test(row))
    if (rows.length === 0) return ''
    if (!/^ *- /.test(rows[0]!)) return mappingOf(rows.map((row) => row.trimStart()))
    const items = `\n${rows.join('\n')}`.split(/\n *- /)
    return listOf(items.slice(1))
  },
)

const listOf = (items: readonly string[]): Data | undefined => {
  const list = items.map((one) => {
    if (!/[:{"']/.test(one)) return one
    return /^\w+: /.test(one) ? mappingOf(one.split(/\n */)) : readOneLine(one)
  })
  return list.every((one) => one !== undefined) ? list : undefined
}

const readOneLine = (text: string): Data | undefined => {
  if (/^["']/.test(text)) return text.slice(1, -1)
  if (text.startsWith('[')) return itemsIn(text)
  return text.startsWith('{') ? mappingOf(text.replace(/^\{ ?| ?\}$/g, '').split(/, */)) : text
}

const mappingOf = (pairs: readonly string[]): Mapping | undefined => {
  const entries = emptyMapping()
  for (const pair of pairs) {
    const colon = pair.indexOf(':')
    const key = pair.slice(0, colon)
    const value = readOneLine(pair.slice(colon + 2))
    if (value === undefined || entries[key] !== undefined) return undefined
    entries[key] = value
  }
  return entries
}

/** A literal or folded scalar without an indentation indicator. */
const blockForm = form(String.raw` [|>][-+]?(?:\n(?: [^\n]*|(?=\n)))*`, (raw) => {
  const [header, ...lines] = raw.split('\n')
  const first = lines.find((line) => /[^ ]/.test(line))
  if (first === undefined) return undefined
  const indent = first.search(/[^ ]/)
  let value = ''
  let breaks = 0
  let wasMore = true
  for (const line of lines) {
    const width = line.search(/[^ ]|$/)
    const isBlank = width === line.length
    if (isBlank && width <= indent) breaks++
    // yaml refuses what is wider above the first line
    else if (width < indent || (isBlank && value === '')) return undefined
    else {
      const isMore = width > indent
      value += isMore || wasMore || header!.startsWith('|') ? '\n'.repeat(breaks) : fold(breaks)
      value += line.slice(indent)
      wasMore = isMore
      breaks = 1
    }
  }
  if (header!.endsWith('+')) return value + '\n'.repeat(breaks)
  return header!.endsWith('-') ? value : `${value}\n`
})

/** By the second character after the colon. */
const forms: Readonly<Record<string, Form>> = {
  '"': doubleForm,
  "'": singleForm,
  '[': flowForm,
  '|': blockForm,
  '>': blockForm,
  '#': belowForm,
}
