import fs from 'node:fs'
import path from 'node:path'

/**
 * Whether a file that was opened by this path lies inside the content folder: a folder on the way may have been
 * replaced by a link between listing and opening.
 */
export type Inside = (descriptor: number, file: string) => boolean

export const createInside = (root: string): Inside => {
  let start = realFolder(root)
  return (descriptor, file) => {
    if (start === undefined) return noLinkBetween(root, file)
    const real = fs.readlinkSync(`/proc/self/fd/${descriptor}`)
    if (real.startsWith(start)) return true
    start = realFolder(root) // it may have been moved itself
    return start !== undefined && real.startsWith(start)
  }
}

/** Where Linux says that an open folder is, with a slash at the end; `undefined` on a system that can't say. */
const realFolder = (folder: string): string | undefined => {
  if (process.platform !== 'linux') return undefined
  let descriptor: number | undefined
  try {
    descriptor = fs.openSync(folder, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY)
    return `${fs.readlinkSync(`/proc/self/fd/${descriptor}`)}/`.replace('//', '/')
  } catch {
    return undefined // as where /proc is not mounted
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor)
  }
}

/** The second best: whoever swaps the folder back in time is not seen. */
const noLinkBetween = (root: string, file: string): boolean => {
  for (let folder = path.dirname(file); folder.length > root.length; folder = path.dirname(folder)) {
    if (!fs.lstatSync(folder).isDirectory()) return false
  }
  return true
}
