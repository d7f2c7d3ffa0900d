import fs from 'node:fs'
import path from 'node:path'
import { UserError } from '../diagnostics/user-error.ts'
import { realPath } from '../files/real-path.ts'
import type { Session } from './session.ts'
import { createFolderStore } from './store/folder.ts'
import { createRcloneStore } from './store/rclone.ts'
import type { Store } from './store/store.ts'

/**
 * Opens what the command line names: an rclone remote (`store:bucket/path`, `:s3:bucket`), or a folder. A folder must
 * not overlap the snapshot, nor the content, which the published files would spoil.
 */
export const openRemote = (
  name: string,
  { out, own, content }: Session & { readonly content: string },
): Store => {
  if (isRemote(name, process.platform)) return createRcloneStore(name, { own, env: process.env })
  return createFolderStore(openApart(name, { out, own, content, what: 'a snapshot' }))
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
export const isRemote = (name: string, platform: string): boolean =>
  /^[^/\\]*:/.test(name) && !(platform === 'win32' && /^[A-Za-z]:/.test(name))

const placeOf = (name: string): string => (fs.existsSync(name) ? realPath(name) : path.resolve(name))

const contains = (outer: string, inner: string): boolean => {
  const way = path.relative(outer, inner)
  return way === '' || !(way.split(path.sep)[0] === '..' || path.isAbsolute(way))
}
