import fs from 'node:fs'
import path from 'node:path'
import {
  createFolderOf,
  findEntry,
  findFolder,
  makeFolder,
  makeRoot,
  readFile,
  realPath,
} from '../files/folder.ts'
import { moveFile, remove, removeEmpty, removeIfEmpty, respell, writeNew } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'
import { deployFolder, filesIn, type Shipment, type Store } from './store.ts'

/** Files that are ready to be put in their places, in the folder itself: a rename needs the same disk. */
const stage = `${deployFolder}/stage`

/**
 * A folder of this machine, or one that is mounted. New files are copied into it first, then renamed into place. Until
 * then nothing in it is made or removed.
 */
export const createFolderStore = (folder: string): Store => {
  let existing = fs.existsSync(folder) ? openRoot(folder) : undefined
  const parent = path.dirname(folder)
  if (existing === undefined && !fs.existsSync(parent)) {
    throw new UserError(`there is no folder "${parent}", in which "${folder}" would be made`, {
      hint: 'make it first, or look for a slip in the name',
    })
  }
  let begun = false
  const begin = (): string => {
    if (existing === undefined) makeRoot(folder)
    const root = existing ?? openRoot(folder)
    if (!begun) remove(root, stage) // what a broken-off deployment left
    begun = true
    existing = root
    return root
  }
  return {
    fetch: async (name) => {
      if (existing === undefined) return undefined
      refuseFolder(existing, name)
      return readFile(existing, name)
    },
    fetchFolder: async (name) => filesIn(existing && findFolder(existing, name)),
    upload: async (shipments, onUploaded = () => {}) => {
      const root = begin()
      for (const shipment of shipments) stageFiles(root, shipment)
      const makeTarget = createFolderOf(root)
      for (const shipment of shipments) {
        for (const file of shipment.paths) {
          if (!isSpeltSo(makeTarget(file))) respell(root, path.posix.dirname(file))
          moveFile({ root, below: `${stage}/${file}` }, { root, below: file })
        }
        onUploaded(shipment)
      }
    },
    remove: async (paths) => {
      const root = begin()
      for (const file of paths) {
        if (!isReachable(root, file) || !isSpeltSo(path.dirname(path.join(root, file)))) continue
        // a list names files: a folder of that name is somebody else's
        if (findEntry(root, file)?.isDirectory()) continue
        remove(root, file)
        removeEmpty(root, path.posix.dirname(file))
      }
    },
    close: () => {
      if (!begun || existing === undefined) return
      remove(existing, stage)
      removeIfEmpty(existing, deployFolder)
    },
  }
}

const openRoot = (folder: string): string => {
  const root = realPath(folder)
  if (fs.statSync(root).isDirectory()) return root
  throw new UserError(`"${folder}" is not a folder`, {
    hint: 'name a folder, or an rclone remote: store:bucket/path',
  })
}

/** Copies files into the stage. */
const stageFiles = (root: string, { from, paths }: Pick<Shipment, 'from' | 'paths'>): void => {
  const staged = makeFolder(root, stage)
  const makeParent = createFolderOf(staged)
  for (const file of paths) {
    makeParent(file)
    if (isReachable(root, file)) refuseFolder(root, file)
    const source = timeOf(from, file)
    const bytes = readFile(from, file)
    if (source === undefined || bytes === undefined) {
      throw new UserError(`"${file}" is gone from the snapshot`, { hint: 'build it anew, and deploy again' })
    }
    writeNew(staged, file, bytes)
    setTime(path.join(staged, file), { source, target: timeOf(root, file) })
  }
}

/**
 * Servers make ETags of a file's size and time of change: a new file must not have that of the one it replaces. Eight
 * seconds is what one build keeps for itself.
 */
const setTime = (
  file: string,
  { source, target = 0 }: { readonly source: number; readonly target: number | undefined },
): void => {
  const time = source > target ? source : target + 8
  fs.utimesSync(file, time, time)
}

/** Time of change in whole seconds. */
const timeOf = (root: string, file: string): number | undefined => {
  const stat = isReachable(root, file) ? findEntry(root, file) : undefined
  return stat && Math.floor(stat.mtimeMs / 1000)
}

/** No file can replace a folder, and what is in that folder is not ours to remove. */
const refuseFolder = (root: string, file: string): void => {
  if (!findEntry(root, file)?.isDirectory()) return
  throw new UserError(`"${path.join(root, file)}" is a folder, and a file of that name has to go there`, {
    hint: 'move the folder away, or publish to another one',
  })
}

const isReachable = (root: string, file: string): boolean => {
  const parent = path.posix.dirname(file)
  return parent === '.' || findFolder(root, parent) !== undefined
}

/** Whether a folder has this letter case on the disk, as far as that tells it. */
const isSpeltSo = (folder: string): boolean => realPath(folder) === folder
