import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { createMemberCount, isMassRemoval, type MemberCount, memberFileAt } from '../api/member-file.ts'
import { errors, signatureFile, siteRouteAt, sumsFile, variantFolder } from '../api/routes.ts'
import type { Site } from '../content/site.ts'
import { foldUsername } from '../content/username.ts'
import { createFolderOf, findEntry, makeFolder, makeRoot } from '../files/folder.ts'
import { isOneEntry, moveFile, replaceFolder, respell } from '../files/move.ts'
import { openFile, readInto } from '../files/open.ts'
import { remove, removeIfEmpty, removeLeftBehind } from '../files/remove.ts'
import { readSums, type Sum } from '../files/sums.ts'
import { writeNew } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'
import { findOwnFolder, makeOwnFolder, memberFolders, type SnapshotFolders } from './folders.ts'
import type { Bin } from './lists.ts'
import {
  filesOf,
  hashFile,
  namesOf,
  nextBaseTime,
  openSnapshot,
  type Place,
  slotPath,
  slotsOf,
} from './outputs.ts'
import type { Entry } from './state.ts'

/** A file of the snapshot that is no member's. */
export type FrameFile = { readonly path: string; readonly text: string | Uint8Array }

/** The error bodies, which every snapshot has. */
export const errorFiles: readonly FrameFile[] = Object.values(errors).map(({ file, body }) => ({
  path: file,
  text: body,
}))

/** Looks at the snapshot's folder, refuses one that is none, and makes room for staged files. */
export const preparePlace = (folders: SnapshotFolders): Place => {
  const { out } = folders
  const names = fs.existsSync(out) ? fs.readdirSync(out).sort() : []
  if (names.length > 0) refuseOthers(out, names)
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

/** Removes what was staged and is not wanted any more, and the build's own folder if nothing is in it. */
export const discardStage = (folders: SnapshotFolders): void => {
  const own = findOwnFolder(folders)
  if (own === undefined) return
  removeLeftBehind(own, '.')
  remove(own, stageFolder)
  const { root, below } = folders.own
  for (let folder = below; folder !== '.'; folder = path.posix.dirname(folder)) removeIfEmpty(root, folder)
}

/** A build removes what doesn't belong: so it must know the folder for a snapshot. */
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
  if (errorFiles.some(({ path, text }) => hashFile(out, path) === hash('sha256', text))) return true
  const list = openFile(out, sumsFile)
  if (list === undefined) return false
  const start = Buffer.alloc(256)
  const length = readInto(list, start)
  fs.closeSync(list)
  // that of a shard without members, or of a first commit that died
  if (length === 0) return names.every((name) => [sumsFile, ...topFolders].includes(name))
  const [, first = ''] = start.toString('utf8').split('\n')[0]!.split('  ')
  return first === errors.notFound.file || memberFileAt(first) !== undefined
}

const topFolders: readonly string[] = ['api', variantFolder.http, 'pictures']

/** All that the snapshot is to hold; members' files and bins are there or staged. */
export type Content = {
  readonly place: Place
  readonly site: Site
  /** Of all members, in the order of the paths. */
  readonly entries: readonly Entry[]
  /** Whether the members' files are in other folders. */
  readonly isMerge: boolean
  /** Whether nobody need look for strangers among a member's files. Default: no. */
  readonly isUntouched?: (entry: Entry) => boolean
  readonly frame: readonly FrameFile[]
  readonly bins: readonly Bin[]
  /** sha256 of the SHA256SUMS that has the lines of members and bins as they are; empty if that is not known. */
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
  const { place, entries, isMerge, known } = content
  const { folder: out, empty, stage } = place
  const snapshot = openSnapshot(place)
  const frame = content.frame.map(({ path, text }) => {
    const digest = hash('sha256', text)
    snapshot.renew(path, { bytes: Buffer.from(text), digest })
    return { path, digest }
  })
  const bins = content.bins.flatMap(({ files }) => files)
  const slots = slotsOf(content.site)
  const ofMembers = entries.flatMap((entry) => filesOf(entry, slots))
  const pictures = picturesOf(entries)
  const sums = [...frame, ...bins, ...pictures, ...ofMembers]
  const others = [...frame, ...bins, ...(isMerge ? [] : pictures)].map(({ path }) => path)
  const total = (isMerge ? others.length : sums.length) + 1
  const found = empty ? { stale: [], respelled: [] } : findStale(others, content)
  // all of it if the snapshot is empty
  const staged = empty ? [] : listFiles(stage)
  const present = empty ? undefined : hashFile(out, sumsFile)
  const isSame = [staged, found.stale, found.respelled].every(({ length }) => length === 0)
  if (isSame && present !== undefined && present === known)
    return { written: 0, unchanged: total, removed: 0, sums: present }
  const list = renderSums(sums, out)
  const digest = hash('sha256', list)
  const write = present === digest ? staged : [...staged, sumsFile]
  if (present !== digest) snapshot.put(sumsFile, Buffer.from(list))
  // it is not this list that was signed
  const isStale = present !== digest && !empty && findEntry(out, signatureFile)?.isFile()
  const stale = isStale ? [...found.stale, signatureFile] : found.stale
  const removed = stale.reduce((sum, name) => sum + countFiles(path.join(out, name)), 0)
  commit(place, { ...found, stale, write })
  const written = empty ? total : write.length
  return { written, unchanged: total - written, removed, sums: digest }
}

