import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { countMembers, isMassRemoval, type MemberCount } from '../api/removal.ts'
import { errors, servedAt, sumsFile, variantFolder } from '../api/routes.ts'
import { names as layout } from '../content/layout.ts'
import { once } from '../content/once.ts'
import type { Site } from '../content/site.ts'
import { foldUsername } from '../content/username.ts'
import { createFolderOf, findEntry, makeFolder, makeRoot, readFile } from '../files/folder.ts'
import { readSums, type Sum } from '../files/sums.ts'
import {
  isOneEntry,
  moveFile,
  remove,
  removeLeftBehind,
  replaceFolder,
  respell,
  writeNew,
} from '../files/write.ts'
import { type Diagnostic, fileStart, UserError } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import {
  findOwnFolder,
  lock,
  makeOwnFolder,
  memberFolders,
  refuseLink,
  removeUnused,
  type SnapshotFolders,
} from './folders.ts'
import {
  errorFiles,
  type FrameFile,
  filesOf,
  frameOf,
  hashFile,
  makeBins,
  namesOf,
  nextBaseTime,
  openSnapshot,
  type Place,
} from './outputs.ts'
import { publishedOf } from './pictures.ts'
import { publicationFiles } from './publication.ts'
import type { Entry, State } from './state.ts'

/** Looks at the snapshot's folder, refuses one that is none, and makes room for staged files. */
export const preparePlace = (folders: SnapshotFolders): Place => {
  const { out } = folders
  const names = fs.existsSync(out) ? fs.readdirSync(out).sort() : []
  if (names.length > 0) refuseOthers(out, names)
  else refuseLink(folders, 'snapshot')
  const own = makeOwnFolder(folders)
  if (findEntry(own, stageFolder)?.isDirectory() === false) remove(own, stageFolder)
  // the list of a build that died in its commit may be in the stage: no other build may use the time of its files again
  const lists = [findEntry(out, sumsFile), findEntry(own, `${stageFolder}/${sumsFile}`)]
  const last = Math.max(...lists.map((list) => (list?.mtimeMs ?? 0) / 1000))
  remove(own, stageFolder)
  const baseTime = nextBaseTime(Date.now() / 1000, last)
  return { folder: out, empty: names.length === 0, stage: makeFolder(own, stageFolder), baseTime }
}

const stageFolder = 'stage'

/** Keeps others out of a snapshot while work is done on it; what was staged and is not wanted any more is removed. */
export const inPlace = async <T>(
  folders: SnapshotFolders,
  { onWait }: { readonly onWait: () => void },
  work: () => T | Promise<T>,
): Promise<T> => {
  const { out, own } = folders
  const unlock = await lock(out, { onWait, own })
  try {
    return await work()
  } finally {
    const folder = findOwnFolder(folders)
    if (folder !== undefined) {
      removeLeftBehind(folder, '.')
      remove(folder, stageFolder)
      removeUnused(own)
    }
    unlock()
  }
}

/** A build removes what doesn't belong, so it must be sure that the folder is a snapshot. */
const refuseOthers = (out: string, names: readonly string[]): void => {
  if (names.includes('.git')) {
    throw new UserError(`"${out}" holds a git repository`, {
      hint: 'give --out a folder of its own, such as dist',
    })
  }
  if (isSnapshot(out, names)) return
  throw new UserError(`"${out}" is not empty and holds no snapshot ("${names[0]}" is there)`, {
    hint: 'give --out a folder of its own, or empty this one: a build removes the rest',
  })
}

/** Whether a build made this: an error body is there, or SHA256SUMS begins with one, or, in a shard, with a member's file. */
const isSnapshot = (out: string, names: readonly string[]): boolean => {
  if (errorFiles.some(({ path, digest }) => hashFile(out, path) === digest)) return true
  const list = readFile(out, sumsFile)
  // that of a shard without members, or of a first commit that died
  const ours = [sumsFile, 'api', variantFolder.http, 'pictures']
  if (list?.length === 0) return names.every((name) => ours.includes(name))
  const [, first = ''] = /^\S+ {2}(.+)/.exec(list?.toString('utf8', 0, 256) ?? '') ?? []
  return first === errors.notFound.file || servedAt(first)?.username !== undefined
}

