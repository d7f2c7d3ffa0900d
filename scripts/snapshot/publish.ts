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
import { createFolderOf, findEntry, findFolder, makeFolder, makeRoot } from '../files/folder.ts'
import { moveFile, replaceFolder } from '../files/move.ts'
import { openFile, readFile, readInto } from '../files/open.ts'
import { remove, removeIfEmpty } from '../files/remove.ts'
import { isOneEntry, respell } from '../files/respell.ts'
import { readSums, type Sum } from '../files/sums.ts'
import { isTemporary, writeNew } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'
import { findOwnFolder, makeOwnFolder, memberFolders, type SnapshotFolders } from './folders.ts'
import {
  createStage,
  type FileKind,
  frameTime,
  hashFile,
  isBlocked,
  kindTime,
  listFolder,
  nextBaseTime,
  type Slot,
  slotPath,
} from './outputs.ts'
import { type Entry, namesOf, type State } from './state.ts'

/** The snapshot as a build finds it. */
export type Target = {
  /** The snapshot. */
  readonly folder: string
  /** Whether the snapshot is known to be empty. */
  readonly empty: boolean
  /** Folders of the snapshot that hold members' files, in whose place stands something else, such as a link. */
  readonly blocked: readonly string[]
  /** The folders of the snapshot in which members stand. */
  readonly memberFolders: readonly string[]
  /** What the build needs for itself. */
  readonly own: string
  /** Where changed files are put until all is ready, in the build's own folder. */
  readonly stage: string
  /** Time of change for the files of this build, in seconds; see {@link nextBaseTime}. */
  readonly baseTime: number
}

/** Paths below the snapshot's root. */
export type Changes = {
  /** Files that are staged. */
  readonly write: readonly string[]
  /** Files that no longer belong. */
  readonly remove: readonly string[]
  /** What stands in the way of files that belong: links, folders, strangers. */
  readonly clear: readonly string[]
}

/** A file of the snapshot that is no member's. */
export type FrameFile = {
  readonly path: string
  readonly text: string | Uint8Array
  /** If others like it answer at the same address. */
  readonly kind?: FileKind
}

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
  const empty = !fs.existsSync(out) || fs.readdirSync(out).length === 0
  if (!empty) refuseStrangers(out, plan)
  const own = makeOwnFolder(folders)
  const left = stagesIn(own)
  const last = Math.max((findEntry(out, sumsFile)?.mtimeMs ?? 0) / 1000, ...left.map(timeOfStage))
  const baseTime = nextBaseTime(Date.now() / 1000, last)
  const stage = makeFolder(own, `${stagePrefix}${baseTime}`)
  for (const name of left) remove(own, name)
  const folder = memberFolders(plan.schemes)
  return {
    ...{ folder: out, empty, own, stage, baseTime },
    memberFolders: folder,
    blocked: findBlocked(out, folder),
  }
}

/**
 * A stage's name holds the time of its build's files. One that is left tells that a build died, perhaps in its commit:
 * no other build may use that time again.
 */
const stagePrefix = 'stage-'

const stagesIn = (own: string): readonly string[] =>
  fs.readdirSync(own).filter((name) => name.startsWith(stagePrefix))

const timeOfStage = (name: string): number => {
  const time = Number(name.slice(stagePrefix.length))
  return Number.isSafeInteger(time) && time < farFuture ? time : 0
}

/** Seconds: the year 2100. No build that goes by a clock gets there. */
const farFuture = 4102444800

/** Removes what was staged and is not wanted any more, and the build's own folder if nothing is in it. */
export const discardStage = (folders: SnapshotFolders): void => {
  const own = findOwnFolder(folders)
  if (own === undefined) return
  for (const name of fs.readdirSync(own)) {
    if (name.startsWith(stagePrefix) || isTemporary(name)) remove(own, name)
  }
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
  const { clear, gone } = findStrangers(out, {
    paths: frame.map(({ path }) => path),
    names,
    memberFolders: memberFolders(schemes),
  })
  const [stranger] = [...clear, ...gone.filter((folder) => !state.entries.has(path.basename(folder)))]
  if (stranger !== undefined) {
    throw new UserError(`"${out}" is not empty and holds no snapshot ("${stranger}" is there)`, {
      hint: 'give --out a folder of its own, or empty this one: a build removes the rest',
    })
  }
}

