import { cells } from './cells.ts'
import { displayWidth } from './display-width.ts'

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
  return [...lines, line].map(noCommand)
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

/** GitHub's runner takes every line that begins with two colons for a command. */
const noCommand = (line: string): string => line.replace(/^ *:(?=:)/, '\\u{3a}')
