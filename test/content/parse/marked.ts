import type { Span } from '../../../scripts/problems/diagnostic.ts'

/** A text without the ‹marks› that show places in it. */
export const unmarked = (text: string) => text.replaceAll(/[‹›]/g, '')

/**
 * A text with places shown by ‹marks›, so that a test reads as what an author would see
 * underlined.
 */
export const mark = (text: string, spans: readonly Span[]) => {
  const inserts = spans.flatMap(({ line, column, endLine, endColumn }) => [
    { at: offsetOf(text, line, column), sign: '‹' },
    { at: offsetOf(text, endLine, endColumn), sign: '›' },
  ])
  // where one mark ends and the next begins, the end comes first; an empty place is opened
  // before it is closed
  inserts.sort((a, b) => a.at - b.at)
  let marked = ''
  let from = 0
  for (const { at, sign } of inserts) {
    marked += text.slice(from, at) + sign
    from = at
  }
  return marked + text.slice(from)
}

const offsetOf = (text: string, line: number, column: number) => {
  const lines = text.split('\n').slice(0, line - 1)
  return lines.reduce((sum, { length }) => sum + length + 1, 0) + column - 1
}
