import type { Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { type Data, isMapping, type Mapping } from '../content/parse/data.ts'
import { composeFirst, yaml } from '../content/parse/document.ts'
import { parse } from '../content/parse/parse.ts'
import type { Subschema } from '../content/schema.ts'
import { hasErrors } from '../problems/diagnostic.ts'
import { commentsOf, type Edited, equalData, prove } from './prove.ts'
import { type Style, writeEntry, writeFlow, writeItem, writeValue } from './write.ts'

/** New values by key; `undefined` takes the key out. */
export type NewValues = Readonly<Record<string, Data | undefined>>

/**
 * Sets or takes out keys of a profile, a shot or site.yaml, for commands and forms alike. Pure: the text of the file
 * goes in, the new text comes out, or why not, in words. All other bytes stay as they are; a new key comes where the
 * schema's order has it; the comments of a key that goes, or of a value that is replaced, stay on lines of their own.
 * The new text is read again, and refused unless it says exactly what it should. Whether the values are right is not
 * asked here: the check of the file says so.
 */
export const changeKeys = (source: string, values: NewValues, schema: Subschema): Edited => {
  const mark = source.startsWith('\ufeff') ? '\ufeff' : ''
  const text = source.slice(mark.length)
  const { data, problems } = parse({ file: '', text })
  if (!isMapping(data) || hasErrors(problems)) return { refused: 'it has errors' }
  const news = Object.entries(values)
    .filter(([key, value]) => !equalData(data[key], value))
    .sort(([a], [b]) => rankOf(a, schema) - rankOf(b, schema))
  if (news.length === 0) return { text: source }
  const wanted = Object.fromEntries(
    Object.entries({ ...data, ...values }).filter(([, value]) => value !== undefined),
  ) as Mapping
  const splices = inLines(text, { news, data, schema }) ?? inBraces(text, { news, schema })
  if (splices === undefined) return { refused: 'it is not written as one key a line' }
  const edited = prove(text, applySplices(text, splices), wanted)
  return edited.refused === undefined ? { ...edited, text: mark + edited.text } : edited
}

type Wanted = {
  readonly news: readonly [string, Data | undefined][]
  readonly data: Mapping
  readonly schema: Subschema
}

type File = Entries & { readonly text: string; readonly schema: Subschema }

const inLines = (text: string, { news, data, schema }: Wanted): readonly Splice[] | undefined => {
  const found = readEntries(text)
  if (found === undefined) return undefined
  const file: File = { text, schema, ...found }
  return news.flatMap(([key, value]) => {
    const entry = found.entries.find((one) => one.key === key)
    if (value === undefined) return entry === undefined ? [] : [removal(entry, file)]
    if (entry === undefined) return [addition(key, value, file)]
    return replacement(entry, { before: data[key], after: value }, file)
  })
}

/** Takes out an entry's lines but for the comments on them. */
const removal = ({ line, end }: Entry, file: File): Splice => ({
  from: line,
  to: end,
  text: commentLines({ from: line, to: end }, file),
})

/** The comments of a stretch, each on a line of its own. */
const commentLines = (
  { from, to }: { readonly from: number; readonly to: number },
  { text, column }: File,
): string =>
  commentsOf(text)
    .filter((comment) => comment.from >= from && comment.from < to)
    .map((comment) => `${' '.repeat(column)}${comment.text}${lineBreakOf(text)}`)
    .join('')

const replacement = (
  entry: Entry,
  { before, after }: { readonly before: Data | undefined; readonly after: Data },
  file: File,
): readonly Splice[] => {
  const schema = file.schema.properties?.[entry.key]
  const extra = appended(before, after)
  if (extra !== undefined && yaml().isSeq(entry.value))
    return [appending(entry.value, extra, { schema, file })]
  const style = yaml().isScalar(entry.value) ? styles[entry.value.type ?? 'PLAIN'] : undefined
  const written = writeValue(after, { schema, style, column: file.column })
  const colon = file.text.indexOf(':', entry.keyEnd) + 1
  if (typeof after === 'string' && style !== undefined && style !== 'block' && !written.includes('\n')) {
    const [from, to] = entry.value!.range!
    return [from === to ? { from: colon, to: colon, text: written } : { from, to, text: written.slice(1) }]
  }
  const rest = { from: colon, to: entry.end }
  const ending = file.text.slice(colon, entry.end).endsWith('\n') ? lineBreakOf(file.text) : ''
  return [
    { from: entry.line, to: entry.line, text: commentLines(rest, file) },
    { ...rest, text: withBreaks(written, file) + ending },
  ]
}

const styles = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'block',
  BLOCK_FOLDED: 'block',
} as const satisfies Record<Scalar.Type, Style>

