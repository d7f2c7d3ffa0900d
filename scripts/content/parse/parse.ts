import type { Alias, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import type { Place } from '../../problems/diagnostic.ts'
import type { Args, Code } from '../../problems/messages.ts'
import { once } from '../once.ts'
import { type Data, emptyMapping, type Path } from './data.ts'
import { type Composed, composeFirst, lineAt, maxParts, type Stretch, yaml } from './document.ts'
import { readTree } from './reader.ts'
import { lineError, type Misread, syntaxError } from './syntax-error.ts'
import { type Part, placesIn, stretchAt, type Tree } from './tree.ts'

export type Source = {
  /** As diagnostics name it: the `--content` value, `/`, the path inside. */
  readonly file: string
  /** The whole text, without a byte order mark. */
  readonly text: string
  /** The text parsed, which others may have asked for. */
  readonly parsed?: () => Parsed
}

export type Parsed = {
  /** `undefined` when the syntax leaves nothing to go on with. */
  readonly data: Data | undefined
  /** Whether the data is all that the file says. After a syntax error it is what can still be read. */
  readonly whole: boolean
  /** In the order of the file. */
  readonly problems: readonly Problem[]
  /** Whether a comment such as `#x`, or an anchor, may have been meant for a part of a value. */
  readonly mayBeCut: boolean
  /** What was read, as it stands in the text; made again when somebody asks, as few do. */
  readonly tree: () => Tree | undefined
  readonly placeOf: (stretch: Stretch) => Place
  /**
   * The place of the value at a path, or of its key. An alias stands where it is written, what lies below it where
   * its anchor is; a path that leads nowhere has the place of the last value on the way.
   */
  readonly place: (path: Path, of: Part) => Place
}

/** What is wrong with a stretch of a file's YAML, before it has words. */
export type Problem = Stretch &
  {
    readonly [C in Code]: {
      readonly code: C
      readonly args: Facts<C>
      /** Where a duplicate key was given before. */
      readonly first?: Stretch | undefined
    }
  }[Code]

/** What words need to know that the text doesn't say: of these three, the words are made of the text around. */
type Facts<C extends Code> = C extends 'yaml-syntax'
  ? Pick<Misread, 'said'>
  : C extends 'bad-tag' | 'multiple-documents'
    ? undefined
    : Args<C>

/** Reads YAML with the failsafe schema: every scalar is its text. Never throws; after a syntax error it reads the rest. */
export const parse = (source: Source): Parsed => {
  const { file, text } = source
  const read = readTree(text)
  if (read === undefined) return parseFully(source)
  const again = once(() => readTree(text)!)
  const { mayBeCut, tree } = read
  const placed = placing(
    () => again().tree,
    placesIn(file, () => again().text),
  )
  return { data: tree.data, whole: true, problems: [], mayBeCut, ...placed }
}

/** The same by `yaml` alone, which reads no more than {@link maxParts}. */
export const parseFully = ({ file, text }: Source): Parsed => {
  const problems: Problem[] = []
  const tree = read(text, (code, { from, to }, args, first) => {
    // code and args belong together, which a union can't show
    problems.push({ code, from, to, args, first } as Problem)
  })
  return {
    data: tree?.data,
    whole: tree !== undefined && !problems.some(({ code }) => code === 'yaml-syntax'),
    problems: problems.sort((a, b) => a.from - b.from),
    mayBeCut: /[ \t](?:#[^\s#]|&)/.test(text),
    ...placing(
      () => tree,
      placesIn(file, () => text),
    ),
  }
}

const placing = (
  tree: Parsed['tree'],
  placeOf: Parsed['placeOf'],
): Pick<Parsed, 'tree' | 'placeOf' | 'place'> => ({
  tree,
  placeOf,
  place: (path, of) => {
    const place = placeOf(stretchAt(tree() ?? nowhere, path, of))
    return of === 'mapping' && place.endLine > place.line
      ? { ...place, endLine: place.line, endColumn: place.column + 1 }
      : place
  },
})

const nowhere: Tree = { data: '', from: 0, to: 0 }

/** What a text says; `undefined` where nothing of it can be read. */
const read = (text: string, report: Report): Weighed | undefined => {
  const composed = composeFirst(text)
  if ('tooMuch' in composed) {
    const at = { from: composed.at, to: composed.at + 1 }
    if (composed.tooMuch === 'too-deep') report('too-deep', at, undefined)
    else report('too-many-values', at, { limit: maxParts })
    return undefined
  }
  const { contents, second } = composed
  const error = syntaxError(composed)
  const { sound, errors } = error
    ? recover(text, contents, error)
    : { sound: [composed], errors: [] }
  for (const one of errors) report('yaml-syntax', one, one)
  const [first, ...others] = sound
  if (first === undefined) return undefined
  for (const tag of sound.flatMap(badTags)) report('bad-tag', tag, undefined)
  if (second !== undefined && error === undefined) {
    const to = text.startsWith('---', second) ? second + 3 : lineAt(text, second).to
    report('multiple-documents', { from: second, to }, undefined)
  }
  const root = first.contents
  // an empty file, or one that holds comments only, says as much as `{}`
  if (!root || (yaml().isScalar(root) && root.type === 'PLAIN' && root.value === ''))
    return { data: emptyMapping(), keys: [], from: 0, to: 0, weight: 0 }
  // entries that were read by themselves are those of one mapping
  if (others.length > 0) {
    ;(root as YAMLMap).items = sound.flatMap(({ contents }) => (contents as YAMLMap).items)
  }
  return resolve(root, text, (code, ...about) => {
    // its anchor may be where the syntax error is
    if (error === undefined || code !== 'unknown-alias') report(code, ...about)
  })
}

/** Nobody writes files beyond this size (UTF-16 units) or number of entries by hand; to read them twice is no help. */
export const recoverLimits = { size: 1 << 16, entries: 100 } as const

/**
 * Reads each entry of the outermost mapping by itself, so that a syntax error in one doesn't hide the others: the entries
 * that are sound, a mapping each, and the errors. Of a text that doesn't come apart like that, its `first` error alone.
 */
const recover = (text: string, contents: Composed['contents'], first: Misread) => {
  const nothing = { sound: [], errors: [first] }
  if (yaml().isCollection(contents) && (contents.flow || yaml().isSeq(contents))) return nothing
  if (text.length > recoverLimits.size || mergeMark.test(text)) return nothing
  const stretches = entriesOf(text)
  if (stretches.length > recoverLimits.entries) return nothing
  const sound: Composed[] = []
  const errors: Misread[] = []
  for (const stretch of stretches) {
    const one = composeFirst(text, stretch)
    if ('tooMuch' in one) return nothing
    const error = syntaxError(one)
    if (error !== undefined) errors.push(error)
    else if (yaml().isMap(one.contents)) sound.push(one)
    else errors.push(lineError(stretch.from))
  }
  return { sound, errors: errors.length > 0 ? errors : [first] }
}

/** A merge that was not finished holds every key twice, which is no second mistake. */
const mergeMark = /^(?:<{7}|>{7}) /m

/** A key at the beginning of a line; a space may be missing after its colon, but not before the slashes of a URL. */
const keyLine =
  /^( *)(?:[A-Za-z_][\w-]*[ \t]*:(?=\s|$)|[A-Za-z_]\w*:(?!\/\/)(?=\S)|"[^"\n]*"[ \t]*:(?=\s|$)|'[^'\n]*'[ \t]*:(?=\s|$))/gm

/** The entries of the outermost mapping, each from its key to the next one; what comes before the first key counts as one. */
const entriesOf = (text: string): readonly Stretch[] => {
  const keys = [...text.matchAll(keyLine)]
  const outermost = keys.filter(([, indent]) => indent!.length <= keys[0]![1]!.length)
  const starts = outermost.map(({ index }) => index)
  // comments and `---` in front are no entry
  const hasPreface = /^(?!---)[^\s#]/m.test(text.slice(0, starts[0]))
  return [...(hasPreface ? [0] : []), ...starts].map((from, index, all) => ({
    from,
    to: all[index + 1] ?? text.length,
  }))
}

/** The tags that yaml can't resolve with three types, each once, and the lone `!`. */
const badTags = ({ errors, warnings, loneTags }: Composed): readonly Stretch[] => {
  const tags = new Map(loneTags.map((from) => [from, from + 1]))
  for (const { code, pos } of [...errors, ...warnings])
    if (code === 'TAG_RESOLVE_FAILED') tags.set(...pos)
  return Array.from(tags, ([from, to]) => ({ from, to }))
}

/** With the UTF-16 units of text in it, aliases written out, and {@link valueWeight} for each value. */
type Weighed = Tree & { readonly weight: number }

/** Takes what is wrong with a stretch of the text, and where a duplicate key was given before. */
type Report = <C extends Code>(code: C, at: Stretch, args: Facts<C>, first?: Stretch) => void

const valueWeight = 100

/** What all aliases of a file may add to it: some 10,000 values, or 1 MiB of text. */
const maxAliasWeight = 1 << 20

/**
 * Turns yaml's nodes into plain data, in document order, so that an alias sees the anchors before it. What can't be
 * read is reported and left out (keys) or stands as it was written (aliases).
 */
const resolve = (root: Node, text: string, report: Report): Weighed => {
  const { isAlias, isMap, isScalar } = yaml()
  const anchors = new Map<string, Weighed | 'open'>()
  let aliasWeight = 0
  // what no character is comes from an escape, or stands in the text as it is
  const mayBeBad = /[\0\\\ufffe\uffff]/.test(text) || !text.isWellFormed()

  const read = (node: Node): Weighed => {
    if (isAlias(node)) return alias(node)
    if (node.anchor !== undefined) anchors.set(node.anchor, 'open')
    const tree = isScalar(node) ? scalar(node) : collection(node)
    if (node.anchor !== undefined) anchors.set(node.anchor, tree)
    return tree
  }

  const scalar = ({ range, type, value }: Scalar): Weighed => {
    const [from, end] = range!
    const to = type?.startsWith('BLOCK') ? textEnd(text, from, end) : end
    const tree = leaf(value as string, { from, to })
    if (!mayBeBad) return tree
    const [bad] = /[\0\p{Cs}]/u.exec(value as string) ?? []
    // two that are no characters: other readers of YAML refuse them as they are
    const at = text.slice(from, to).search(/[\ufffe\uffff]/) + from
    if (bad !== undefined) report('bad-character', tree, { code: hex(bad) })
    else if (at >= from)
      report('bad-character', { from: at, to: at + 1 }, { escape: hex(text[at]!) })
    return tree
  }

  const alias = ({ range, source: name }: Alias): Weighed => {
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

  const collection = (node: Node): Weighed =>
    isMap(node) ? mapping(node) : list(node as YAMLSeq<Node>)

  const list = (node: YAMLSeq<Node>): Weighed => {
    const values = node.items.map(read)
    return { data: values.map(({ data }) => data), values, ...sumOf(node, values) }
  }

  const mapping = (node: YAMLMap): Weighed => {
    const data = emptyMapping()
    const keys = new Map<string, Tree>()
    const values: Tree[] = []
    const parts: Weighed[] = []
    for (const { key: keyNode, value: valueNode } of node.items as Pair<Node, Node | null>[]) {
      const key = read(keyNode)
      const value = valueNode === null ? leaf('', { from: key.to, to: key.to }) : read(valueNode)
      parts.push(key, value)
      if (!isKey(keyNode, key, keys)) continue
      data[key.data as string] = value.data
      keys.set(key.data as string, key)
      values.push(value)
    }
    return { data, keys: [...keys.values()], values, ...sumOf(node, parts) }
  }

  const isKey = (node: Node, key: Tree, known: ReadonlyMap<string, Tree>): boolean => {
    const { data } = key
    const isPlain = isScalar(node) && node.type === 'PLAIN'
    const first = typeof data === 'string' ? known.get(data) : undefined
    if (typeof data !== 'string' || (isPlain && data === '')) {
      const [item, ...others] = Array.isArray(data) ? data : []
      // a longer one is nothing to copy from a hint
      const isText = typeof item === 'string' && /^.{1,100}$/s.test(item) && others.length === 0
      report('bad-key', key, { name: isText ? item : undefined })
    } else if (isPlain && data === '<<') report('merge-key', key, undefined)
    else if (first !== undefined) report('duplicate-key', key, { key: data }, first)
    else return true
    return false
  }

  return read(root)
}

const leaf = (data: string, at: Stretch): Weighed => ({
  ...at,
  data,
  weight: valueWeight + data.length,
})

/** A block collection reaches from its first value or dash to its last value, without the comments after it. */
const sumOf = (
  { range, flow }: YAMLMap | YAMLSeq,
  parts: readonly Weighed[],
): Stretch & { weight: number } => {
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

const hex = (unit: string): string => unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
