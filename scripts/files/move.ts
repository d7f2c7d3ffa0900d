import fs from 'node:fs'
import { join, type Spot } from './path-below.ts'
import { rename } from './rename.ts'

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
