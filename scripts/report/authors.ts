import { type ContentFolder, inMember, memberFolder, names } from '../content/layout.ts'
import { type Author, type Commit, readCommits, type Tree } from '../files/git.ts'
import { byKey } from '../text/order.ts'

/**
 * By the name of an author, the members whose folders only others have changed before; all
 * sorted.
 */
export type Newcomers = ReadonlyMap<string, readonly string[]>

/** Those among the authors since a revision; none where the history is cut off. */
export const readNewcomers = (tree: Tree, content: ContentFolder): Newcomers => {
  const range = `${tree.commit}..HEAD`
  const since = authorsByMember(
    content,
    readCommits(tree, { range, inside: [names.members] }),
  )
  const found = new Map<string, string[]>()
  if (since.size === 0) return found
  const folders = Array.from(since.keys(), (member) => memberFolder(member, content))
  // a command line has an end
  const inside = folders.length > 100 ? [names.members] : folders
  const known = authorsByMember(content, readCommits(tree, { range: tree.commit, inside }))
  for (const [member, authors] of [...since].sort(byKey)) {
    // a new folder is its authors' own
    const earlier = known.get(member) ?? authors
    for (const author of authors) {
      if (earlier.some((one) => isSame(one, author))) continue
      const members = found.get(author.name) ?? []
      found.set(author.name, members)
      members.push(member)
    }
  }
  return new Map([...found].sort(byKey))
}

/** Who has changed the folder of each member. */
const authorsByMember = (
  content: ContentFolder,
  commits: readonly Commit[] = [],
): ReadonlyMap<string, readonly Author[]> => {
  const found = new Map<string, Author[]>()
  for (const { author, files } of commits) {
    for (const file of files) {
      const { username, rest } = inMember(file, content)
      const authors = found.get(username) ?? []
      if (rest === '' || authors.some((one) => isSame(one, author))) continue
      found.set(username, [...authors, author])
    }
  }
  return found
}

/** One person often has two addresses, such as one of GitHub's. */
const isSame = (a: Author, b: Author): boolean =>
  a.email.toLowerCase() === b.email.toLowerCase() || a.name === b.name
