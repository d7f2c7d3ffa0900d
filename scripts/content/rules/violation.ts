import type { Args, Code } from '../../problems/messages.ts'

/** Where a value stands in a file: keys, and positions in lists from 0. */
export type Path = readonly (string | number)[]

/** A rule that a file breaks, before its place in the text is known. */
export type Violation = {
  readonly [C in Code]: {
    readonly code: C
    readonly args: Args<C>
    readonly path: Path
    /** Whether the key at the path or its value is wrong; `mapping` is where the mapping at the path begins. */
    readonly of: 'key' | 'value' | 'mapping'
    /** A second place in the same file, and what is there. */
    readonly related?: { readonly path: Path; readonly message: string }
  }
}[Code]
