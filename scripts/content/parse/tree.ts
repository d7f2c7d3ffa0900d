import type { Place } from '../../problems/diagnostic.ts'
import type { Data, Path } from './data.ts'
import type { Stretch } from './document.ts'

/**
 * A value and where it stands, with those inside it. An empty value stands where its text
 * would begin.
 */
export type Tree = Stretch & {
  readonly data: Data
  /** Of a mapping. */
  readonly keys?: readonly Tree[] | undefined
  /** The items of a list; of a mapping, one for each of its keys. */
  readonly values?: readonly Tree[] | undefined
}

export const leaf = (data: string, from: number, to: number) => ({
  from,
  to,
  data,
  keys: undefined,
  values: undefined,
})

/** What all aliases of a file may add to it: some 10,000 values, or 1 MiB of text. */
export const maxAliasWeight = 1 << 20

/**
 * The UTF-16 units of text in a value, and 100 for each value in it, aliases written out. It
 * counts no further than `most`.
 */
export const weightOf = ({ data, keys = [], values = [] }: Tree, most: number): number => {
  let weight = typeof data === 'string' ? 100 + data.length : 100
  for (const parts of [keys, values])
    for (const part of parts) if (weight <= most) weight += weightOf(part, most - weight)
  return weight
}

/**
 * What of a value a place is about: itself, its key, or the beginning of a mapping: its first
 * key, or its brace.
 */
export type Part = 'key' | 'value' | 'mapping'

/**
 * An item of a list is its own key. A path that leads nowhere stands for the last value on
 * the way.
 */
export const stretchAt = (root: Tree, path: Path, of: Part): Stretch => {
  let key = root
  let value = root
  for (const step of path) {
    const { keys, values = [] } = value
    const at =
      keys === undefined ? Number(step) : keys.findIndex(({ data }) => data === String(step))
    const next = values[at]
    if (next === undefined) return value
    key = keys?.[at] ?? next
    value = next
  }
  if (of !== 'mapping') return of === 'key' ? key : value
  const first = value.keys?.[0]
  return first?.from === value.from ? first : value
}

/** Turns a stretch of a text into a place. Lines end at a line feed. */
export const placesIn = (file: string, text: string): ((stretch: Stretch) => Place) => {
  const starts: number[] = []
  for (let at = 0; at !== -1; at = text.indexOf('\n', at) + 1 || -1) starts.push(at)
  const find = (offset: number) => {
    let line = 0
    let after = starts.length
    while (after - line > 1) {
      const middle = (line + after) >> 1
      if (starts[middle]! <= offset) line = middle
      else after = middle
    }
    return { line: line + 1, column: offset - starts[line]! + 1 }
  }
  return ({ from, to }) => {
    const end = find(to)
    return { file, ...find(from), endLine: end.line, endColumn: end.column }
  }
}
