import { isDeepStrictEqual } from 'node:util'
import type { Scalar } from 'yaml'
import { explainYaml } from '../advice/yaml.ts'
import type { ContentFolder } from '../content/layout.ts'
import { type Data, isMapping, type Mapping, mappingOf } from '../content/parse/data.ts'
import { type Stretch, scalarFollows, yaml } from '../content/parse/document.ts'
import { type Parsed, parse, parseFully } from '../content/parse/parse.ts'
import type { Tree } from '../content/parse/tree.ts'
import { readSchema, type SchemaName, type Subschema } from '../content/schema.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { groupBy } from '../text/groups.ts'
import { writeEntry, writeFlow, writeItem, writeValue } from './write.ts'

/** An edited text; or why nothing was edited, in words that follow "can't be edited: ". */
export type Edited =
  | { readonly text: string; readonly refused?: never }
  | { readonly text?: never; readonly refused: string }

/** The same, with the text of a file as it was, and the problems of one that is broken. */
export type Tidied = Edited & {
  readonly before?: string
  readonly diagnostics?: readonly Diagnostic[]
}

/** New values by key; `undefined` takes the key out. */
export type NewValues = Readonly<Record<string, Data | undefined>>

/**
 * What a new file begins with: where editors find its schema, if there is a path from the content folder's parent to
 * the schemas. {@link changeKeys} does the rest.
 */
export const firstLine = (
  name: SchemaName,
  schemas: string | undefined,
  { groups = 0 }: Pick<ContentFolder, 'groups'> = {},
): string => {
  if (schemas === undefined) return ''
  const more = groups > 0 && name !== 'site' ? '../' : ''
  return `# yaml-language-server: $schema=${more}${up[name]}${schemas}/${name}.schema.json\n`
}

/** From a file to the content folder's parent. */
const up = { site: '../', profile: '../../../', shot: '../../../../' } as const

/**
 * Sets or takes out keys of a profile, a shot or site.yaml, for commands and forms alike. Pure: the text of the file
 * goes in, the new text comes out, or why not, in words. All other bytes stay as they are; a new key comes where the
 * schema's order has it; the comments of a key that goes, or of a value that is replaced, stay on lines of their own.
 * The new text is read again, and refused unless it says exactly what it should. Whether the values are right is not
 * asked here: the check of the file says so.
 */
export const changeKeys = (text: string, values: NewValues, name: SchemaName): Edited => {
  const schema = readSchema(name)
  const { data, problems } = readData(text)
  if (!isMapping(data) || problems.length > 0) return { refused: 'it has errors' }
  const byOrder = createOrder(schema)
  const changes = Object.entries(values)
    .filter(([key, after]) => !equalData(data[key], after))
    .sort(([a], [b]) => byOrder(a, b))
  if (changes.length === 0) return { text }
  const tree = treeOf(text)
  const isInBraces = tree !== undefined && text[tree.from] === '{'
  const splices = isInBraces ? inBraces(tree, changes, schema) : inLines(text, changes, schema)
  if (splices === undefined) return { refused: 'it is not written as one key a line' }
  const lineBreak = lineBreakOf(text)
  const written = splices.map((one) => ({ ...one, text: one.text.replaceAll('\n', lineBreak) }))
  const all = Object.entries({ ...data, ...values })
  const wanted = all.filter(([, value]) => value !== undefined)
  return prove(text, applySplices(text, written), Object.fromEntries(wanted) as Mapping)
}

/** How most lines of a text end. */
const lineBreakOf = (text: string) => {
  const lines = text.split('\n').length - 1
  const windows = text.split('\r\n').length - 1
  return windows * 2 > lines ? '\r\n' : '\n'
}

/** Whether a comment stands beside the value of a key, or within it. */
export const hasComment = (text: string, key: string): boolean => {
  const entry = readEntries(text)?.find((one) => one.key === key)
  const { line = 0, end = 0 } = entry ?? {}
  return commentsOf(text).some(({ from }) => line <= from && from < end)
}

/** Compares keys by their places in the schema's order; unknown ones come last. */
const createOrder = ({ properties = {} }: Subschema) => {
  const ranks = new Map(Object.keys(properties).map((key, at) => [key, at]))
  const rankOf = (key: string) => ranks.get(key) ?? ranks.size
  return (a: string, b: string): number => rankOf(a) - rankOf(b)
}

/** A key and its new value. */
type Change = readonly [key: string, after: Data | undefined]

/** A stretch of a text, in UTF-16 units, and its replacement. */
type Splice = Stretch & { readonly text: string }

