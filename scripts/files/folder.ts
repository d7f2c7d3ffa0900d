import fs from 'node:fs'
import path from 'node:path'
import { codeOf, UserError } from '../problems/diagnostic.ts'

/** A path below a folder that is trusted. */
export type Spot = {
  /** On disk. All above it is trusted too. */
  readonly root: string
  /** Names with `/` between them, on every system. */
  readonly below: string
}

/**
 * Whether a text is a path below a folder: one or more names with `/` between them, none of
 * which leads elsewhere.
 */
export const isPathBelow = (text: string): boolean => text.split('/').every(isName)

/** The same on this system's disk: `a/b` below `/x` is `/x/a/b`. */
export const join = (root: string, below: string): string => {
  if (!isPathBelow(below)) throw new RangeError(`"${below}" is no path below ${root}`)
  return path.join(root, below)
}

const isName = (name: string) =>
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
 * The path with its links resolved, and each name spelt as it stands on the disk: where
 * letter case is not told apart, two spellings would count as two places.
 */
export const realPath = (file: string): string => {
  try {
    return fs.realpathSync.native(file)
  } catch {
    return fs.realpathSync(file) // some virtual disks of Windows can't tell
  }
}

/**
 * Makes a folder below a trusted one, and those between that are missing. What it returns is
 * trusted too: every folder on the way was looked at or made, and is no link.
 */
export const makeFolder = (root: string, below: string): string => {
  join(root, below) // refuses what leads elsewhere
  return createFolderOf(root)(`${below}/file`)
}

/**
 * A folder below a trusted one, which is trusted too; `undefined` if it is not there. A link
 * on the way is refused.
 */
export const findFolder = (root: string, below: string): string | undefined => {
  let folder = root
  for (const name of below.split('/')) {
    folder = join(folder, name)
    const stat = lstatOf(folder)
    if (stat === undefined) return undefined
    requireFolder(folder, stat)
  }
  return folder
}

/**
 * Where a path below a trusted folder is on disk. A link on the way is refused; the path
 * itself may be anything.
 */
export const resolveBelow = (root: string, below: string): string => {
  const parent = path.posix.dirname(below)
  if (parent !== '.') findFolder(root, parent)
  return join(root, below)
}

/** As fs.statSync and fs.lstatSync say it; `undefined` if nothing is there. */
export const statOf = (file: string): fs.Stats | undefined =>
  fs.statSync(file, { throwIfNoEntry: false })
export const lstatOf = (file: string): fs.Stats | undefined =>
  fs.lstatSync(file, { throwIfNoEntry: false })

/**
 * What stands at a path below a trusted folder, links not followed; `undefined` if nothing
 * does.
 */
export const findEntry = (root: string, below: string): fs.Stats | undefined =>
  lstatOf(resolveBelow(root, below))

/**
 * Finds or makes folders of files below a trusted one: each that was looked at or made is not
 * looked at again.
 */
export const createFolderOf = (root: string) => {
  const known = new Map<string, string>()
  const open = (below: string) => {
    if (below === '.') return root
    const before = known.get(below)
    if (before !== undefined) return before
    const folder = join(open(path.posix.dirname(below)), path.posix.basename(below))
    try {
      fs.mkdirSync(folder)
    } catch (error) {
      const there = lstatOf(folder)
      if (there === undefined) throw error
      requireFolder(folder, there)
    }
    if (known.size === mostKnown) known.clear()
    known.set(below, folder)
    return folder
  }
  return (file: string) => open(path.posix.dirname(file))
}

const mostKnown = 1000

/**
 * Whether two paths lead to one file or folder, as other letter case does on some disks, and
 * a short name on Windows.
 */
export const isOneFile = (one: string, other: string): boolean => {
  try {
    const a = fs.statSync(one, { bigint: true })
    const b = fs.statSync(other, { bigint: true })
    return a.dev === b.dev && a.ino === b.ino
  } catch {
    return false // one of them can't be looked at, so it is not the other
  }
}

/**
 * Makes a folder that is trusted itself, and those above it that are missing; links among
 * them are followed.
 */
export const makeRoot = (folder: string): void => {
  try {
    fs.mkdirSync(folder)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') return
    const parent = path.dirname(folder)
    // where a system refuses new names, as below /proc, node's recursive call never returns
    if (code !== 'ENOENT' || parent === folder || fs.existsSync(parent)) throw error
    makeRoot(parent)
    makeRoot(folder)
  }
}

const requireFolder = (folder: string, stat: fs.Stats) => {
  if (stat.isDirectory()) return
  throw new UserError(`"${folder}" is ${stat.isSymbolicLink() ? 'a link' : 'not a folder'}`, {
    hint: 'Shotpress follows no link there: look at what it is, remove it and run again',
  })
}

/** Error codes of the system when there is nothing, a link or a socket. */
const nothingPlain = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK', 'ENXIO', 'EOPNOTSUPP']

/** Opens a plain file to read it; `undefined` if anything else or nothing is there. */
export const openPlain = (root: string, below: string) => {
  const target = resolveBelow(root, below)
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK = 0 } = fs.constants
  // Windows can't open a file without following links, so there it is looked at first
  if (O_NOFOLLOW === undefined && !lstatOf(target)?.isFile()) return undefined
  let file: number
  try {
    file = fs.openSync(target, O_RDONLY | (O_NOFOLLOW ?? 0) | O_NONBLOCK)
  } catch (error) {
    if (nothingPlain.includes(codeOf(error))) return undefined
    throw error
  }
  const stat = fs.fstatSync(file)
  if (stat.isFile()) return { file, size: stat.size }
  fs.closeSync(file)
  return undefined
}

/**
 * The bytes of a plain file; `undefined` if anything else, nothing, or a file of more than
 * `limit` bytes is there. Default: more than any file of ours has, so enough for the list of
 * a million members.
 */
export const readFile = (root: string, below: string, { limit = 2 ** 29 } = {}) => {
  const opened = openPlain(root, below)
  if (opened === undefined) return undefined
  const { file, size } = opened
  try {
    return size <= limit ? fs.readFileSync(file) : undefined
  } finally {
    fs.closeSync(file)
  }
}
