import { hash } from 'node:crypto'
import fs from 'node:fs'
import { posix as path } from 'node:path'
import * as api from '../api/route.ts'
import { createFolderOf, lstatOf, readFile } from '../files/folder.ts'
import { createFingerprint } from '../files/stats.ts'
import type { Sum } from '../files/sums.ts'
import { writeNew } from '../files/write.ts'
import { codeOf } from '../problems/diagnostic.ts'
import { type Made, pathsIn } from './entry.ts'

/** The folder of a snapshot or a gallery that is there, and the stage of the next one. */
export type Destination = {
  readonly folder: string
  /** Whether it is known to be empty. */
  readonly empty: boolean
  /** What builds keep for themselves. */
  readonly own: string
  readonly stage: string
  /** Time of change for the files of this build, in seconds; see {@link nextBaseTime}. */
  readonly baseTime: number
  /**
   * When the build began to look at it by the disk's clock, which may be a little behind; in
   * milliseconds.
   */
  readonly begun: number
}

/**
 * Servers make an ETag of a file's size and its time of change, often in whole seconds. So
 * that a changed file never answers to an old tag, and no two variants or encodings share
 * one, every build that changes something gets eight seconds of its own, later than those of
 * any build before, and every kind of file one of the eight. They have passed when the build
 * begins, unless another one was just before it: some servers give a file of the future
 * another tag. They are whole seconds, because some ways of copying a snapshot to other
 * machines keep no more.
 */
export const nextBaseTime = (now: number, last: number): number =>
  Math.max(floor(now) - span, floor(last) + span)

/**
 * Seconds that belong to one build: one for each variant and encoding, the last one for the
 * list.
 */
const span = Math.max(8, api.variants.length * (api.encodings.length + 1) + 1)

const floor = (seconds: number): number => Math.floor(seconds / span) * span

/**
 * Time of change of a file, in seconds. That of SHA256SUMS tells the next build the baseTime
 * of this one.
 */
export const timeOf = (baseTime: number, file: string): number => {
  if (file === api.sumsFile) return baseTime + span - 1
  const variant = file.startsWith(`${api.variantFolder.http}/`) ? 1 : 0
  const encoding = api.encodings.findIndex(({ suffix }) => file.endsWith(suffix)) + 1
  return baseTime + variant * (api.encodings.length + 1) + encoding
}

/**
 * sha256 in hex of a plain file below a trusted folder; `undefined` if there is none, or it
 * can't be ours.
 */
export const hashFile = (folder: string, name: string): string | undefined => {
  const bytes = readFile(folder, name)
  return bytes && hash('sha256', bytes)
}

/** Looks into a folder that is published, and fills its stage; paths are below that folder. */
export const openDestination = ({ folder, empty, stage, baseTime }: Destination) => {
  const stageFolderOf = createFolderOf(stage)
  const isFolder = createIsFolder(folder)
  const find = (file: string): Buffer | undefined =>
    isFolder(path.dirname(file)) ? readIn(folder, file) : undefined
  const has = (file: string, sha256: string): boolean => {
    const bytes = empty ? undefined : find(file)
    return bytes !== undefined && hash('sha256', bytes) === sha256
  }
  return {
    isFolder,
    /** Whether a plain file with these bytes is there, and no link leads to it. */
    has,
    /** Stages a file if the folder doesn't have it. */
    renew: (target: string, bytes: string | Uint8Array, sha256: string): void => {
      if (has(target, sha256)) return
      const seconds = timeOf(baseTime, target)
      try {
        writeNew(stageFolderOf(target), path.basename(target), (file) => {
          fs.writeFileSync(file, bytes)
          fs.futimesSync(file, seconds, seconds)
        })
      } catch (error) {
        // two members have one picture, or answer at one name: that is found when all are compared
        if (codeOf(error) !== 'EEXIST') throw error
      }
    },
    /** Bytes of a file as it will be. */
    sizeOf: (file: string): number =>
      (statIn(stage, file) ?? statIn(folder, file))?.size ?? 0,
    /** A file as it will be: as it is staged, else as it is. */
    read: (file: string): Buffer => readIn(stage, file) ?? find(file) ?? Buffer.alloc(0),
    /**
     * What stat says of files that are there, and were not changed by others since a moment;
     * see {@link inspect}.
     */
    inspect: (made: Pick<Made, 'files'>, pictures: readonly Sum[] = [], begun = Infinity) =>
      inspect({ folder, baseTime, begun, isFolder }, pathsIn(made), pictures),
  }
}

export type OpenDestination = ReturnType<typeof openDestination>

/** The bytes of a file whose folder was looked at already. */
const readIn = (root: string, file: string): Buffer | undefined =>
  readFile(`${root}/${path.dirname(file)}`, path.basename(file))

const statIn = (root: string, file: string): fs.Stats | undefined =>
  lstatOf(`${root}/${file}`)

/** Tells whether a folder below this one is there, and no link leads to it. */
const createIsFolder = (folder: string) => {
  const known = new Map<string, boolean>()
  const isFolder = (below: string): boolean => {
    if (below === '.') return true
    const before = known.get(below)
    if (before !== undefined) return before
    if (known.size === mostKnown) known.clear()
    const isThere =
      isFolder(path.dirname(below)) && statIn(folder, below)?.isDirectory() === true
    known.set(below, isThere)
    return isThere
  }
  return isFolder
}

const mostKnown = 1000

type Inspected = Pick<Destination, 'folder' | 'baseTime' | 'begun'> &
  Pick<OpenDestination, 'isFolder'>

/**
 * What stat says of files, and of the folders that they are in: empty if one is missing or is
 * something else, or if it was changed since `begun` and this build didn't put it there. Of
 * pictures, others have some in the same folders: nothing is asked of these.
 */
const inspect = (
  { folder, baseTime, begun, isFolder }: Inspected,
  files: readonly string[],
  pictures: readonly Sum[],
): Omit<Made, 'files'> => {
  const print = createFingerprint()
  let largest = 0
  const isThere = (below: string, isRight: (stat: fs.Stats) => boolean): boolean => {
    const stat = statIn(folder, below)
    if (!stat || !isRight(stat)) return false
    print.add(stat)
    return true
  }
  const isFile = (file: string): boolean =>
    isThere(file, (stat) => {
      largest = Math.max(largest, stat.size)
      const isOurs = () => stat.mtimeMs === timeOf(baseTime, file) * 1000
      return stat.isFile() && (stat.ctimeMs < begun || isOurs())
    })
  const isWhole =
    [...new Set(files.map((file) => path.dirname(file)))].every(
      (parent) => parent === '.' || isThere(parent, (stat) => stat.isDirectory()),
    ) &&
    files.every(isFile) &&
    pictures.every((one) => isFolder(path.dirname(one.path)) && isFile(one.path))
  return { stat: isWhole ? print.of() : '', largest }
}
