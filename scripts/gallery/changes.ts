import type { GroupKind, Summary, Tile } from './data.ts'
import { addressOf } from './page.ts'
import { slugOf } from './words.ts'

/** What lists show of a member, and those that show it. */
const memberIn = ({ works, ...about }: Summary) => ({
  text: JSON.stringify([about, works.slice(0, 3).map(({ id, image, look }) => [id, image, look])]),
  lists: () => [
    '/members/',
    ...listsOf('skills', about.skills),
    ...listsOf('places', [about.location]),
  ],
})

const listsOf = (kind: GroupKind, words: readonly string[]): readonly string[] =>
  words.map((word) => addressOf.group(kind, slugOf(word)))

const textOf = (work: Tile): string => JSON.stringify(work)

/** Which shared pages may say something else after a change of members. */
export const createChanges = () => {
  const lists = new Set<string>()
  return {
    /** Takes a member as it was and as it is; `undefined` where it is not there. */
    compare: (before: Summary | undefined, after: Summary | undefined): void => {
      const add = (some: readonly string[]): void => {
        for (const one of some) lists.add(one)
      }
      const was = before && memberIn(before)
      const is = after && memberIn(after)
      if (was?.text !== is?.text) add([...(was?.lists() ?? []), ...(is?.lists() ?? [])])
      // a work in a list has its member's name on it
      const isSame = before?.name === after?.name
      const known = new Set(isSame ? before?.works.map(textOf) : [])
      const now = after?.works ?? []
      for (const work of now) if (!known.delete(textOf(work))) add(listsOf('tags', work.tags))
      for (const work of isSame
        ? [...known].map((text): Tile => JSON.parse(text))
        : (before?.works ?? []))
        add(listsOf('tags', work.tags))
    },
    mayBeOn: (address: string): boolean => {
      const first = address.replace(/~\d+\/$/, '')
      const isList = first === '/members/' || /^\/\w+\/./.test(first)
      return !isList || lists.has(first)
    },
  }
}
