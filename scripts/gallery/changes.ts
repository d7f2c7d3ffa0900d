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

/** Works that are not in both lists as they are. */
const differing = (old: readonly Tile[], now: readonly Tile[]): readonly Tile[] => {
  const byText = (works: readonly Tile[]) =>
    new Map(works.map((work) => [JSON.stringify(work), work] as const))
  const was = byText(old)
  const is = byText(now)
  const all = [...was, ...is]
  return all.filter(([text]) => !was.has(text) || !is.has(text)).map(([, work]) => work)
}

/** Which shared pages may say something else after a change of members. */
export const createChanges = () => {
  const lists = new Set<string>()
  return {
    /** Takes a member as it was and as it is; `undefined` where it is not there. */
    compare: (before: Summary | undefined, after: Summary | undefined): void => {
      const add = (some: readonly string[] = []): void => {
        for (const one of some) lists.add(one)
      }
      const was = before && memberIn(before)
      const is = after && memberIn(after)
      if (was?.text !== is?.text) {
        add(was?.lists())
        add(is?.lists())
      }
      const old = before?.works ?? []
      const now = after?.works ?? []
      // a work in a list has its member's name on it
      const isSame = before?.name === after?.name
      for (const { tags } of isSame ? differing(old, now) : [...old, ...now])
        add(listsOf('tags', tags))
    },
    mayBeOn: (address: string): boolean => {
      const first = address.replace(/~\d+\/$/, '')
      const isList = first === '/members/' || /^\/\w+\/./.test(first)
      return !isList || lists.has(first)
    },
  }
}
