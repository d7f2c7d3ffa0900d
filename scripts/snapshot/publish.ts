import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { renderDocument } from '../api/document/openapi.ts'
import type { Published } from '../api/output.ts'
import { documentOf } from '../api/outputs.ts'
import { countMembers, isMassRemoval, type MemberCount } from '../api/removal.ts'
import { servedAt, sumsFile } from '../api/routes.ts'
import { names as layout } from '../content/layout.ts'
import { once } from '../content/once.ts'
import type { Site } from '../content/site.ts'
import { foldUsername } from '../content/username.ts'
import { createFolderOf, makeRoot } from '../files/folder.ts'
import { readSums, type Sum } from '../files/sums.ts'
import {
  isOneEntry,
  moveFile,
  remove,
  removeEmpty,
  replaceFolder,
  respell,
  writeNew,
} from '../files/write.ts'
import { type Diagnostic, fileStart, UserError } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import {
  digestIn,
  type Entry,
  lookedAt,
  type Made,
  namesOf,
  nothingMade,
  publishedOf,
  type State,
  sumsIn,
  sumsOf,
} from './entry.ts'
import { makeFiles } from './make.ts'
import { hashFile, type OpenPlace, openPlace, type Place } from './place.ts'
import type { Product } from './product.ts'

/** What a folder is to hold. */
export type Content = {
  readonly place: Place
  readonly product: Product
  readonly site: Site
  /** Of all members, in the order of the paths; their files are there or staged. */
  readonly entries: readonly Entry[]
  /** Members who are left out; something of them may be staged. */
  readonly dropped?: readonly Entry[]
  /** Whether a member's folders hold nothing but what the last state tells. */
  readonly wasAsLeft: (username: string) => boolean
  /** A shard has its members' files only; a merge has all but these. */
  readonly part?: 'shard' | 'merge' | undefined
  /** What the last build left, as far as it can be believed. */
  readonly last: State
  /** Whether the entries are other ones than those of the last build. */
  readonly renewed: boolean
  /** A published file of a member. Default: as it is in the folder or in its stage. */
  readonly read?: (file: Sum, username: string) => Uint8Array
}

/**
 * Makes and stages what is no member's, and commits all changes, the list of checksums last. Returns the state to keep,
 * and whether it is not that of the last build.
 */
export const publish = (content: Content) => {
  const { place, product, entries, part, last } = content
  const open = openPlace(place)
  dropStaged(content)
  const members = part === 'merge' ? [] : entries
  const before = part === 'merge' ? undefined : frameAsLeft(last.frame, open)
  const frame = part === 'shard' ? nothingMade : makeFrame(content, before, open)
  const pictures = new Map(members.flatMap(publishedOf).map((one) => [one.path, one]))
  const total = [frame, ...members.map(({ made }) => made)].reduce(
    (sum, { files }) => sum + Object.keys(files).length,
    pictures.size + Number(product.list !== undefined),
  )
  const found = findStale(
    { ...content, entries: members },
    { frame, before, pictures: [...pictures.keys()] },
  )
  const staged = place.empty ? [] : listFiles(place.stage)
  const present = product.list && !place.empty ? hashFile(place.folder, product.list) : undefined
  const renewed = content.renewed || frame !== last.frame
  const isSame = staged.length + found.stale.size + found.respelled.length === 0 && !renewed
  const kept = { entries: last.entries, frame, sums: last.sums }
  if (isSame && !place.empty && (product.list === undefined || present === last.sums))
    return { written: 0, unchanged: total, removed: 0, renewed, ...kept }
  const list = product.list && renderSums({ frame, entries }, place.folder)
  const sums = list === undefined ? last.epoch : hash('sha256', list)
  if (list !== undefined && product.list !== undefined && present !== sums) {
    open.put(product.list, list)
    staged.push(product.list)
  }
  const removed = [...found.stale].reduce(
    (sum, name) => sum + countFiles(path.join(place.folder, name)),
    0,
  )
  commit(content, { ...found, staged })
  const written = place.empty ? total : staged.length
  return {
    written,
    unchanged: total - written,
    removed,
    renewed: true,
    sums,
    ...settle(content, frame, new Set(staged)),
  }
}

