import type { Data, Mapping } from '../../content/parse/data.ts'
import { parse } from '../../content/parse/parse.ts'
import { quickParse } from '../../content/parse/quick.ts'
import { hasErrors } from '../../problems/diagnostic.ts'
import { commentsOf } from './comments.ts'

/** A text that was edited, or why it was left as it is, in words that follow "can't be edited: ". */
export type Edited =
  | {
      readonly text: string
      /** What the text says, where that was compared. */
      readonly data?: Data
      readonly refused?: never
    }
  | { readonly text?: never; readonly data?: never; readonly refused: string }

/** Reads a new text once more, and accepts it only if it says what it should and has every comment. */
export const prove = (before: string, after: string, wanted: Data): Edited => {
  if (!says(after, wanted)) return { refused: 'it would say something else' }
  // a new file has no comments to lose
  if (!before.includes('#')) return { text: after, data: wanted }
  const kept = counted(commentsOf(after))
  const lost = [...counted(commentsOf(before))].some(([comment, count]) => (kept.get(comment) ?? 0) < count)
  return lost ? { refused: 'a comment would be lost' } : { text: after, data: wanted }
}

const says = (text: string, wanted: Data): boolean => {
  const quick = quickParse(text)
  if (quick !== undefined && equalData(quick, wanted)) return true
  const { data, problems } = parse({ file: '', text })
  return data !== undefined && !hasErrors(problems) && equalData(data, wanted)
}

/** Whether two values are the same, in whatever order their keys are. */
export const equalData = (a: Data | undefined, b: Data | undefined): boolean => {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item: Data, index) => equalData(item, b[index]))
  }
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => equalData((a as Mapping)[key], (b as Mapping)[key]))
  )
}

const counted = (comments: readonly { readonly text: string }[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { text } of comments) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
