import { displayWidth } from './display-width.ts'
import { escaped, printable } from './printable.ts'

/** A character as people see it (a grapheme cluster), made safe to show. */
export type Cell = {
  readonly text: string
  /** Columns that it takes on a terminal; at least 1. */
  readonly width: number
  /** Where it ends in the original, in UTF-16 units. */
  readonly end: number
}

/** The characters of a line. A tab is four columns; what is unsafe or invisible is a placeholder. */
export const cells = (line: string): readonly Cell[] =>
  Array.from(graphemes().segment(line), ({ segment, index }) => ({
    ...(index > 0 && line.startsWith('##[', index - 1) ? plain(escaped(segment)) : visible(segment)),
    end: index + segment.length,
  }))

/** Columns that cells take together. */
export const widthOf = (row: readonly Cell[]): number => row.reduce((sum, cell) => sum + cell.width, 0)

/** Made when it is needed: it takes 10 ms. */
const graphemes = (): Intl.Segmenter => new Intl.Segmenter('en', { granularity: 'grapheme' })

type Shown = Pick<Cell, 'text' | 'width'>

const visible = (grapheme: string): Shown => {
  if (grapheme === '\t') return plain('    ')
  const text = printable(grapheme)
  const width = displayWidth(text)
  if (width > 0) return { text, width }
  const [first, ...others] = grapheme
  return plain(`${escaped(first!)}${others.length > 0 ? '…' : ''}`)
}

const plain = (text: string): Shown => ({ text, width: text.length })
