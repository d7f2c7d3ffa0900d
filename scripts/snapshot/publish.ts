import fs from 'node:fs'
import path from 'node:path'
import { renderDocument } from '../api/document/openapi.ts'
import { documentOf } from '../api/outputs.ts'
import { countMembers, isMassRemoval } from '../api/removal.ts'
import { servedAt, sumsFile } from '../api/routes.ts'
import { names as layout } from '../content/layout.ts'
import { once } from '../content/once.ts'
import { foldUsername } from '../content/username.ts'
import { createFolderOf, isOneFile, lstatOf, makeRoot, readFile } from '../files/folder.ts'
import { linesOf, type Sum, sumsIn } from '../files/sums.ts'
import {
  moveFile,
  remove,
  removeEmpty,
  replaceFolder,
  respell,
  writeNew,
} from '../files/write.ts'
import { type Diagnostic, fileStart } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { type Destination, openDestination } from './destination.ts'
import {
  digestIn,
  type Entry,
  listMarks,
  type Made,
  marksIn,
  namesOf,
  nothingMade,
  pathsIn,
  publishedOf,
  type State,
  sumsOf,
  toSums,
} from './entry.ts'
import { makeFiles } from './make.ts'
import type { Product } from './product.ts'
import { writeState } from './state.ts'

/** What a folder is to hold. */
type Publishing = {
  readonly destination: Destination
  readonly product: Product
  /** Of all members, in the order of the paths; their files are there or staged. */
  readonly entries: readonly Entry[]
  /** Members who are left out; something of them may be staged. */
  readonly dropped?: readonly Entry[]
  /**
   * What the last build left, as far as it can be believed; an entry is the same one if its
   * files are as they were left.
   */
  readonly last: State
  /** Members whose files are as it left them. */
  readonly asLeft?: ReadonlySet<string>
  /** What to keep for the next build, but for the members who are left out. */
  readonly state?: State
  /**
   * Reads a published file of a member where the members' files are elsewhere, and stay
   * there, as in a merge.
   */
  readonly read?: (file: Sum, username: string) => Uint8Array
}

/**
 * Renders and stages what is no member's, compares, commits, and remembers what is there for
 * the next build.
 */
export const publish = (publishing: Publishing) => {
  const { destination, last, state, read } = publishing
  dropStaged(publishing)
  const frame = makeFrame(publishing)
  const entries = read ? [] : publishing.entries
  const pictures = picturesOf(entries)
  const parts = [frame, ...entries]
  const total = parts.reduce((sum, { files }) => sum + linesOf(files).length, 0)
  const change = compare({ ...publishing, entries }, [...pathsIn(frame), ...pictures])
  const { stale, respelled, staged } = change
  const removed = stale.map((name) => countFiles(path.join(destination.folder, name)))
  const isSame = staged.length + stale.length + respelled.length === 0 && !destination.empty
  if (!isSame) commit(publishing, change)
  const { largest, ...settled } = settle(destination, frame, entries)
  const isNew = frame !== last.frame || !isSame
  if (isNew && state) writeState(destination.own, { ...state, ...settled })
  const written = destination.empty ? total + pictures.size : staged.length
  return {
    written,
    unchanged: total + pictures.size - written,
    removed: removed.reduce((sum, one) => sum + one, 0),
    /** Bytes of the largest file. */
    largest,
  }
}

const picturesOf = (entries: readonly Entry[]): ReadonlySet<string> =>
  new Set(entries.flatMap(publishedOf).map(({ path }) => path))

/**
 * Takes what was staged of those who are left out off the stage, but for pictures that others
 * have, too.
 */
const dropStaged = ({ destination: { stage }, entries, dropped = [] }: Publishing): void => {
  const pictures = picturesOf(dropped.length > 0 ? entries : [])
  for (const { path: file } of dropped.flatMap(sumsOf)) {
    if (pictures.has(file)) continue
    remove(stage, file)
    removeEmpty(stage, path.posix.dirname(file))
  }
}

/**
 * Makes the files that are no member's; where nothing differs, they are those of the last
 * build.
 */
const makeFrame = (publishing: Publishing): Made => {
  const { product, entries, last } = publishing
  const { site } = product
  const destination = openDestination(publishing.destination)
  const { stat } = last.frame
  const isAsLeft = stat !== '' && stat === destination.inspect(last.frame).stat
  const isSame =
    last.entries.size === entries.length &&
    entries.every((one) => one === last.entries.get(one.username))
  if (isAsLeft && isSame) return last.frame
  const made = new Map<string, string>()
  const read = publishing.read ?? (({ path }: Sum) => destination.read(path))
  const toMake = product.ofSite({
    site,
    members: once(() => entries.toSorted((a, b) => (a.username < b.username ? -1 : 1))),
    before: last.entries,
    read: (path, one) =>
      read({ path, digest: digestIn(marksIn(one).get(path)) }, one.username),
    find: (path) => ({
      path,
      digest: digestIn(made.get(path)),
      size: destination.sizeOf(path),
    }),
    sums: () => [...toSums(made), ...entries.flatMap(sumsOf)],
    document: () => renderDocument(documentOf(site)),
  })
  const before = isAsLeft ? marksIn(last.frame) : undefined
  makeFiles(toMake, { destination, before, precompress: site.precompress }, made)
  return { ...nothingMade, files: listMarks(made) }
}