/** Makes all replacements at once; insertions at one offset keep their order. */
export const applySplices = (text: string, splices: readonly Splice[]): string =>
  splices
    .toSorted((a, b) => a.from - b.from || a.to - b.to)
    .reduceRight(
      (rest, { from, to, text: put }) => rest.slice(0, from) + put + rest.slice(to),
      text,
    )

/** What changes in a file with one key a line, with `\n` for line ends; `undefined` if it is none. */
const inLines = (
  text: string,
  changes: readonly Change[],
  schema: Subschema,
): readonly Splice[] | undefined => {
  const entries = readEntries(text)
  if (entries === undefined) return undefined
  const [first] = entries
  const column = first ? indentOf(text, first.line) : 0
  /** The comments of a stretch, each on a line of its own. */
  const comments = (from: number, to: number) =>
    commentsOf(text)
      .filter((comment) => comment.from >= from && comment.from < to)
      .map((comment) => `${' '.repeat(column)}${comment.text}\n`)
      .join('')
  const byOrder = createOrder(schema)
  return changes.flatMap(([key, after]): readonly Splice[] => {
    const entry = entries.find((one) => one.key === key)
    if (entry === undefined) {
      const above = entries
        .filter((one) => byOrder(one.key, key) < 0)
        .sort((a, b) => byOrder(a.key, b.key))
      const at = above.at(-1)?.to ?? first?.from ?? text.length
      const lines = writeEntry(key, after ?? '', { schema, column })
      return [insertion(text, at, lines)]
    }
    const { line, colon, end, value } = entry
    if (after === undefined) {
      const kept = comments(line, end)
      return [{ from: line, to: end, text: kept }]
    }
    const last = Math.max(colon, value.to)
    const held = text.slice(colon, last)
    if (after === '' && !held.includes('\n')) return [{ from: colon, to: last, text: '' }]
    const own = schema.properties?.[key]
    const added = appending(text, value, { after, own })
    if (added) return [added]
    const style = styleOf(text, value)
    const written = writeValue(after, { schema: own, style, column })
    const isInline = style !== undefined && !style.startsWith('BLOCK')
    if (typeof after === 'string' && isInline && !written.includes('\n')) {
      const { from, to } = value
      return from === to
        ? [{ from: colon, to: colon, text: written }]
        : [{ from, to, text: written.slice(1) }]
    }
    const ending = text.slice(colon, end).endsWith('\n') ? '\n' : ''
    return [
      { from: line, to: line, text: comments(colon, end) },
      { from: colon, to: end, text: written + ending },
    ]
  })
}

/** How a scalar is written; `undefined` of a list, a mapping or an alias. */
const styleOf = (text: string, { from, to, values }: Tree) => {
  if (from === to) return 'PLAIN'
  const mark = text[from] ?? ''
  return values || mark === '*' ? undefined : (styles[mark] ?? 'PLAIN')
}

const styles: Readonly<Record<string, Scalar.Type>> = {
  '"': 'QUOTE_DOUBLE',
  "'": 'QUOTE_SINGLE',
  '|': 'BLOCK_LITERAL',
  '>': 'BLOCK_FOLDED',
}

/** Puts whole lines at the beginning of a line, or at the end of a text whose last line lacks its end. */
const insertion = (text: string, at: number, lines: string): Splice => {
  const isOpen = at > 0 && text[at - 1] !== '\n'
  const put = isOpen ? `\n${lines}` : `${lines}\n`
  return { from: at, to: at, text: put }
}

/** Writes items after the last one of a list that has not changed but for them, as they are written there. */
const appending = (
  text: string,
  list: Tree,
  { after, own }: { readonly after: Data; readonly own: Subschema | undefined },
): Splice | undefined => {
  const { from, data, values } = list
  const last = values?.at(-1)
  if (!Array.isArray(data) || !Array.isArray(after)) return undefined
  if (!last || text[from] === '*') return undefined
  const before: Data = after.slice(0, data.length)
  const items: readonly Data[] = after.slice(data.length)
  if (items.length === 0 || !equalData(data, before)) return undefined
  const schema = own?.items
  if (text[from] === '[') {
    const written = items.map((item) => `, ${writeFlow(item, schema)}`)
    return { from: last.to, to: last.to, text: written.join('') }
  }
  const column = from - lineStart(text, from)
  const lines = items.map((item) => writeItem(item, { schema, column }))
  return insertion(text, endOf(text, list), lines.join('\n'))
}

