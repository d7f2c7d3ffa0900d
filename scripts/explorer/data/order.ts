import { byNewest, shotsLimit } from '../../api/latest.ts'
import type { Part, Work } from './data.ts'

/** A member's works, as the page groups them. */
export type Groups = {
  /** Files in which something is wrong and that were never seen right. */
  readonly unknown: readonly Part<Work>[]
  /** The newest, at most 15; the API gives these. */
  readonly served: readonly Part<Work>[]
  /** Published, and older than those. */
  readonly beyond: readonly Part<Work>[]
  readonly drafts: readonly Part<Work>[]
}

/** Puts works in the order of the API. */
export const group = (works: readonly Part<Work>[]): Groups => {
  const known = works.filter(({ value }) => value !== undefined).sort((a, b) => byNewest(a.value!, b.value!))
  const published = known.filter(({ value }) => !value!.draft)
  return {
    unknown: works.filter(({ value }) => value === undefined),
    served: published.slice(0, shotsLimit),
    beyond: published.slice(shotsLimit),
    drafts: known.filter(({ value }) => value!.draft),
  }
}
