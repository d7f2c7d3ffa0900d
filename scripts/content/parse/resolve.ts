import type { Alias, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { emptyMapping } from './data.ts'
import { type Stretch, stretchOf, yaml } from './document.ts'
import type { Report } from './problem.ts'
import { leaf, maxAliasWeight, type Tree, weightOf } from './tree.ts'

/**
 * Turns yaml's nodes into plain data, in document order, so that an alias sees the anchors
 * before it. What can't be read is reported and left out (keys) or stands as it was written
 * (aliases).
 */
export const resolve = (root: Node, text: string, report: Report): Tree =>
  new Resolver(text, report).read(root)

class Resolver {
  private readonly text: string
  private readonly report: Report
  private readonly anchors = new Map<string, Tree | 'open'>()
  private aliasWeight = 0

  constructor(text: string, report: Report) {
    this.text = text
    this.report = report
  }

  read(node: Node): Tree {
    if (yaml().isAlias(node)) return this.alias(node)
    if (node.anchor !== undefined) this.anchors.set(node.anchor, 'open')
    const tree = this.whole(node)
    if (node.anchor !== undefined) this.anchors.set(node.anchor, tree)
    return tree
  }

  private whole(node: Node): Tree {
    if (yaml().isScalar(node)) return this.scalar(node)
    return yaml().isMap(node) ? this.mapping(node) : this.list(node as YAMLSeq<Node>)
  }

  private scalar(node: Scalar): Tree {
    const { text } = this
    const { from, to: end } = stretchOf(node)
    const to = node.type?.startsWith('BLOCK') ? textEnd(text, from, end) : end
    const tree = leaf(String(node.value), from, to)
    const [bad] = /[\0\p{Cs}]/u.exec(tree.data) ?? []
    // two that are no characters: other readers of YAML refuse them as they are
    const written = /[\ufffe\uffff]/.exec(text.slice(from, to))
    if (bad !== undefined) this.report('bad-character', tree, { code: hex(bad) })
    else if (written !== null) {
      const at = from + written.index
      this.report('bad-character', { from: at, to: at + 1 }, { escape: hex(written[0]) })
    }
    return tree
  }

  private alias(node: Alias): Tree {
    const at = stretchOf(node)
    const target = this.anchors.get(node.source)
    if (target === undefined) this.report('unknown-alias', at, { name: node.source })
    else if (target === 'open') this.report('too-many-aliases', at, undefined)
    else {
      const before = this.aliasWeight
      this.aliasWeight += weightOf(target, maxAliasWeight - before)
      if (this.aliasWeight <= maxAliasWeight) return { ...target, ...at }
      if (before <= maxAliasWeight) this.report('too-many-aliases', at, undefined)
    }
    return leaf(this.text.slice(at.from, at.to), at.from, at.to)
  }

  private list(node: YAMLSeq<Node>): Tree {
    const values = node.items.map((item) => this.read(item))
    return {
      ...reach(node, values),
      data: values.map(({ data }) => data),
      keys: undefined,
      values,
    }
  }

  private mapping(node: YAMLMap): Tree {
    const data = emptyMapping()
    const keys = new Map<string, Tree>()
    const values: Tree[] = []
    const parts: Tree[] = []
    for (const { key: keyNode, value: valueNode } of node.items as Pair<
      Node,
      Node | null
    >[]) {
      const key = this.read(keyNode)
      const value = valueNode === null ? leaf('', key.to, key.to) : this.read(valueNode)
      parts.push(key, value)
      const name = this.nameOf(keyNode, key, keys)
      if (name === undefined) continue
      data[name] = value.data
      keys.set(name, key)
      values.push(value)
    }
    return { ...reach(node, parts), data, keys: [...keys.values()], values }
  }

  /** The text of a key; `undefined` for what is none. */
  private nameOf(
    node: Node,
    key: Tree,
    known: ReadonlyMap<string, Tree>,
  ): string | undefined {
    const { data } = key
    const isPlain = yaml().isScalar(node) && node.type === 'PLAIN'
    if (typeof data !== 'string' || (isPlain && data === '')) {
      const [item, ...others] = Array.isArray(data) ? data : []
      // a longer one is nothing to copy from a hint
      const isText =
        typeof item === 'string' && /^.{1,100}$/s.test(item) && others.length === 0
      this.report('bad-key', key, { name: isText ? item : undefined })
      return undefined
    }
    const first = known.get(data)
    if (isPlain && data === '<<') this.report('merge-key', key, undefined)
    else if (first !== undefined) this.report('duplicate-key', key, { key: data }, first)
    else return data
    return undefined
  }
}

/**
 * A block collection reaches from its first value or dash to its last value, without the
 * comments after it.
 */
const reach = (node: YAMLMap | YAMLSeq, parts: readonly Tree[]): Stretch => {
  const { from, to } = stretchOf(node)
  const [first = { from }] = parts
  return node.flow
    ? { from, to }
    : { from: Math.min(from, first.from), to: parts.at(-1)?.to ?? to }
}

/** Where the text of a block scalar ends, without the line ends after it. */
const textEnd = (text: string, from: number, end: number): number => {
  let to = end
  while (to > from && /[\n\r ]/.test(text.charAt(to - 1))) to--
  return to
}

const hex = (unit: string): string =>
  unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
