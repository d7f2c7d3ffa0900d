import fs from 'node:fs'
import path from 'node:path'

/**
 * Where PATH has a program, such as `git`; `undefined` if it has none. Left to itself,
 * Windows would first take one that lies in the working folder, and that may be anybody's.
 */
export const findProgram = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => folder.replace(/^"(.*)"$/, '$1'))
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, process.platform === 'win32' ? `${name}.exe` : name))
    .find(canRun)

const canRun = (file: string) => {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}
