import path from 'node:path'
import {
  type ContentFolder,
  hasStem,
  inMember,
  isLeftAlone,
  isPicture,
  isYaml,
  memberFolder,
  names,
} from '../content/layout.ts'
import { openMember } from '../content/read/open.ts'
import { oidOf, readStart } from '../content/read/read-file.ts'
import { scanMember } from '../content/read/scan.ts'
import { isPathBelow, makeFolder } from '../files/folder.ts'
import { readBlobs, readTree, type Tree, type TreeFile } from '../files/git.ts'
import { replaceFile } from '../files/write.ts'
import { mostPictureBytes } from '../pictures/picture.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { checkMembers } from '../snapshot/check.ts'
import { oidsOf, type Tools } from '../snapshot/compile.ts'
import { findFolders, resolveContent } from '../snapshot/folders.ts'
import { openSite } from '../snapshot/open-site.ts'
import { contentKeyOf, fingerprintContent, knownState } from '../snapshot/state.ts'
import { groupBy } from '../text/groups.ts'

export type SideOptions = {
  /** As on the command line. */
  readonly content: string
  readonly out: string
  /**
   * A revision of the repository that holds the content; a folder of content if it has a
   * separator or begins with a dot.
   */
  readonly base: string
  readonly onProgress: (done: number, total: number) => void
}

/** One side of a comparison, before its members are compiled. */
export type Side = {
  readonly tools: Tools
  readonly diagnostics: readonly Diagnostic[]
  /** By member: a hash of its files' names and bytes, in hex. Equal hashes mean equal files. */
  readonly keys: ReadonlyMap<string, string>
  /** Of a revision: called before files of these members are read. */
  readonly prepare?: (members: readonly string[]) => void
  /** Of a revision. */
  readonly tree?: Tree
}

/**
 * Checks all of the content as it is; the state of the last build tells which members are
 * known already.
 */
export const openHead = async (options: SideOptions): Promise<Side> => {
  const folders = findFolders(options)
  const found = openSite(folders.content)
  const { state, diagnostics } = await checkMembers(found, {
    ...options,
    last: knownState(found, { folders }),
  })
  const entries = [...state.entries.values()]
  const keys = entries.map(({ username, from }) => [username, from.key] as const)
  // a check knows pictures by what is published of them, and the other side by their bytes
  const pictured = entries.flatMap(({ username, from }) => (from.pictures ? [username] : []))
  return {
    tools: found.tools,
    keys: new Map([...keys, ...readKeys(found.tools, pictured)]),
    diagnostics,
  }
}

/** The other side; the files of a revision go to an empty folder. */
export const openBase = (options: SideOptions, folder: string): Side =>
  /^\.|[/\\]/.test(options.base) ? openFolder(options) : openRevision(options, folder)

const openFolder = (options: SideOptions): Side => {
  const content = resolveContent(options.base, '--base')
  const { tools, members, diagnostics } = openSite(content)
  return { tools, keys: readKeys(tools, members), diagnostics }
}

/**
 * The site as git has it, written to a folder, and the files of members when they are asked
 * for.
 */
const openRevision = (options: SideOptions, folder: string): Side => {
  const tree = readTree(options.content, options.base)
  const plain = tree.files.filter((file) => file.plain && isPathBelow(file.path))
  const write = (some: readonly TreeFile[]) =>
    readBlobs(
      tree.top,
      some.map(({ oid }) => oid),
      (bytes, number) => {
        const below = some[number]!.path
        if (below.includes('/')) makeFolder(folder, path.posix.dirname(below))
        replaceFile(folder, below, bytes)
      },
    )
  write(plain.filter((file) => !file.path.includes('/') && hasStem(file.path, names.site)))
  const found = { path: folder, name: `${options.base}:${options.content}` }
  const { tools, diagnostics } = openSite(found)
  const { content } = tools
  const own = plain.flatMap((file) => {
    const found = memberFile(file.path, content)
    return found ? [{ ...file, ...found }] : []
  })
  const files = groupBy(own, ({ username }) => username)
  return {
    tools,
    // there are no members in the folder yet
    diagnostics: diagnostics.filter(
      ({ file }) => !`${file}/`.startsWith(`${content.name}/${names.members}/`),
    ),
    keys: new Map([...files].map(([username, own]) => [username, keyOf(own)])),
    prepare: (members) => {
      const wanted = members.flatMap((username) => files.get(username) ?? [])
      write(wanted.filter((file) => !isPicture(file.path)))
      const pictures = wanted.filter((file) => isPicture(file.path))
      // they are held in memory as they come
      for (let at = 0; at < pictures.length; at += 16) write(pictures.slice(at, at + 16))
    },
    tree,
  }
}

/** A file of a member, with its path below the member's folder. */
type MemberFile = Pick<TreeFile, 'oid'> & { readonly name: string }

/**
 * Whose file a path of the content is, and its path below the member's folder, if it is one
 * that Shotpress reads.
 */
export const memberFile = (file: string, content: ContentFolder) => {
  const { username, rest } = inMember(file, content)
  const parts = rest.split('/')
  const last = parts.at(-1) ?? ''
  const isProfile = parts.length === 1 && hasStem(last, names.profile)
  const isShot = parts.length === 2 && parts[0] === names.shots && isYaml(last)
  const isOwn = isPicture(last) ? !parts.some(isLeftAlone) : isProfile || isShot
  // a member elsewhere is none
  const isThere = file === `${memberFolder(username, content)}/${rest}`
  return username !== '' && isThere && isOwn ? { username, name: rest } : undefined
}

/** The same hash that the files have on disk: git names a blob as the reader does. */
const keyOf = (files: readonly MemberFile[]) => {
  const rank = (name: string) => (isPicture(name) ? 2 : Number(name.includes('/')))
  const named = files
    .map(({ name, oid }) => ({ name, oid }))
    .sort((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1))
  if (named.every(({ name }) => isPicture(name))) named.unshift({ name: '', oid: '' })
  return fingerprintContent(
    named.map(({ name }) => (isPicture(name) ? name : path.posix.basename(name))).join('/'),
    named.map(({ oid }) => oid),
  )
}

/** The keys of members, from the bytes of their files. */
const readKeys = (tools: Tools, members: readonly string[]): Side['keys'] =>
  new Map(
    members.map((username) => {
      const { content } = tools
      const scan = scanMember(username, content)
      const pictures = scan.pictures.map(({ path }) => {
        const below = `${memberFolder(username, content)}/${path}`
        const bytes = readStart(content.path, below, { length: mostPictureBytes + 1 })
        return oidOf(bytes ?? Buffer.alloc(0))
      })
      return [username, contentKeyOf(scan, [...oidsOf(openMember(scan, tools)), ...pictures])]
    }),
  )
