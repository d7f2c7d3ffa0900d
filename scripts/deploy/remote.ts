import fs from 'node:fs'
import path from 'node:path'
import { realPath } from '../files/real-path.ts'
import { UserError } from '../problems/user-error.ts'
import { lock } from '../snapshot/lock.ts'
import type { Session } from './session.ts'
import { createFolderStore } from './store/folder.ts'
import { createRcloneStore } from './store/rclone.ts'
import type { Store } from './store/store.ts'

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
  const unlock = await lock(folder, { onWait })
  try {
    const store = createFolderStore(folder)
    return {
      ...store,
      close: () => {
        store.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** A folder that the command line names for what a deployment writes; it must not overlap what the deployment reads. */
export const openApart = (
  name: string,
  { out, own, content, what }: Session & { readonly content: string; readonly what: string },
): string => {
  const folder = placeOf(name)
  const others = [
    { other: 'the snapshot itself', place: out },
    { other: 'the content', place: placeOf(content) },
    { other: 'what builds keep', place: path.dirname(path.dirname(own)) },
  ]
  for (const { other, place } of others) {
    if (!contains(place, folder) && !contains(folder, place)) continue
    throw new UserError(`${what} can't go to "${name}": it overlaps with ${other}`, {
      hint: 'name another folder, or an rclone remote: store:bucket/path',
    })
  }
  return folder
}

/** Whether a colon comes before any slash, as rclone has it; one letter before it is a disk of Windows. */
const isRemote = (name: string, platform: string): boolean =>
  /^[^/\\]*:/.test(name) && !(platform === 'win32' && /^[A-Za-z]:/.test(name))

/** Where a name leads; of a folder that isn't there yet, where it would be. */
const placeOf = (name: string): string => {
  const full = path.resolve(name)
  if (fs.existsSync(full) || path.dirname(full) === full) return realPath(full)
  return path.join(placeOf(path.dirname(full)), path.basename(full))
}

const contains = (outer: string, inner: string): boolean => {
  const way = path.relative(outer, inner)
  return way === '' || !(way.split(path.sep)[0] === '..' || path.isAbsolute(way))
}
