import fs from 'node:fs'
import path from 'node:path'
import { hasStem, isYaml, names as layout } from '../content/layout.ts'
import type { ContentFolder } from '../content/scan.ts'
import { fingerprintContent, fingerprintLook, haveSettled } from './fingerprint.ts'
import { attributesFile, convertsYaml, findRepository, type Repository } from './git.ts'
import { type IndexedFile, type IndexedStat, oidSize, readGitIndex } from './git-index.ts'
import { keySize } from './record.ts'
import type { GitListing } from './task.ts'

/**
 * What git knows of the members' files without reading them: the index holds the hash of each, and its stat from when
 * git last saw it. A file that was changed since has another stat, unless that was at the very time when git saw it:
 * files so new that the clock may not have moved on before the index was written are left out. Undefined where there is
 * no repository, or its index is not to be read.
 */
export const listFromGit = (content: ContentFolder, members: readonly string[]): GitListing | undefined => {
  try {
    const repository = findRepository(content.path)
    const own = path.join(content.path, layout.members, attributesFile)
    return repository === undefined || convertsYaml(own) ? undefined : list(repository, members)
  } catch (error) {
    // not ours to read: the files themselves will do
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    return undefined
  }
}

const list = ({ index, top, prefix }: Repository, members: readonly string[]): GitListing | undefined => {
  const folder = `${Buffer.from(prefix).toString('latin1')}${layout.members}/`
  const listing = { looks: keysOf(members), keys: keysOf(members) }
  const positions = new Map(members.map((username, at) => [username, at]))
  const { take, end } = byMember(folder, {
    written: fs.statSync(index).mtimeMs,
    keep: ({ username, names, stats, oids }) => {
      const at = (positions.get(username) ?? -1) * keySize
      if (at < 0) return
      listing.looks.set(fingerprintLook(names, stats), at)
      listing.keys.set(fingerprintContent(names, [oids]), at)
    },
  })
  let hidden = false
  const readable = readGitIndex(index, (file) => {
    // where attributes are not on disk, git takes them from the index
    if (holdsAttributesOf(folder, file.path)) hidden ||= !fs.existsSync(path.join(top, textOf(file.path)))
    else take(file)
  })
  end()
  return readable && !hidden ? listing : undefined
}

/** Whether a file has attributes of a folder: it stands there, or above. */
const holdsAttributesOf = (folder: string, file: string): boolean =>
  file.endsWith(attributesFile) &&
  (file === attributesFile || file.endsWith(`/${attributesFile}`)) &&
  folder.startsWith(file.slice(0, -attributesFile.length))

/** A member's files in the index: the profile, then the shots. */
type Files = {
  readonly username: string
  readonly names: readonly string[]
  readonly stats: readonly IndexedStat[]
  readonly oids: Uint8Array
}

/** Room for a key of each member, which threads share. */
const keysOf = (members: readonly string[]): Uint8Array =>
  new Uint8Array(new SharedArrayBuffer(members.length * keySize))

type Taking = {
  /** When the index was written: milliseconds. */
  readonly written: number
  readonly keep: (files: Files) => void
}

/** The files are sorted by path, so that those of a member come one after the other: only they are held meanwhile. */
const byMember = (
  members: string,
  { written, keep }: Taking,
): { readonly take: (file: IndexedFile) => void; readonly end: () => void } => {
  let folder = ''
  let names: string[] = []
  let stats: IndexedStat[] = []
  let oids = Buffer.alloc(oidSize)
  const end = (): void => {
    const username = textOf(folder.slice(members.length, -1))
    if (names.length > 0) keep({ username, names, stats, oids: oids.subarray(0, names.length * oidSize) })
  }
  const take = (file: IndexedFile): void => {
    const { path } = file
    if (folder === '' || !path.startsWith(folder)) {
      if (!path.startsWith(members)) return
      end()
      folder = path.slice(0, path.indexOf('/', members.length) + 1)
      names = []
      stats = []
    }
    const isShot = path.startsWith(shots, folder.length)
    const name = path.slice(folder.length + (isShot ? shots.length : 0))
    // a member whose folder has attributes is one with a file more here, so that its files are read
    const counts = name === attributesFile || (isShot ? isYaml(name) : hasStem(name, layout.profile))
    if (!counts || name.includes('/')) return
    const stat = file.stat()
    if (name !== attributesFile && !haveSettled([stat], written)) return
    if (oids.length === names.length * oidSize) oids = Buffer.concat([oids, oids])
    file.copyOid(oids, names.length * oidSize)
    names.push(textOf(name))
    stats.push(stat)
  }
  return { take, end }
}

const shots = `${layout.shots}/`

/** The text that bytes mean, of which each is a character. */
const textOf = (bytes: string): string =>
  /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes
