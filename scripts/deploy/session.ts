import fs from 'node:fs'
import path from 'node:path'
import { sumsFile } from '../api/routes.ts'
import { findEntry, makeFolder, realPath } from '../files/folder.ts'
import { remove } from '../files/write.ts'
import { UserError } from '../problems/diagnostic.ts'
import { besideOf, findRealPath, lock, overlap } from '../snapshot/folders.ts'
import { createFolderStore, createRcloneStore, type Store } from './store.ts'

/** What a deployment works with. */
export type Session = {
  /** The snapshot; links resolved. No build changes it meanwhile. */
  readonly out: string
  /** An empty folder for what the deployment needs for itself. */
  readonly own: string
}

/** Keeps builds out of the snapshot while it is published, and gives the deployment a folder of its own. */
export const inSession = async <T>(
  name: string,
  work: (session: Session) => Promise<T>,
  options: { readonly onWait: () => void },
): Promise<T> => {
  const out = findSnapshot(name)
  const unlock = await lock(out, options)
  const { root, below } = besideOf(out)
  try {
    remove(root, `${below}/deploy`)
    return await work({ out, own: makeFolder(root, `${below}/deploy`) })
  } finally {
    remove(root, `${below}/deploy`)
    unlock()
  }
}

const findSnapshot = (name: string): string => {
  const out = fs.statSync(name, { throwIfNoEntry: false })?.isDirectory() ? realPath(name) : undefined
  if (out !== undefined && findEntry(out, sumsFile)?.isFile()) return out
  throw new UserError(`there is no snapshot in "${name}": it has no ${sumsFile}`, {
    hint: 'npm run build makes one; --out DIR names its folder',
  })
}

/**
 * Opens what the command line names: an rclone remote (`store:bucket/path`, `:s3:bucket`), or a folder. A folder must
 * not overlap the snapshot, nor the content, which the published files would spoil. It stays locked until the store is
 * closed: two deployments to it would take each other's files for their own.
 */
export const openRemote = async (
  name: string,
  { out, own, content, onWait }: Session & { readonly content: string; readonly onWait: () => void },
): Promise<Store> => {
  if (isRemote(name, process.platform)) return createRcloneStore(name, { own, env: process.env })
  const folder = openApart(name, { out, own, content, what: 'a snapshot' })
  const store = createFolderStore(folder)
  const unlock = await lock(folder, { onWait })
  const close = (): void => {
    store.close()
    unlock()
  }
  return { ...store, close }
}

/** A folder that the command line names for what a deployment writes; it must not overlap what the deployment reads. */
export const openApart = (
  name: string,
  { out, own, content, what }: Session & { readonly content: string; readonly what: string },
): string => {
  const folder = findRealPath(path.resolve(name))
  const others = [
    { other: 'the snapshot itself', place: out },
    { other: 'the content', place: findRealPath(path.resolve(content)) },
    { other: 'what builds keep', place: path.dirname(path.dirname(own)) },
  ]
  for (const { other, place } of others) {
    if (!overlap(place, folder)) continue
    throw new UserError(`${what} can't go to "${name}": it overlaps with ${other}`, {
      hint: 'name another folder, or an rclone remote: store:bucket/path',
    })
  }
  return folder
}

/** Whether a colon comes before any slash, as rclone has it; one letter before it is a disk of Windows. */
const isRemote = (name: string, platform: string): boolean =>
  /^[^/\\]*:/.test(name) && !(platform === 'win32' && /^[A-Za-z]:/.test(name))
