import { displayWidth, wrap } from '../text/cells.ts'
import { type Paint, painter, type Style } from '../text/paint.ts'
import { printable } from '../text/printable.ts'
import { byPlace, type Diagnostic, fileStart, type Place, type Span, summary } from './diagnostic.ts'
import { excerpt } from './excerpt.ts'
import type { Surroundings } from './formats.ts'

/**
 * Diagnostics for people: what is wrong, where, the line with carets below it, what to write instead; those of a
 * file together, and a summary as the last line.
 *
 *     error: unknown key "titel" [unknown-key]
 *         ╭─ content/members/ana/shots/one.yaml:2:1
 *       2 │ titel: Onboarding
 *         │ ^^^^^
 *         ╰─ hint: did you mean "title"?
 */
export const pretty = (diagnostics: readonly Diagnostic<string>[], surroundings: Surroundings): string => {
  if (diagnostics.length === 0) return ''
  const look: Look = {
    paint: painter(surroundings.color),
    columns: Math.max(40, surroundings.columns),
    line: lineReader(surroundings.source),
  }
  const problems = diagnostics.toSorted(byPlace).map((diagnostic) => problem(diagnostic, look))
  return [
    ...problems.flatMap((lines) => [...lines, '']),
    look.paint('dim', `${surroundings.page ?? 'docs/diagnostics.md'} explains each code in [brackets]`),
    look.paint('bold', summary(diagnostics)),
    '',
  ].join('\n')
}

type Look = {
  readonly paint: Paint
  readonly columns: number
  /** A line of a file, counted from 1. */
  readonly line: (file: string, number: number) => string | undefined
}

const problem = (diagnostic: Diagnostic<string>, look: Look): readonly string[] => {
  const { paint } = look
  const { severity, code, message, hint, related = [] } = diagnostic
  const tone = severity === 'error' ? 'red' : 'yellow'
  const last = related.reduce((line, place) => Math.max(line, place.line), diagnostic.line)
  const digits = String(last).length
  const frame: Frame = { ...look, digits, bar: (sign) => paint('dim', `${' '.repeat(digits + 3)}${sign}`) }
  return [
    ...heading(`${severity}: `, { message, code, tone }, look),
    ...located(diagnostic, frame, { sign: '╭─', mark: '^', tone }),
    ...related.flatMap((other) => located(other, frame, { sign: '├─', mark: '-', tone: 'cyan', ...other })),
    ...(hint === undefined ? [] : closing('hint: ', hint, frame)),
  ]
}

type Frame = Look & {
  /** Digits of the longest line number. */
  readonly digits: number
  /** A part of the frame, indented. */
  readonly bar: (sign: string) => string
}

const heading = (
  label: string,
  { message, code, tone }: { message: string; code: string; tone: Style },
  { paint, columns }: Look,
): readonly string[] => {
  const lines = wrap(`${printable(message)} [${code}]`, columns - label.length)
  return lines.map((line, index) => {
    const text = index === lines.length - 1 ? line.slice(0, -code.length - 2) : line
    const lead = index === 0 ? paint(tone, label) : ' '.repeat(label.length)
    return lead + paint('bold', text) + (text === line ? '' : paint('dim', `[${code}]`))
  })
}

/** A place, its line, and marks below the stretch of it. */
const located = (
  place: Place,
  frame: Frame,
  { sign, mark, tone, message = '' }: { sign: string; mark: string; tone: Style; message?: string },
): readonly string[] => {
  const { paint, columns, digits, bar } = frame
  const room = columns - digits - 5
  const address = printable(`${place.file}:${place.line}:${place.column}`)
  const beside = message === '' || displayWidth(address) + 2 + displayWidth(printable(message)) <= room - 1
  const above = [
    `${bar(sign)} ${paint('cyan', address)}${beside && message !== '' ? `  ${printable(message)}` : ''}`,
    ...(beside ? [] : wrap(printable(message), room).map((line) => `${bar('│')} ${line}`)),
  ]
  const line = isWholeFile(place) ? undefined : frame.line(place.file, place.line)
  if (line === undefined) return above
  const to = place.endLine === place.line ? place.endColumn - 1 : line.length
  const shown = excerpt(line, { from: place.column - 1, to }, room)
  const number = paint('dim', `  ${String(place.line).padStart(digits)} │`)
  return [
    ...above,
    `${number} ${shown.text}`,
    `${bar('│')} ${' '.repeat(shown.indent)}${paint(tone, mark.repeat(shown.width))}`,
  ]
}

/** Such as a stray file, whose first line is not to blame. */
const isWholeFile = (place: Place): boolean =>
  Object.entries(fileStart).every(([key, number]) => place[key as keyof Span] === number)

const closing = (label: string, text: string, { paint, columns, digits, bar }: Frame): readonly string[] =>
  wrap(printable(text), columns - digits - 6 - label.length).map((line, index) =>
    index === 0
      ? `${bar('╰─')} ${paint('green', label)}${line}`
      : `${' '.repeat(digits + 6 + label.length)}${line}`,
  )

/** Remembers the file that was asked for last, and the one before: problems are sorted by file. */
const lineReader = (source: Surroundings['source']): Look['line'] => {
  const recent = new Map<string, readonly string[]>()
  return (file, number) => {
    const lines =
      recent.get(file) ??
      source(file)
        ?.replace(/^\ufeff/, '')
        .split('\n') ??
      []
    recent.delete(file)
    recent.set(file, lines)
    for (const oldest of [...recent.keys()].slice(0, -2)) recent.delete(oldest)
    return lines[number - 1]?.replace(/\r$/, '')
  }
}
