import type { Scalar } from 'yaml'
import type { ContentFolder } from '../../content/layout.ts'
import { type Data, isMapping, type Mapping } from '../../content/parse/data.ts'
import type { Stretch } from '../../content/parse/document.ts'
import type { Tree } from '../../content/parse/tree.ts'
import { readSchema, type SchemaName, type Subschema } from '../../content/schema.ts'
import { commentsOf } from './comments.ts'
import { endOf, indentOf, lineStart, readEntries, treeOf } from './entries.ts'
import { type Edited, equalData, prove, readData } from './proof.ts'
import { writeEntry, writeFlow, writeItem, writeValue } from './write.ts'

/** New values by key; `undefined` takes the key out. */
export type NewValues = Readonly<Record<string, Data | undefined>>

/**
 * What a new file begins with: where editors find its schema, if there is a path from the
 * content folder's parent to the schemas. {@link changeKeys} does the rest.
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
 * Sets or takes out keys of a profile, a shot or site.yaml, for commands and forms alike.
 * Pure: the text of the file goes in, the new text comes out, or why not, in words. All other
 * bytes stay as they are; a new key comes where the schema's order has it; the comments of a
 * key that goes, or of a value that is replaced, stay on lines of their own. The new text is
 * read again, and refused unless it says exactly what it should. Whether the values are right
 * is not asked here: the check of the file says so.
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
  const splices = isInBraces
    ? inBraces(text, tree, { changes, schema })
    : inLines(text, changes, schema)
  if (splices === undefined) return { refused: 'it is not written as one key a line' }
  const lineBreak = lineBreakOf(text)
  const written = splices.map((one) => ({
    ...one,
    text: one.text.replaceAll('\n', lineBreak),
  }))
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

/**
 * What changes in a file with one key a line, with `\n` for line ends; `undefined` if it is
 * none.
 */
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
      const style = quotedAbove(text.slice(at), after)
      const lines = writeEntry(key, after ?? '', { schema, style, column })
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
    const style = quotedAbove(text.slice(end), after) ?? styleOf(text, value)
    const written = writeValue(after, { schema: own, style, column })
    const isInline = style !== undefined && !style.startsWith('BLOCK')
    if (isInline && !written.includes('\n')) {
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

/** The style of lines above others of spaces, which a block would take for its own. */
const quotedAbove = (rest: string, after: Data | undefined) => {
  const gap = rest.slice(0, rest.search(/\S|$/) + 1)
  const isLines = typeof after === 'string' && after.includes('\n')
  return isLines && /[ \t]\r?(?:\n|$)/.test(gap) ? 'QUOTE_DOUBLE' : undefined
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

/**
 * Puts whole lines at the beginning of a line, or at the end of a text whose last line lacks
 * its end.
 */
const insertion = (text: string, at: number, lines: string): Splice => {
  const isOpen = at > 0 && text[at - 1] !== '\n'
  const put = isOpen ? `\n${lines}` : `${lines}\n`
  return { from: at, to: at, text: put }
}

/**
 * Writes items after the last one of a list that has not changed but for them, as they are
 * written there.
 */
const appending = (
  text: string,
  list: Tree,
  { after, own }: { readonly after: Data; readonly own: Subschema | undefined },
): Splice | undefined => {
  const { from, data, values } = list
  if (!Array.isArray(data) || !Array.isArray(after) || !values) return undefined
  if (text[from] === '*') return undefined
  const before: Data = after.slice(0, data.length)
  const items: readonly Data[] = after.slice(data.length)
  if (items.length === 0 || !equalData(data, before)) return undefined
  const schema = own?.items
  if (text[from] === '[') {
    const [style, ...others] = new Set(values.map((one) => styleOf(text, one)))
    const same = others.length === 0 ? style : undefined
    const written = items.map((item) => writeFlow(item, schema, same)).join(', ')
    const last = values.at(-1)
    const at = last?.to ?? from + 1
    return { from: at, to: at, text: last ? `, ${written}` : written }
  }
  const column = from - lineStart(text, from)
  const lines = items.map((item) => writeItem(item, { schema, column }))
  return insertion(text, endOf(text, list), lines.join('\n'))
}

/** What changes in a file that stands in braces as a whole. */
const inBraces = (
  text: string,
  { from: start, keys = [], values = [] }: Tree,
  { changes, schema }: { readonly changes: readonly Change[]; readonly schema: Subschema },
): readonly Splice[] => {
  const pairs = keys.map(({ data, from, to }, at) => ({
    key: data,
    from,
    colon: to,
    value: values[at],
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
    const { from, colon, to, value } = pair
    const added = value && after && appending(text, value, { after, own })
    if (added) return added
    if (after !== undefined) return { from: colon, to, text: written }
    const next = pairs[at + 1]
    // a comma goes with the pair before it where no other comes after
    const isLast = pairs.slice(at).every((one) => goes.has(one.key))
    return next === undefined || isLast
      ? { from: pairs[at - 1]?.to ?? from, to, text: '' }
      : { from, to: next.from, text: '' }
  })
}
