import stringWidth from 'string-width'
import { escaped, printable, surelySafe } from './printable.ts'

/** A character as people see it (a grapheme cluster), made safe to show. */
export type Cell = {
  readonly text: string
  /** Columns that it takes on a terminal; at least 1. */
  readonly width: number
  /** Where it ends in the original, in UTF-16 units. */
  readonly end: number
}

/** Columns that a printable text takes on a terminal. */
const displayWidth = (text: string) =>
  surelySafe.test(text) ? text.length : stringWidth(text, { countAnsiEscapeCodes: true })

/**
 * The characters of a line. A tab is four columns; what is unsafe or invisible is a
 * placeholder.
 */
export const cells = (line: string): readonly Cell[] => {
  if (surelySafe.test(line))
    return Array.from(line, (text, at) => ({ text, width: 1, end: at + 1 }))
  // made when it is needed: it takes 10 ms
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
  const shown = new Map<string, Pick<Cell, 'text' | 'width'>>()
  return Array.from(graphemes.segment(line), ({ segment, index }) => {
    const isCommand = index > 0 && line.startsWith('##[', index - 1)
    // most of a line are a few characters again and again, and a width takes long
    const known = isCommand ? undefined : shown.get(segment)
    const text = known?.text ?? (isCommand ? escaped(segment) : visible(segment))
    const one = known ?? { text, width: displayWidth(text) }
    if (!isCommand) shown.set(segment, one)
    return { ...one, end: index + segment.length }
  })
}

const visible = (grapheme: string) => {
  if (grapheme === '\t') return '    '
  const text = printable(grapheme)
  if (displayWidth(text) > 0) return text
  const [first, ...others] = grapheme
  return `${escaped(first!)}${others.length > 0 ? '…' : ''}`
}

/** Columns that cells take together. */
export const widthOf = (row: readonly Cell[]): number =>
  row.reduce((sum, cell) => sum + cell.width, 0)

/**
 * Breaks printable text into lines of at most `room` columns: between words, and inside a
 * word that is longer.
 */
export const wrap = (text: string, room: number): readonly string[] => {
  const charactersOf = (word: string) => cells(word).map((cell) => cell.text)
  const words = text
    .split(' ')
    .flatMap((word) =>
      displayWidth(word) > room ? fill(charactersOf(word), '', room) : word,
    )
  // GitHub's runner takes every line that begins with two colons for a command
  return fill(words, ' ', room).map((line) => line.replace(/^ *:(?=:)/, '\\u{3a}'))
}

/** Printable text in lines that fit: the first one after a lead, the others as far to the right. */
export const hang = (lead: string, text: string, columns: number): readonly string[] =>
  wrap(text, columns - lead.length).map(
    (line, at) => (at === 0 ? lead : ' '.repeat(lead.length)) + line,
  )

/** Lines of at most `room` columns that hold all parts, each of them whole. */
const fill = (parts: readonly string[], between: string, room: number): readonly string[] => {
  const lines: string[] = []
  let line = ''
  let width = 0
  for (const part of parts) {
    const longer = line === '' ? part : line + between + part
    const own = displayWidth(part)
    const sum = width + between.length + own
    // characters that join take less than their sum; all of a line at each word is a square of it
    const fits = line === '' || sum <= room || displayWidth(longer) <= room
    if (!fits) lines.push(line)
    width = fits && line !== '' ? sum : own
    line = fits ? longer : part
  }
  return [...lines, line]
}
