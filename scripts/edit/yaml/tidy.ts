import type { Node, Pair, YAMLMap } from 'yaml'
import { composeFirst, yaml } from '../../content/parse/document.ts'
import { parse } from '../../content/parse/parse.ts'
import type { Subschema } from '../../content/schema.ts'
import { lastOf, readEntries } from './entries.ts'
import { type Edited, prove } from './prove.ts'
import { applySplices, lineEnd, type Splice } from './splice.ts'

/**
 * A profile, a shot or site.yaml with its keys in the schema's order, each with its comments, with plain line ends and
 * a last one. Nothing else changes. The text must be free of errors in its syntax.
 */
export const tidy = (source: string, schema: Subschema): Edited => {
  const mark = source.startsWith('\ufeff') ? '\ufeff' : ''
  const before = source.slice(mark.length)
  const plain = before.replaceAll('\r\n', '\n')
  const ended = plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`
  const after = sortKeys(sortInner(ended, schema), schema)
  if (after === before) return { text: source }
  const edited = prove(before, after, parse({ file: '', text: before }).data ?? '')
  return edited.refused === undefined ? { text: mark + edited.text } : edited
}

const sortKeys = (text: string, schema: Subschema): string => {
  const { entries = [] } = readEntries(text) ?? {}
  if (entries.length === 0) return text
  const sorted = inOrder(entries, schema)
  if (sorted.every((entry, index) => entry === entries[index])) return text
  return [
    text.slice(0, entries[0]!.from),
    ...sorted.map(({ from, to }) => text.slice(from, to)),
    text.slice(entries.at(-1)!.to),
  ].join('')
}

/** Keys in the schema's order; an unknown one stays after the key that it follows. */
const inOrder = <T extends { readonly key: string }>(
  items: readonly T[],
  schema: Subschema,
): readonly T[] => {
  const order = Object.keys(schema.properties ?? {})
  let last = -1
  const ranked = items.map((item) => {
    last = order.includes(item.key) ? order.indexOf(item.key) : last
    return { item, rank: last }
  })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item)
}

/** The same for the mappings in the file's values, as far as no comment or blank line stands between their keys. */
const sortInner = (text: string, schema: Subschema): string => {
  const composed = composeFirst(text)
  if ('tooMuch' in composed || composed.contents === null) return text
  const { isMap, isSeq } = yaml()
  const splices: Splice[] = []
  const visit = (node: Node | null, inner: Subschema | undefined, depth: number): void => {
    if (inner === undefined) return
    if (isSeq(node)) for (const item of node.items) visit(item as Node, inner.items, depth + 1)
    if (!isMap(node)) return
    const splice = depth === 0 ? undefined : sortedMap(text, node, inner)
    if (splice !== undefined) splices.push(splice)
    else for (const { key, value } of pairsOf(node)) visit(value, inner.properties?.[textOf(key)], depth + 1)
  }
  visit(composed.contents, schema, 0)
  return applySplices(text, splices)
}

const sortedMap = (text: string, map: YAMLMap, schema: Subschema): Splice | undefined => {
  if (map.flow || map.items.length < 2) return undefined
  const pairs = pairsOf(map).map(({ key, value }) => ({
    key: textOf(key),
    from: key.range![0],
    to: lineEnd(text, lastOf(text, value ?? key)),
  }))
  const gaps = pairs.slice(1).map(({ from }, index) => text.slice(pairs[index]!.to, from))
  if (gaps.some((gap) => gap !== gaps[0] || gap.trim() !== '' || gap.includes('\n'))) return undefined
  const sorted = inOrder(pairs, schema)
  if (sorted.every((pair, index) => pair === pairs[index])) return undefined
  const body = sorted.map(({ from, to }) => text.slice(from, to)).join(gaps[0])
  return { from: pairs[0]!.from, to: pairs.at(-1)!.to, text: body }
}

const pairsOf = (map: YAMLMap): readonly Pair<Node, Node | null>[] =>
  map.items as readonly Pair<Node, Node | null>[]

const textOf = (key: Node): string => String((key as { value?: unknown }).value)
