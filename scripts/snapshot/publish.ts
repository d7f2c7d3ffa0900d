import { createHash, hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { createMemberCount, isMassRemoval, type MemberCount, memberFileAt } from '../api/member-file.ts'
import {
  errors,
  filePath,
  routes,
  signatureFile,
  siteRouteAt,
  sumsFile,
  type Variant,
  variants,
} from '../api/routes.ts'
import { byPath, foldUsername } from '../content/username.ts'
import { createFolderOf, findEntry, makeFolder, makeRoot } from '../files/folder.ts'
import { isOneEntry, moveFile, replaceFolder, respell } from '../files/move.ts'
import { openFile, readInto } from '../files/open.ts'
import { remove, removeIfEmpty, removeLeftBehind } from '../files/remove.ts'
import { readSums, type Sum } from '../files/sums.ts'
import { writeNew } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'
import { findOwnFolder, makeOwnFolder, memberFolders, type SnapshotFolders } from './folders.ts'
import {
  createStage,
  hashFile,
  isBlocked,
  isThere,
  nextBaseTime,
  type Slot,
  type StagePlace,
  slotPath,
  timeOf,
} from './outputs.ts'
import { type Entry, namesOf, type State } from './state.ts'

/** The snapshot as a build finds it, and where changed files are put until all is ready. */
export type Target = StagePlace & {
  readonly schemes: readonly Variant[]
  /** Folders of the snapshot in which members stand that can't be reached: a link, or a file, is in the way. */
  readonly blocked: readonly string[]
  /** What the build needs for itself. */
  readonly own: string
}

/** Paths below the snapshot's root. What is to be written is staged. */
export type Changes = {
  /** Files that no longer belong. */
  readonly remove: readonly string[]
  /** What stands in the way of files that belong: links, folders, strangers. */
  readonly clear: readonly string[]
}

/** A file of the snapshot that is no member's. */
export type FrameFile = { readonly path: string; readonly text: string | Uint8Array }

/** The error bodies, and other files that are no member's. Sorted by path. */
export const frameFiles = (others: readonly FrameFile[]): readonly FrameFile[] => {
  const bodies = Object.values(errors).map(({ file, body }) => ({ path: file, text: body }))
  return [...bodies, ...others].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** What a snapshot will hold. */
export type Plan = {
  readonly schemes: readonly Variant[]
  readonly frame: readonly FrameFile[]
  /** Every name at which the API answers, as far as it is known. */
  readonly names: readonly string[]
  readonly state: State
}

/** Looks at the snapshot's folder, refuses one that is none, and makes room for staged files. */
export const prepareTarget = (folders: SnapshotFolders, plan: Plan): Target => {
  const { out } = folders
  const { schemes } = plan
  const empty = !fs.existsSync(out) || fs.readdirSync(out).length === 0
  if (!empty) refuseStrangers(out, plan)
  const own = makeOwnFolder(folders)
  if (findEntry(own, stageFolder)?.isDirectory() === false) remove(own, stageFolder)
  // the list of a build that died in its commit may be in the stage: no other build may use the time of its files again
  const lists = [findEntry(out, sumsFile), findEntry(own, `${stageFolder}/${sumsFile}`)]
  const last = Math.max(...lists.map((list) => (list?.mtimeMs ?? 0) / 1000))
  remove(own, stageFolder)
  return {
    ...{ folder: out, empty, own, schemes },
    stage: makeFolder(own, stageFolder),
    baseTime: nextBaseTime(Date.now() / 1000, last),
    blocked: empty ? [] : memberFolders(schemes).filter((folder) => isBlocked(out, folder)),
  }
}

const stageFolder = 'stage'

/** Removes what was staged and is not wanted any more, and the build's own folder if nothing is in it. */
export const discardStage = (folders: SnapshotFolders): void => {
  const own = findOwnFolder(folders)
  if (own === undefined) return
  removeLeftBehind(own, '.')
  remove(own, stageFolder)
  const { root, below } = folders.own
  for (let folder = below; folder !== '.'; folder = path.posix.dirname(folder)) removeIfEmpty(root, folder)
}

/** A build removes what doesn't belong: so it must know the folder for a snapshot, or find nothing strange in it. */
const refuseStrangers = (out: string, { frame, names, state, schemes }: Plan): void => {
  if (fs.existsSync(path.join(out, '.git'))) {
    throw new UserError(`"${out}" holds a git repository`, {
      hint: 'give --out a folder of its own, such as dist',
    })
  }
  if (isSnapshot(out)) return
  const { clear, gone } = findStrangers(out, { paths: frame.map(({ path }) => path), names, schemes })
  const [stranger] = [...clear, ...gone.filter((folder) => !state.entries.has(path.basename(folder)))]
  if (stranger !== undefined) {
    throw new UserError(`"${out}" is not empty and holds no snapshot ("${stranger}" is there)`, {
      hint: 'give --out a folder of its own, or empty this one: a build removes the rest',
    })
  }
}

/** Whether a build made this: an error body is there, or SHA256SUMS begins with one, or, in a shard, with a member's file. */
const isSnapshot = (out: string): boolean => {
  const place = { folder: out, empty: false, stage: '', baseTime: 0 }
  if (Object.values(errors).some(({ file, body }) => isThere(place, file, hash('sha256', body)))) return true
  const list = openFile(out, sumsFile)
  if (list === undefined) return false
  const start = Buffer.alloc(256)
  readInto(list, start)
  fs.closeSync(list)
  const [, first = ''] = start.toString('utf8').split('\n')[0]!.split('  ')
  return first === errors.notFound.file || memberFileAt(first) !== undefined
}

/** Paths below the snapshot's root. */
type Strangers = {
  /** What stands in the way of files that belong: links, folders, files of others. */
  readonly clear: readonly string[]
  /** Folders of members that are gone. */
  readonly gone: readonly string[]
  /** Members' folders, where the file system has them in another letter case. */
  readonly respell: readonly string[]
}

type Expected = {
  /** Of all files that are no member's. */
  readonly paths: readonly string[]
  readonly names: readonly string[]
  readonly schemes: readonly Variant[]
}

/** What does not belong in the snapshot, outside the members' own folders. */
const findStrangers = (out: string, { paths, names, schemes }: Expected): Strangers => {
  const [clear, gone, respell]: [string[], string[], string[]] = [[], [], []]
  const usernames = new Set(names)
  let folded: ReadonlyMap<string, string> | undefined
  const findOther = (name: string): string | undefined => {
    folded ??= new Map(names.map((one) => [foldUsername(one), one]))
    return folded.get(foldUsername(name))
  }
  const ofMembers = memberFolders(schemes)
  const files = new Set([sumsFile, signatureFile, ...paths])
  const folders = new Set(ofMembers)
  for (const file of [...files, ...ofMembers]) {
    for (let at = file.indexOf('/'); at !== -1; at = file.indexOf('/', at + 1)) folders.add(file.slice(0, at))
  }
  const visit = (folder: string): void => {
    const holdsMembers = ofMembers.includes(folder)
    for (const entry of fs.readdirSync(path.join(out, folder), { withFileTypes: true })) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (holdsMembers && usernames.has(entry.name)) continue
      if (holdsMembers && entry.isDirectory()) {
        const other = findOther(entry.name)
        if (other !== undefined && isOneEntry(out, name, `${folder}/${other}`))
          respell.push(`${folder}/${other}`)
        else gone.push(name)
      } else if (entry.isDirectory() && folders.has(name)) visit(name)
      else if (entry.isFile() && files.has(name)) continue
      else (entry.isFile() && isPicture(name) ? gone : clear).push(name)
    }
  }
  visit('')
  return { clear, gone, respell }
}

/** Whether a path is one of a picture. One that nobody names any more goes after the members who named it. */
const isPicture = (name: string): boolean => siteRouteAt(name)?.route.name === 'pictures'

/** All that the snapshot is to hold; members' files, pictures and bins are staged. */
export type Content = {
  readonly folders: SnapshotFolders
  readonly target: Target
  readonly frame: readonly FrameFile[]
  /** Every name at which the API answers, aliases too; none where members' files are in other folders. */
  readonly names: readonly string[]
  readonly entries: readonly Entry[]
  readonly slots: readonly Slot[]
  readonly bins: readonly Sum[]
  /** What is no longer wanted of members. */
  readonly changes: Changes
  /** sha256 of the SHA256SUMS that has the members' lines as they are; empty if that is not known. */
  readonly known: string
}

/** Numbers are of files. */
export type Published = {
  readonly written: number
  readonly unchanged: number
  readonly removed: number
  /** sha256 of SHA256SUMS, in hex. */
  readonly sums: string
}

/** Stages what is no member's and commits all changes, SHA256SUMS last. */
export const publish = (content: Content): Published => {
  const { target, names, entries, bins, changes, known } = content
  const { folder: out, empty } = target
  const stage = createStage(target)
  const frame = content.frame.map(({ path, text }) => {
    const digest = hash('sha256', text)
    if (!isThere(target, path, digest)) stage(path, Buffer.from(text))
    return { path, digest }
  })
  const pictures = names.length === 0 ? [] : picturesOf(entries)
  const paths = [...frame, ...bins, ...pictures].map(({ path }) => path)
  const total = paths.length + 1 + (names.length === 0 ? 0 : countMemberFiles(entries))
  const found = empty
    ? { clear: [], gone: [], respell: [] }
    : findStrangers(out, { paths, names, schemes: target.schemes })
  // all of it if the snapshot is empty
  const staged = empty ? [] : listFiles(target.stage)
  const present = empty ? undefined : hashFile(out, sumsFile)
  const all = [staged, found.clear, found.gone, found.respell, changes.clear, changes.remove]
  if (present !== undefined && present === known && all.every((list) => list.length === 0))
    return { written: 0, unchanged: total, removed: 0, sums: present }
  const sums = stageSums(content, [...frame, ...bins])
  // before the new list comes: it is not the one that was signed
  const isStale = present !== sums && !empty && findEntry(out, signatureFile)?.isFile()
  const clear = [...changes.clear, ...found.clear, ...(isStale ? [signatureFile] : [])]
  const remove = [...changes.remove, ...found.gone]
  const removed = [...clear, ...remove].reduce((sum, name) => sum + countFiles(path.join(out, name)), 0)
  const write = present === sums ? staged : [...staged, sumsFile]
  commit(target, { respell: found.respell, clear, remove, write })
  const written = empty ? total : write.length
  return { written, unchanged: total - written, removed, sums }
}

/** What is published of members' pictures, by path: two of them may have one. */
const picturesOf = (entries: readonly Entry[]): readonly Sum[] => {
  const digests = new Map(entries.flatMap(({ made }) => Object.entries(made.pictures ?? {})))
  return [...digests].map(([path, digest]) => ({ path, digest })).sort(bySumPath)
}

const bySumPath = (a: Sum, b: Sum): number => (a.path < b.path ? -1 : 1)

const countMemberFiles = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => {
    const own = entry.made.sha256.reduce((count, digest) => count + (digest === null ? 0 : 1), 0)
    return sum + own * (1 + entry.aliases.length)
  }, 0)