/** The items added at the end of a list, if nothing else changed in it. */
const appended = (before: Data | undefined, after: Data): readonly Data[] | undefined =>
  Array.isArray(before) &&
  Array.isArray(after) &&
  before.length > 0 &&
  after.length > before.length &&
  equalData(before, after.slice(0, before.length))
    ? after.slice(before.length)
    : undefined

/** Writes items after the last one of a list, as they are written there. */
const appending = (
  list: YAMLSeq,
  items: readonly Data[],
  { schema, file }: { readonly schema: Subschema | undefined; readonly file: File },
): Splice => {
  const { text } = file
  const last = list.items.at(-1) as Node
  if (list.flow) {
    const at = last.range![1]
    return { from: at, to: at, text: items.map((item) => `, ${writeFlow(item, schema?.items)}`).join('') }
  }
  const column = list.range![0] - lineStart(text, list.range![0])
  const lines = items.map((item) => withBreaks(writeItem(item, { schema, column }), file))
  return insertion(lineEnd(text, lastOf(text, last)), lines, file)
}

/** Puts whole lines at the beginning of a line, or at the end of a text whose last line lacks its end. */
const insertion = (at: number, lines: readonly string[], { text }: File): Splice => {
  const br = lineBreakOf(text)
  const open = at > 0 && text[at - 1] !== '\n'
  return {
    from: at,
    to: at,
    text: open ? lines.map((line) => br + line).join('') : lines.map((line) => line + br).join(''),
  }
}

/** A new entry after the nearest key that comes before it in the schema's order. */
const addition = (key: string, value: Data, file: File): Splice => {
  const { entries, column, schema, text } = file
  const before = nearestBefore(entries, key, schema)
  const at = before?.to ?? entries[0]?.from ?? text.length
  return insertion(at, [withBreaks(writeEntry(key, value, { schema, column }), file)], file)
}

const rankOf = (key: string, { properties = {} }: Subschema): number => {
  const rank = Object.keys(properties).indexOf(key)
  return rank === -1 ? Number.MAX_SAFE_INTEGER : rank
}

const nearestBefore = (entries: readonly Entry[], key: string, schema: Subschema): Entry | undefined =>
  entries
    .filter((entry) => rankOf(entry.key, schema) < rankOf(key, schema))
    .sort((a, b) => rankOf(b.key, schema) - rankOf(a.key, schema))[0]

const withBreaks = (lines: string, { text }: File): string => lines.replaceAll('\n', lineBreakOf(text))

/** The same where the whole file stands in braces. */
const inBraces = (text: string, { news, schema }: Omit<Wanted, 'data'>): readonly Splice[] | undefined => {
  const map = rootMap(text)
  if (!map?.flow) return undefined
  const pairs = pairsOf(map).map(({ key, value }) => ({
    key: textOf(key),
    from: key.range![0],
    colon: key.range![1],
    to: Math.max(key.range![1], value?.range?.[1] ?? 0),
  }))
  return news.map(([key, value]): Splice => {
    const at = pairs.findIndex((one) => one.key === key)
    const pair = pairs[at]
    const [last, next] = [pairs[at - 1] ?? pairs.at(-1), pairs[at + 1]]
    const written = value === undefined ? '' : `: ${writeFlow(value, schema.properties?.[key])}`
    if (pair === undefined) {
      const end = last?.to ?? map.range![0] + 1
      const lead = last === undefined ? '' : ', '
      return { from: end, to: end, text: `${lead}${key}${written}` }
    }
    if (value !== undefined) return { from: pair.colon, to: pair.to, text: written }
    if (next !== undefined || at === 0) return { from: pair.from, to: next?.from ?? pair.to, text: '' }
    return { from: last!.to, to: pair.to, text: '' }
  })
}

/** A stretch of a text, in UTF-16 units, and its replacement. */
export type Splice = {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Makes all replacements at once; they must not overlap, and insertions at one offset keep their order. */
export const applySplices = (text: string, splices: readonly Splice[]): string => {
  let result = ''
  let at = 0
  for (const { from, to, text: inserted } of splices.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    if (from < at) throw new Error('two splices overlap')
    result += text.slice(at, from) + inserted
    at = to
  }
  return result + text.slice(at)
}

/** Offset of the beginning of the line that an offset is in. */
const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1

/** Offset right after the line feed of the line that an offset is in; the text's end on its last line. */
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}

