import type { Node, YAMLMap } from 'yaml'
import type { Data } from '../content/parse/data.ts'
import { parse } from '../content/parse/parse.ts'
import { quickParse } from '../content/parse/quick.ts'
import type { Subschema } from '../content/schema.ts'
import { yaml } from '../content/parse/document.ts'
import { type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { applySplices, lastOf, lineEnd, pairsOf, readEntries, rootMap, type Splice, textOf } from './change.ts'
import { prove } from './prove.ts'

/** The new text, or why the file is left as it is: its problems, or the reason in words. */
export type Tidied =
  | { readonly text: string }
  | { readonly text?: never; readonly problems: readonly Diagnostic[]; readonly refused: string }

/**
 * A profile, a shot or site.yaml with its keys in the schema's order, each with its comments, with plain line ends and
 * a last one. Nothing else changes. `file` is what problems call it.
 */
export const tidy = (source: string, { file, schema }: { readonly file: string; readonly schema: Subschema }): Tidied => {
  const mark = source.startsWith('\ufeff') ? '\ufeff' : ''
  const before = source.slice(mark.length)
  const known = quickParse(before)
  const plain = before.replaceAll('\r\n', '\n')
  const ended = plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`
  if (known !== undefined && ended === before && isSorted(known, schema)) return { text: source }
  const { data = '', problems } = known === undefined ? parse({ file, text: before }) : { data: known, problems: [] }
  if (hasErrors(problems)) return { problems, refused: 'it is broken' }
  const after = sortKeys(sortInner(ended, schema), schema)
  if (after === before) return { text: source }
  const { text, refused } = prove(before, after, data)
  return refused === undefined ? { text: mark + text } : { problems: [], refused }
}

/** Whether there is nothing to sort, at any depth. */
const isSorted = (data: Data, schema: Subschema): boolean => {
  if (typeof data === 'string') return true
  if (Array.isArray(data)) return data.every((item: Data) => isSorted(item, schema.items ?? {}))
  const keys = Object.keys(data).map((key) => ({ key }))
  return (
    inOrder(keys, schema) === keys &&
    Object.entries(data).every(([key, value]) => isSorted(value, schema.properties?.[key] ?? {}))
  )
}

/** Keys in the schema's order, the same list if they are; an unknown one stays after the key that it follows. */
const inOrder = <T extends { readonly key: string }>(items: readonly T[], schema: Subschema): readonly T[] => {
  const order = Object.keys(schema.properties ?? {})
  let last = -1
  const ranked = items.map((item) => {
    last = order.includes(item.key) ? order.indexOf(item.key) : last
    return { item, rank: last }
  })
  const sorted = ranked.toSorted((a, b) => a.rank - b.rank)
  return sorted.every((one, index) => one === ranked[index]) ? items : sorted.map(({ item }) => item)
}

const sortKeys = (text: string, schema: Subschema): string => {
  const { entries = [] } = readEntries(text) ?? {}
  const sorted = inOrder(entries, schema)
  if (sorted === entries) return text
  return [
    text.slice(0, entries[0]!.from),
    ...sorted.map(({ from, to }) => text.slice(from, to)),
    text.slice(entries.at(-1)!.to),
  ].join('')
}

/** The same for the mappings in the file's values, as far as no comment or blank line stands between their keys. */
const sortInner = (text: string, schema: Subschema): string => {
  const { isMap, isSeq } = yaml()
  const splices: Splice[] = []
  const visit = (node: Node | null, inner: Subschema | undefined, isRoot: boolean): void => {
    if (inner === undefined) return
    if (isSeq(node)) for (const item of node.items) visit(item as Node, inner.items, false)
    if (!isMap(node)) return
    const splice = isRoot ? undefined : sortedMap(text, node, inner)
    if (splice !== undefined) splices.push(splice)
    else for (const { key, value } of pairsOf(node)) visit(value, inner.properties?.[textOf(key)], false)
  }
  visit(rootMap(text) ?? null, schema, true)
  return applySplices(text, splices)
}

const sortedMap = (text: string, map: YAMLMap, schema: Subschema): Splice | undefined => {
  if (map.flow) return undefined
  const pairs = pairsOf(map).map(({ key, value }) => ({
    key: textOf(key),
    from: key.range![0],
    to: lineEnd(text, lastOf(text, value ?? key)),
  }))
  const gaps = pairs.slice(1).map(({ from }, index) => text.slice(pairs[index]!.to, from))
  if (gaps.some((gap) => gap !== gaps[0] || gap.trim() !== '' || gap.includes('\n'))) return undefined
  const sorted = inOrder(pairs, schema)
  if (sorted === pairs) return undefined
  const body = sorted.map(({ from, to }) => text.slice(from, to)).join(gaps[0])
  return { from: pairs[0]!.from, to: pairs.at(-1)!.to, text: body }
}