/** Files at or below a path. */
const countFiles = (file: string): number => {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat === undefined ? 0 : 1
  return fs.readdirSync(file).reduce((sum, name) => sum + countFiles(path.join(file, name)), 0)
}

/** Stages SHA256SUMS in the format of coreutils, sorted by path, without holding it whole; says its sha256 in hex. */
const stageSums = ({ folders, target, entries, slots }: Content, own: readonly Sum[]): string => {
  const all = own.toSorted(bySumPath)
  const sum = createHash('sha256')
  writeNew(target.stage, sumsFile, (file) => {
    let [text, last] = ['', '']
    const flush = (): void => {
      sum.update(text)
      fs.writeFileSync(file, text)
      text = ''
    }
    const add = ({ path, digest }: Sum): void => {
      if (path <= last) {
        throw new UserError(`two members would be published at ${path} of ${folders.out}`, {
          hint: 'the state is not what a build left: build again with --distrust',
        })
      }
      last = path
      text += `${digest}  ${path}\n`
      if (text.length > 1 << 18) flush()
    }
    let next = 0
    for (const one of sumsOf(entries, slots)) {
      while (next < all.length && all[next]!.path < one.path) add(all[next++]!)
      add(one)
    }
    for (const one of all.slice(next)) add(one)
    flush()
    const seconds = timeOf(target.baseTime, sumsFile)
    fs.futimesSync(file, seconds, seconds)
  })
  return sum.digest('hex')
}

