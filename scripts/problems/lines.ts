import { printable } from '../text/printable.ts'
import { byPlace, type Diagnostic } from './diagnostic.ts'

/** `file:line:column: error|warning: message [code]`, one problem a line: what editors and grep read. */
export const lines = (diagnostics: readonly Diagnostic<string>[]): string =>
  diagnostics
    .toSorted(byPlace)
    .map(({ file, line, column, severity, message, code }) =>
      printable(`${file}:${line}:${column}: ${severity}: ${message} [${code}]`),
    )
    .map((text) => `${text}\n`)
    .join('')
