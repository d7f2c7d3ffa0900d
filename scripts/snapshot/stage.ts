import fs from 'node:fs'

/** Writes a new file below the stage, making its folder where it is missing. */
export const stageFile = (path: string, bytes: Uint8Array, seconds: number): void => {
  fs.mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true })
  const file = fs.openSync(path, 'w')
  try {
    fs.writeFileSync(file, bytes)
    fs.futimesSync(file, seconds, seconds)
  } finally {
    fs.closeSync(file)
  }
}
