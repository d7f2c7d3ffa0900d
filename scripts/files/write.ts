import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { codeOf, UserError } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'
import {
  findEntry,
  join,
  lstatOf,
  readFile,
  resolveBelow,
  type Spot,
  statOf,
} from './folder.ts'

/** What goes into a file: its bytes, or a function that writes to the open file. */
type Contents = Uint8Array | string | ((file: number) => void)

type WriteOptions = {
  /**
   * What the file there must hold. One that holds something else stays: {@link Changed}.
   * Default: it may hold anything.
   */
  readonly before?: Uint8Array | undefined
}

/** Another program wrote a file that was to be replaced. */
export class Changed extends UserError {}

/**
 * Writes a new file below a trusted folder, and fails if anything is there. Killed half-way,
 * it leaves half a file.
 */
export const writeNew = (root: string, below: string, contents: Contents): void => {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = fs.constants
  const file = fs.openSync(
    resolveBelow(root, below),
    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
  )
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
    const code = codeOf(error)
    if (code === 'EEXIST' || lstatOf(to)) throw error
    rename(from, to) // a file system without hard links
  }
}

/** The same; whether the name was free. */
const renameIfFree: (from: string, to: string) => boolean = (from, to) => {
  try {
    renameToNew(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Puts a file in the place of one that holds these bytes. Another program may write at any
 * moment, and no call looks at a file and replaces it in one step. So the old one is moved
 * aside, which shows what it held, and the new one takes the name if that is still free. What
 * somebody else wrote stays in its place, or beside it with `~` at the end of its name. Only
 * what a program writes later into the old file, which it had open all the while, is gone
 * with it, unless somebody holds that (`late.ts`).
 */
const exchange = (from: string, to: string, before: Uint8Array) => {
  const parent = path.dirname(to)
  const name = path.basename(to)
  const own = `.${ownName()}.old`
  const folder = path.join(parent, own)
  const aside = path.join(folder, name)
  const isSame = () =>
    readFile(folder, name, { limit: before.length })?.equals(before) === true
  fs.mkdirSync(folder)
  try {
    rename(to, aside)
    let isPut = false
    let isBack = false
    try {
      isPut = isSame() && renameIfFree(from, to)
    } finally {
      isBack = !isPut && renameIfFree(aside, to)
    }
    if (!isBack && !isSame()) {
      const kept = keptName(name)
      renameToNew(aside, path.join(parent, kept))
      throw changed(name, `what another program wrote is in ${quote(kept)}`)
    }
    if (!isBack) fs.unlinkSync(aside)
    if (!isPut) throw changed(name, 'nothing was written: run it again')
  } finally {
    removeIfEmpty(parent, own)
  }
}

const changed = (name: string, hint: string) =>
  new Changed(`${quote(name)} was changed meanwhile`, { hint })

/**
 * Puts a file in its place below a trusted folder, whole or not at all, over a file or link
 * that is there. The new file is written beside it first, under a name that {@link
 * removeLeftBehind} knows.
 */
export const replaceFile = (
  root: string,
  below: string,
  contents: Contents,
  { before: held }: WriteOptions = {},
  put = held === undefined ? rename : (from: string, to: string) => exchange(from, to, held),
): void => {
  const before = findEntry(root, below)
  const beside = path.posix.join(
    path.posix.dirname(below),
    temporaryName(path.posix.basename(below)),
  )
  const temporary = join(root, beside)
  const target = join(root, below)
  const write = (file: number) => {
    if (typeof contents === 'function') contents(file)
    else fs.writeFileSync(file, contents)
    if (before?.isFile() && process.platform !== 'win32')
      fs.fchmodSync(file, before.mode & 0o777)
    // what people write must outlive a power failure
    if (put !== rename) fs.fsyncSync(file)
  }
  try {
    writeNew(root, beside, write)
    put(temporary, target)
  } catch (error) {
    fs.rmSync(temporary, { force: true })
    const isGone = held !== undefined && codeOf(error) === 'ENOENT'
    throw isGone ? changed(path.basename(target), 'it is gone: nothing was written') : error
  }
}

/**
 * A pipe or a device takes what is written to it. A pipe that nobody reads is an error: it
 * would hold the command up for ever.
 */
export const writeToPipe = (file: string, text: string): void => {
  const { O_WRONLY, O_NONBLOCK = 0 } = fs.constants
  // open until the end: a reader that finds no writer takes that for the end
  const probe = fs.openSync(file, O_WRONLY | O_NONBLOCK)
  try {
    fs.writeFileSync(file, text)
  } finally {
    fs.closeSync(probe)
  }
}

/**
 * Moves a file, in one step, over a file or link that is there: a reader sees the old one or
 * the new one. To another disk it is copied beside the target first. The folders of both are
 * trusted: see {@link createFolderOf}.
 */
export const moveFile = (from: Spot, to: Spot): void => {
  const source = join(from.root, from.below)
  const target = join(to.root, to.below)
  try {
    rename(source, target)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    const part = `${target}.part`
    fs.rmSync(part, { recursive: true, force: true })
    fs.cpSync(source, part, { preserveTimestamps: true, force: false, errorOnExist: true })
    rename(part, target)
    fs.rmSync(source)
  }
}

/**
 * Puts a folder in the place of an empty one, or of none, in one step; it takes over the
 * owner and rights of what was there. Both are trusted. Returns whether it worked: a mount
 * point, a folder on another disk, or one in a folder of another user can't be replaced.
 */
export const replaceFolder = (from: string, to: string): boolean => {
  try {
    const before = statOf(to)
    if (before !== undefined) {
      fs.chownSync(from, before.uid, before.gid)
      fs.chmodSync(from, before.mode & 0o7777)
    }
    fs.renameSync(from, to)
    return true
  } catch (error) {
    if (notReplaced.includes(codeOf(error))) return false
    throw error
  }
}

const notReplaced = ['EXDEV', 'EBUSY', 'EPERM', 'EACCES', 'EEXIST', 'ENOTEMPTY']

/**
 * As fs.renameSync; on Windows, a file that a scanner or reader has open just now is tried
 * again, for a second.
 */
export const rename = (from: string, to: string): void => {
  for (let tries = 0; ; tries++) {
    try {
      fs.renameSync(from, to)
      return
    } catch (error) {
      const code = codeOf(error)
      const isBusy =
        process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(code)
      if (!isBusy || tries === 20) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
  }
}

/**
 * Gives an entry below a trusted folder this letter case, where the file system has it under
 * another.
 */
export const respell = (root: string, below: string): void => {
  if (findEntry(root, below) === undefined) return
  const folder = path.dirname(join(root, below))
  const name = path.posix.basename(below)
  const found = fs.readdirSync(folder)
  const other = found.find((entry) => entry.toLowerCase() === name.toLowerCase())
  if (!found.includes(name) && other !== undefined)
    rename(path.join(folder, other), path.join(folder, name))
}

/**
 * Removes what stands at a path below a trusted folder, a folder with all that is in it;
 * links are not followed.
 */
export const remove = (root: string, below: string): void => {
  if (findEntry(root, below) === undefined) return
  fs.rmSync(join(root, below), { recursive: true, force: true })
}

/**
 * Removes a folder below a trusted one if nothing is in it. Another process may use it, or
 * remove it, meanwhile.
 */
export const removeIfEmpty = (root: string, below: string): void => {
  if (!findEntry(root, below)?.isDirectory()) return
  try {
    fs.rmdirSync(join(root, below))
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error
  }
}

/** The same of a folder, and then of those above it, below the trusted one. */
export const removeEmpty = (root: string, below: string): void => {
  for (let one = below; one !== '.'; one = path.posix.dirname(one)) removeIfEmpty(root, one)
}

/** How a file is called while this process writes it; the end of a long name is dropped. */
const temporaryName = (name: string) => `.${name.slice(0, 50)}.${ownName()}.tmp`

/** A name beside a file for what another program wrote into it. */
export const keptName = (name: string): string => `${name.slice(0, 50)}.${ownName()}~`

/** This process and a number of its own. */
const ownName = () => `${process.pid}-${randomBytes(8).toString('hex')}`

const temporary = /^\..*\.(\d+)-[0-9a-f]{16}\.tmp$/s
const replaced = /^\.(\d+)-[0-9a-f]{16}\.old$/

/**
 * Removes such files of processes that are gone, as after a kill; says their names. A file
 * that was being replaced gets its name back. What is named in nearly the same way, or is a
 * link, is somebody's own.
 */
export const removeLeftBehind = (root: string, below: string): readonly string[] => {
  const folder = below === '.' ? root : join(root, below)
  const stat = below === '.' ? statOf(root) : findEntry(root, below)
  // this process is writing no file now; in a container, it often has the id of the one that
  // was killed
  const isGone = (id: string) => Number(id) === process.pid || !isRunning(Number(id))
  const left: string[] = []
  for (const name of stat?.isDirectory() ? fs.readdirSync(folder) : []) {
    const [, replacer] = replaced.exec(name) ?? []
    const [, owner = replacer] = temporary.exec(name) ?? []
    const entry = owner !== undefined && isGone(owner) ? findEntry(folder, name) : undefined
    if (replacer !== undefined && entry?.isDirectory()) putBack(folder, name)
    if (replacer !== undefined || !entry?.isFile()) continue
    remove(folder, name)
    left.push(name)
  }
  return left
}

/**
 * Gives what was moved aside its name back, where that is free. Another command may do the
 * same meanwhile.
 */
const putBack = (folder: string, name: string) => {
  const aside = path.join(folder, name)
  try {
    for (const one of fs.readdirSync(aside))
      renameIfFree(path.join(aside, one), path.join(folder, one))
    remove(folder, name)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** Whether a process of this machine runs. */
export const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/**
 * Makes a folder of the system's for this process alone. `remove` is called at the end of the
 * process, or before.
 */
export const makeTemporary = (): { readonly folder: string; readonly remove: () => void } => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-'))
  const remove = () => {
    process.off('exit', remove)
    fs.rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', remove)
  return { folder, remove }
}
