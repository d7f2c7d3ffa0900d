import fs from 'node:fs'
import { hasStem, isYaml, names } from '../content/layout.ts'
import type { ContentFolder } from '../content/scan.ts'
import { fingerprintContent } from './fingerprint.ts'
import { openGitIndex } from './git.ts'
import { keySize } from './record.ts'
import type { GitListing } from './task.ts'

export type ListingOptions = {
  readonly members: readonly string[]
  /** A folder that is made meanwhile. */
  readonly gitDir: string
}

/**
 * What git knows of the members' files without reading them: the index holds the hash of each, and its stat from
 * when git last saw it. Files that git would not swear by are left out: changed, unmerged, marked as not to be looked
 * at, or stored in another form than they have on disk. Undefined where there is no repository or no git.
 */
export const listFromGit = async (
  content: ContentFolder,
  { members, gitDir }: ListingOptions,
): Promise<GitListing | undefined> => {
  const since = Date.now()
  try {
    const index = await openGitIndex(content.path, gitDir)
    if (index === undefined) return undefined
    const listing = { names: keysOf(members), keys: keysOf(members), since, indexSeconds: index.seconds }
    const positions = new Map(members.map((username, at) => [username, at]))
    const vouch = ({ username, names, oids }: Files): void => {
      const at = (positions.get(username) ?? -1) * keySize
      if (at < 0) return
      listing.names.set(fingerprintContent(names, []), at)
      listing.keys.set(fingerprintContent(names, [Buffer.from(oids, 'hex')]), at)
    }
    const changed = new Set<string>()
    const { take, end } = byMember(vouch)
    const answered = await Promise.all([
      index.ask(changedFiles, (path) => changed.add(path.split('/')[1]!)),
      index.ask(['ls-files', '-z', '-v', '--stage', '--', asTheyAre], take),
    ])
    end()
    if (answered.includes(false)) return undefined
    for (const username of changed) {
      const at = (positions.get(username) ?? -1) * keySize
      if (at >= 0) listing.names.fill(0, at, at + keySize)
    }
    return listing
  } finally {
    fs.rmSync(gitDir, { recursive: true, force: true })
  }
}

/** Git must not look into repositories that stand inside: they have settings of their own. */
const changedFiles = [
  'diff-files',
  '-z',
  '--name-only',
  '--relative',
  '--ignore-submodules=all',
  '--',
  names.members,
]

/** A member's files in the index: the profile, then the shots. */
type Files = { readonly username: string; readonly names: string[]; oids: string }

/** Room for a key of each member, which threads share. */
const keysOf = (members: readonly string[]): Uint8Array =>
  new Uint8Array(new SharedArrayBuffer(members.length * keySize))

/** Files that no filter or encoding changes between the repository and the disk. */
const asTheyAre = `:(attr:!filter !ident !working-tree-encoding)${names.members}`

/**
 * Takes `H 100644 <oid> 0<tab>members/ana/shots/one.yaml`; H is a file that git looks at, 0 says it is merged. The
 * entries are sorted, so that those of a member come one after the other: only they are kept meanwhile.
 */
const byMember = (
  keep: (files: Files) => void,
): { readonly take: (entry: string) => void; readonly end: () => void } => {
  let files: Files = { username: '', names: [], oids: '' }
  const take = (entry: string): void => {
    if (!entry.startsWith('H 100') || entry.slice(oidEnd, pathStart) !== ' 0\t') return
    const slash = entry.indexOf('/', pathStart + folder.length)
    const isShot = entry.startsWith(shots, slash)
    const name = entry.slice(isShot ? slash + shots.length : slash + 1)
    if (slash === -1 || name.includes('/') || !(isShot ? isYaml(name) : hasStem(name, names.profile))) return
    const username = entry.slice(pathStart + folder.length, slash)
    if (username !== files.username) {
      keep(files)
      files = { username, names: [], oids: '' }
    }
    files.names.push(name)
    files.oids += entry.slice(oidStart, oidEnd)
  }
  return { take, end: () => keep(files) }
}

const oidStart = 'H 100644 '.length
const oidEnd = oidStart + keySize * 2
const pathStart = oidEnd + ' 0\t'.length
const folder = `${names.members}/`
const shots = `/${names.shots}/`
