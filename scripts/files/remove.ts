import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { findEntry } from './folder.ts'
import { join } from './path-below.ts'

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
export const temporaryName = (name: string): string =>
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