/** What was put in its place is looked at there. */
const settle = (destination: Destination, frame: Made, entries: readonly Entry[]) => {
  const { inspect } = openDestination(destination)
  const settled = <T extends Made>(part: T, pictures: readonly Sum[] = []): T =>
    part.stat === '' ? { ...part, ...inspect(part, pictures, destination.begun) } : part
  const now = entries.map((entry) => settled(entry, publishedOf(entry)))
  const frameNow = settled(frame)
  return {
    frame: frameNow,
    entries: new Map(now.map((entry) => [entry.username, entry])),
    largest: now.reduce((most, { largest }) => Math.max(most, largest), frameNow.largest),
  }
}

/**
 * Files at or below a path. One whose name is no UTF-8 has no path, so it counts as none and
 * stays.
 */
const countFiles = (file: string): number => {
  const stat = lstatOf(file)
  if (stat?.isDirectory()) return listFiles(file).length
  return stat ? 1 : 0
}

/** Paths below the folder's root. */
type Change = {
  /** What is new, or says something else. */
  readonly staged: readonly string[]
  /** What does not belong: links, strangers, files of members who are gone. */
  readonly stale: readonly string[]
  /** Members' folders that the file system has in another letter case. */
  readonly respelled: readonly string[]
}

/**
 * What has to change in a folder that is to hold members' files and `others`. A member's
 * folders that are as the last build left them are not looked into.
 */
const compare = (
  { destination, product, entries, last, asLeft }: Publishing,
  others: readonly string[],
): Change => {
  if (destination.empty) return { staged: [], stale: [], respelled: [] }
  const { memberFolders } = product
  const beforeOf = ({ username }: Entry) => last.entries.get(username)
  // their folders hold the last build's files and nothing else
  const isPassed = (one: Entry) =>
    asLeft?.has(one.username) && beforeOf(one)?.aliases.join() === one.aliases.join()
  const passed = new Set(entries.filter(isPassed).flatMap(namesOf))
  const changed = entries.filter((one) => one !== beforeOf(one))
  const wanted = new Set([...others, ...product.others, ...changed.flatMap(pathsIn)])
  const stale = changed
    .filter(isPassed)
    .flatMap((one) => pathsIn(beforeOf(one) ?? nothingMade))
    .filter((file) => !wanted.has(file))
  const respelled: string[] = []
  const folders = foldersOf([...wanted, ...memberFolders.map((folder) => `${folder}/any`)])
  const spelt = once(
    () => new Map(entries.flatMap(namesOf).map((name) => [foldUsername(name), name])),
  )
  const visit = (folder: string): void => {
    const holdsMembers = memberFolders.includes(folder)
    const inside = path.join(destination.folder, folder)
    for (const entry of fs.readdirSync(inside, { withFileTypes: true })) {
      const { name } = entry
      const below = path.posix.join(folder, name)
      const isFolder = entry.isDirectory()
      if (holdsMembers ? passed.has(name) : folder === '' && product.mayStay?.test(name))
        continue
      if (isFolder && folders.has(below)) visit(below)
      else if (isFolder || !entry.isFile() || !wanted.has(below)) {
        const other = holdsMembers && isFolder && spelt().get(foldUsername(name))
        if (other && isOneFile(path.join(inside, name), path.join(inside, other)))
          respelled.push(`${folder}/${other}`)
        else stale.push(below)
      }
    }
  }
  visit('')
  return { staged: listFiles(destination.stage), stale, respelled }
}

/** The folders that files are in. */
const foldersOf = (files: Iterable<string>): ReadonlySet<string> => {
  const folders = new Set<string>()
  const add = (below: string): void => {
    const folder = path.posix.dirname(below)
    if (folder === '.' || folders.has(folder)) return
    folders.add(folder)
    add(folder)
  }
  for (const file of files) add(file)
  return folders
}

/**
 * Puts what is staged in the snapshot's place: an empty one is replaced whole, by one rename;
 * else file by file, so that a reader sees the old or the new one, SHA256SUMS last. Nothing
 * here waits, so a signal that the program listens to is heard when all is done.
 */
const commit = (
  { destination: { folder: out, stage, empty, baseTime }, product }: Publishing,
  { stale, respelled, staged }: Change,
): void => {
  const { list, mark } = product
  if (empty && replaceFolder(stage, out)) return
  makeRoot(out)
  // if the build dies before all is there, the next one knows the folder by this list
  if (empty && list) writeNew(out, list, (file) => fs.futimesSync(file, baseTime, baseTime))
  const turnOf = (file: string): number =>
    file === mark ? -1 : (servedAt(file)?.route.rank ?? 1)
  // first what tells the folder from others, then pictures: no body names what is not there
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
  for (const file of files) if (file !== list) move(file)
  for (const file of stale) {
    if (needed.has(file)) continue
    remove(out, file)
    removeEmpty(out, path.posix.dirname(file))
  }
  if (list !== undefined && needed.has(list)) move(list)
}

const listFiles = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path
        .relative(folder, path.join(entry.parentPath, entry.name))
        .replaceAll(path.sep, '/'),
    )

/**
 * An error if too many members of the snapshot would be gone: part of the content is likely
 * missing, as in a checkout that was cut off. `names` are all names that the next snapshot
 * has: one that is an alias now is not lost. `content` is what diagnostics call the folder.
 */
export const checkRemoval = (
  out: string,
  { content, names }: { readonly content: string; readonly names: readonly string[] },
): readonly Diagnostic[] => {
  const kept = new Set(names)
  // one that is damaged tells nothing
  const list = sumsIn(readFile(out, sumsFile)) ?? []
  const count = countMembers(list, ({ username = '' }) => kept.has(username))
  const at = { file: `${content}/${layout.members}`, ...fileStart }
  return isMassRemoval(count) ? [diagnose('mass-removal', at, count)] : []
}
