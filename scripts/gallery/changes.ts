import type { GroupKind, Summary } from './data.ts'
import { addressOf } from './page.ts'
import { slugOf } from './words.ts'

/** The lists that may show something else where a member was one thing and is another, by address. */
export const changedLists = (was: Summary | undefined, is: Summary | undefined) => {
  const old = sharesOf(was)
  const now = sharesOf(is)
  return [...old.keys(), ...now.keys()].filter((list) => old.get(list) !== now.get(list))
}

/** What each list shows of a member, by its address, as text. */
const sharesOf = (member: Summary | undefined): ReadonlyMap<string, string> => {
  const shares = new Map<string, string>()
  if (!member) return shares
  const { works, ...about } = member
  const add = (kind: GroupKind, words: readonly string[], text: string): void => {
    for (const list of words.map((word) => addressOf.group(kind, slugOf(word))))
      shares.set(list, (shares.get(list) ?? '') + text)
  }
  const first = JSON.stringify([about, works.slice(0, 3)])
  shares.set('/members/', first)
  add('skills', about.skills, first)
  add('places', [about.location], first)
  // a work in a list has its member's name on it
  for (const work of works) add('tags', work.tags, JSON.stringify([about.name, work]))
  return shares
}
