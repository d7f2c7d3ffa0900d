import fs from 'node:fs'
import path from 'node:path'
import { findEntry, resolveBelow } from './folder.ts'
import { join } from './path-below.ts'
import { rename } from './rename.ts'

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
