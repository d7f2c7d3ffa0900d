import type { Diagnostic, Place } from '../../scripts/problems/diagnostic.ts'

/** A stretch of one line of a file, `content/a.yaml` unless it is named. */
export const at = (
  line: number,
  column: number,
  endColumn: number,
  file = 'content/a.yaml',
): Place => ({
  file,
  line,
  column,
  endLine: line,
  endColumn,
})

/** A diagnostic whose wording doesn't matter. */
export const problem = (place: Place, rest: Partial<Diagnostic> = {}): Diagnostic => ({
  severity: 'error',
  code: 'blank',
  message: 'something is wrong',
  ...place,
  ...rest,
})
