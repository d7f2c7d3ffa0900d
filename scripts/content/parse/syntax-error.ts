import type { YAMLError } from 'yaml'
import type { Stretch } from './tree.ts'

export type SyntaxError = Stretch & {
  /** What is wrong, as the end of the sentence "this is not YAML: …". */
  readonly problem: string
  /** What to write instead, where there is something better to say than in general. */
  readonly advice?: string | undefined
}

/** The first syntax error of a file in our own words; the others mostly follow from it. */
export const syntaxError = (errors: readonly YAMLError[], text: string): SyntaxError | undefined => {
  let first: YAMLError | undefined
  for (const error of errors) {
    if (error.code === 'TAG_RESOLVE_FAILED') continue
    if (first === undefined || error.pos[0] < first.pos[0]) first = error
  }
  if (first === undefined) return undefined
  const from = Math.min(first.pos[0], text.length)
  const to = Math.min(Math.max(first.pos[1], from), text.length)
  return { from, to, problem: first.message }
}
