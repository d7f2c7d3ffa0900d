import { unsafe } from '../text/printable.ts'
import { byPlace, type Diagnostic, type Place } from './diagnostic.ts'

/** One JSON array, a diagnostic a line, without a character that a terminal would act on. */
export const json = (diagnostics: readonly Diagnostic<string>[]): string => {
  const lines = diagnostics
    .toSorted(byPlace)
    .map((diagnostic) => withoutControls(JSON.stringify(record(diagnostic))))
  return lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`
}

/** JSON in which every character that a terminal would act on is an escape; line feeds between tokens stay. */
export const withoutControls = (text: string): string =>
  text.replace(unsafe, (char) => (char === '\n' ? char : char.replace(/./gs, escapedUnit)))

/** A character as JSON and scripts may write it; a half of a pair by itself. */
export const escapedUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The keys in the order of the contract. */
const record = ({ severity, code, message, hint, related, ...place }: Diagnostic<string>) => ({
  severity,
  code,
  message,
  ...position(place),
  hint,
  related: related?.map((other) => ({ ...position(other), message: other.message })),
})

const position = ({ file, line, column, endLine, endColumn }: Place) => ({
  file,
  line,
  column,
  endLine,
  endColumn,
})