/** Whether a body for what is not there is in its place, or was: SHA256SUMS begins with it, or with a member of a shard. */
const isSnapshot = (out: string): boolean => {
  if (Object.values(errors).some(({ file, body }) => isInPlace(out, { path: file, text: body }))) return true
  const [, first = ''] = firstLine(out, sumsFile).split('  ')
  return first === errors.notFound.file || memberFileAt(first) !== undefined
}

/** Empty if there is no plain file. */
const firstLine = (out: string, name: string): string => {
  const file = openFile(out, name)
  if (file === undefined) return ''
  try {
    const bytes = Buffer.alloc(256)
    return bytes.toString('utf8', 0, readInto(file, bytes)).split('\n')[0]!
  } finally {
    fs.closeSync(file)
  }
}

/** Whether a file of the frame is in the snapshot as it should be. */
const isInPlace = (out: string, { path: name, text }: FrameFile): boolean => {
  const bytes = Buffer.from(text)
  const folder = path.posix.dirname(name)
  if (isBlocked(out, folder)) return false
  return readFile(out, name, { limit: bytes.length })?.equals(bytes) === true
}

/** Those folders in which members stand that are links or files instead. */
const findBlocked = (out: string, memberFolders: readonly string[]): readonly string[] => {
  const blocked: string[] = []
  for (const folder of memberFolders) {
    if (blocked.some((other) => folder.startsWith(`${other}/`))) continue
    const stat = fs.lstatSync(path.join(out, folder), { throwIfNoEntry: false })
    if (stat !== undefined && !stat.isDirectory()) blocked.push(folder)
  }
  return blocked
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
  readonly memberFolders: readonly string[]
}

/** What does not belong in the snapshot, outside the members' own folders. */
const findStrangers = (out: string, { paths, names, memberFolders }: Expected): Strangers => {
  const [clear, gone, respell]: [string[], string[], string[]] = [[], [], []]
  const usernames = new Set(names)
  let folded: ReadonlyMap<string, string> | undefined
  const findOther = (name: string): string | undefined => {
    folded ??= new Map(names.map((one) => [foldUsername(one), one]))
    return folded.get(foldUsername(name))
  }
  const folders = new Set<string>(memberFolders)
  const files = new Set([sumsFile, signatureFile, ...paths])
  for (const file of files) {
    for (let at = file.indexOf('/'); at !== -1; at = file.indexOf('/', at + 1)) folders.add(file.slice(0, at))
  }
  const visit = (folder: string): void => {
    const holdsMembers = isLast(folder, memberFolders)
    for (const entry of listFolder(path.join(out, folder))) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (holdsMembers && usernames.has(entry.name)) continue
      if (holdsMembers && entry.isDirectory()) {
        const other = findOther(entry.name)
        if (other !== undefined && isOneEntry(out, name, `${folder}/${other}`))
          respell.push(`${folder}/${other}`)
        else gone.push(name)
      } else if (entry.isDirectory() && folders.has(name)) visit(name)
      else if (isPicture(name) && entry.isFile() && !files.has(name)) gone.push(name)
      else if (!(entry.isFile() && files.has(name))) clear.push(name)
    }
  }
  visit('')
  return { clear, gone, respell }
}

/** Whether a path is one of a picture. One that nobody names any more goes after the members who named it. */
const isPicture = (name: string): boolean => siteRouteAt(name)?.route.name === 'pictures'

const isLast = (folder: string, memberFolders: readonly string[]): boolean =>
  memberFolders.includes(folder) && !memberFolders.some((other) => other.startsWith(`${folder}/`))

/** Of files in the snapshot. */
export type FileCounts = { readonly written: number; readonly unchanged: number; readonly removed: number }

/** All that the snapshot is to hold; the members' files are staged. */
export type Content = {
  readonly folders: SnapshotFolders
  readonly target: Target
  readonly frame: readonly FrameFile[]
  /** Every name at which the API answers, aliases too. */
  readonly names: readonly string[]
  /** The files of many members each, which are staged too. */
  readonly bins: readonly Sum[]
  /** What is published of members' pictures, each once. */
  readonly pictures: readonly Sum[]
  /** The lines of SHA256SUMS that are members', sorted by path. */
  readonly memberSums: () => Iterable<Sum>
  /** What was done for members. */
  readonly changes: Changes
  readonly counts: FileCounts
  /** sha256 of the SHA256SUMS that has the members' lines as they are; empty if that is not known. */
  readonly known: string
}