/** Takes what was staged of those who are left out off the stage, but for pictures that others have, too. */
const dropStaged = ({ place: { stage }, entries, dropped = [] }: Content): void => {
  if (dropped.length === 0) return
  const pictures = new Set(entries.flatMap(publishedOf).map(({ path }) => path))
  for (const { path: file } of dropped.flatMap(sumsOf)) {
    if (pictures.has(file)) continue
    remove(stage, file)
    removeEmpty(stage, path.posix.dirname(file))
  }
}

/** The frame of the last build, if it is on the disk as that build left it. */
const frameAsLeft = (frame: Made, open: OpenPlace): Made | undefined =>
  frame.stat !== '' && frame.stat === open.look({ files: Object.keys(frame.files) }).stat
    ? frame
    : undefined

/** Makes the files that are no member's; where nothing differs, they are those of the last build. */
const makeFrame = (content: Content, before: Made | undefined, open: OpenPlace): Made => {
  const { product, site, entries, last, renewed } = content
  if (before !== undefined && !renewed) return before
  const made: Record<string, string> = {}
  const published = ({ username, aliases, made, kept = {} }: Entry): Published => ({
    username,
    aliases,
    files: made.files,
    kept,
  })
  const read = content.read ?? (({ path }: Sum) => open.read(path))
  const files = product.ofSite({
    site,
    members: once(() => entries.map(published).sort((a, b) => (a.username < b.username ? -1 : 1))),
    before: (username) => last.entries.get(username)?.kept,
    gone: once(() => {
      const there = new Set(entries.map(({ username }) => username))
      return [...last.entries.values()]
        .filter(({ username }) => !there.has(username))
        .map(published)
    }),
    read: (path, { username, files }) =>
      read({ path, digest: digestIn(files[path] ?? '') }, username) ?? new Uint8Array(),
    find: (path) => ({ path, digest: digestIn(made[path] ?? ''), size: open.sizeOf(path) }),
    document: () => renderDocument(documentOf(site)),
  })
  const { staged } = makeFiles(files, { place: open, before, precompress: site.precompress, made })
  const look = { files: Object.keys(made), isStaged: staged > 0 }
  return { files: made, ...open.lookAtMade(look) }
}

/** What was put in its place is looked at there. */
const settle = (
  { place, entries, last, wasAsLeft }: Content,
  frame: Made,
  moved: ReadonlySet<string>,
) => {
  const { look } = openPlace(place)
  const isMoved = (entry: Entry): boolean =>
    entry.made.stat === '' ||
    (entry !== last.entries.get(entry.username) && wasAsLeft(entry.username))
  const settled = (entry: Entry): Entry =>
    !place.empty && isMoved(entry)
      ? { ...entry, made: { ...entry.made, ...look({ ...lookedAt(entry), moved }) } }
      : entry
  return {
    frame: place.empty ? frame : { ...frame, ...look({ files: Object.keys(frame.files), moved }) },
    entries: new Map(entries.map((entry) => [entry.username, settled(entry)])),
  }
}

/** Files at or below a path. One whose name is no UTF-8 has no path, so it counts as none and stays. */
const countFiles = (file: string): number => {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat === undefined ? 0 : 1
  return fs.readdirSync(file).reduce((sum, name) => sum + countFiles(path.join(file, name)), 0)
}

/** Paths below the folder's root. */
type Found = {
  /** What does not belong: links, strangers, files of members who are gone. */
  readonly stale: ReadonlySet<string>
  /** Members' folders that the file system has in another letter case. */
  readonly respelled: readonly string[]
}

