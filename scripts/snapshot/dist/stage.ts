import fs from 'node:fs'
import path from 'node:path'
import { createFolderOf } from '../../files/folder.ts'
import { writeNew } from '../../files/write.ts'

/** Writes new files below a folder: path inside, bytes, and time of change in seconds. */
export type Stage = (path: string, bytes: Uint8Array, seconds: number) => void

export const createStage = (root: string): Stage => {
  const folderOf = createFolderOf(root, { make: true })
  return (below, bytes, seconds) => {
    try {
      writeNew(folderOf(below)!, path.posix.basename(below), (file) => {
        fs.writeFileSync(file, bytes)
        fs.futimesSync(file, seconds, seconds)
      })
    } catch (error) {
      // two members answer at one name: that is found when all are compared, and nothing is committed
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