/** What changes in a file that stands in braces as a whole. */
const inBraces = (
  { from: start, keys = [], values = [] }: Tree,
  changes: readonly Change[],
  schema: Subschema,
): readonly Splice[] => {
  const pairs = keys.map(({ data, from, to }, at) => ({
    key: data,
    from,
    colon: to,
    to: Math.max(to, values[at]?.to ?? 0),
  }))
  const going = changes.filter(([, after]) => after === undefined)
  const goes = new Set<Data>(going.map(([key]) => key))
  return changes.map(([key, after]): Splice => {
    const at = pairs.findIndex((one) => one.key === key)
    const pair = pairs[at]
    const own = schema.properties?.[key]
    const written = after === undefined ? '' : `: ${writeFlow(after, own)}`
    if (pair === undefined) {
      const end = pairs.at(-1)?.to ?? start + 1
      const comma = pairs.length === 0 ? '' : ', '
      return { from: end, to: end, text: comma + key + written }
    }
    const { from, colon, to } = pair
    if (after !== undefined) return { from: colon, to, text: written }
    const next = pairs[at + 1]
    // a comma goes with the pair before it where no other comes after
    const isLast = pairs.slice(at).every((one) => goes.has(one.key))
    return next === undefined || isLast
      ? { from: pairs[at - 1]?.to ?? from, to, text: '' }
      : { from, to: next.from, text: '' }
  })
}

/** Offset of the beginning of the line that an offset is in. */
const lineStart = (text: string, at: number) => text.lastIndexOf('\n', at - 1) + 1

/** Offset right after the line feed of the line that an offset is in; the text's end on its last line. */
const lineEnd = (text: string, at: number) => text.indexOf('\n', at) + 1 || text.length

/** A key of a block mapping with its value: whole lines, together with the comments that are about it. */
type Entry = {
  readonly key: string
  /** Right after its colon. */
  readonly colon: number
  readonly value: Tree
  /** Where its lines begin: with what stands above it. A comment with which a file begins is the file's. */
  readonly from: number
  /** Where the key's own line begins. */
  readonly line: number
  /** Where the line ends on which the value does. */
  readonly end: number
  /** Where its lines end: comments that are indented below the value belong to it. */
  readonly to: number
}

/**
 * The entries of a block mapping, in its order; `undefined` if the text is anything else. Lines before the first entry
 * and after the last belong to none. The text must be free of syntax errors.
 */
