import type { GroupKind, Summary } from './data.ts'
import { addressOf } from './page.ts'
import { slugOf } from './words.ts'

/** What lists show of a member: lines, each of which begins with the address of its list. */
const shownOf = (member: Summary | undefined): ReadonlySet<string> => {
  if (member === undefined) return new Set()
  const { works, ...about } = member
  const { username, name, skills, location } = about
  const strip = works.slice(0, 3).map(({ id, image, look }) => [id, image, look])
  const lines = new Set<string>()
  const add = (kind: GroupKind, words: readonly string[], shown: object): void => {
    const text = JSON.stringify(shown)
    for (const word of words) lines.add(`${addressOf.group(kind, slugOf(word))} ${text}`)
  }
  lines.add(`/members/ ${JSON.stringify([about, strip])}`)
  add('skills', skills, [about, strip])
  add('places', [location], [about, strip])
  for (const work of works) add('tags', work.tags, [username, name, work])
  return lines
}

/** Which shared pages may say something else after a change of members. */
export const createChanges = () => {
  const lists = new Set<string>()
  return {
    /** Takes a member as it was and as it is; `undefined` where it is not there. */
    compare: (before: Summary | undefined, after: Summary | undefined): void => {
      const was = shownOf(before)
      const is = shownOf(after)
      for (const line of [...was, ...is])
        if (!was.has(line) || !is.has(line)) lists.add(line.slice(0, line.indexOf(' ')))
    },
    mayBeOn: (address: string): boolean => {
      const first = address.replace(/~\d+\/$/, '')
      const isList = first === '/members/' || /^\/\w+\/./.test(first)
      return !isList || lists.has(first)
    },
  }
}
