import stringWidth from 'string-width'
import { escaped, printable } from './printable.ts'

/** A character as people see it (a grapheme cluster), made safe to show. */
export type Cell = {
  readonly text: string
  /** Columns that it takes on a terminal; at least 1. */
  readonly width: number
  /** Where it ends in the original, in UTF-16 units. */
  readonly end: number
}

/** Columns that a printable text takes on a terminal. */
export const displayWidth = (text: string): number => stringWidth(text, { countAnsiEscapeCodes: true })

/** The characters of a line. A tab is four columns; what is unsafe or invisible is a placeholder. */
export const cells = (line: string): readonly Cell[] =>
  Array.from(graphemes().segment(line), ({ segment, index }) => {
    const isCommand = index > 0 && line.startsWith('##[', index - 1)
    return { ...(isCommand ? plain(escaped(segment)) : visible(segment)), end: index + segment.length }
  })

/** Columns that cells take together. */
export const widthOf = (row: readonly Cell[]): number => row.reduce((sum, cell) => sum + cell.width, 0)

/** Made when it is needed: it takes 10 ms. */
const graphemes = (): Intl.Segmenter => new Intl.Segmenter('en', { granularity: 'grapheme' })

const visible = (grapheme: string): Pick<Cell, 'text' | 'width'> => {
  if (grapheme === '\t') return plain('    ')
  const text = printable(grapheme)
  const width = displayWidth(text)
  if (width > 0) return { text, width }
  const [first, ...others] = grapheme
  return plain(`${escaped(first!)}${others.length > 0 ? '…' : ''}`)
}

const plain = (text: string): Pick<Cell, 'text' | 'width'> => ({ text, width: text.length })

/** Breaks printable text into lines of at most `room` columns: between words, and inside a word that is longer. */
export const wrap = (text: string, room: number): readonly string[] => {
  const lines: string[] = []
  let line = ''
  for (const piece of text.split(' ').flatMap((word) => pieces(word, room))) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(piece) > room) {
      lines.push(line)
      line = piece
    } else {
      line += line === '' ? piece : ` ${piece}`
    }
  }
  // GitHub's runner takes every line that begins with two colons for a command
  return [...lines, line].map((one) => one.replace(/^ *:(?=:)/, '\\u{3a}'))
}

const pieces = (word: string, room: number): readonly string[] => {
  if (displayWidth(word) <= room) return [word]
  const parts: string[] = []
  let part = ''
  let used = 0
  for (const cell of cells(word)) {
    if (used + cell.width > room) {
      parts.push(part)
      part = ''
      used = 0
    }
    part += cell.text
    used += cell.width
  }
  return [...parts, part]
}
