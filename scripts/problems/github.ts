import { amount } from '../text/amounts.ts'
import { printable } from '../text/printable.ts'
import { byPlace, type Diagnostic, type Severity } from './diagnostic.ts'

/**
 * GitHub's workflow commands, one per line: annotations on the lines of a pull request. GitHub shows ten errors and ten
 * warnings of a step and drops the rest, so of more than ten the last one says how many there are, and where.
 */
export const github = (diagnostics: readonly Diagnostic<string>[]): string => {
  const sorted = diagnostics.toSorted(byPlace)
  const parts = (['error', 'warning'] as const).map((severity) => {
    const all = sorted.filter((one) => one.severity === severity)
    const shown = all.length > shownByGitHub ? all.slice(0, shownByGitHub - 1) : all
    return { severity, shown, hidden: all.slice(shown.length) }
  })
  return [
    ...parts
      .flatMap(({ shown }) => shown)
      .sort(byPlace)
      .map(command),
    ...parts
      .filter(({ hidden }) => hidden.length > 0)
      .map(({ severity, hidden }) => remainder(severity, hidden)),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** Errors, or warnings, of a step. */
const shownByGitHub = 10

const remainder = (severity: Severity, hidden: readonly Diagnostic<string>[]): string => {
  const files = [...new Set(hidden.map(({ file }) => file))]
  const named = files.slice(0, 20).join(', ')
  const more = files.length > 20 ? ` and ${amount(files.length - 20, 'more file')}` : ''
  const text = `${amount(hidden.length, `more ${severity}`)} in ${named}${more}. npm run check shows them all.`
  return `::${severity} title=${hidden.length} more::${escapeData(printable(text))}`
}

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