/** What is published of members' pictures: two of them may have one. */
const picturesOf = (entries: readonly Entry[]): readonly Sum[] => {
  const digests = new Map(entries.flatMap(({ made }) => Object.entries(made.pictures ?? {})))
  return [...digests].map(([path, digest]) => ({ path, digest }))
}

/** Files at or below a path. */
const countFiles = (file: string): number => {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat === undefined ? 0 : 1
  return fs.readdirSync(file).reduce((sum, name) => sum + countFiles(path.join(file, name)), 0)
}

/** Paths below the snapshot's root. */
type Found = {
  /** What does not belong: links, strangers, files of members who are gone. */
  readonly stale: readonly string[]
  /** Members' folders that the file system has in another letter case. */
  readonly respelled: readonly string[]
}

/** What does not belong in the snapshot. */
const findStale = (
  others: readonly string[],
  { place, site, entries, isMerge, isUntouched = () => false }: Content,
): Found => {
  const { folder: out } = place
  const [stale, respelled]: [string[], string[]] = [[], []]
  const slots = slotsOf(site)
  const ofMembers = memberFolders(site.schemes)
  const [files, folders] = [new Set<string>(), new Set<string>()]
  const expect = (file: string): void => {
    files.add(file)
    for (let at = file.indexOf('/'); at !== -1; at = file.indexOf('/', at + 1)) folders.add(file.slice(0, at))
  }
  for (const file of [sumsFile, signatureFile, ...others, ...ofMembers.map((folder) => `${folder}/`)])
    expect(file)
  const members = new Map(
    isMerge ? [] : entries.flatMap((entry) => namesOf(entry).map((name) => [name, entry] as const)),
  )
  let folded: ReadonlyMap<string, string> | undefined
  const findOther = (name: string): string | undefined => {
    folded ??= new Map([...members.keys()].map((one) => [foldUsername(one), one]))
    return folded.get(foldUsername(name))
  }
  const visit = (folder: string): void => {
    const holdsMembers = ofMembers.includes(folder)
    for (const entry of fs.readdirSync(path.join(out, folder), { withFileTypes: true })) {
      const { name } = entry
      const below = folder === '' ? name : `${folder}/${name}`
      const member = holdsMembers ? members.get(name) : undefined
      if (member !== undefined) {
        if (isUntouched(member)) continue
        for (const [number, slot] of slots.entries())
          if (member.made.sha256[number]) expect(slotPath(slot, name))
      }
      const other = holdsMembers && member === undefined && entry.isDirectory() ? findOther(name) : undefined
      if (entry.isDirectory() && folders.has(below)) visit(below)
      else if (entry.isFile() && files.has(below)) continue
      else if (other !== undefined && isOneEntry(out, below, `${folder}/${other}`))
        respelled.push(`${folder}/${other}`)
      else stale.push(below)
    }
  }
  visit('')
  return { stale, respelled }
}

/** SHA256SUMS in the format of coreutils, sorted by path. */
const renderSums = (sums: readonly Sum[], out: string): string => {
  const sorted = sums.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  let [text, last] = ['', '']
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

type Commit = Found & { readonly write: readonly string[] }

/**
 * Puts what is staged in the snapshot's place: an empty one is replaced whole, by one rename; else file by file, so that a
 * reader sees the old or the new one, SHA256SUMS last. Nothing here waits, so a signal that the program listens to is
 * heard when all is done.
 */
const commit = (
  { folder: out, stage, empty, baseTime }: Place,
  { stale, respelled, write: changed }: Commit,
): void => {
  if (empty && replaceFolder(stage, out)) return
  makeRoot(out)
  // if the build dies before all is there, the next one knows the folder by this list
  if (empty) writeNew(out, sumsFile, (file) => fs.futimesSync(file, baseTime, baseTime))
  const write = (empty ? listFiles(stage) : changed).toSorted((a, b) => turnOf(a) - turnOf(b))
  const needed = new Set(write)
  for (const file of write)
    for (let at = path.posix.dirname(file); at !== '.'; at = path.posix.dirname(at)) needed.add(at)
  for (const file of stale) if (needed.has(file)) remove(out, file)
  for (const folder of respelled) respell(out, folder)
  const folderOf = createFolderOf(out, { make: true })
  // the room that new folders take is taken before any file is changed
  for (const file of write) folderOf(file)
  const move = (file: string): void =>
    moveFile({ root: stage, below: file }, { root: folderOf(file)!, below: path.posix.basename(file) })
  for (const file of write) if (file !== sumsFile) move(file)
  for (const file of stale) if (!needed.has(file)) remove(out, file)
  if (needed.has(sumsFile)) move(sumsFile)
}

/** First what tells a snapshot from other folders, then pictures: no body names what is not there. */
const turnOf = (file: string): number =>
  file === errors.notFound.file ? 0 : siteRouteAt(file)?.route.name === 'pictures' ? 1 : 2

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
