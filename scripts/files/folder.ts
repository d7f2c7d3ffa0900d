import fs from 'node:fs'
import path from 'node:path'
import { UserError } from '../problems/user-error.ts'
import { join } from './path-below.ts'

/**
 * Makes a folder below a trusted one, and those between that are missing. What it returns is trusted too: every
 * folder on the way was looked at or made, and is no link.
 */
export const makeFolder = (root: string, below: string): string => {
  const folder = join(root, below)
  const parent = path.posix.dirname(below)
  if (parent !== '.' && findFolder(root, parent) === undefined) makeFolder(root, parent)
  try {
    fs.mkdirSync(folder)
  } catch (error) {
    const there = fs.lstatSync(folder, { throwIfNoEntry: false })
    if (there === undefined) throw error
    requireFolder(folder, there)
  }
  return folder
}

/** A folder below a trusted one, which is trusted too; `undefined` if it is not there. A link on the way is refused. */
export const findFolder = (root: string, below: string): string | undefined => {
  let folder = root
  for (const name of below.split('/')) {
    folder = join(folder, name)
    const stat = fs.lstatSync(folder, { throwIfNoEntry: false })
    if (stat === undefined) return undefined
    requireFolder(folder, stat)
  }
  return folder
}

/** Where a path below a trusted folder is on disk. A link on the way is refused; the path itself may be anything. */
export const resolveBelow = (root: string, below: string): string => {
  const parent = path.posix.dirname(below)
  if (parent !== '.') findFolder(root, parent)
  return join(root, below)
}

/** What stands at a path below a trusted folder, links not followed; `undefined` if nothing does. */
export const findEntry = (root: string, below: string): fs.Stats | undefined =>
  fs.lstatSync(resolveBelow(root, below), { throwIfNoEntry: false })

/** Finds or makes the folder of a file. */
export type FolderOf = (file: string) => string

/** For many files below one trusted folder: a folder that was looked at or made is not looked at again. */
export const createFolderOf = (root: string): FolderOf => {
  const known = new Map<string, string>()
  const open = (below: string): string => {
    if (below === '.') return root
    const before = known.get(below)
    if (before !== undefined) return before
    const folder = makeFolder(open(path.posix.dirname(below)), path.posix.basename(below))
    if (known.size === mostKnown) known.clear()
    known.set(below, folder)
    return folder
  }
  return (file) => open(path.posix.dirname(file))
}

const mostKnown = 1000

/** Makes a folder that is trusted itself, and those above it that are missing; links among them are followed. */
export const makeRoot = (folder: string): void => {
  try {
    fs.mkdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    const parent = path.dirname(folder)
    // where a system refuses new names, as below /proc, node's recursive call never returns
    if (code !== 'ENOENT' || parent === folder || fs.existsSync(parent)) throw error
    makeRoot(parent)
    makeRoot(folder)
  }
}

const requireFolder = (folder: string, stat: fs.Stats): void => {
  if (stat.isDirectory()) return
  throw new UserError(`"${folder}" is ${stat.isSymbolicLink() ? 'a link' : 'not a folder'}`, {
    hint: 'Shotpress follows no link there: look at what it is, remove it and run again',
  })
}
