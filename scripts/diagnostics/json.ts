import { unsafe } from '../text/printable.ts'
import { byPlace, type Diagnostic, type Place } from './diagnostic.ts'

/** One JSON array, a diagnostic a line, without a character that a terminal would act on. */
export const json = (diagnostics: readonly Diagnostic<string>[]): string => {
  const lines = diagnostics
    .toSorted(byPlace)
    .map((diagnostic) => JSON.stringify(record(diagnostic)).replace(unsafe, asEscape))
  return lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`
}

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

const asEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
