import type { Args, Code } from '../../problems/messages.ts'
import type { Stretch } from './document.ts'
import type { Misread } from './syntax-error.ts'

/** What is wrong with a stretch of a file's YAML, before it has words. */
export type Problem = Stretch &
  {
    readonly [C in Code]: {
      readonly code: C
      readonly args: Facts<C>
      /** Where a duplicate key was given before. */
      readonly first?: Stretch | undefined
    }
  }[Code]

/**
 * What words need to know that the text doesn't say: of these three, the words are made of
 * the text around.
 */
type Facts<C extends Code> = C extends 'yaml-syntax'
  ? Pick<Misread, 'said'>
  : C extends 'bad-tag' | 'multiple-documents'
    ? undefined
    : Args<C>

/** Takes what is wrong with a stretch of the text, and where a duplicate key was given before. */
export type Report = <C extends Code>(
  code: C,
  at: Stretch,
  args: Facts<C>,
  first?: Stretch,
) => void
