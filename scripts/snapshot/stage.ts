import fs from 'node:fs'
/** Writes a new file below the stage, making its folders where they are missing. */
export const stageFile = (path: string, bytes: Uint8Array, seconds: number): void => {
  const file = create(path)
  try {
    fs.writeFileSync(file, bytes)
    fs.futimesSync(file, seconds, seconds)
  } finally {
    fs.closeSync(file)
  }
}

const create = (path: string): number => {
  try {
    return fs.openSync(path, 'w')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    fs.mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true })
    return fs.openSync(path, 'w')
  }
}
