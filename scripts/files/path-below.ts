import fs from 'node:fs'
import path from 'node:path'

/** A path below a folder that is trusted. */
export type Spot = {
  /** On disk. All above it is trusted too. */
  readonly root: string
  /** Names with `/` between them, on every system. */
  readonly below: string
}

/** Whether a text is a path below a folder: one or more names with `/` between them, none of which leads elsewhere. */
export const isPathBelow = (text: string): boolean => text.split('/').every(isName)

/** The same on this system's disk: `a/b` below `/x` is `/x/a/b`. */
export const join = (root: string, below: string): string => {
  if (!isPathBelow(below)) throw new RangeError(`"${below}" is no path below ${root}`)
  return path.join(root, below)
}

const isName = (name: string): boolean =>
  name !== '' &&
  name !== '.' &&
  name !== '..' &&
  !name.includes('\0') &&
  // a list has millions of names: the bytes of a short one need no counting
  (name.length * 3 <= longestName || Buffer.byteLength(name) <= longestName) &&
  !(process.platform === 'win32' && /[\\:]|[. ]$/.test(name))

/** Bytes; the limit of every file system in common use. */
const longestName = 255

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