export type Published = {
  readonly changed: boolean
  readonly counts: FileCounts
  /** sha256 of SHA256SUMS, in hex. */
  readonly sums: string
}

/** What is published of members' pictures: two of them may have one. */
export const picturesOf = (entries: readonly Entry[]): readonly Sum[] => {
  const digests = new Map(entries.flatMap(({ made }) => Object.entries(made.pictures ?? {})))
  return [...digests].map(([path, digest]) => ({ path, digest }))
}

/** Stages what is no member's and commits all changes, SHA256SUMS last. */
export const publish = (content: Content): Published => {
  const { folders, frame, target, names, bins, pictures, changes } = content
  const { out } = folders
  const paths = [...frame, ...bins, ...pictures].map(({ path }) => path)
  const found = target.empty
    ? { clear: [], gone: [], respell: [] }
    : findStrangers(out, { paths, names, memberFolders: target.memberFolders })
  const strangers = [...found.clear, ...found.gone]
  const cleared = ({ path }: FrameFile): boolean =>
    found.clear.some((stranger) => path.startsWith(`${stranger}/`))
  const missing = frame.filter((file) => target.empty || cleared(file) || !isInPlace(out, file))
  const stage = createStage(target.stage)
  for (const { path, text, kind } of missing) {
    const { baseTime } = target
    stage(path, Buffer.from(text), kind ? kindTime(baseTime, kind) : frameTime(baseTime))
  }
  const all = { ...changes, missing, strangers, respell: found.respell }
  const isChanged = target.empty || Object.values(all).some((list) => list.length > 0)
  const present = target.empty ? '' : (hashFile(out, sumsFile) ?? '')
  const isKnown = !isChanged && present !== '' && present === content.known
  const sums = isKnown ? present : stageSums(content)
  const isNew = isChanged || present !== sums
  // before the new list comes: it is not the one that was signed
  const stale = present === sums || target.empty ? [] : findSignatures(out)
  const removed = [...strangers, ...stale].reduce((sum, name) => sum + countFiles(path.join(out, name)), 0)
  if (isNew) {
    commit(target, {
      respell: found.respell,
      clear: [...changes.clear, ...found.clear, ...stale],
      remove: [...changes.remove, ...found.gone],
      write: [...changes.write, ...missing.map((file) => file.path), ...(present === sums ? [] : [sumsFile])],
    })
  }
  const staged = target.empty ? pictures.length : changes.write.filter(isPicture).length
  const written = missing.length + (present === sums ? 0 : 1) + staged
  const { counts } = content
  return {
    changed: isNew,
    sums,
    counts: {
      written: counts.written + written,
      unchanged: counts.unchanged + frame.length + pictures.length + 1 - written,
      removed: counts.removed + removed,
    },
  }
}

/** Signatures of the list that is there. */
const findSignatures = (out: string): readonly string[] =>
  [signatureFile].filter((name) => findEntry(out, name)?.isFile())

/** Files at or below a path, whatever bytes their names are. */
const countFiles = (file: string | Buffer): number =>
  fs.lstatSync(file).isDirectory()
    ? fs
        .readdirSync(file, { encoding: 'buffer' })
        .map((name) => Buffer.concat([Buffer.from(file), Buffer.from('/'), name]))
        .reduce((sum, inside) => sum + countFiles(inside), 0)
    : 1

/** Stages SHA256SUMS in the format of coreutils, sorted by path, without holding it whole; says its sha256 in hex. */
const stageSums = ({ folders, target, frame, bins, pictures, memberSums }: Content): string => {
  const all = [
    ...frame.map(({ path, text }) => ({ path, digest: hash('sha256', text) })),
    ...bins,
    ...pictures,
  ]
  all.sort((a, b) => (a.path < b.path ? -1 : 1))
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
    for (const one of memberSums()) {
      while (next < all.length && all[next]!.path < one.path) add(all[next++]!)
      add(one)
    }
    for (const one of all.slice(next)) add(one)
    flush()
    const seconds = frameTime(target.baseTime)
    fs.futimesSync(file, seconds, seconds)
  })
  return sum.digest('hex')
}

