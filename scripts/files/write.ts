import fs from 'node:fs'
import path from 'node:path'
import { UserError } from '../problems/user-error.ts'
import { findEntry, resolveBelow } from './folder.ts'
import { rename } from './move.ts'
import { join } from './path-below.ts'
import { temporaryName } from './remove.ts'

/** What goes into a file: its bytes, or a function that writes to the open file. */
export type Contents = Uint8Array | string | ((file: number) => void)

export type WriteOptions = {
  /** Whether the file is on the disk, and not only in the system's memory, before it gets its name. Default: no. */
  readonly durable?: boolean
  /** Rights of a new file, less the umask; a file that is replaced hands on its own. Default: 0o666. */
  readonly mode?: number
  /** Called just before the new file takes its place; where it throws, all stays as it is. */
  readonly check?: () => void
}

/** Writes a new file below a trusted folder, and fails if anything is there. Killed half-way, it leaves half a file. */
export const writeNew = (root: string, below: string, contents: Contents, { mode = 0o666 } = {}): void => {
  const target = resolveBelow(root, below)
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = fs.constants
  const flag = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
  if (typeof contents !== 'function')
    fs.writeFileSync(target, contents, { encoding, flag: flags(flag), mode })
  else {
    const file = fs.openSync(target, flag, mode)
    try {
      contents(file)
    } finally {
      fs.closeSync(file)
    }
  }
}

/** With the encoding, Node opens, writes and closes a text in one step. */
const encoding = 'utf8'

/** A flag may be a number, which the types don't know. */
const flags = (bits: number): string => bits as unknown as string

type Write = (root: string, below: string, contents: Contents, options?: WriteOptions) => void

/**
 * Puts a file in its place below a trusted folder, whole or not at all, over a file or link that is there. The new
 * file is written beside it first, under a name that {@link removeLeftBehind} knows.
 */
export const replaceFile: Write = (...about) => writeBeside(rename, ...about)

/** The same where nothing is yet; fails with EEXIST otherwise. */
export const createFile: Write = (...about) => writeBeside(renameToNew, ...about)

const renameToNew: typeof rename = (from, to) => {
  try {
    fs.linkSync(from, to)
    fs.unlinkSync(from)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || fs.lstatSync(to, { throwIfNoEntry: false })) throw error
    rename(from, to) // a file system without hard links
  }
}

const writeBeside = (
  put: typeof rename,
  ...[root, below, contents, { durable, mode, check } = {}]: Parameters<Write>
): void => {
  const before = findEntry(root, below)
  const beside = path.posix.join(path.posix.dirname(below), temporaryName(path.posix.basename(below)))
  const [temporary, target] = [join(root, beside), join(root, below)]
  const write = (file: number): void => {
    if (typeof contents === 'function') contents(file)
    else fs.writeFileSync(file, contents, { encoding })
    if (before?.isFile() && process.platform !== 'win32') fs.fchmodSync(file, before.mode & 0o777)
    if (durable) fs.fsyncSync(file)
  }
  try {
    writeNew(root, beside, write, mode === undefined ? {} : { mode })
    check?.()
    put(temporary, target)
  } catch (error) {
    fs.rmSync(temporary, { force: true })
    throw error
  }
  if (durable) syncFolder(path.dirname(target))
}

/** Flushes the names in a folder to the disk; not every file system can. */
const syncFolder = (folder: string): void => {
  if (process.platform === 'win32') return
  const handle = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(handle)
  } catch (error) {
    if (!['EINVAL', 'EPERM', 'EBADF'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    fs.closeSync(handle)
  }
}

/** A pipe or a device takes what is written to it. A pipe that nobody reads would hold the command up for ever. */
export const writeToPipe = (file: string, text: string): void => {
  const { O_WRONLY, O_NONBLOCK = 0 } = fs.constants
  let probe: number
  try {
    probe = fs.openSync(file, O_WRONLY | O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error
    throw new UserError(`nobody reads the pipe "${file}"`, { hint: 'start its reader first, or name a file' })
  }
  try {
    fs.writeFileSync(file, text)
  } finally {
    fs.closeSync(probe)
  }
}