/** The lines of SHA256SUMS that come from members, in the order of the paths; the entries come in that order, too. */
function* sumsOf(entries: readonly Entry[], slots: readonly Slot[]): Generator<Sum> {
  let named = entries.map((entry) => ({ name: entry.username, entry }))
  if (entries.some(({ aliases }) => aliases.length > 0)) {
    named = entries.flatMap((entry) => namesOf(entry).map((name) => ({ name, entry })))
    named.sort((a, b) => byPath(a.name, b.name))
  }
  const folders = variants
    .map((variant) => ({ variant, path: filePath(routes[0]!, variant, '') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { variant } of folders) {
    const own = slots.flatMap((slot, number) => (slot.variant === variant ? [{ slot, number }] : []))
    for (const { name, entry } of named) {
      for (const { slot, number } of own) {
        const digest = entry.made.sha256[number]
        if (digest) yield { path: slotPath(slot, name), digest }
      }
    }
  }
  yield* picturesOf(entries)
}

type Commit = Changes & Pick<Strangers, 'respell'> & { readonly write: readonly string[] }

/**
 * Puts what is staged in the snapshot's place: an empty one is replaced whole, by one rename; else file by file, so that a
 * reader sees the old or the new one, SHA256SUMS last. Nothing here waits, so a signal that the program listens to is
 * heard when all is done.
 */
const commit = (
  { folder: out, stage, empty }: Target,
  { respell: folders, clear, remove: gone, write: changed }: Commit,
): void => {
  if (empty && replaceFolder(stage, out)) return
  makeRoot(out)
  const write = empty ? listFiles(stage) : changed
  const folderOf = createFolderOf(out, { make: true })
  // the room that new folders take is taken before anything is changed
  for (const file of write) if (!clear.some((one) => file.startsWith(`${one}/`))) folderOf(file)
  for (const file of clear) remove(out, file)
  for (const folder of folders) respell(out, folder)
  const move = (file: string): void =>
    moveFile({ root: stage, below: file }, { root: folderOf(file)!, below: path.posix.basename(file) })
  // pictures first: no body names what is not there
  for (const file of write) if (isPicture(file)) move(file)
  for (const file of write) if (!isPicture(file) && file !== sumsFile) move(file)
  for (const file of gone) remove(out, file)
  for (const folder of new Set(gone.filter(isPicture).map(path.posix.dirname))) removeIfEmpty(out, folder)
  if (write.includes(sumsFile)) move(sumsFile)
}

const listFiles = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))

/**
 * The members that the snapshot has and would lose, if they are too many: part of the content is likely missing, as in a
 * checkout that was cut off. A name that is an alias now is not lost. Without a state, the list tells members from aliases.
 */
export const findMassRemoval = (
  out: string,
  { names, known = [] }: { readonly names: readonly string[]; readonly known?: readonly string[] },
): MemberCount | undefined => {
  const kept = new Set(names)
  const gone = known.filter((username) => !kept.has(username)).length
  const count = known.length > 0 ? { published: known.length, removed: gone } : countListed(out, kept)
  return isMassRemoval(count) ? count : undefined
}

const countListed = (out: string, kept: ReadonlySet<string>): MemberCount => {
  const count = createMemberCount()
  try {
    for (const sum of readSums({ root: out, below: sumsFile, name: sumsFile }))
      count.add(sum, kept.has(memberFileAt(sum.path)?.username ?? ''))
  } catch (error) {
    // a list that is damaged tells nothing
    if (!(error instanceof UserError)) throw error
  }
  return count.result()
}
