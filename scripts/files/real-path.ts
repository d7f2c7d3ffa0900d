import fs from 'node:fs'

/**
 * The path with its links resolved, and each name spelt as it stands on the disk: where letter case is not told apart,
 * two spellings would count as two places.
 */
export const realPath = (file: string): string => {
  try {
    return fs.realpathSync.native(file)
  } catch {
    return fs.realpathSync(file) // some virtual disks of Windows can't tell
  }
}
