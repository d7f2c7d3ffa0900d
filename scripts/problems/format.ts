import type { Diagnostic } from './diagnostic.ts'

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
