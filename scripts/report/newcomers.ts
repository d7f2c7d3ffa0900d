import { names } from '../content/layout.ts'
import type { Author, Commit } from '../files/git.ts'

/** Somebody who changes folders of members that others have changed so far, and never this author. */
export type Newcomer = {
  readonly author: string
  /** Usernames, sorted. */
  readonly members: readonly string[]
  /** Names of those who changed these folders before, sorted. */
  readonly before: readonly string[]
}

/** Members whose folders commits have changed. */
export const membersIn = (commits: readonly Commit[]): readonly string[] => [
  ...new Set(commits.flatMap(({ files }) => files.flatMap(memberOf))),
]

/** Compares who changes which members' folders with who has done so before. Sorted by name. */
export const findNewcomers = (since: readonly Commit[], before: readonly Commit[]): readonly Newcomer[] => {
  const known = authorsByMember(before)
  const found = new Map<string, { readonly author: Author; readonly members: string[] }>()
  for (const [member, authors] of authorsByMember(since)) {
    const earlier = known.get(member)
    if (earlier === undefined) continue
    for (const author of authors) {
      if (earlier.some((one) => isSame(one, author))) continue
      const key = `${author.name}\0${author.email}`
      const newcomer = found.get(key) ?? { author, members: [] }
      newcomer.members.push(member)
      found.set(key, newcomer)
    }
  }
  return [...found.values()]
    .map(({ author, members }) => ({
      author: author.name,
      members: members.sort(),
      before: [
        ...new Set(members.flatMap((member) => (known.get(member) ?? []).map(({ name }) => name))),
      ].sort(),
    }))
    .sort((a, b) =>
      a.author < b.author ? -1 : a.author > b.author ? 1 : a.members[0]! < b.members[0]! ? -1 : 1,
    )
}

/** Each author of a folder once. */
const authorsByMember = (commits: readonly Commit[]): ReadonlyMap<string, readonly Author[]> => {
  const authors = new Map<string, Map<string, Author>>()
  for (const { author, files } of commits) {
    for (const member of new Set(files.flatMap(memberOf))) {
      const own = authors.get(member) ?? new Map<string, Author>()
      own.set(`${author.name}\0${author.email}`, author)
      authors.set(member, own)
    }
  }
  return new Map([...authors].map(([member, own]) => [member, [...own.values()]]))
}

const memberOf = (file: string): readonly string[] => {
  const [folder, member, ...rest] = file.split('/')
  return folder === names.members && member !== undefined && rest.length > 0 ? [member] : []
}

/** One person often has two addresses, such as one of GitHub's. */
const isSame = (a: Author, b: Author): boolean =>
  a.email.toLowerCase() === b.email.toLowerCase() || a.name === b.name