const readEntries = (text: string): readonly Entry[] | undefined => {
  const { from: start = 0, keys, values = [] } = treeOf(text) ?? {}
  if (keys === undefined || text[start] === '{') return undefined
  const bodies = values.map((value, at) => {
    // each value has its key
    const key = keys[at]!
    const colon = text.indexOf(':', key.to) + 1
    const line = lineStart(text, key.from)
    const end = Math.max(lineEnd(text, colon), endOf(text, value))
    return { key: String(key.data), colon, value, line, end }
  })
  const [first] = bodies
  if (first === undefined) return []
  const column = indentOf(text, first.line)
  // a key shares its line with nothing but spaces, a question mark, an anchor
  const isAlone = ({ line }: { readonly line: number }) => {
    const start = text.slice(line, line + 3)
    return indentOf(text, line) === column && !/^(?:---|[%#])/.test(start)
  }
  if (!bodies.every(isAlone)) return undefined
  let from = withLead(text, first.line)
  return bodies.map((body, at) => {
    const next = bodies[at + 1]?.line ?? text.length
    const to = withIndented(text, { from: body.end, to: next, column })
    const entry = { ...body, from, to }
    from = to
    return entry
  })
}

/**
 * A profile, a shot or site.yaml with its keys in the schema's order, each with its comments, with plain line ends and
 * a last one. Nothing else changes. A text that has errors in its syntax is refused; they name the file.
 */
export const tidy = (text: string, name: SchemaName, file = ''): Tidied => {
  const { data = '', problems } = readData(text)
  if (problems.length > 0) {
    const diagnostics = explainYaml(parse({ file, text }), text)
    return { refused: 'it is broken', diagnostics }
  }
  const schema = readSchema(name)
  const plain = text.replaceAll('\r\n', '\n').replace(/[^\n]$/, '$&\n')
  const ranks = ranksOf(Object.keys(mappingOf(data)), schema)
  const isSorted = ranks.every((rank, at) => (ranks[at - 1] ?? 0) <= rank)
  const after = isSorted ? plain : sortKeys(plain, ranks)
  return after === text ? { text } : prove(text, after, data)
}

/** Where each key stands in the schema's order; an unknown one stays after the key that it follows. */
const ranksOf = (keys: readonly string[], { properties = {} }: Subschema): readonly number[] => {
  const order = Object.keys(properties)
  let last = -1
  return keys.map((key) => {
    const rank = order.indexOf(key)
    if (rank !== -1) last = rank
    return last
  })
}

const sortKeys = (text: string, ranks: readonly number[]) => {
  const entries = readEntries(text) ?? []
  const sorted = entries
    .map((entry, at) => ({ ...entry, rank: ranks[at] ?? 0 }))
    .sort((a, b) => a.rank - b.rank)
  const lines = sorted.map(({ from, to }) => text.slice(from, to))
  const start = text.slice(0, entries[0]?.from)
  const end = text.slice(entries.at(-1)?.to ?? text.length)
  return start + lines.join('') + end
}

/** With the offsets of this text, which the quick reader's are not. */
const treeOf = (text: string) => parseFully({ file: '', text }).tree()

const indentOf = (text: string, line: number) => text.slice(line, line + 100).search(/[^ ]|$/)

/** Where the line ends on which a value does, with the blank lines that are a part of it. */
const endOf = (text: string, value: Tree) => {
  const isWhole = /[[{*]/.test(text[value.from] ?? '')
  const last = isWhole ? undefined : value.values?.at(-1)
  if (last) return endOf(text, last)
  const end = lineEnd(text, value.to)
  const mark = text.slice(value.from, value.from + 3)
  const isKept = /^[|>](?:\+|-?\d)/.test(mark)
  return isKept ? end + lengthOf(/^(?:[^\S\n]*\n)*/, text.slice(end)) : end
}

/** How much of a text a pattern takes. */
const lengthOf = (pattern: RegExp, text: string) => pattern.exec(text)?.[0].length ?? 0

/** Where the first entry begins: with the comments right above it, if a blank line keeps them from the file's start. */
const withLead = (text: string, line: number) => {
  let lead = line
  let end: number
  for (let at = 0; at < line; at = end) {
    end = lineEnd(text, at)
    if (!text.slice(at, end).trim().startsWith('#')) lead = end
  }
  return lead
}

/** Where the lines of an entry end: comments that are indented below it are its own, others belong to what follows. */
const withIndented = (
  text: string,
  { from, to, column }: { readonly from: number; readonly to: number; readonly column: number },
) => {
  const comments = new RegExp(`^(?:(?:[^\\S\\n]*\\n)*[^\\S\\n]{${column + 1},}#[^\\n]*(?:\\n|$))*`)
  return from + lengthOf(comments, text.slice(from, to))
}

/** What a file with this text says. */
export const readData = (text = ''): Pick<Parsed, 'data' | 'whole' | 'problems'> =>
  parse({ file: '', text })

/** The mapping that a text is, as far as it can be read. */
export const mappingIn = (text?: string): Mapping => mappingOf(readData(text).data)

/** Reads a new text once more, and accepts it only if it says what it should and has every comment. */
const prove = (before: string, after: string, wanted: Data): Edited => {
  const { data, problems } = readData(after)
  if (problems.some(({ code }) => code === 'unknown-alias'))
    return { refused: 'an alias would come before its anchor' }
  if (data === undefined || problems.length > 0 || !equalData(data, wanted))
    return { refused: 'it would say something else' }
  if (!keepsComments(before, after)) return { refused: 'a comment would be lost' }
  return { text: after }
}

/** Whether two values are the same, in whatever order their keys are. */
export const equalData = (a: Data | undefined, b: Data | undefined): boolean =>
  typeof a === 'object' && typeof b === 'object'
    ? isDeepStrictEqual(structuredClone(a), structuredClone(b))
    : a === b

/** Whether a text has all comments of another one. */
export const keepsComments = (before: string, after: string): boolean => {
  const left = groupBy(commentsOf(after), ({ text }) => text)
  const wanted = commentsOf(before)
  return wanted.every(({ text }) => left.get(text)?.pop())
}

/** Every comment of a YAML text, in its order: `# so`. The end of the line is not part of it. */
export const commentsOf = (text: string) => {
  const comments: { readonly from: number; readonly text: string }[] = []
  if (!text.includes('#')) return comments
  let at = 0
  let previous = ''
  for (const lexeme of new (yaml().Lexer)().lex(text)) {
    if (lexeme.startsWith('#') && previous !== scalarFollows)
      comments.push({ from: at, text: lexeme.trimEnd() })
    if (!marks.has(lexeme)) at += lexeme.length
    previous = lexeme
  }
  return comments
}

/** Tokens of the lexer that are no text: the start of a document, a scalar to come, the end of broken brackets. */
const marks: ReadonlySet<string> = new Set(['\x02', scalarFollows, '\x18'])
