import type { GroupKind, Summary, Tile } from './data.ts'
import { addressOf } from './page.ts'
import { slugOf } from './words.ts'

/**
 * The lists that may show something else where a member's lines were these and are those, by
 * address.
 */
export const changedLists = (was: string, is: string) => {
  const gone = new Map(partsOf(was))
  const come = partsOf(is).filter(([text]) => !gone.delete(text))
  return [...gone, ...come].flatMap(([, lists]) => lists())
}

/** What lists show of a member, as text, each with the lists that show it. */
const partsOf = (lines: string) => {
  if (lines === '') return []
  const [first = '', ...works] = lines.split('\n')
  const about: Summary = JSON.parse(first)
  const lists = (kind: GroupKind, words: readonly string[]) =>
    words.map((word) => addressOf.group(kind, slugOf(word)))
  const listsOf = ({ tags }: Tile) => lists('tags', tags)
  const listsOfMember = () => [
    '/members/',
    ...lists('skills', about.skills),
    ...lists('places', [about.location]),
  ]
  return [
    [[first, ...works.slice(0, 3)].join('\n'), listsOfMember] as const,
    // a work in a list has its member's name on it
    ...works.map(
      (work) => [`${work} ${about.name}`, () => listsOf(JSON.parse(work))] as const,
    ),
  ]
}
