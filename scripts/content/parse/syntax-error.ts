import type { ErrorCode, Node, YAMLError } from 'yaml'
import { quote } from '../../text/printable.ts'
import {
  type Advice,
  afterMark,
  afterValue,
  atLine,
  atRest,
  atToken,
  badEscape,
  badStart,
  hashWithoutSpace,
  lineWithoutKey,
  markdown,
  misaligned,
  misplaced,
  missingComma,
  nestedKey,
  openBracket,
  openQuote,
  type Stumble,
  tooManyCommas,
  valueColumn,
} from './advice.ts'
import { yaml } from './document.ts'
import type { Stretch } from './parse.ts'

/** Where yaml stumbled, and what to say about it. */
export type Misread = Stretch & Pick<Advice, 'problem' | 'advice' | 'fix'>

/** The first syntax error of a document in our own words, on one line; the others mostly follow from it. */
export const syntaxError = (
  errors: readonly YAMLError[],
  contents: Node | null,
  text: string,
): Misread | undefined => {
  const syntax = errors.filter(({ code }) => code !== 'TAG_RESOLVE_FAILED')
  const first = earliest(syntax)
  if (first === undefined) return undefined
  // an open quote is the cause of everything wrong after it
  const quote = earliest(syntax.filter(({ message }) => message.startsWith('Missing closing')))
  const opening = quote && openingOf(contents, quote.pos[0])
  if (quote !== undefined && opening! <= first.pos[0]) return describe(quote, opening!, text)
  const isFlow = /and end with a|must end with/.test(first.message)
  return describe(first, isFlow ? openingOf(contents, first.pos[0]) : first.pos[0], text)
}

/** What is wrong with a line that is no entry of a mapping. */
export const lineError = (text: string, from: number): Misread =>
  describe({ code: 'MISSING_CHAR', message: 'Implicit keys', pos: [from, from] }, from, text)

const describe = (
  { code, message, pos }: Pick<YAMLError, 'code' | 'message' | 'pos'>,
  at: number,
  text: string,
): Misread => {
  const from = Math.min(at, text.length)
  const line = lineAt(text, from)
  const below = lineAt(text, text.indexOf('\n', from) + 1 || text.length)
  const { shown, fix, ...others } = adviceOn(code, message, {
    line: text.slice(line.from, Math.min(line.to, line.from + lookedAt)),
    before: text.slice(line.from, Math.min(from, line.from + lookedAt)),
    after: text.slice(from, Math.min(line.to, from + lookedAt)),
    below: text.slice(below.from, Math.min(below.to, below.from + lookedAt)),
    above: text.slice(Math.max(0, line.from - lookedAt), line.from),
    onwards: text.slice(from, from + lookedAt),
  })
  const isWhole = line.to - line.from <= lookedAt
  const advice = { ...others, ...(isWhole && fix !== undefined && { fix }) }
  switch (shown) {
    case 'token':
      return { ...advice, from, to: Math.max(from, Math.min(pos[1], line.to)) }
    case 'rest':
      return { ...advice, from, to: Math.max(from, line.to) }
    case 'value':
      return { ...advice, from: line.from + valueColumn(text.slice(line.from, line.to)), to: line.to }
    case 'line':
      return { ...advice, ...trimmed(text, line) }
    case 'line below':
      return { ...advice, ...trimmed(text, below) }
    default:
      return shown satisfies never
  }
}

/** UTF-16 units around an error that advice looks at: a line may be a whole file of 1 MiB. */
const lookedAt = 4096

const earliest = (errors: readonly YAMLError[]): YAMLError | undefined => {
  let first = errors[0]
  for (const error of errors) if (rank(error) < rank(first!)) first = error
  return first
}

/** By offset; of errors at one place, the one about a missing comma says most. */
const rank = ({ code, pos }: YAMLError): number => pos[0] - (code === 'BLOCK_IN_FLOW' ? 0.5 : 0)

/** yaml reports a missing quote or bracket where it should stand; people look for the one that waits for it. */
const openingOf = (contents: Node | null, end: number): number => {
  let opening = end
  const { isCollection, isScalar, visit } = yaml()
  visit(contents, (_, node) => {
    const waits = isScalar(node) ? node.type?.startsWith('QUOTE') : isCollection(node) && node.flow
    if (waits && (node as Node).range![1] === end) opening = (node as Node).range![0]
  })
  return opening
}

const lineAt = (text: string, offset: number): Stretch => {
  const from = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', from)
  return { from, to: from + text.slice(from, end === -1 ? text.length : end).trimEnd().length }
}

