import { escapedUnit } from '../text/json.ts'
import { type Groups, type Index, worksOf } from './data.ts'
import { type Settings, sourceOf } from './page.ts'
import { cut, slugOf } from './words.ts'

/** Works above which an index, of 2 MB then, holds no pictures. */
const mostWithPictures = 20_000

/**
 * What a search looks through, as a script, because a page that is a file may load one. A
 * line without a tab before it is the address of those below it and what they are; these have
 * a tab, the end of their address, a name or title, the numbers of tags, a picture and other
 * words. `browser/search.ts` reads it. (MiniSearch's index of 10,000 members with 20 works
 * has 45 MB, takes 5 s to load, and 1 s to find the first letter of a word.)
 */
export const searchIndex = (index: Index, settings: Settings): string =>
  // in a template a tab is one byte, and in quotes two
  `searchIndex(\`${searchText(index, settings).replace(unsafeInTemplate, escapedUnit)}\`)\n`

const unsafeInTemplate = /[\\`$<\u2028-\u202e\u2066-\u2069]|[^\P{Cc}\t\n]|\p{Cs}/gu

const searchText = ({ members, newest, tags, skills }: Index, settings: Settings) => {
  const root = { to: (address: string) => address, settings }
  const row = (end: string, label: string, image = '', numbers = '', words = '') => {
    const picture = newest.length <= mostWithPictures && sourceOf(image, root)
    return ['', end, cut(label, 160), numbers, picture || '', cut(words, 400)]
      .join('\t')
      .trimEnd()
  }
  const rows = (groups: Groups) =>
    [...groups].map(([slug, { label, items }]) =>
      row(slug, label, worksOf(items.slice(0, 1))[0]?.image),
    )
  const numbers = new Map([...tags.keys()].map((slug, at) => [slug, at.toString(36)]))
  const byWorks = members.toSorted((a, b) => b.works.length - a.works.length)
  const people = byWorks.map(({ username, name, skills, location, avatar }) =>
    row(username, name, avatar, '', [username, ...skills, location].join(' ')),
  )
  const works = members.flatMap(({ username, name, works }) => [
    `members/${username}/\t${name}`,
    ...works.map(({ id, title, tags, image }) => {
      const numbered = tags.map((tag) => numbers.get(slugOf(tag)))
      return row(id, title, image, numbered.join(' '))
    }),
  ])
  const words = ['tags/\tTag', ...rows(tags), 'skills/\tSkill', ...rows(skills)]
  return ['members/\t@', ...people, ...words, ...works].join('\n')
}
