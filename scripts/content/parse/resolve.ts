import type { Alias, Node, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import type { Args, Code } from '../../problems/messages.ts'
import { emptyMapping } from './data.ts'
import { yaml } from './document.ts'
import type { Entry, Stretch, Tree } from './parse.ts'
import { readBlock } from './quick.ts'

/** Takes what is wrong with a stretch of the text, and where a duplicate key was given before. */
export type Report = <C extends Code>(code: C, at: Stretch, args: Args<C>, first?: Stretch) => void

/** How much all aliases of a file may add to it. */
const maxAliasNodes = 10_000
const maxAliasUnits = 1 << 20

/**
 * Turns yaml's nodes into plain data, in document order, so that an alias sees the anchors before it. What can't be
 * read is reported and left out (keys) or stands as it was written (aliases).
 */
export const resolve = (root: Node, text: string, report: Report): Tree => {
  const { isAlias, isMap, isScalar } = yaml()
  const anchors = new Map<string, Tree | 'open'>()
  let aliasNodes = 0
  let aliasUnits = 0

  const read = (node: Node): Tree => {
    if (isAlias(node)) return alias(node)
    if (node.anchor !== undefined) anchors.set(node.anchor, 'open')
    const tree = isScalar(node) ? scalar(node) : isMap(node) ? mapping(node) : list(node as YAMLSeq<Node>)
    if (node.anchor !== undefined) anchors.set(node.anchor, tree)
    return tree
  }

  const scalar = (node: Scalar): Tree => {
    const [from, end] = node.range!
    const data = spacesAtEnd(node, text) ?? (node.value as string)
    const to = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED' ? textEnd(text, from, end) : end
    const character = badCharacter(data)
    // two that are no characters: other readers of YAML refuse them as they are
    const raw = text.slice(from, to).search(/[\ufffe\uffff]/)
    const at = from + raw
    if (character !== undefined) report('bad-character', { from, to }, { character })
    else if (raw !== -1) report('bad-character', { from: at, to: at + 1 }, { character: text[at]! })
    return { data, from, to, nodes: 1, units: data.length }
  }

  const alias = ({ range, source: name }: Alias): Tree => {
    const [from, to] = range!
    const unresolved = { data: text.slice(from, to), from, to, nodes: 1, units: to - from }
    const target = anchors.get(name)
    const isAffordable = (): boolean => aliasNodes <= maxAliasNodes && aliasUnits <= maxAliasUnits
    if (target === undefined) report('unknown-alias', { from, to }, { name })
    else if (target === 'open') report('too-many-aliases', { from, to }, undefined)
    else {
      const was = isAffordable()
      aliasNodes += target.nodes
      aliasUnits += target.units
      if (isAffordable()) return { ...target, from, to }
      if (was) report('too-many-aliases', { from, to }, undefined)
    }
    return unresolved
  }

  const list = (node: YAMLSeq<Node>): Tree => {
    const items = node.items.map(read)
    return {
      data: items.map((item) => item.data),
      ...stretch(node, items),
      ...weigh(items),
      items,
    }
  }

  const mapping = (node: YAMLMap): Tree => {
    const data = emptyMapping()
    const entries = new Map<string, Entry>()
    const values: Tree[] = []
    for (const pair of node.items as { key: Node; value: Node | null }[]) {
      const key = read(pair.key)
      const value = pair.value === null ? empty(key.to) : read(pair.value)
      values.push(key, value)
      if (!isKey(pair.key, key, entries)) continue
      data[key.data as string] = value.data
      entries.set(key.data as string, { key, value })
    }
    return { data, ...stretch(node, values), ...weigh(values), entries }
  }

  /** Whether a key is one, and new. */
  const isKey = (node: Node, key: Tree, entries: ReadonlyMap<string, Entry>): boolean => {
    const { data } = key
    const isPlain = isScalar(node) && node.type === 'PLAIN'
    const first = typeof data === 'string' ? entries.get(data)?.key : undefined
    if (typeof data !== 'string' || (isPlain && data === '')) {
      report('bad-key', key, {
        name: Array.isArray(data) && data.length === 1 ? String(data[0]) || undefined : undefined,
      })
    } else if (isPlain && data === '<<') report('merge-key', key, undefined)
    else if (first !== undefined) report('duplicate-key', key, { key: data }, first)
    else return true
    return false
  }

  return read(root)
}

const empty = (at: number): Tree => ({ data: '', from: at, to: at, nodes: 1, units: 0 })

/** A block collection reaches from its first value or dash to its last value, without the comments after it. */
const stretch = (node: YAMLMap | YAMLSeq, values: readonly Tree[]): Stretch => {
  const [from, to] = node.range!
  if (node.flow || values.length === 0) return { from, to }
  return { from: Math.min(from, values[0]!.from), to: values.at(-1)!.to }
}

const weigh = (trees: readonly Tree[]): { nodes: number; units: number } => {
  let nodes = 1
  let units = 0
  for (const tree of trees) {
    nodes += tree.nodes
    units += tree.units
  }
  return { nodes, units }
}

/** Where the text of a block scalar ends, without the line ends after it. */
const textEnd = (text: string, from: number, end: number): number => {
  let to = end
  while (to > from && (text[to - 1] === '\n' || text[to - 1] === '\r' || text[to - 1] === ' ')) to--
  return to
}

/**
 * The text of a block scalar with an indentation indicator whose last lines are nothing but spaces. `yaml` compares
 * them with the first line instead of the indicator, and leaves them out. `undefined` for any other scalar.
 */
const spacesAtEnd = ({ range, value }: Scalar, text: string): string | undefined => {
  const [from, end] = range!
  const [header, style, chomping] =
    /^([|>])(?=[-+]?[1-9])[1-9]?([-+]?)[1-9]?[^\n]*\n/.exec(text.slice(from, from + 1000)) ?? []
  const rest = header && /^(?: *\r?\n)* */.exec(text.slice(end))![0]
  if (header === undefined || !rest?.includes(' ')) return undefined
  const lines = `${text.slice(from + header.length, end)}${rest.slice(0, rest.lastIndexOf('\n') + 1)}`
    .split(/\r?\n/)
    .slice(0, -1)
  if (end + rest.length === text.length && !rest.endsWith('\n'))
    lines.push(rest.slice(rest.lastIndexOf('\n') + 1))
  const first = lines.find((line) => /[^ ]/.test(line))
  if (first === undefined) return undefined
  const indent = first.search(/[^ ]/) - (value as string).replace(/^\n+/, '').search(/[^ ]/)
  return readBlock(lines, { indent, isFolded: style === '>', chomping: chomping! })
}

const badCharacter = (value: string): string | undefined => {
  if (value.includes('\0')) return 'U+0000'
  if (value.isWellFormed()) return undefined
  const lone = value.match(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)!
  return `U+${lone[0].charCodeAt(0).toString(16).toUpperCase()}`
}
