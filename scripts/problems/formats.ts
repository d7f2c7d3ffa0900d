import { amount } from '../text/amounts.ts'
import { withoutControls } from '../text/json.ts'
import { printable } from '../text/printable.ts'
import { byPlace, type Diagnostic } from './diagnostic.ts'
import { inOneLine, pretty, type Surroundings } from './pretty.ts'

/**
 * Diagnostics as text for a reader, sorted by place, ending with a newline; `''` where there
 * is nothing to say.
 */
type Format = (diagnostics: readonly Diagnostic[], surroundings: Surroundings) => string

/**
 * `file:line:column: error|warning: message [code]`, one problem a line: what editors and
 * grep read.
 */
export const lines = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics
    .toSorted(byPlace)
    .map((one) => `${inOneLine(one)}\n`)
    .join('')

/**
 * GitHub's workflow commands, one per line: annotations on the lines of a pull request.
 * GitHub shows ten errors and ten warnings of a step and drops the rest, so of more than ten
 * the last one says how many there are.
 */
export const github = (diagnostics: readonly Diagnostic[]): string => {
  const sorted = diagnostics.toSorted(byPlace)
  const hidden = (['error', 'warning'] as const).flatMap((severity) => {
    const all = sorted.filter((one) => one.severity === severity)
    return all.length > shownByGitHub ? [all.slice(shownByGitHub - 1)] : []
  })
  const rest = new Set(hidden.flat())
  const shown = sorted.filter((one) => !rest.has(one))
  return [...shown.map(command), ...hidden.map(remainder)].map((line) => `${line}\n`).join('')
}

/** Errors, or warnings, of a step. */
const shownByGitHub = 10

const remainder = (hidden: readonly Diagnostic[]): string => {
  const { severity } = hidden[0]!
  const count = amount(hidden.length, `more ${severity}`)
  return `::${severity} title=${hidden.length} more::${count}. npx shotpress check shows them all.`
}

const command = (diagnostic: Diagnostic): string => {
  const {
    severity,
    code,
    file,
    line,
    column,
    endLine,
    endColumn,
    message,
    hint,
    related = [],
  } = diagnostic
  // GitHub takes columns only where line and endLine are the same.
  const columns = line === endLine ? { col: column, endColumn } : {}
  const properties = { file: printable(file), line, endLine, ...columns, title: code }
  const places = related.map(
    (other) => `${other.file}:${other.line}:${other.column}: ${other.message}`,
  )
  const text = [message, ...(hint === undefined ? [] : [hint]), ...places]
    .map(printable)
    .join('\n')
  const list = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeProperty(String(value))}`,
  )
  return `::${severity} ${list.join(',')}::${escapeData(text)}`
}

// Both as in GitHub's toolkit (@actions/core, command.ts).
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** One JSON array, a diagnostic a line, without a character that a terminal would act on. */
export const json = (diagnostics: readonly Diagnostic[]): string => {
  const lines = diagnostics
    .toSorted(byPlace)
    .map((diagnostic) => withoutControls(JSON.stringify(diagnostic, keys)))
  return lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`
}

/** What is told of a diagnostic and of a related place, in the order of the contract. */
const keys = [
  'severity',
  'code',
  'message',
  'file',
  'line',
  'column',
  'endLine',
  'endColumn',
  'hint',
  'related',
]

/**
 * What `--format` takes. To add a format is a function, and one line here and in
 * verify/report.ts.
 */
export const formats = { pretty, lines, github, json } as const satisfies Record<
  string,
  Format
>
export type FormatName = keyof typeof formats
