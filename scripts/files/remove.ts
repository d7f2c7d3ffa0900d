import fs from 'node:fs'
import { findEntry, findFolder } from './folder.ts'
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

/** How folders are called that one process needs while it runs; its id follows. */
export const temporary = 'report-'

/** Removes such folders of processes that are gone, as after a kill. */
export const removeLeftBehind = (root: string, below: string): void => {
  const folder = below !== '.' ? findFolder(root, below) : fs.existsSync(root) ? root : undefined
  for (const name of folder === undefined ? [] : fs.readdirSync(folder)) {
    const [, id] = new RegExp(`^${temporary}(\\d+)$`).exec(name) ?? []
    if (id !== undefined && !isRunning(Number(id))) remove(folder!, name)
  }
}

/** Whether a process of this machine runs. */
export const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
