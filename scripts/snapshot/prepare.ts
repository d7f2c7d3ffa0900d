import { hash } from 'node:crypto'
import fs from 'node:fs'
import { errors, servedAt, sumsFile, variantFolder } from '../api/routes.ts'
import { findEntry, makeFolder, readFile } from '../files/folder.ts'
import { remove, removeLeftBehind } from '../files/write.ts'
import { UserError } from '../problems/diagnostic.ts'
import { type Destination, hashFile, nextBaseTime } from './destination.ts'
import {
  findOwnFolder,
  inLock,
  isElsewhere,
  makeIgnored,
  refuseLink,
  type SnapshotFolders,
} from './folders.ts'

/** Looks at the snapshot's folder, refuses one that is none, and makes room for staged files. */
export const prepareSnapshot = (folders: SnapshotFolders): Destination => {
  const { out } = folders
  const names = fs.existsSync(out) ? fs.readdirSync(out).sort() : []
  if (names.length > 0) refuseOthers(out, names)
  else refuseLink(folders, 'snapshot')
  return prepareDestination(folders, { empty: names.length === 0 })
}

/** Makes room for staged files. */
export const prepareDestination = (
  folders: SnapshotFolders,
  { empty }: Pick<Destination, 'empty'>,
): Destination => {
  const { out } = folders
  const own = makeIgnored(folders.own)
  if (findEntry(own, stageFolder)?.isDirectory() === false) remove(own, stageFolder)
  // the list of a build that died in its commit may be in the stage: no other build may use
  // the time of its files again
  const times = [findEntry(out, sumsFile), findEntry(own, `${stageFolder}/${sumsFile}`)]
  const last = Math.max(...times.map((file) => (file?.mtimeMs ?? 0) / 1000))
  remove(own, stageFolder)
  const stage = makeFolder(own, stageFolder)
  const baseTime = nextBaseTime(Date.now() / 1000, last)
  return { folder: out, empty, own, stage, baseTime, begun: fs.statSync(stage).ctimeMs }
}

const stageFolder = 'stage'

/**
 * Keeps others out of a snapshot while work is done on it; what was staged and is not wanted
 * any more is removed.
 */
export const whileLocked = async <T>(
  folders: SnapshotFolders,
  { onWait }: { readonly onWait: () => void },
  work: () => T | Promise<T>,
): Promise<T> => {
  const { out, own } = folders
  const run = async (): Promise<T> => {
    try {
      return await work()
    } finally {
      removeStaged(folders)
    }
  }
  const inOwn = (): Promise<T> => inLock(out, { onWait, spot: own }, run)
  return inLock(out, { onWait }, isElsewhere(folders) ? inOwn : run)
}

const removeStaged = (folders: SnapshotFolders): void => {
  const folder = findOwnFolder(folders)
  if (folder === undefined) return
  removeLeftBehind(folder, '.')
  remove(folder, stageFolder)
}

/** A build removes what doesn't belong, so it must be sure that the folder is a snapshot. */
const refuseOthers = (out: string, names: readonly string[]): void => {
  if (names.includes('.git')) {
    throw new UserError(`"${out}" holds a git repository`, {
      hint: 'give --out a folder of its own, such as dist',
    })
  }
  if (isSnapshot(out, names)) return
  throw new UserError(
    `"${out}" is not empty and holds no snapshot ("${names[0]}" is there)`,
    {
      hint: 'give --out a folder of its own, or empty this one: a build removes the rest',
    },
  )
}

/**
 * Whether a build made this: an error body is there, or SHA256SUMS begins with one, or, in a
 * shard, with a member's file.
 */
const isSnapshot = (out: string, names: readonly string[]): boolean => {
  if (
    Object.values(errors).some(
      ({ file, body }) => hashFile(out, file) === hash('sha256', body),
    )
  )
    return true
  const list = readFile(out, sumsFile)
  // that of a shard without members, or of a first commit that died, perhaps while a file
  // came from another disk
  const parts = [errors.notFound.file, sumsFile].map((file) => `${file}.part`)
  const ours = [sumsFile, 'api', variantFolder.http, 'pictures', ...parts]
  if (list?.length === 0) return names.every((name) => ours.includes(name))
  const [, first = ''] = /^\S+ {2}(.+)/.exec(list?.toString('utf8', 0, 256) ?? '') ?? []
  return first === errors.notFound.file || servedAt(first)?.username !== undefined
}
