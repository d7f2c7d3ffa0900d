import { parse } from '../content/parse/parse.ts'
import type { ContentFolder } from '../content/read/scan.ts'
import type { SchemaName, Subschema } from '../content/schema.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { hasErrors } from '../problems/diagnostic.ts'
import { type ContentFile, readText, shownPath, unreadable } from './content-files.ts'
import { tidy } from './yaml/tidy.ts'

/** What tidying makes of a file; nothing is written. */
export type Tidied =
  | { readonly outcome: 'tidy' }
  | { readonly outcome: 'changed'; readonly before: string; readonly after: string }
  /** It can't be read, or not be changed without saying something else. */
  | { readonly outcome: 'left'; readonly diagnostics: readonly Diagnostic[]; readonly reason: string }

export const tidyFile = (
  content: ContentFolder,
  { kind, below }: ContentFile,
  schemas: Readonly<Record<SchemaName, Subschema>>,
): Tidied => {
  const before = readText(content, below)
  if (before === undefined) return { outcome: 'left', diagnostics: [], reason: unreadable }
  const { problems } = parse({ file: shownPath(content, below), text: before.replace(/^\ufeff/, '') })
  if (hasErrors(problems)) return { outcome: 'left', diagnostics: problems, reason: 'it is broken' }
  const edited = tidy(before, schemas[kind])
  if (edited.refused !== undefined) return { outcome: 'left', diagnostics: [], reason: edited.refused }
  return edited.text === before ? { outcome: 'tidy' } : { outcome: 'changed', before, after: edited.text }
}
