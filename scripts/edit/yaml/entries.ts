import type { Node, Pair, YAMLMap } from 'yaml'
import { composeFirst, yaml } from '../../content/parse/document.ts'
import { lineEnd, lineStart } from './splice.ts'

/** A key of a block mapping with its value: whole lines, together with the comments that are about it. */
export type Entry = {
  readonly key: string
  /** Where the key ends. */
  readonly keyEnd: number
  /** Absent where nothing follows the colon. */
  readonly value: Node | undefined
  /** Where the lines begin: with the comments above, if there are any. */
  readonly from: number
  /** Where the key's own line begins. */
  readonly line: number
  /** Where the line ends on which the value does. */
  readonly end: number
  /** Where the lines end: comments that are indented below the value belong to it. */
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
  const composed = composeFirst(text)
  if ('tooMuch' in composed) return undefined
  const { contents } = composed
  if (contents === null || (yaml().isScalar(contents) && contents.value === ''))
    return { entries: [], column: 0 }
  if (!yaml().isMap(contents) || contents.flow) return undefined
  return entriesOf(text, contents)
}

const entriesOf = (text: string, map: YAMLMap): Entries | undefined => {
  const pairs = map.items as Pair<Node, Node | null>[]
  const keys = pairs.map(({ key }) => ({ line: lineStart(text, key.range![0]), start: key.range![0] }))
  const column = indentOf(text, keys[0]!.line)
  // a key shares its line with nothing but spaces, a question mark, an anchor
  if (keys.some(({ line }) => indentOf(text, line) !== column || /^(?:---|[%#])/.test(text.slice(line))))
    return undefined
  const bodies = pairs.map(({ key, value }, index) => ({
    line: keys[index]!.line,
    end: lineEnd(text, lastOf(text, value ?? key)),
  }))
  const gaps = bodies.map(({ end }, index) =>
    splitGap(text, { from: end, to: bodies[index + 1]?.line ?? text.length, column }),
  )
  const entries = pairs.map(({ key, value }, index): Entry => {
    const { line, end } = bodies[index]!
    return {
      key: String((key as { value?: unknown }).value),
      keyEnd: key.range![1],
      value: value ?? undefined,
      from: index === 0 ? firstLead(text, line) : gaps[index - 1]!,
      line,
      end,
      to: gaps[index]!,
    }
  })
  return { entries, column }
}

const indentOf = (text: string, line: number): number => /^ */.exec(text.slice(line, line + 100))![0].length

/** An offset on the line on which a value ends. */
export const lastOf = (text: string, node: Node): number => {
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

type Gap = { readonly from: number; readonly to: number; readonly column: number }

/**
 * Where between two entries the lines of the first end. Comments belong to what they are indented below, else to
 * what no blank line keeps them from, else to what follows.
 */
const splitGap = (text: string, { from, to, column }: Gap): number => {
  let split = from
  for (let at = from; at < to; at = lineEnd(text, at)) {
    const line = text.slice(at, lineEnd(text, at))
    if (line.trim() === '') continue
    if (!line.trimStart().startsWith('#') || line.search(/\S/) <= column) break
    split = lineEnd(text, at)
  }
  if (to === text.length) return split
  for (let at = split; at < to; at = lineEnd(text, at)) {
    if (text.slice(at, lineEnd(text, at)).trim() === '') return at
  }
  return split
}

/** Where the comments right above the first key begin; the modeline and the document's start stay on top. */
const firstLead = (text: string, line: number): number => {
  let lead = 0
  for (let at = 0; at < line; at = lineEnd(text, at)) {
    const one = text.slice(at, lineEnd(text, at)).trim()
    if (!one.startsWith('#') || one.startsWith('# yaml-language-server:')) lead = lineEnd(text, at)
  }
  return lead
}
