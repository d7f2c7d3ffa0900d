import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { UserError } from '../problems/diagnostic.ts'
import { findEntry, join, resolveBelow, type Spot } from './folder.ts'

/** What goes into a file: its bytes, or a function that writes to the open file. */
type Contents = Uint8Array | string | ((file: number) => void)

type WriteOptions = {
  /** Whether the file is on the disk, and not only in the system's memory, before it gets its name. Default: no. */
  readonly durable?: boolean
  /** Called just before the new file takes its place; where it throws, all stays as it is. */
  readonly check?: () => void
}

/** Writes a new file below a trusted folder, and fails if anything is there. Killed half-way, it leaves half a file. */
export const writeNew = (root: string, below: string, contents: Contents): void => {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = fs.constants
  const file = fs.openSync(resolveBelow(root, below), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
  try {
    if (typeof contents === 'function') contents(file)
    else fs.writeFileSync(file, contents)
  } finally {
    fs.closeSync(file)
  }
}

/** As {@link replaceFile} where nothing is yet; fails with EEXIST otherwise. */
export const createFile: typeof replaceFile = (root, below, contents, options) =>
  replaceFile(root, below, contents, options, renameToNew)

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

/**
 * Puts a file in its place below a trusted folder, whole or not at all, over a file or link that is there. The new
 * file is written beside it first, under a name that {@link removeLeftBehind} knows.
 */
export const replaceFile = (
  root: string,
  below: string,
  contents: Contents,
  { durable, check }: WriteOptions = {},
  put = rename,
): void => {
  const before = findEntry(root, below)
  const beside = path.posix.join(path.posix.dirname(below), temporaryName(path.posix.basename(below)))
  const [temporary, target] = [join(root, beside), join(root, below)]
  const write = (file: number): void => {
    if (typeof contents === 'function') contents(file)
    else fs.writeFileSync(file, contents)
    if (before?.isFile() && process.platform !== 'win32') fs.fchmodSync(file, before.mode & 0o777)
    if (durable) fs.fsyncSync(file)
  }
  try {
    writeNew(root, beside, write)
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
    fs.rmSync(part, { recursive: true, force: true })
    fs.cpSync(source, part, { preserveTimestamps: true, force: false, errorOnExist: true })
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
    if (notReplaced.includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

const notReplaced = ['EXDEV', 'EBUSY', 'EPERM', 'EACCES', 'EEXIST', 'ENOTEMPTY']

/** As fs.renameSync, but that a name gets its new letter case on every file system. */
export const rename = (from: string, to: string): void => {
  renameOpen(from, to)
  if (from === to || from.toLowerCase() !== to.toLowerCase()) return
  // some that don't tell letter case have done nothing: then it goes by a third name
  const [folder, name] = [path.dirname(to), path.basename(to)]
  if (!fs.readdirSync(folder).includes(path.basename(from))) return
  const between = path.join(folder, `${name.slice(0, 40)}-renaming`)
  renameOpen(from, between)
  renameOpen(between, to)
}

/** On Windows, a file that a scanner or reader has open just now is tried again, for a second. */
const renameOpen = (from: string, to: string): void => {
  for (let tries = 0; ; tries++) {
    try {
      fs.renameSync(from, to)
      return
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      const isBusy = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(code)
      if (!isBusy || tries === 20) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
  }
}

/** Whether two paths below a trusted folder, which differ in letter case, are one entry of its file system. */
export const isOneEntry = (root: string, one: string, other: string): boolean => {
  const [a, b] = [one, other].map((below) =>
    fs.lstatSync(resolveBelow(root, below), { bigint: true, throwIfNoEntry: false }),
  )
  return a !== undefined && a.dev === b?.dev && a.ino === b.ino
}

/** Gives an entry below a trusted folder this letter case, where the file system has it under another. */
export const respell = (root: string, below: string): void => {
  if (findEntry(root, below) === undefined) return
  const folder = path.dirname(join(root, below))
  const name = path.posix.basename(below)
  const found = fs.readdirSync(folder)
  const other = found.find((entry) => entry.toLowerCase() === name.toLowerCase())
  if (!found.includes(name) && other !== undefined) rename(path.join(folder, other), path.join(folder, name))
}

/** Removes what stands at a path below a trusted folder, a folder with all that is in it; links are not followed. */
export const remove = (root: string, below: string): void => {
  if (findEntry(root, below) === undefined) return
  fs.rmSync(join(root, below), { recursive: true, force: true })
}

/** Removes a folder below a trusted one if nothing is in it. Another process may use it, or remove it, meanwhile. */
export const removeIfEmpty = (root: string, below: string): void => {
  if (!findEntry(root, below)?.isDirectory()) return
  try {
    fs.rmdirSync(join(root, below))
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** The same of a folder, and then of those above it, below the trusted one. */
export const removeEmpty = (root: string, below: string): void => {
  for (let one = below; one !== '.'; one = path.posix.dirname(one)) removeIfEmpty(root, one)
}

/** How a file is called while this process writes it; the end of a long name is dropped. */
const temporaryName = (name: string): string =>
  `.${name.slice(0, 50)}.${process.pid}-${randomBytes(8).toString('hex')}.tmp`

const temporary = /^\..*\.(\d+)-[0-9a-f]{16}\.tmp$/s

/**
 * Removes such files of processes that are gone, as after a kill; says their names. What is named in nearly the same way,
 * or is a link, is somebody's own.
 */
export const removeLeftBehind = (root: string, below: string): readonly string[] => {
  const folder = below === '.' ? root : join(root, below)
  const stat = below === '.' ? fs.statSync(root, { throwIfNoEntry: false }) : findEntry(root, below)
  const left = (stat?.isDirectory() ? fs.readdirSync(folder) : []).filter((name) => {
    const [, id] = temporary.exec(name) ?? []
    if (id === undefined || !findEntry(folder, name)?.isFile()) return false
    // this process is writing no file now; in a container, it often has the id of the one that was killed
    return Number(id) === process.pid || !isRunning(Number(id))
  })
  for (const name of left) remove(folder, name)
  return left
}

/** Whether a process of this machine runs. */
export const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Makes a folder of the system's for this process alone. `remove` is called at the end of the process, or before. */
export const makeTemporary = (): { readonly folder: string; readonly remove: () => void } => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-'))
  const remove = (): void => {
    process.off('exit', remove)
    fs.rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', remove)
  return { folder, remove }
}
