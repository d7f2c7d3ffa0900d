import { printable } from '../text/printable.ts'
import { byPlace, type Diagnostic } from './diagnostic.ts'

/** GitHub's workflow commands, one a line: annotations on the lines of a pull request. */
export const github = (diagnostics: readonly Diagnostic<string>[]): string =>
  diagnostics
    .toSorted(byPlace)
    .map((diagnostic) => `${command(diagnostic)}\n`)
    .join('')

const command = (diagnostic: Diagnostic<string>): string => {
  const { severity, code, file, line, column, endLine, endColumn, message, hint, related } = diagnostic
  const properties = {
    file: printable(file),
    line,
    endLine,
    // GitHub takes columns only where line and endLine are the same.
    ...(line === endLine && { col: column, endColumn }),
    title: code,
  }
  const text = [
    message,
    ...(hint === undefined ? [] : [hint]),
    ...(related ?? []).map((other) => `${other.file}:${other.line}:${other.column}: ${other.message}`),
  ]
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
  return `::${severity} ${list.join(',')}::${escapeData(text.map(printable).join('\n'))}`
}

// Both as in GitHub's toolkit (@actions/core, command.ts).
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