const trimmed = (text: string, { from, to }: Stretch): Stretch => {
  const indent = text.slice(from, to).search(/[^ \t]/)
  return { from: from + Math.max(indent, 0), to }
}

/**
 * What a designer needs to know about an error: the first row of the table that fits yaml's code and message. Where the
 * code says too little, the row asks a function of advice.ts, which looks at the lines around.
 */
const adviceOn = (code: ErrorCode, message: string, stumble: Stumble): Advice => {
  // a tab among the spaces at the start of a line, whatever yaml made of it
  if (code !== 'TAB_AS_INDENT' && /^ *\t/.test(stumble.line)) return atLine(...tab)
  const marked = markdown(stumble)
  if (marked !== undefined) return marked
  const row = rows.find(([codes, messages]) => codes.split(' ').includes(code) && messages.test(message))
  const advice = row === undefined ? misplaced : row[2]
  return typeof advice === 'function' ? advice(stumble) : advice
}

const tab = [
  'a tab is used for indentation',
  'indent with spaces only; most editors can turn tabs into spaces',
] as const

const directive = atLine(
  'a line that begins with "%" has a meaning of its own in YAML',
  'put text that begins with "%" in double quotes',
)

type Row = readonly [codes: string, messages: RegExp, advice: Advice | ((stumble: Stumble) => Advice)]

const rows: readonly Row[] = [
  // quotes and brackets
  ['MISSING_CHAR', /^Missing closing/, openQuote],
  ['MISSING_CHAR BAD_INDENT', /^Flow map/, openBracket('{', '}')],
  ['MISSING_CHAR BAD_INDENT', /^Flow sequence/, openBracket('[', ']')],
  ['BAD_DQ_ESCAPE', /./, badEscape],
  [
    'UNEXPECTED_TOKEN',
    /^Unexpected flow-(seq|map)-end/,
    ({ after }) => atToken(`nothing is open that ${quote(after.slice(0, 1))} could close`),
  ],
  ['UNEXPECTED_TOKEN', /^Unexpected (,|empty item)/, tooManyCommas],
  ['BLOCK_IN_FLOW MISSING_CHAR', /^(Block collections|Missing ,)/, missingComma],

  // what a value can't begin with, or what can't follow it
  ['BAD_SCALAR_START BAD_ALIAS', /./, badStart],
  ['UNEXPECTED_TOKEN', /^(Not a YAML token|Block scalar header|Unexpected block-seq-ind)/, afterMark],
  ['UNEXPECTED_TOKEN', /at node end$/, (one) => (one.before.trim() === '' ? misaligned : afterValue)(one)],
  ['MISSING_CHAR', /^Comments/, hashWithoutSpace],
  ['MISSING_CHAR', /^Missing space/, atRest('a space is missing after ":"', 'write key: value')],
  [
    'ALIAS_PROPS BAD_PROP_ORDER MULTIPLE_ANCHORS MULTIPLE_TAGS MISSING_CHAR',
    /^(An alias node|Anchors and tags must|A node can have|Tags and anchors|Missing newline)/,
    { ...misplaced, advice: 'put text that begins with "&", "!" or "*" in double quotes' },
  ],

  // keys
  ['BLOCK_AS_IMPLICIT_KEY', /^Nested mappings/, nestedKey],
  ['MULTILINE_IMPLICIT_KEY MISSING_CHAR', /^Implicit /, lineWithoutKey],
  ['KEY_OVER_1024_CHARS', /./, atLine('a key has more than 1024 characters')],

  // indentation
  ['TAB_AS_INDENT', /./, atToken(...tab)],
  [
    'MISSING_CHAR',
    /^Block scalars/,
    atLine(
      'the empty lines above hold more spaces than the text below them',
      'remove the spaces from the empty lines',
    ),
  ],
  [
    'BAD_INDENT',
    /^Block scalar/,
    atLine(
      'this line is indented less than the text above it',
      'indent all lines of a text below "|" or ">" by the same number of spaces, more than its key',
    ),
  ],
  ['BAD_INDENT BLOCK_AS_IMPLICIT_KEY MISSING_CHAR', /^(All|A block sequence|Sequence item)/, misaligned],

  // around the document
  ['BAD_DIRECTIVE', /./, directive],
  ['MISSING_CHAR', /^Missing directives-end/, directive],
  [
    'MISSING_CHAR',
    /^Block collection cannot/,
    atRest('something follows "---" on its line', 'begin a new line after "---"'),
  ],
]
