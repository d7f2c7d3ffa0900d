import type { ErrorCode, Node, YAMLError } from 'yaml'
import { quote } from '../../text/printable.ts'
import {
  type Advice,
  afterMark,
  afterValue,
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
export type Misread = Stretch & {
  readonly problem: string
  readonly advice?: string | undefined
  readonly fix?: string | undefined
}

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
  const piece = (start: number, end: number): string => text.slice(start, Math.min(end, start + lookedAt))
  const [shown, problem, advice, fix] = adviceOn(code, message, {
    line: piece(line.from, line.to),
    before: piece(line.from, from),
    after: piece(from, line.to),
    below: piece(below.from, below.to),
    above: text.slice(Math.max(0, line.from - lookedAt), line.from),
    onwards: piece(from, text.length),
  })
  const places = {
    token: { from, to: Math.max(from, Math.min(pos[1], line.to)) },
    rest: { from, to: Math.max(from, line.to) },
    value: { from: line.from + valueColumn(text.slice(line.from, line.to)), to: line.to },
    line: trimmed(text, line),
    'line below': trimmed(text, below),
  }
  const isWhole = line.to - line.from <= lookedAt
  return { problem, advice, ...(isWhole && fix !== undefined && { fix }), ...places[shown] }
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
  if (code !== 'TAB_AS_INDENT' && /^ *\t/.test(stumble.line)) return ['line', ...tab]
  const row = rows.find(([form]) => form.test(`${code} ${message}`))
  const advice = row?.[1] ?? misplaced
  return markdown(stumble) ?? (typeof advice === 'function' ? advice(stumble) : advice)
}

const tab = [
  'a tab is used for indentation',
  'indent with spaces only; most editors can turn tabs into spaces',
] as const

const directive = [
  ...(['line', 'a line that begins with "%" has a meaning of its own in YAML'] as const),
  'put text that begins with "%" in double quotes',
] as const

/** By yaml's code and message. */
const rows: readonly (readonly [form: RegExp, advice: Advice | ((stumble: Stumble) => Advice)])[] = [
  // quotes and brackets
  [/^MISSING_CHAR Missing closing/, openQuote],
  [/^\w+ Flow map/, openBracket('{', '}')],
  [/^\w+ Flow sequence/, openBracket('[', ']')],
  [/^BAD_DQ_ESCAPE/, badEscape],
  [
    /^\w+ Unexpected flow-(seq|map)-end/,
    ({ after }) => ['token', `nothing is open that ${quote(after.slice(0, 1))} could close`],
  ],
  [/^\w+ Unexpected (,|empty item)/, tooManyCommas],
  [/^\w+ (Block collections|Missing ,)/, missingComma],

  // what a value can't begin with, or what can't follow it
  [/^BAD_SCALAR_START|^BAD_ALIAS/, badStart],
  [/^\w+ (Not a YAML token|Block scalar header|Unexpected block-seq-ind)/, afterMark],
  [/^UNEXPECTED_TOKEN .*at node end$/, (one) => (one.before.trim() === '' ? misaligned : afterValue)(one)],
  [/^MISSING_CHAR Comments/, hashWithoutSpace],
  [/^MISSING_CHAR Missing space/, ['rest', 'a space is missing after ":"', 'write key: value']],
  [
    /^\w+ (An alias node|Anchors and tags must|A node can have|Tags and anchors|Missing newline)/,
    [misplaced[0], misplaced[1], 'put text that begins with "&", "!" or "*" in double quotes'],
  ],

  // keys
  [/^\w+ Nested mappings/, nestedKey],
  [/^M\w+ Implicit /, lineWithoutKey],
  [/^KEY_OVER_1024_CHARS/, ['line', 'a key has more than 1024 characters']],

  // indentation
  [/^TAB_AS_INDENT/, ['token', ...tab]],
  [
    /^MISSING_CHAR Block scalars/,
    [
      ...(['line', 'the empty lines above hold more spaces than the text below them'] as const),
      'remove the spaces from the empty lines',
    ],
  ],
  [
    /^BAD_INDENT Block scalar/,
    [
      ...(['line', 'this line is indented less than the text above it'] as const),
      'indent all lines of a text below "|" or ">" by the same number of spaces, more than its key',
    ],
  ],
  [/^\w+ (All|A block sequence|Sequence item)/, misaligned],

  // around the document
  [/^BAD_DIRECTIVE|^MISSING_CHAR Missing directives-end/, directive],
  [
    /^MISSING_CHAR Block collection cannot/,
    ['rest', 'something follows "---" on its line', 'begin a new line after "---"'],
  ],
]
