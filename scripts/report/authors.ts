import { type ContentFolder, inMember, memberFolder, names } from '../content/layout.ts'
import { type Author, type Commit, readCommits, type Tree } from '../files/git.ts'

/** Somebody who changes folders of members that others have changed so far, and never this author. */
export type Newcomer = {
  readonly author: string
  /** Usernames, sorted. */
  readonly members: readonly string[]
  /** Names of those who changed these folders before, sorted. */
  readonly before: readonly string[]
}

/** Those among the authors since a revision, sorted by name; none where the history is cut off. */
export const readNewcomers = (tree: Tree, content: ContentFolder): readonly Newcomer[] => {
  const range = `${tree.commit}..HEAD`
  const since = authorsByMember(content, readCommits(tree, { range, inside: [names.members] }))
  if (since.size === 0) return []
  const folders = Array.from(since.keys(), (member) => memberFolder(member, content))
  // a command line has an end
  const inside = folders.length > 100 ? [names.members] : folders
  const known = authorsByMember(content, readCommits(tree, { range: tree.commit, inside }))
  const found = new Map<string, { author: string; members: string[]; before: Set<string> }>()
  for (const [member, authors] of since) {
    // a new folder is its authors' own
    const earlier = [...(known.get(member) ?? authors).values()]
    for (const [key, author] of authors) {
      if (earlier.some((one) => isSame(one, author))) continue
      const newcomer = found.get(key) ?? { author: author.name, members: [], before: new Set() }
      found.set(key, newcomer)
      newcomer.members.push(member)
      for (const { name } of earlier) newcomer.before.add(name)
    }
  }
  return Array.from(found.values(), ({ author, members, before }) => ({
    author,
    members: members.sort(),
    before: [...before].sort(),
  })).sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
}

const orderOf = ({ author, members }: Newcomer): string => `${author}\0${members[0]}`

/** By member and by name and address, who has changed its folder. */
const authorsByMember = (
  content: ContentFolder,
  commits: readonly Commit[] = [],
): ReadonlyMap<string, ReadonlyMap<string, Author>> => {
  const found = new Map<string, Map<string, Author>>()
  for (const { author, files } of commits) {
    for (const file of files) {
      const { username: member, rest } = inMember(file, content)
      if (rest === '') continue
      const authors = found.get(member) ?? new Map<string, Author>()
      found.set(member, authors.set(`${author.name}\0${author.email}`, author))
    }
  }
  return found
}

/** One person often has two addresses, such as one of GitHub's. */
const isSame = (a: Author, b: Author): boolean =>
  a.email.toLowerCase() === b.email.toLowerCase() || a.name === b.name