type Others = {
  readonly frame: Made
  /** The last one, if it is on the disk as it was left. */
  readonly before: Made | undefined
  readonly pictures: readonly string[]
}

/** What does not belong in the folder. Where all is as the last build left it, nobody need look for strangers. */
const findStale = (content: Content, { frame, before, pictures }: Others): Found => {
  const { place, product, entries, last, wasAsLeft } = content
  const stale = new Set<string>()
  const respelled: string[] = []
  if (place.empty) return { stale, respelled }
  const ofMembers = product.memberFolders
  const isTouched = (one: Entry): boolean =>
    one !== last.entries.get(one.username) || !wasAsLeft(one.username)
  const touched = entries.filter(isTouched)
  const wanted = new Set([
    ...Object.keys(frame.files),
    ...touched.flatMap(({ made }) => Object.keys(made.files)),
    ...pictures,
    ...product.others,
    ...(product.list === undefined ? [] : [product.list]),
  ])
  const drop = (files: Made['files'] = {}): void => {
    for (const file of Object.keys(files)) if (!wanted.has(file)) stale.add(file)
  }
  const passed = new Set<string>()
  for (const { username } of entries) {
    const known = last.entries.get(username)
    if (known === undefined || !wasAsLeft(username)) continue
    for (const name of namesOf(known)) passed.add(name)
  }
  for (const { username } of touched)
    if (wasAsLeft(username)) drop(last.entries.get(username)?.made.files)
  drop(before?.files)
  const passing = foldersOf(Object.keys(before?.files ?? {}))
  const toVisit = before ? [...wanted].filter((file) => !(file in frame.files)) : wanted
  const folders = foldersOf([...toVisit, ...ofMembers.map((folder) => `${folder}/any`)])
  const folded = once(
    () => new Map(entries.flatMap(namesOf).map((name) => [foldUsername(name), name])),
  )
  const visit = (folder: string): void => {
    const holdsMembers = ofMembers.includes(folder)
    for (const entry of fs.readdirSync(path.join(place.folder, folder), { withFileTypes: true })) {
      const below = path.posix.join(folder, entry.name)
      if (holdsMembers && passed.has(entry.name)) continue
      if (folder === '' && product.mayStay?.test(entry.name)) continue
      if (entry.isDirectory() && folders.has(below)) visit(below)
      else if (entry.isDirectory() ? !passing.has(below) : !entry.isFile() || !wanted.has(below)) {
        const other = holdsMembers && entry.isDirectory() && folded().get(foldUsername(entry.name))
        const isRespelled = other && isOneEntry(place.folder, below, `${folder}/${other}`)
        if (isRespelled) respelled.push(`${folder}/${other}`)
        else stale.add(below)
      }
    }
  }
  visit('')
  return { stale, respelled }
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

/** The list in the format of coreutils, sorted by path. */
const renderSums = (
  { frame, entries }: { readonly frame: Made; readonly entries: readonly Entry[] },
  out: string,
): string => {
  // two members may have one picture
  const pictures = new Map(entries.flatMap(publishedOf).map((sum) => [sum.path, sum])).values()
  const sums = [
    ...pictures,
    ...[frame, ...entries.map(({ made }) => made)].flatMap(({ files }) => sumsIn(files)),
  ]
  sums.sort((a, b) => (a.path < b.path ? -1 : 1))
  let text = ''
  let last = ''
  for (const { path, digest } of sums) {
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
  { place: { folder: out, stage, empty, baseTime }, product }: Content,
  { stale, respelled, staged }: Found & { readonly staged: readonly string[] },
): void => {
  const { list, mark } = product
  if (empty && replaceFolder(stage, out)) return
  makeRoot(out)
  // if the build dies before all is there, the next one knows the folder by this list
  if (empty && list) writeNew(out, list, (file) => fs.futimesSync(file, baseTime, baseTime))
  const turnOf = (file: string): number => (file === mark ? -1 : (servedAt(file)?.route.rank ?? 1))
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
