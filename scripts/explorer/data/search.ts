import type { Row } from './data.ts'

/** What a search compares: letter case, marks on letters and forms of the same character make no difference. */
export const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

export type Entry = { readonly username: string; readonly text: string }

/** A member as a search sees it. */
export const entryOf = ({
  username,
  name,
  location,
}: Pick<Row, 'username' | 'name' | 'location'>): Entry => ({
  username,
  text: folded(`${username}\n${name}\n${location}`),
})

/** The usernames that hold every word of a query, in the order of the entries. */
export const search = (entries: readonly Entry[], query: string): readonly string[] => {
  const words = folded(query)
    .split(/\s+/)
    .filter((word) => word !== '')
  return entries
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map(({ username }) => username)
}