/** The members' lines of SHA256SUMS, in the order of the paths; the entries have the order of their usernames'. */
export function* sumsOf(entries: readonly Entry[], slots: readonly Slot[]): Generator<Sum> {
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
}

type Commit = Changes & Pick<Strangers, 'respell'>

/**
 * Puts what is staged in the snapshot's place: an empty one is replaced whole, by one rename; else file by file, so that a
 * reader sees the old or the new one, SHA256SUMS last. Nothing here waits, so a signal that the program listens to is
 * heard when all is done.
 */
const commit = ({ folder: out, stage, empty }: Target, changes: Commit): void => {
  if (empty && replaceFolder(stage, out)) return
  makeRoot(out)
  const all = empty ? listFiles(stage) : changes.write
  // pictures first: no body names what is not there
  const write = [...all.filter(isPicture), ...all.filter((file) => !isPicture(file))]
  const [from, to] = [createFolderOf(stage, { make: false }), createFolderOf(out, { make: true })]
  // the room that new folders take is taken before anything is changed
  for (const file of write) if (!changes.clear.some((gone) => file.startsWith(`${gone}/`))) to(file)
  for (const file of changes.clear) remove(out, file)
  for (const folder of changes.respell) respell(out, folder)
  const move = (file: string): void => {
    const below = path.posix.basename(file)
    moveFile({ root: from(file)!, below }, { root: to(file)!, below })
  }
  for (const file of write) if (file !== sumsFile) move(file)
  for (const file of changes.remove) remove(out, file)
  for (const folder of new Set(changes.remove.filter(isPicture).map(path.posix.dirname)))
    removeIfEmpty(out, folder)
  move(sumsFile)
}

const listFiles = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))

/**
 * The members that the snapshot has and would lose, if they are too many: part of the content is likely missing, as in a
 * checkout that was cut off. A name that is an alias now is not lost.
 */
export const findMassRemoval = (
  out: string,
  { state, names }: { readonly state: State; readonly names: readonly string[] },
): MemberCount | undefined => {
  const kept = new Set(names)
  const count = state.entries.size > 0 ? countKnown(out, { state, kept }) : countUnknown(out, kept)
  return isMassRemoval(count) ? count : undefined
}

/** Members of the list that a snapshot holds. */
export const countListed = (out: string, kept: ReadonlySet<string>): MemberCount => {
  const count = createMemberCount()
  for (const sum of readSums({ root: out, below: sumsFile, name: sumsFile })) {
    count.add(sum, kept.has(memberFileAt(sum.path)?.username ?? ''))
  }
  return count.result()
}

/** The state tells members from aliases. */
const countKnown = (
  out: string,
  { state, kept }: { readonly state: State; readonly kept: ReadonlySet<string> },
): MemberCount => {
  const known = countNames([...state.entries.keys()], kept)
  // as nearly always: too few to be many, however many of them are in the snapshot
  if (!isMassRemoval({ ...known, published: known.removed })) return known
  return countNames(
    listPublished(out).filter((username) => state.entries.has(username)),
    kept,
  )
}

/** Without a state the list tells them; a snapshot that has lost its list is counted by its folders. */
const countUnknown = (out: string, kept: ReadonlySet<string>): MemberCount => {
  const folders = countNames(listPublished(out), kept)
  try {
    const listed = countListed(out, kept)
    return listed.published === 0 ? folders : listed
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return folders
  }
}

const countNames = (names: readonly string[], kept: ReadonlySet<string>): MemberCount => ({
  published: names.length,
  removed: names.filter((username) => !kept.has(username)).length,
})

/** The names that the snapshot has a folder for: members and aliases. */
const listPublished = (out: string): readonly string[] => {
  const ways = memberFolders(['https'])
  const isThere = fs.existsSync(out) && fs.statSync(out).isDirectory() && findBlocked(out, ways).length === 0
  const folder = isThere ? findFolder(out, ways.at(-1)!) : undefined
  return folder === undefined
    ? []
    : listFolder(folder).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
}
