import type { Node, Scalar, YAMLSeq } from 'yaml'
import type { Data, Mapping } from '../../content/parse/data.ts'
import { yaml } from '../../content/parse/document.ts'
import { parse } from '../../content/parse/parse.ts'
import type { Subschema } from '../../content/schema.ts'
import { hasErrors } from '../../problems/diagnostic.ts'
import { commentsOf } from './comments.ts'
import { type Entries, type Entry, lastOf, readEntries } from './entries.ts'
import { type Edited, equalData, prove } from './prove.ts'
import type { Style } from './scalar.ts'
import { applySplices, lineBreakOf, lineEnd, type Splice } from './splice.ts'
import { writeEntry, writeFlow, writeItem, writeValue } from './value.ts'

/** New values by key; `undefined` takes the key out. */
export type Changes = Readonly<Record<string, Data | undefined>>

/**
 * Changes keys of a profile, a shot or site.yaml, and nothing else: other bytes stay as they are. A new key comes
 * where the schema's order has it; the comments of a key that goes, or of a value that is replaced, stay on lines of
 * their own. The new text is read again, and refused unless it says exactly what it should.
 */
export const changeKeys = (source: string, changes: Changes, schema: Subschema): Edited => {
  const mark = source.startsWith('\ufeff') ? '\ufeff' : ''
  const text = source.slice(mark.length)
  const { data, problems } = parse({ file: '', text })
  if (!isMapping(data) || hasErrors(problems)) return { refused: 'it has errors' }
  const news = Object.entries(changes).filter(([key, value]) => !equalData(data[key], value))
  if (news.length === 0) return { text: source }
  const found = readEntries(text)
  if (found === undefined) return { refused: 'it is not written as one key a line' }
  const file: File = { text, schema, ...found }
  const splices = news.flatMap(([key, value]) => {
    const entry = found.entries.find((one) => one.key === key)
    if (value === undefined) return entry === undefined ? [] : [removal(entry, file)]
    return entry === undefined ? [] : replacement(entry, { before: data[key], after: value }, file)
  })
  const added = news.filter(([key, value]) => value !== undefined && !(key in data)) as [string, Data][]
  const wanted = { ...data, ...changes }
  const edited = prove(text, applySplices(text, [...splices, ...additions(added, file)]), withoutGaps(wanted))
  return edited.refused === undefined ? { text: mark + edited.text } : edited
}

type File = Entries & { readonly text: string; readonly schema: Subschema }

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
  const style = styleOf(entry.value)
  const written = writeValue(after, { schema, style, column: file.column })
  const colon = file.text.indexOf(':', entry.keyEnd) + 1
  if (typeof after === 'string' && isOneLine(entry.value) && !written.includes('\n')) {
    const [from, to] = entry.value.range!
    return [from === to ? { from: colon, to: colon, text: written } : { from, to, text: written.slice(1) }]
  }
  const rest = { from: colon, to: entry.end }
  const ending = file.text.slice(colon, entry.end).endsWith('\n') ? lineBreakOf(file.text) : ''
  return [
    { from: entry.line, to: entry.line, text: commentLines(rest, file) },
    { ...rest, text: withBreaks(written, file) + ending },
  ]
}

/** Whether a value is a scalar that can be exchanged where it stands. */
const isOneLine = (value: Node | undefined): value is Scalar =>
  yaml().isScalar(value) && !styleOf(value)?.match(/literal|folded/)

const styleOf = (value: Node | undefined): Style | undefined =>
  yaml().isScalar(value) ? styles[value.type ?? 'PLAIN'] : undefined

const styles = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
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
  const column = list.range![0] - (text.lastIndexOf('\n', list.range![0] - 1) + 1)
  const at = lineEnd(text, lastOf(text, last))
  const lines = items.map((item) => withBreaks(writeItem(item, { schema, column }), file))
  return insertion(at, lines, file)
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

/** New entries where the schema's order has them: each after the nearest key that comes before it there. */
const additions = (added: readonly [string, Data][], file: File): readonly Splice[] => {
  const order = Object.keys(file.schema.properties ?? {})
  const rank = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length)
  return added
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(([key, value]) => {
      const { entries, column, schema, text } = file
      const before = entries.filter((entry) => rank(entry.key) < rank(key))
      const nearest = before.toSorted((a, b) => rank(b.key) - rank(a.key))[0]
      const at = nearest?.to ?? entries[0]?.from ?? text.length
      return insertion(at, [withBreaks(writeEntry(key, value, { schema, column }), file)], file)
    })
}

const withBreaks = (lines: string, { text }: File): string => lines.replaceAll('\n', lineBreakOf(text))

const withoutGaps = (data: Changes): Mapping =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as Mapping

const isMapping = (data: Data | undefined): data is Mapping =>
  typeof data === 'object' && !Array.isArray(data)
