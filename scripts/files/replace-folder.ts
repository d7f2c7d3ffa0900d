import fs from 'node:fs'

/**
 * Puts a folder in the place of an empty one, or of none, in one step; it takes over the owner and rights of what was
 * there. Both are trusted. Returns whether it worked: a mount point, or a folder on another disk, can't be replaced.
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
    if (['EXDEV', 'EBUSY', 'EPERM', 'EEXIST', 'ENOTEMPTY'].includes(code)) return false
    throw error
  }
}
