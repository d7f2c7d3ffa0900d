import type { Diagnostic } from '../problems/diagnostic.ts'
import type { Data } from './parse/data.ts'
import type { Parsed } from './parse/parse.ts'

/** A file of the content folder, read. */
export type Source = {
  /** As diagnostics name it: the `--content` value, `/`, the path inside. */
  readonly file: string
  /** The whole text, without a byte order mark. */
  readonly text: string
  /** What the text says, if that is known and proved already. */
  readonly data?: Data | undefined
}

/** What became of a source: a value (with warnings at most), or the reasons why there is none. */
export type Loaded<T> =
  | { readonly value: T; readonly diagnostics: readonly Diagnostic[]; readonly parsed?: never }
  /** Includes what was parsed, so that it is not parsed again. */
  | { readonly value?: never; readonly diagnostics: readonly Diagnostic[]; readonly parsed: Parsed }
