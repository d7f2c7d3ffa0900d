import { isDeepStrictEqual } from 'node:util'
import { type Data, type Mapping, mappingOf } from '../../content/parse/data.ts'
import { type Parsed, parse } from '../../content/parse/parse.ts'
import { keepsComments } from './comments.ts'

/** An edited text; or why nothing was edited, in words that follow "can't be edited: ". */
export type Edited =
  | { readonly text: string; readonly refused?: never }
  | { readonly text?: never; readonly refused: string }

/** What a file with this text says. */
export const readData = (text = ''): Pick<Parsed, 'data' | 'whole' | 'problems'> =>
  parse({ file: '', text })

/** The mapping that a text is, as far as it can be read. */
export const mappingIn = (text?: string): Mapping => mappingOf(readData(text).data)

/**
 * Reads a new text once more, and accepts it only if it says what it should and has every
 * comment.
 */
export const prove = (before: string, after: string, wanted: Data): Edited => {
  const { data, problems } = readData(after)
  if (problems.some(({ code }) => code === 'unknown-alias'))
    return { refused: 'an alias would come before its anchor' }
  if (data === undefined || problems.length > 0 || !equalData(data, wanted))
    return { refused: 'it would say something else' }
  if (!keepsComments(before, after)) return { refused: 'a comment would be lost' }
  return { text: after }
}

/** Whether two values are the same, in whatever order their keys are. */
export const equalData = (a: Data | undefined, b: Data | undefined): boolean =>
  typeof a === 'object' && typeof b === 'object'
    ? isDeepStrictEqual(structuredClone(a), structuredClone(b))
    : a === b