/** What a snapshot is to hold. */
export type Content = {
  readonly place: Place
  readonly site: Site
  /** Of all members, in the order of the paths; their files are there or staged. */
  readonly entries: readonly Entry[]
  /** A shard's snapshot holds its members' files only; that of a merge holds all but these. */
  readonly part: 'shard' | 'merge' | undefined
  /** What the site's hosts read from the snapshot. */
  readonly hostFiles: readonly FrameFile[]
  /** What the last build left, as far as it can be believed. */
  readonly last: State
  /** Whether the entries are other ones than those of the last build. */
  readonly renewed: boolean
  /** A published body of a member. Default: that of the snapshot. */
  readonly read?: (file: Sum, entry: Entry) => Buffer
}

/**
 * Makes and stages what is no member's, and commits all changes, SHA256SUMS last. `sums` is the sha256 of SHA256SUMS in
 * hex, and `renewed` says whether the state to keep is not that of the last build.
 */
export const publish = (content: Content) => {
  const { place, site, entries, part, last } = content
  const { folder: out, empty, stage } = place
  const snapshot = openSnapshot(place)
  const bins = part === 'shard' ? [] : makeBins(content, snapshot)
  const frame = part === 'shard' ? [] : frameOf(content, bins)
  for (const file of frame) snapshot.renew(file)
  // two members may have one
  const pictures = new Map(entries.flatMap(publishedOf).map((sum) => [sum.path, sum])).values()
  const own: readonly Sum[] = [...frame, ...bins.flatMap(({ files }) => files)]
  const all = [...own, ...pictures]
  // members' files that are here: those of a merge are in the shards
  const members = part === 'merge' ? [] : entries
  const others = part === 'merge' ? own : all
  const found = findStale(others, { ...content, entries: members })
  // counted without their paths, which takes longer than all else where nothing changed
  const filesAt = ({ made: { sha256 } }: Entry): number =>
    sha256.filter((digest) => digest !== null).length
  const total = members.reduce(
    (sum, one) => sum + namesOf(one).length * filesAt(one),
    others.length + 1,
  )
  // all of it if the snapshot is empty
  const staged = empty ? [] : listFiles(stage)
  const present = empty ? undefined : hashFile(out, sumsFile)
  const renewed = content.renewed || bins.some((bin, number) => bin !== last.bins?.[number])
  const isSame = staged.length + found.stale.length + found.respelled.length === 0 && !renewed
  if (isSame && present !== undefined && present === last.sums)
    return { written: 0, unchanged: total, removed: 0, sums: present, bins, renewed }
  const list = renderSums([...all, ...entries.flatMap((entry) => filesOf(entry, site))], out)
  const sums = hash('sha256', list)
  if (present !== sums) {
    snapshot.put({ path: sumsFile, bytes: Buffer.from(list) })
    staged.push(sumsFile)
  }
  const removed = found.stale.reduce((sum, name) => sum + countFiles(path.join(out, name)), 0)
  commit(place, { ...found, staged })
  const written = empty ? total : staged.length
  return {
    written,
    unchanged: total - written,
    removed,
    sums,
    bins,
    renewed: renewed || last.sums !== sums,
  }
}

/** Files at or below a path. One whose name is no UTF-8 has no path, so it counts as none and stays. */
const countFiles = (file: string): number => {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat === undefined ? 0 : 1
  return fs.readdirSync(file).reduce((sum, name) => sum + countFiles(path.join(file, name)), 0)
}

/** Paths below the snapshot's root. */
type Found = {
  /** What does not belong: links, strangers, files of members who are gone. */
  readonly stale: string[]
  /** Members' folders that the file system has in another letter case. */
  readonly respelled: string[]
}

/** What does not belong in the snapshot, which holds the others and the files of members. */
const findStale = (others: readonly Sum[], { place, site, entries, last }: Content): Found => {
  const { folder: out, empty } = place
  const found: Found = { stale: [], respelled: [] }
  if (empty) return found
  const ofMembers = memberFolders(site.schemes)
  // nobody need look for strangers among the files of those whom nobody touched
  const isUntouched = ({ username, made: { stat } }: Entry): boolean =>
    stat !== '' && stat === last.entries.get(username)?.made.stat
  const passed = new Set(entries.filter(isUntouched).flatMap(namesOf))
  const touched = entries.filter(({ username }) => !passed.has(username))
  const expected = [...others, ...touched.flatMap((entry) => filesOf(entry, site))].map(
    ({ path }) => path,
  )
  const files = new Set([sumsFile, ...publicationFiles, ...expected])
  const folders = foldersOf([...files, ...ofMembers.map((folder) => `${folder}/any`)])
  const folded = once(
    () => new Map(entries.flatMap(namesOf).map((name) => [foldUsername(name), name])),
  )
  const visit = (folder: string): void => {
    const holdsMembers = ofMembers.includes(folder)
    for (const entry of fs.readdirSync(path.join(out, folder), { withFileTypes: true })) {
      const below = path.posix.join(folder, entry.name)
      if (holdsMembers && passed.has(entry.name)) continue
      if (entry.isDirectory() && folders.has(below)) visit(below)
      else if (!entry.isFile() || !files.has(below)) {
        const other = holdsMembers && entry.isDirectory() && folded().get(foldUsername(entry.name))
        const isRespelled = other && isOneEntry(out, below, `${folder}/${other}`)
        if (isRespelled) found.respelled.push(`${folder}/${other}`)
        else found.stale.push(below)
      }
    }
  }
  visit('')
  return found
}

