import type { GroupKind, Summary } from './data.ts'
import { addressOf } from './page.ts'
import { slugOf } from './words.ts'

/**
 * The lists that may show something else where a member was one thing and is another, by
 * address.
 */
export const changedLists = (was: Summary | undefined, is: Summary | undefined) => {
  const gone = new Map(was && partsOf(was))
  const come = is ? partsOf(is).filter(([text]) => !gone.delete(text)) : []
  return [...gone, ...come].flatMap(([, lists]) => lists())
}

/** What lists show of a member, as text, each with the lists that show it. */
const partsOf = ({ works, ...about }: Summary) => {
  const lists = (kind: GroupKind, words: readonly string[]) =>
    words.map((word) => addressOf.group(kind, slugOf(word)))
  const listsOfMember = () => [
    '/members/',
    ...lists('skills', about.skills),
    ...lists('places', [about.location]),
  ]
  return [
    [JSON.stringify([about, works.slice(0, 3)]), listsOfMember] as const,
    // a work in a list has its member's name on it
    ...works.map(
      (work) => [JSON.stringify([about.name, work]), () => lists('tags', work.tags)] as const,
    ),
  ]
}
