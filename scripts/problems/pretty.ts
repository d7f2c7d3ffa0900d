import { type Cell, cells, widthOf, wrap } from '../text/cells.ts'
import { type Paint, painter, type Style } from '../text/paint.ts'
import { printable, surelySafe } from '../text/printable.ts'
import { byPlace, type Diagnostic, type Place, type Span, summary } from './diagnostic.ts'

/** What a format may need besides the diagnostics. */
export type Surroundings = {
  /** The text of a file that a diagnostic names, if it can be read. */
  readonly source: (file: string) => string | undefined
  readonly color: boolean
  /** Width of the terminal. */
  readonly columns: number
  /** The page that explains the codes. Default: docs/diagnostics.md. */
  readonly page?: string
}

/**
 * Diagnostics for people: what is wrong, where, the line with carets below it, what to write
 * instead; those of a file together, and a summary as the last line. Of very many, those
 * beyond the first thousand take a line each.
 *
 *     error: unknown key "titel" [unknown-key]
 *         ╭─ content/members/ana/shots/one.yaml:2:1
 *       2 │ titel: Onboarding
 *         │ ^^^^^
 *         ╰─ hint: did you mean "title"?
 */
export const pretty = (
  diagnostics: readonly Diagnostic[],
  surroundings: Surroundings,
): string => {
  if (diagnostics.length === 0) return ''
  const { color, columns, source, page = 'docs/diagnostics.md' } = surroundings
  const paint = painter(color)
  const look = { paint, columns: Math.max(40, columns), line: lineReader(source) }
  const sorted = diagnostics.toSorted(byPlace)
  const others = sorted.slice(mostInFull).map(inOneLine)
  return [
    ...sorted.slice(0, mostInFull).flatMap((one) => [...problem(one, look), '']),
    ...(others.length > 0 ? [...others, ''] : []),
    paint('dim', `${page} explains each code in [brackets]`),
    paint('bold', summary(diagnostics)),
    '',
  ].join('\n')
}

/** More are told in a line each: nobody reads them all, and what they have in common shows. */
const mostInFull = 1000

/** `file:line:column: error|warning: message [code]` */
export const inOneLine = ({
  file,
  line,
  column,
  severity,
  message,
  code,
}: Diagnostic): string =>
  printable(`${file}:${line}:${column}: ${severity}: ${message} [${code}]`)

type Frame = {
  readonly paint: Paint
  readonly columns: number
  /** A line of a file, counted from 1. */
  readonly line: (file: string, number: number) => string | undefined
  /** Digits of the longest line number. */
  readonly digits: number
  /** A part of the frame, indented. */
  readonly bar: (sign: string) => string
}

type Look = Omit<Frame, 'digits' | 'bar'>

const problem = (diagnostic: Diagnostic, look: Look): readonly string[] => {
  const { severity, hint, related = [] } = diagnostic
  const tone = severity === 'error' ? 'red' : 'yellow'
  const digits = String(Math.max(diagnostic.line, ...related.map(({ line }) => line))).length
  const bar = (sign: string): string => look.paint('dim', `${' '.repeat(digits + 3)}${sign}`)
  const frame = { ...look, digits, bar }
  return [
    ...heading(diagnostic, tone, look),
    ...located(diagnostic, frame, { sign: '╭─', mark: '^', tone }),
    ...related.flatMap((other) =>
      located(other, frame, { sign: '├─', mark: '-', tone: 'cyan', ...other }),
    ),
    ...(hint === undefined ? [] : closing(hint, frame)),
  ]
}

const heading = (
  { severity, message, code }: Diagnostic,
  tone: Style,
  { paint, columns }: Look,
): readonly string[] => {
  const label = `${severity}: `
  const lines = wrap(`${printable(message)} [${code}]`, columns - label.length)
  return lines.map((line, index) => {
    const lead = index === 0 ? paint(tone, label) : ' '.repeat(label.length)
    return lead + paint('bold', line)
  })
}

