import type { Alias, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import type { Args, Code } from '../../problems/messages.ts'
import { type Data, emptyMapping } from './data.ts'
import { type Stretch, yaml } from './document.ts'

/** A value together with where it stands. */
export type Tree = Stretch & {
  readonly data: Data
  /** UTF-16 units of text in this value and below, aliases written out, and {@link valueWeight} for each value. */
  readonly weight: number
  /** By key, or by position from 0. */
  readonly entries?: ReadonlyMap<string, Entry>
}

/** An item of a list is its own key. */
type Entry = { readonly key: Stretch; readonly value: Tree }

/** Takes what is wrong with a stretch of the text, what belongs there, and where a duplicate key was given before. */
export type Report = <C extends Code>(
  code: C,
  at: Stretch & { readonly fix?: string | undefined },
  args: Args<C>,
  first?: Stretch,
) => void

const valueWeight = 100

/** What all aliases of a file may add to it: some 10,000 values, or 1 MiB of text. */
const maxAliasWeight = 1 << 20

/**
 * Turns yaml's nodes into plain data, in document order, so that an alias sees the anchors before it. What can't be
 * read is reported and left out (keys) or stands as it was written (aliases).
 */
export const resolve = (root: Node, text: string, report: Report): Tree => {
  const { isAlias, isMap, isScalar } = yaml()
  const anchors = new Map<string, Tree | 'open'>()
  let aliasWeight = 0

  const read = (node: Node): Tree => {
    if (isAlias(node)) return alias(node)
    if (node.anchor !== undefined) anchors.set(node.anchor, 'open')
    const tree = isScalar(node) ? scalar(node) : isMap(node) ? mapping(node) : list(node as YAMLSeq<Node>)
    if (node.anchor !== undefined) anchors.set(node.anchor, tree)
    return tree
  }

  const scalar = ({ range, type, value }: Scalar): Tree => {
    const [from, end] = range!
    const tree = leaf(value as string, {
      from,
      to: type?.startsWith('BLOCK') ? textEnd(text, from, end) : end,
    })
    const [bad] = /[\0\p{Cs}]/u.exec(tree.data as string) ?? []
    // two that are no characters: other readers of YAML refuse them as they are
    const at = text.slice(from, tree.to).search(/[\ufffe\uffff]/) + from
    if (bad !== undefined) report('bad-character', tree, { character: bad, mayBeEscaped: false })
    else if (at >= from)
      report('bad-character', { from: at, to: at + 1 }, { character: text[at]!, mayBeEscaped: true })
    return tree
  }

  const alias = ({ range, source: name }: Alias): Tree => {
    const at = { from: range![0], to: range![1] }
    const target = anchors.get(name)
    if (target === undefined) report('unknown-alias', at, { name })
    else if (target === 'open') report('too-many-aliases', at, undefined)
    else {
      const before = aliasWeight
      aliasWeight += target.weight
      if (aliasWeight <= maxAliasWeight) return { ...target, ...at }
      if (before <= maxAliasWeight) report('too-many-aliases', at, undefined)
    }
    return leaf(text.slice(at.from, at.to), at)
  }

  const list = (node: YAMLSeq<Node>): Tree => {
    const items = node.items.map(read)
    return {
      data: items.map(({ data }) => data),
      entries: new Map(items.map((value, index) => [String(index), { key: value, value }])),
      ...sumOf(node, items),
    }
  }

  const mapping = (node: YAMLMap): Tree => {
    const data = emptyMapping()
    const entries = new Map<string, Entry>()
    const parts: Tree[] = []
    for (const { key: keyNode, value: valueNode } of node.items as Pair<Node, Node | null>[]) {
      const key = read(keyNode)
      const value = valueNode === null ? leaf('', { from: key.to, to: key.to }) : read(valueNode)
      parts.push(key, value)
      if (!isKey(keyNode, key, entries)) continue
      data[key.data as string] = value.data
      entries.set(key.data as string, { key, value })
    }
    return { data, entries, ...sumOf(node, parts) }
  }

  /** Whether a key is one, and new. */
  const isKey = (node: Node, key: Tree, entries: ReadonlyMap<string, Entry>): boolean => {
    const { data } = key
    const isPlain = isScalar(node) && node.type === 'PLAIN'
    const first = typeof data === 'string' ? entries.get(data)?.key : undefined
    if (typeof data !== 'string' || (isPlain && data === '')) {
      const [item, ...others] = Array.isArray(data) ? data : []
      const isText = typeof item === 'string' && item !== '' && others.length === 0
      report('bad-key', key, { name: isText ? item : undefined })
    } else if (isPlain && data === '<<') report('merge-key', key, undefined)
    else if (first !== undefined) report('duplicate-key', key, { key: data }, first)
    else return true
    return false
  }

  return read(root)
}

const leaf = (data: string, { from, to }: Stretch): Tree => ({
  data,
  from,
  to,
  weight: valueWeight + data.length,
})

/** A block collection reaches from its first value or dash to its last value, without the comments after it. */
const sumOf = ({ range, flow }: YAMLMap | YAMLSeq, parts: readonly Tree[]): Omit<Tree, 'data'> => {
  const weight = parts.reduce((sum, part) => sum + part.weight, valueWeight)
  const [from, to] = range!
  if (flow || parts.length === 0) return { from, to, weight }
  return { from: Math.min(from, parts[0]!.from), to: parts.at(-1)!.to, weight }
}

/** Where the text of a block scalar ends, without the line ends after it. */
const textEnd = (text: string, from: number, end: number): number => {
  let to = end
  while (to > from && /[\n\r ]/.test(text[to - 1]!)) to--
  return to
}

/** Where the value at a path stands, or its key; when the path leads nowhere, the last value on the way. */
export const stretchAt = (root: Tree, path: readonly (string | number)[], of: 'key' | 'value'): Stretch => {
  let entry: Entry = { key: root, value: root }
  for (const step of path) {
    const next = entry.value.entries?.get(String(step))
    if (next === undefined) return entry.value
    entry = next
  }
  return entry[of]
}
