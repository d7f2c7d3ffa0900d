import fs from 'node:fs'

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

/** Mostly only the last folder is missing, and then the recursive call takes three times as long. */
const makeFolder = (folder: string): void => {
  try {
    fs.mkdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') fs.mkdirSync(folder, { recursive: true })
    else if (code !== 'EEXIST') throw error
  }
}
