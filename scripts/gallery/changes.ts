import type { GroupKind, Summary } from './data.ts'
import { addressOf } from './page.ts'
import { slugOf } from './words.ts'

/** What shared pages show of a member, each with the first pages of the lists that show it. */
const shownOf = ({ works, ...about }: Summary): ReadonlyMap<string, () => readonly string[]> => {
  const { username, name, skills, location } = about
  const addressesOf = (kind: GroupKind, words: readonly string[]): readonly string[] =>
    words.map((word) => addressOf.group(kind, slugOf(word)))
  const strip = works.slice(0, 3).map(({ id, image }) => [id, image])
  return new Map([
    [
      JSON.stringify([about, strip]),
      () => ['/members/', ...addressesOf('skills', skills), ...addressesOf('places', [location])],
    ],
    ...works.map(
      (work) =>
        [JSON.stringify([username, name, work]), () => addressesOf('tags', work.tags)] as const,
    ),
  ])
}

/** Which shared pages may say something else after a change of members. */
export const createChanges = () => {
  const lists = new Set<string>()
  return {
    /** Takes a member as it was and as it is; `undefined` where it is not there. */
    compare: (before: Summary | undefined, after: Summary | undefined): void => {
      const was = before ? shownOf(before) : new Map()
      const is = after ? shownOf(after) : new Map()
      for (const [one, other] of [
        [was, is],
        [is, was],
      ] as const)
        for (const [text, addresses] of one)
          if (!other.has(text)) for (const address of addresses()) lists.add(address)
    },
    mayBeOn: (address: string): boolean => {
      const first = address.replace(/~\d+\/$/, '')
      const isList = first === '/members/' || /^\/\w+\/./.test(first)
      return !isList || lists.has(first)
    },
  }
}
