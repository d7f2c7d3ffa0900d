import type { Span } from '../../problems/diagnostic.ts'

/** Turns a stretch of a text, given by its offsets, into lines and columns. */
export type Lines = (from: number, to: number) => Span

/** Lines end at a line feed; the text is only looked at once a position is asked for. */
export const linesOf = (text: string): Lines => {
  let starts: readonly number[] | undefined
  return (from, to) => {
    starts ??= lineStarts(text)
    const start = lineAt(starts, from)
    const end = lineAt(starts, to)
    return {
      line: start + 1,
      column: from - starts[start]! + 1,
      endLine: end + 1,
      endColumn: to - starts[end]! + 1,
    }
  }
}

const lineStarts = (text: string): readonly number[] => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Index of the last line that begins at or before an offset. */
const lineAt = (starts: readonly number[], offset: number): number => {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle
  }
  return low
}
