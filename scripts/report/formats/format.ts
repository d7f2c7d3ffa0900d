import type { Outline } from '../outline.ts'

/** An outline as text for a reader, ending with a newline. */
export type ReportFormat = (outline: Outline, surroundings: Surroundings) => string

export type Surroundings = {
  readonly color: boolean
  /** Width of the terminal. */
  readonly columns: number
  /** The most bytes that a text for GitHub may have; what doesn't fit is left out, and said. */
  readonly limit: number
}
