import { printable } from '../text/printable.ts'
import { byPlace, type Diagnostic } from './diagnostic.ts'
import { github } from './github.ts'
import { json } from './json.ts'
import { pretty } from './pretty.ts'

/** Diagnostics as text for a reader, sorted by place, ending with a newline; `''` where there is nothing to say. */
export type Format = (
  diagnostics: readonly Diagnostic<string>[],
  surroundings: Surroundings,
) => string | Promise<string>

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

/** `file:line:column: error|warning: message [code]`, one problem a line: what editors and grep read. */
export const lines = (diagnostics: readonly Diagnostic<string>[]): string =>
  diagnostics
    .toSorted(byPlace)
    .map(({ file, line, column, severity, message, code }) =>
      printable(`${file}:${line}:${column}: ${severity}: ${message} [${code}]`),
    )
    .map((text) => `${text}\n`)
    .join('')

/** What `--format` takes. To add a format is one file, and one line here and in verify/report.ts. */
export const formats = { pretty, lines, github, json } as const satisfies Record<string, Format>
export type FormatName = keyof typeof formats
