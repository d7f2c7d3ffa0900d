import fs from 'node:fs'
import path from 'node:path'
import { type Folders, sumsFile } from '../state/folders.ts'
import type { Changes } from './changes.ts'

/**
 * Puts what is staged in the snapshot's place. An empty one is replaced whole, by one rename, and
 * leaves its owner and rights to the new one. Else every change is
 * written down first, then made: whoever comes after a build that died meanwhile makes the rest of them.
 */
export const commit = (folders: Folders, changes: Changes, { empty }: { readonly empty: boolean }): void => {
  if (empty && replaceWhole(folders)) return
  writeJournal(folders, empty ? { ...changes, write: listFiles(folders.stage) } : changes)
  finishCommit(folders)
}

/** Makes the changes that a build wrote down and did not finish, and clears away what it left. */
export const recover = (folders: Folders): void => {
  if (fs.existsSync(folders.journal)) finishCommit(folders)
  discardStage(folders)
}

/** Removes what was staged and is not wanted any more, and the build's own folder if nothing is in it. */
export const discardStage = ({ stage, own, journal }: Folders): void => {
  if (fs.existsSync(journal)) return // an unfinished commit still wants it
  fs.rmSync(stage, { recursive: true, force: true })
  for (const folder of [own, path.dirname(own)]) removeIfEmpty(folder)
}

/** A build of another snapshot may use the folder, or remove it, at the same time. */
const removeIfEmpty = (folder: string): void => {
  try {
    fs.rmdirSync(folder)
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error
  }
}

/** Every change can be made again without harm. */
type Journal = Changes & {
  /** Which folder the changes are for: after `rm -r dist` they are for none. */
  readonly folder: string
}

const replaceWhole = ({ stage, out }: Folders): boolean => {
  try {
    const prepared = fs.statSync(out, { throwIfNoEntry: false })
    if (prepared !== undefined) {
      fs.chownSync(stage, prepared.uid, prepared.gid)
      fs.chmodSync(stage, prepared.mode & 0o7777)
    }
    fs.renameSync(stage, out)
    return true
  } catch (error) {
    // out is a mount point, or a system that renames over no folder
    if (['EXDEV', 'EBUSY', 'EPERM', 'EEXIST', 'ENOTEMPTY'].includes(codeOf(error))) return false
    throw error
  }
}

const writeJournal = ({ out, journal }: Folders, changes: Changes): void => {
  fs.mkdirSync(out, { recursive: true })
  // the room that new folders take is taken before anything is changed
  const folders = new Set(changes.write.map((file) => path.dirname(file)))
  const blocked = (folder: string): boolean =>
    changes.clear.some((stranger) => `${folder}/`.startsWith(`${stranger}/`))
  for (const folder of folders)
    if (!blocked(folder)) fs.mkdirSync(path.join(out, folder), { recursive: true })
  const text: Journal = { folder: identify(out), ...changes }
  fs.writeFileSync(`${journal}.next`, JSON.stringify(text))
  fs.renameSync(`${journal}.next`, journal)
}

const finishCommit = ({ out, stage, journal }: Folders): void => {
  const { folder, clear, write, remove } = readJournal(journal)
  if (fs.existsSync(out) && folder === identify(out)) {
    for (const stranger of clear) fs.rmSync(path.join(out, stranger), { recursive: true, force: true })
    for (const file of write) move(path.join(stage, file), path.join(out, file))
    for (const file of remove) fs.rmSync(path.join(out, file), { recursive: true, force: true })
  }
  fs.rmSync(journal)
}

/** A journal that the disk lost, as when the power fails, asks for nothing: the next build looks at every file. */
const readJournal = (journal: string): Journal => {
  try {
    const read = JSON.parse(fs.readFileSync(journal, 'utf8'))
    if (isJournal(read)) return read
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return { folder: '', clear: [], write: [], remove: [] }
}

const isJournal = (read: Partial<Journal> | null): read is Journal =>
  typeof read?.folder === 'string' && [read.clear, read.write, read.remove].every(arePathsInside)

const arePathsInside = (list: unknown): boolean =>
  Array.isArray(list) &&
  list.every((name) => typeof name === 'string' && !`/${name}/`.includes('/../') && !path.isAbsolute(name))

/** Puts a staged file in its place in one step, so that a reader sees the old or the new one. */
const move = (from: string, to: string): void => {
  if (!fs.existsSync(from)) return // moved before the last build died
  try {
    fs.mkdirSync(path.dirname(to), { recursive: true })
    fs.renameSync(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    // out is on another disk: copy beside the target first
    const { atime, mtime } = fs.statSync(from)
    fs.copyFileSync(from, `${to}.part`)
    fs.utimesSync(`${to}.part`, atime, mtime)
    fs.renameSync(`${to}.part`, to)
    fs.rmSync(from)
  }
}

/** SHA256SUMS is the last. */
const listFiles = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort((a, b) => Number(a === sumsFile) - Number(b === sumsFile))

/** A new folder may get the number of one that was removed. */
const identify = (folder: string): string => {
  const { dev, ino, birthtimeNs } = fs.statSync(folder, { bigint: true })
  return `${dev}:${ino}:${birthtimeNs}`
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''
