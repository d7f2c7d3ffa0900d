import type { GroupKind, Summary, Tile } from './data.ts'
import { addressOf } from './page.ts'
import { slugOf } from './words.ts'

/**
 * The lists that may show something else where a member's lines were these and are those, by
 * address.
 */
export const changedLists = (was: readonly string[], is: readonly string[]) => {
  const come = new Set(partsOf(is))
  const gone = partsOf(was).filter((part) => !come.delete(part))
  return [...gone, ...come].flatMap(listsOf)
}

/** What lists show of a member: who with three works, and each work with the member's name. */
const partsOf = ([about, ...works]: readonly string[]): readonly string[] => {
  if (about === undefined) return []
  const { name }: Summary = JSON.parse(about)
  return [
    [about, ...works.slice(0, 3)].join('\n'),
    ...works.map((work) => `${work}\n${name}`),
  ]
}

/** The lists that show a part. */
const listsOf = (part: string): readonly string[] => {
  const [line = ''] = part.split('\n')
  const { skills, location = '', tags = [] }: Partial<Summary & Tile> = JSON.parse(line)
  const lists = (kind: GroupKind, words: readonly string[]) =>
    words.map((word) => addressOf.group(kind, slugOf(word)))
  return skills
    ? ['/members/', ...lists('skills', skills), ...lists('places', [location])]
    : lists('tags', tags)
}
