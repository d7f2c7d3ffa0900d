import { parseFully } from '../../content/parse/parse.ts'
import type { Tree } from '../../content/parse/tree.ts'
import { commentsOf } from './comments.ts'

/** Whether a comment stands beside the value of a key, or within it. */
export const hasComment = (text: string, key: string): boolean => {
  const entry = readEntries(text)?.find((one) => one.key === key)
  const { line = 0, end = 0 } = entry ?? {}
  return commentsOf(text).some(({ from }) => line <= from && from < end)
}

/** Offset of the beginning of the line that an offset is in. */
export const lineStart = (text: string, at: number) => text.lastIndexOf('\n', at - 1) + 1

/**
 * Offset right after the line feed of the line that an offset is in; the text's end on its
 * last line.
 */
const lineEnd = (text: string, at: number) => text.indexOf('\n', at) + 1 || text.length

/**
 * A key of a block mapping with its value: whole lines, together with the comments that are
 * about it.
 */
type Entry = {
  readonly key: string
  /** Right after its colon. */
  readonly colon: number
  readonly value: Tree
  /**
   * Where its lines begin: with what stands above it. A comment with which a file begins is
   * the file's.
   */
  readonly from: number
  /** Where the key's own line begins. */
  readonly line: number
  /** Where the line ends on which the value does. */
  readonly end: number
  /** Where its lines end: comments that are indented below the value belong to it. */
  readonly to: number
}

/**
 * The entries of a block mapping, in its order; `undefined` if the text is anything else.
 * Lines before the first entry and after the last belong to none. The text must be free of
 * syntax errors.
 */
export const readEntries = (text: string): readonly Entry[] | undefined => {
  const { from: start = 0, keys, values = [] } = treeOf(text) ?? {}
  if (keys === undefined || text[start] === '{') return undefined
  const bodies = values.map((value, at) => {
    // each value has its key
    const key = keys[at]!
    const colon = text.indexOf(':', key.to) + 1
    const line = lineStart(text, key.from)
    const end = Math.max(lineEnd(text, colon), endOf(text, value))
    return { key: String(key.data), colon, value, line, end }
  })
  const [first] = bodies
  if (first === undefined) return []
  const column = indentOf(text, first.line)
  // a key shares its line with nothing but spaces, a question mark, an anchor
  const isAlone = ({ line }: { readonly line: number }) => {
    const start = text.slice(line, line + 3)
    return indentOf(text, line) === column && !/^(?:---|[%#])/.test(start)
  }
  if (!bodies.every(isAlone)) return undefined
  let from = withLead(text, first.line)
  return bodies.map((body, at) => {
    const next = bodies[at + 1]?.line ?? text.length
    const to = withIndented(text, { from: body.end, to: next, column })
    const entry = { ...body, from, to }
    from = to
    return entry
  })
}

/** The tree of a text, whose offsets are those of the text, as the quick reader's may not be. */
export const treeOf = (text: string) => parseFully({ file: '', text }).tree()

/** How many spaces begin the line at an offset. */
export const indentOf = (text: string, line: number) =>
  text.slice(line, line + 100).search(/[^ ]|$/)

/** Where the line ends on which a value does, with the blank lines that are a part of it. */
export const endOf = (text: string, value: Tree): number => {
  const isWhole = /[[{*]/.test(text[value.from] ?? '')
  const last = isWhole ? undefined : value.values?.at(-1)
  if (last) return endOf(text, last)
  const end = lineEnd(text, value.to)
  const mark = text.slice(value.from, value.from + 3)
  const isKept = /^[|>](?:\+|-?\d)/.test(mark)
  return isKept ? end + lengthOf(/^(?:[^\S\n]*\n)*/, text.slice(end)) : end
}

/** How much of a text a pattern takes. */
const lengthOf = (pattern: RegExp, text: string) => pattern.exec(text)?.[0].length ?? 0

/**
 * Where the first entry begins: with the comments right above it, if a blank line keeps them
 * from the file's start.
 */
const withLead = (text: string, line: number) => {
  let lead = line
  let end: number
  for (let at = 0; at < line; at = end) {
    end = lineEnd(text, at)
    if (!text.slice(at, end).trim().startsWith('#')) lead = end
  }
  return lead
}

/**
 * Where the lines of an entry end: comments that are indented below it are its own, others
 * belong to what follows.
 */
const withIndented = (
  text: string,
  {
    from,
    to,
    column,
  }: { readonly from: number; readonly to: number; readonly column: number },
) => {
  const comments = new RegExp(
    `^(?:(?:[^\\S\\n]*\\n)*[^\\S\\n]{${column + 1},}#[^\\n]*(?:\\n|$))*`,
  )
  return from + lengthOf(comments, text.slice(from, to))
}
