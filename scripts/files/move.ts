import fs from 'node:fs'
import { join, type Spot } from './path-below.ts'
import { rename } from './rename.ts'

/**
 * Moves a file, in one step, over a file or link that is there: a reader sees the old one or the new one. To another
 * disk it is copied beside the target first. The folders of both are trusted: see {@link createFolderOf}.
 */
export const moveFile = (from: Spot, to: Spot): void => {
  const [source, target] = [join(from.root, from.below), join(to.root, to.below)]
  try {
    rename(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    const part = `${target}.part`
    const { atime, mtime } = fs.lstatSync(source)
    fs.rmSync(part, { recursive: true, force: true })
    fs.copyFileSync(source, part, fs.constants.COPYFILE_EXCL)
    fs.utimesSync(part, atime, mtime)
    rename(part, target)
    fs.rmSync(source)
  }
}

/**
 * Puts a folder in the place of an empty one, or of none, in one step; it takes over the owner and rights of what was
 * there. Both are trusted. Returns whether it worked: a mount point, a folder on another disk, or one in a folder of
 * another user can't be replaced.
 */
export const replaceFolder = (from: string, to: string): boolean => {
  try {
    const before = fs.statSync(to, { throwIfNoEntry: false })
    if (before !== undefined) {
      fs.chownSync(from, before.uid, before.gid)
      fs.chmodSync(from, before.mode & 0o7777)
    }
    fs.renameSync(from, to)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (notReplaced.includes(code)) return false
    throw error
  }
}

const notReplaced = ['EXDEV', 'EBUSY', 'EPERM', 'EACCES', 'EEXIST', 'ENOTEMPTY']