/** The folders that files are in. */
const foldersOf = (files: Iterable<string>): ReadonlySet<string> => {
  const folders = new Set<string>()
  for (const file of files)
    for (
      let at = path.posix.dirname(file);
      at !== '.' && !folders.has(at);
      at = path.posix.dirname(at)
    )
      folders.add(at)
  return folders
}

/** SHA256SUMS in the format of coreutils, sorted by path. */
const renderSums = (sums: readonly Sum[], out: string): string => {
  const sorted = sums.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  let text = ''
  let last = ''
  for (const { path, digest } of sorted) {
    if (path === last) {
      throw new UserError(`two members would be published at ${path} of ${out}`, {
        hint: 'the state is not what a build left: build again with --distrust',
      })
    }
    last = path
    text += `${digest}  ${path}\n`
  }
  return text
}

/**
 * Puts what is staged in the snapshot's place: an empty one is replaced whole, by one rename; else file by file, so that a
 * reader sees the old or the new one, SHA256SUMS last. Nothing here waits, so a signal that the program listens to is
 * heard when all is done.
 */
const commit = (
  { folder: out, stage, empty, baseTime }: Place,
  { stale, respelled, staged }: Found & { readonly staged: readonly string[] },
): void => {
  if (empty && replaceFolder(stage, out)) return
  makeRoot(out)
  // if the build dies before all is there, the next one knows the folder by this list
  if (empty) writeNew(out, sumsFile, (file) => fs.futimesSync(file, baseTime, baseTime))
  const files = (empty ? listFiles(stage) : staged).toSorted((a, b) => turnOf(a) - turnOf(b))
  const needed = new Set([...files, ...foldersOf(files)])
  for (const file of stale) if (needed.has(file)) remove(out, file)
  for (const folder of respelled) respell(out, folder)
  const folderOf = createFolderOf(out)
  // the room that new folders take is taken before any file is changed
  for (const file of files) folderOf(file)
  const move = (file: string): void =>
    moveFile(
      { root: stage, below: file },
      { root: folderOf(file), below: path.posix.basename(file) },
    )
  for (const file of files) if (file !== sumsFile) move(file)
  for (const file of stale) if (!needed.has(file)) remove(out, file)
  if (needed.has(sumsFile)) move(sumsFile)
}

/** First what tells a snapshot from other folders, then pictures: no body names what is not there. */
const turnOf = (file: string): number => {
  if (file === errors.notFound.file) return 0
  return servedAt(file)?.route.name === 'pictures' ? 1 : 2
}

const listFiles = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'),
    )

/**
 * An error if too many members of the snapshot would be gone: part of the content is likely missing, as in a checkout that
 * was cut off. `names` are all names that the next snapshot has: one that is an alias now is not lost. `known` are the
 * members of the last one; without them, its list tells members from aliases. `content` is what diagnostics call the folder.
 */
export const checkRemoval = (
  out: string,
  {
    content,
    names,
    known,
  }: Record<'names' | 'known', readonly string[]> & { readonly content: string },
): readonly Diagnostic[] => {
  const kept = new Set(names)
  const removed = known.filter((username) => !kept.has(username)).length
  const count = known.length > 0 ? { published: known.length, removed } : countListed(out, kept)
  const at = { file: `${content}/${layout.members}`, ...fileStart }
  return isMassRemoval(count) ? [diagnose('mass-removal', at, count)] : []
}

const countListed = (out: string, kept: ReadonlySet<string>): MemberCount => {
  try {
    const list = readSums({ root: out, below: sumsFile, name: sumsFile })
    return countMembers(list, ({ username = '' }) => kept.has(username))
  } catch (error) {
    // a list that is damaged tells nothing
    if (error instanceof UserError) return { published: 0, removed: 0 }
    throw error
  }
}
