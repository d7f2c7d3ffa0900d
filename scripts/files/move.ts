import fs from 'node:fs'
import path from 'node:path'
import { findEntry, resolveBelow } from './folder.ts'
import { join, type Spot } from './path-below.ts'

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
  const [a, b] = [one, other].map((below) => identify(resolveBelow(root, below)))
  return a !== undefined && a === b
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

const identify = (file: string): string | undefined => {
  const stat = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false })
  return stat && `${stat.dev}:${stat.ino}`
}
