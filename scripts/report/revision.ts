import path from 'node:path'
import { hasStem, isLeftAlone, isPicture, isYaml, names } from '../content/layout.ts'
import { isPathBelow, makeFolder } from '../files/folder.ts'
import { readBlobs, readCommits, readTree, type Tree, type TreeFile } from '../files/git.ts'
import { replaceFile } from '../files/write.ts'
import { fingerprintContent } from '../snapshot/state.ts'
import { findNewcomers, membersIn, type Newcomer } from './review.ts'

/** A content folder as it was at a revision: what git knows of it without reading a file. */
export type Revision = {
  /** By member: a hash of its files' names and bytes, as of the files on disk. */
  readonly keys: ReadonlyMap<string, string>
  /** Writes the site's file, and the files of some members, into a folder. */
  readonly writeFiles: (root: string, members: ReadonlySet<string>) => void
  /** Authors since then of folders that they never changed before; none where the history is cut off. */
  readonly newcomers: readonly Newcomer[]
}

export const readRevision = (content: string, revision: string): Revision => {
  const tree = readTree(content, revision)
  const byMember = new Map<string, TreeFile[]>()
  const site: TreeFile[] = []
  for (const file of tree.files) {
    if (!file.plain || !isPathBelow(file.path)) continue
    const [folder, username, ...rest] = file.path.split('/')
    if (folder === names.members && username !== undefined && isRead(rest)) {
      const known = byMember.get(username)
      if (known === undefined) byMember.set(username, [file])
      else known.push(file)
    } else if (username === undefined && hasStem(folder!, names.site)) site.push(file)
  }
  return {
    keys: new Map([...byMember].map(([username, own]) => [username, keyOf(own)])),
    writeFiles: (root, members) => {
      const wanted = [...site, ...[...members].flatMap((username) => byMember.get(username) ?? [])]
      const write = (some: readonly TreeFile[]): void =>
        readBlobs(
          tree.top,
          some.map(({ oid }) => oid),
          (bytes, number) => {
            const below = some[number]!.path
            if (below.includes('/')) makeFolder(root, path.posix.dirname(below))
            replaceFile(root, below, bytes)
          },
        )
      write(wanted.filter((file) => !isPicture(file.path)))
      const pictures = wanted.filter((file) => isPicture(file.path))
      // they are held in memory as they come
      for (let at = 0; at < pictures.length; at += 16) write(pictures.slice(at, at + 16))
    },
    newcomers: readNewcomers(tree),
  }
}

const readNewcomers = (tree: Tree): readonly Newcomer[] => {
  const since = readCommits(tree, { range: `${tree.commit}..HEAD`, inside: [names.members] }) ?? []
  const members = membersIn(since)
  if (members.length === 0) return []
  // a command line has an end
  const inside =
    members.length > 100 ? [names.members] : members.map((member) => `${names.members}/${member}`)
  return findNewcomers(since, readCommits(tree, { range: tree.commit, inside }) ?? [])
}

/** Whether a file of a member's folder is one that Shotpress reads. */
const isRead = (parts: readonly string[]): boolean => {
  const name = parts.at(-1) ?? ''
  if (isPicture(name)) return !parts.some(isLeftAlone)
  if (parts.length === 1) return hasStem(name, names.profile)
  return parts.length === 2 && parts[0] === names.shots && isYaml(name)
}

/** The same hash that the files have on disk: git names a blob as the reader does. */
const keyOf = (files: readonly TreeFile[]): string => {
  const rank = (name: string): number => (isPicture(name) ? 2 : name.includes('/') ? 1 : 0)
  const named = files
    .map(({ path: file, oid }) => ({ name: file.split('/').slice(2).join('/'), oid }))
    .sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1))
  if (named.every(({ name }) => isPicture(name))) named.unshift({ name: '', oid: '' })
  return fingerprintContent(
    named.map(({ name }) => (isPicture(name) ? name : path.posix.basename(name))),
    named.map(({ oid }) => oid),
  )
}