/** The line end that most lines of a text have. */
const lineBreakOf = (text: string): '\n' | '\r\n' => {
  const windows = text.split('\r\n').length - 1
  return windows * 2 > text.split('\n').length - 1 ? '\r\n' : '\n'
}

/** A key of a block mapping with its value: whole lines, together with the comments that are about it. */
export type Entry = {
  readonly key: string
  /** Where the key ends. */
  readonly keyEnd: number
  /** Absent where nothing follows the colon. */
  readonly value: Node | undefined
  /** Where its lines begin: with what stands above it. A comment with which a file begins is the file's. */
  readonly from: number
  /** Where the key's own line begins. */
  readonly line: number
  /** Where the line ends on which the value does. */
  readonly end: number
  /** Where its lines end: comments that are indented below the value belong to it. */
  readonly to: number
}

/** The entries of a file, in its order; lines before the first and after the last belong to none. Offsets in UTF-16 units. */
export type Entries = {
  readonly entries: readonly Entry[]
  /** Spaces before each key. */
  readonly column: number
}

/** The entries of a block mapping; `undefined` if the text is anything else. The text must be free of syntax errors. */
export const readEntries = (text: string): Entries | undefined => {
  const map = rootMap(text)
  if (map === null) return { entries: [], column: 0 }
  return map === undefined || map.flow ? undefined : entriesOf(text, map)
}

/** The mapping that a text is; `null` for a text that says nothing, `undefined` for any other. */
const rootMap = (text: string): YAMLMap | null | undefined => {
  const composed = composeFirst(text)
  if ('tooMuch' in composed) return undefined
  const { contents } = composed
  if (contents === null || (yaml().isScalar(contents) && contents.value === '')) return null
  return yaml().isMap(contents) ? (contents as YAMLMap) : undefined
}

const pairsOf = (map: YAMLMap): readonly Pair<Node, Node | null>[] =>
  map.items as readonly Pair<Node, Node | null>[]

const textOf = (key: Node): string => String((key as { value?: unknown }).value)

const entriesOf = (text: string, map: YAMLMap): Entries | undefined => {
  const bodies = pairsOf(map).map(({ key, value }) => ({
    key: textOf(key),
    keyEnd: key.range![1],
    value: value ?? undefined,
    line: lineStart(text, key.range![0]),
    end: lineEnd(text, lastOf(text, value ?? key)),
  }))
  const column = indentOf(text, bodies[0]!.line)
  // a key shares its line with nothing but spaces, a question mark, an anchor
  if (
    bodies.some(
      ({ line }) => indentOf(text, line) !== column || /^(?:---|[%#])/.test(text.slice(line, line + 3)),
    )
  )
    return undefined
  const ends = bodies.map(({ end }, index) =>
    withIndented(text, { from: end, to: bodies[index + 1]?.line ?? text.length, column }),
  )
  const entries = bodies.map((body, index) => ({
    ...body,
    from: index === 0 ? withLead(text, body.line) : ends[index - 1]!,
    to: ends[index]!,
  }))
  return { entries, column }
}

const indentOf = (text: string, line: number): number => /^ */.exec(text.slice(line, line + 100))![0].length

/** An offset on the line on which a value ends. */
const lastOf = (text: string, node: Node): number => {
  const [from, end] = node.range!
  const { isCollection, isScalar, isMap } = yaml()
  if (isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED')) {
    return text[end - 1] === '\n' ? end - 1 : end
  }
  if (!isCollection(node) || node.flow || node.items.length === 0) return Math.max(from, end)
  const last = node.items.at(-1)!
  if (!isMap(node)) return lastOf(text, last as Node)
  const { key, value } = last as Pair<Node, Node | null>
  return lastOf(text, value ?? key)
}

/** Where the first entry begins: with the comments right above it, if a blank line keeps them from the file's start. */
const withLead = (text: string, line: number): number => {
  let lead = line
  for (let at = 0; at < line; at = lineEnd(text, at)) {
    if (!text.slice(at, lineEnd(text, at)).trim().startsWith('#')) lead = lineEnd(text, at)
  }
  return lead
}

/** Where the lines of an entry end: comments that are indented below it are its own, others belong to what follows. */
const withIndented = (
  text: string,
  { from, to, column }: { readonly from: number; readonly to: number; readonly column: number },
): number => {
  let end = from
  for (let at = from; at < to; at = lineEnd(text, at)) {
    const line = text.slice(at, lineEnd(text, at))
    if (line.trim() === '') continue
    if (!line.trimStart().startsWith('#') || line.search(/\S/) <= column) break
    end = lineEnd(text, at)
  }
  return end
}
