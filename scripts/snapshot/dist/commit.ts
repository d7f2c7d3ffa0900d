import fs from 'node:fs'
import path from 'node:path'
import { sumsFile } from '../../api/routes.ts'
import { createFolderOf, findEntry, findFolder, makeFolder, makeRoot } from '../../files/folder.ts'
import { moveFile, replaceFolder } from '../../files/move.ts'
import { readFile } from '../../files/open.ts'
import { isPathBelow } from '../../files/path-below.ts'
import { remove, removeIfEmpty } from '../../files/remove.ts'
import { respell } from '../../files/respell.ts'
import { isTemporary, replaceFile } from '../../files/write.ts'
import { UserError } from '../../problems/user-error.ts'
import { findOwnFolder, type SnapshotFolders } from '../state/folders.ts'
import type { Commit, Target } from './changes.ts'

/** Names in the build's own folder. */
const journalFile = 'commit.json'
export const stageFolder = 'stage'

/**
 * Puts what is staged in the snapshot's place. An empty one is replaced whole, by one rename. Else every change is
 * written down first, then made: whoever comes after a build that died meanwhile makes the rest of them. Nothing here
 * waits, so a signal that the program listens to is heard when all is done.
 */
export const commit = (target: Target, changes: Commit): void => {
  const { folder: out, own, stage, empty } = target
  if (empty && replaceFolder(stage, out)) return
  writeJournal(target, empty ? { ...changes, write: listFiles(stage) } : changes)
  finishCommit(out, own)
}

/** Makes the changes that a build wrote down and did not finish, and clears away what it left. */
export const recover = (folders: SnapshotFolders): void => {
  const own = findOwnFolder(folders)
  if (own === undefined) return
  try {
    finishCommit(folders.out, own)
  } catch (error) {
    // no build writes a journal that leads through a link: the next one looks at every file
    if (!(error instanceof UserError)) throw error
    remove(own, journalFile)
  }
  for (const name of fs.readdirSync(own)) if (isTemporary(name)) remove(own, name)
  discardStage(folders)
}

/** Removes what was staged and is not wanted any more, and the build's own folder if nothing is in it. */
export const discardStage = ({ own: { root, below } }: SnapshotFolders): void => {
  const own = findFolder(root, below)
  if (own === undefined) return
  if (findEntry(own, journalFile) !== undefined) return // an unfinished commit still wants it
  remove(own, stageFolder)
  for (let folder = below; folder !== '.'; folder = path.posix.dirname(folder)) removeIfEmpty(root, folder)
}

/** Every change can be made again without harm. */
type Journal = Commit & {
  /** Which folder the changes are for: after `rm -r dist` they are for none. */
  readonly folder: string
}

const writeJournal = ({ folder: out, own }: Target, changes: Commit): void => {
  makeRoot(out)
  // the room that new folders take is taken before anything is changed
  const folderOf = createFolderOf(out, { make: true })
  for (const file of changes.write) {
    if (!changes.clear.some((stranger) => file.startsWith(`${stranger}/`))) folderOf(file)
  }
  const text: Journal = { folder: identify(out), ...changes }
  replaceFile(own, journalFile, JSON.stringify(text))
}

const finishCommit = (out: string, own: string): void => {
  if (findEntry(own, journalFile) === undefined) return
  const { folder, clear, write, remove: stale, respell: respelt } = readJournal(own)
  if (fs.existsSync(out) && folder === identify(out)) {
    for (const stranger of clear) remove(out, stranger)
    for (const folder of respelt) respell(out, folder)
    moveStaged(makeFolder(own, stageFolder), out, write)
    for (const file of stale) remove(out, file)
  }
  remove(own, journalFile)
}

/** Puts each staged file in its place in one step, so that a reader sees the old or the new one. */
const moveStaged = (stage: string, out: string, files: readonly string[]): void => {
  const [from, to] = [createFolderOf(stage, { make: false }), createFolderOf(out, { make: true })]
  for (const file of files) {
    const [source, below] = [from(file), path.posix.basename(file)]
    // what is not there was moved before the last build died
    if (source === undefined || !findEntry(source, below)?.isFile()) continue
    moveFile({ root: source, below }, { root: to(file)!, below })
  }
}

/** A journal that the disk lost, as when the power fails, asks for nothing: the next build looks at every file. */
const readJournal = (own: string): Journal => {
  const bytes = readFile(own, journalFile, { limit: journalLimit })
  try {
    const read = bytes && JSON.parse(bytes.toString('utf8'))
    // one of an earlier version has nothing to respell
    if (isJournal(read)) return { ...read, respell: read.respell ?? [] }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return { folder: '', clear: [], write: [], remove: [], respell: [] }
}

/** Bytes: some four million paths. */
const journalLimit = 1 << 28

const isJournal = (
  read: Partial<Journal> | null | undefined,
): read is Omit<Journal, 'respell'> & Partial<Journal> =>
  typeof read?.folder === 'string' &&
  [read.clear, read.write, read.remove, read.respell ?? []].every(arePathsInside)

const arePathsInside = (list: unknown): boolean =>
  Array.isArray(list) && list.every((name) => typeof name === 'string' && isPathBelow(name))

/** SHA256SUMS is the last. */
const listFiles = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort((a, b) => Number(a === sumsFile) - Number(b === sumsFile))

/** A new folder may get the number of one that was removed. */
const identify = (folder: string): string => {
  const { dev, ino, birthtimeNs } = fs.statSync(folder, { bigint: true })
  return `${dev}:${ino}:${birthtimeNs}`
}