/** A place, its line, and marks below the stretch of it. */
const located = (
  place: Place,
  { paint, columns, digits, bar, line: lineAt }: Frame,
  {
    sign,
    mark,
    tone,
    message = '',
  }: { sign: string; mark: string; tone: Style; message?: string },
): readonly string[] => {
  const room = columns - digits - 5
  const address = printable(`${place.file}:${place.line}:${place.column}`)
  const above = [
    `${bar(sign)} ${paint('cyan', address)}`,
    ...(message === ''
      ? []
      : wrap(printable(message), room).map((line) => `${bar('│')} ${line}`)),
  ]
  const line = isWholeFile(place) ? undefined : lineAt(place.file, place.line)
  if (line === undefined) return above
  const to = place.endLine === place.line ? place.endColumn - 1 : line.length
  const { text, indent, width } = excerpt(line, { from: place.column - 1, to }, room)
  const number = String(place.line).padStart(digits)
  return [
    ...above,
    [paint('dim', `  ${number} │`), text].join(' '),
    `${bar('│')} ${' '.repeat(indent)}${paint(tone, mark.repeat(width))}`,
  ]
}

/** Such as a stray file, whose first line is not to blame. */
const isWholeFile = ({ line, column, endLine, endColumn }: Span): boolean =>
  Math.max(line, column, endLine, endColumn) === 1

const closing = (hint: string, { paint, columns, digits, bar }: Frame): readonly string[] => {
  const indent = ' '.repeat(digits + 12)
  return wrap(printable(hint), columns - indent.length).map((line, index) =>
    index === 0 ? `${bar('╰─')} ${paint('green', 'hint: ')}${line}` : indent + line,
  )
}

/** Remembers the file that was asked for last: problems are sorted by file. */
const lineReader = (source: Surroundings['source']): Look['line'] => {
  let last:
    | { readonly file: string; readonly lines: readonly string[] | undefined }
    | undefined
  return (file, number) => {
    if (last?.file !== file)
      last = {
        file,
        lines: source(file)
          ?.replace(/^\ufeff/, '')
          .split('\n'),
      }
    return last.lines?.[number - 1]?.replace(/\r$/, '')
  }
}

/**
 * What fits into `room` columns of a line, around the stretch from `from` to `to` (UTF-16
 * units from 0; beyond the end is the end); columns before the marks below it, and of the
 * marks: at least 1. `…` stands for what is cut.
 */
const excerpt = (line: string, stretch: { from: number; to: number }, room: number) => {
  if (line.length <= room && surelySafe.test(line)) {
    const indent = Math.max(0, Math.min(stretch.from, line.length))
    return {
      text: line,
      indent,
      width: Math.max(1, Math.min(stretch.to, line.length) - indent),
    }
  }
  // a line may be a whole file of 1 MiB with a thousand problems on it: look at no more than
  // can be shown
  const skipped = Math.max(0, Math.min(stretch.from, line.length) - 2 * room)
  const cut = skipped + 6 * room
  const row = cells(line.slice(skipped, cut))
  const first = indexAt(row, stretch.from - skipped)
  const last = Math.max(first, indexAt(row, stretch.to - 1 - skipped) + 1)
  const { start, end } = view(row, { first, last }, room)
  const lead = start > 0 || skipped > 0 ? '…' : ''
  const trail = end < row.length || cut < line.length ? '…' : ''
  const shown = row.slice(start, end)
  return {
    text: lead + shown.map((cell) => cell.text).join('') + trail,
    indent: lead.length + widthOf(row.slice(start, first)),
    width: Math.max(1, widthOf(row.slice(first, Math.min(last, end)))),
  }
}

/** The cell that holds an offset; the row's length for an offset after the last cell. */
const indexAt = (row: readonly Cell[], offset: number): number => {
  const index = row.findIndex((cell) => cell.end > offset)
  return index === -1 ? row.length : index
}

/**
 * The cells to show: all, or a little of what comes before, the stretch, and as much of both
 * sides as fits.
 */
const view = (
  row: readonly Cell[],
  { first, last }: { first: number; last: number },
  room: number,
) => {
  if (widthOf(row) <= room) return { start: 0, end: row.length }
  let start = first
  let end = first
  let left = room - 2
  const grow = (at: number): boolean => {
    const cell = row[at]
    if (cell === undefined || cell.width > left) return false
    left -= cell.width
    start = Math.min(start, at)
    end = Math.max(end, at + 1)
    return true
  }
  while (left > room * 0.75 && grow(start - 1));
  while (end < last && grow(end));
  while ([grow(start - 1), grow(end)].includes(true));
  return { start, end }
}
