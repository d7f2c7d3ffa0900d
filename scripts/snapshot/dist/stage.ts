import fs from 'node:fs'
import { makeFolder } from './make-folder.ts'

/** Writes new files below a folder: path inside, bytes, and time of change in seconds. */
export type Stage = (path: string, bytes: Uint8Array, seconds: number) => void

export const createStage = (root: string): Stage => {
  let made: string | undefined
  return (path, bytes, seconds) => {
    const folder = `${root}/${path.slice(0, Math.max(0, path.lastIndexOf('/')))}`
    // files come folder by folder
    if (folder !== made) makeFolder(folder)
    made = folder
    const file = fs.openSync(`${root}/${path}`, 'w')
    try {
      fs.writeFileSync(file, bytes)
      fs.futimesSync(file, seconds, seconds)
    } finally {
      fs.closeSync(file)
    }
  }
}
