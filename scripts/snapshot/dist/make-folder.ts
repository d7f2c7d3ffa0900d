import fs from 'node:fs'
import path from 'node:path'

/**
 * Makes a folder, and those above it that are missing. Mostly only the last one is, and then node's recursive call
 * takes three times as long; and where a system refuses new names, as below /proc, that call never comes back.
 */
export const makeFolder = (folder: string): void => {
  try {
    fs.mkdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    const parent = path.dirname(folder)
    if (code !== 'ENOENT' || parent === folder || fs.existsSync(parent)) throw error
    makeFolder(parent)
    // again as a whole: a build beside this one may have taken the parent away as empty
    makeFolder(folder)
  }
}
