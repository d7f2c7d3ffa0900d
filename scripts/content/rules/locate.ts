import type { Diagnostic, Place, Related } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import type { Data } from '../parse/data.ts'
import { type Parsed, parse } from '../parse/parse.ts'
import type { Source } from '../source.ts'
import type { Path, Violation } from './violation.ts'

/** The place of a key or value in a source that was read without positions: parses it once more. */
export const locate = (source: Source, path: Path, of: Violation['of']): Place =>
  placeIn(parse(source), path, of)

/** Gives a violation its words, its place in the source that it is about, and its place elsewhere if it has one. */
export const diagnoseIn = (
  parsed: Parsed,
  { code, args, path, of, related }: Violation,
  { elsewhere }: { readonly elsewhere?: Related | undefined } = {},
): Diagnostic =>
  diagnose(
    code,
    placeIn(parsed, path, of),
    // code and args belong together in a violation, which a union can't show
    args as never,
    [
      ...(related ? [{ ...placeIn(parsed, related.path, 'value'), message: related.message }] : []),
      ...(elsewhere ? [elsewhere] : []),
    ],
  )

/** The place of a key, of a value, or of a mapping's beginning. */
export const placeIn = (parsed: Parsed, path: Path, of: Violation['of']): Place =>
  of === 'mapping' ? mappingStart(parsed, path) : parsed.place(path, of)

/** Where a mapping begins: its first key, or the brace in front of it. */
const mappingStart = ({ data = '', place }: Parsed, path: Path): Place => {
  const whole = place(path, 'value')
  const mapping = path.reduce((value, part) => (value as Readonly<Record<string, Data>>)[part]!, data)
  const first = Object.keys(mapping)
    .map((key) => place([...path, key], 'key'))
    .find(({ line, column }) => line === whole.line && column === whole.column)
  if (first !== undefined || whole.line === whole.endLine) return first ?? whole
  return { ...whole, endLine: whole.line, endColumn: whole.column + 1 }
}
