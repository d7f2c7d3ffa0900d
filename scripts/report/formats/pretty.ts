import { wrap } from '../../text/cells.ts'
import { painter } from '../../text/paint.ts'
import { printable } from '../../text/printable.ts'
import type { Line } from '../outline.ts'
import type { ReportFormat } from './format.ts'

/** For a terminal. */
export const pretty: ReportFormat = ({ summary, sections }, { color, columns }) => {
  const paint = painter(color)
  const bullet = (line: Line, indent: string, mark: string): readonly string[] =>
    wrap(text(line), columns - indent.length - 2).map((row, at) => `${indent}${at === 0 ? mark : ' '} ${row}`)
  return [
    ...sections.flatMap(({ title, items }) => [
      paint('bold', title),
      ...items.flatMap(({ line, details }) => [
        ...bullet(line, '  ', '•'),
        ...details.flatMap((detail) => bullet(detail, '    ', '–')),
      ]),
      '',
    ]),
    paint('bold', summary),
    '',
  ].join('\n')
}

/** A value is shown up to this length: a bio may have thousands of characters. */
const longest = 300

const text = (line: Line): string =>
  line.map((piece) => (typeof piece === 'string' ? piece : printable(shorten(piece.value)))).join('')

/** A value cut to a length that a reader takes in. */
export const shorten = (value: string): string => {
  const chars = Array.from(value.slice(0, longest * 2))
  return chars.length > longest ? `${chars.slice(0, longest - 1).join('')}…` : value
}
