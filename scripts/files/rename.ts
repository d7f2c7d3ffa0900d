import fs from 'node:fs'
import path from 'node:path'

/** As fs.renameSync, but that a name gets its new letter case on every file system. */
export const rename = (from: string, to: string): void => {
  move(from, to)
  if (from === to || from.toLowerCase() !== to.toLowerCase()) return
  // some that don't tell letter case have done nothing: then it goes by a third name
  const [folder, name] = [path.dirname(to), path.basename(to)]
  if (!fs.readdirSync(folder).includes(path.basename(from))) return
  const between = path.join(folder, `${name.slice(0, 40)}-renaming`)
  move(from, between)
  move(between, to)
}

/** On Windows, a file that a scanner or reader has open just now is tried again, for a second. */
const move = (from: string, to: string): void => {
  for (let tries = 0; ; tries++) {
    try {
      fs.renameSync(from, to)
      return
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      const isBusy = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(code)
      if (!isBusy || tries === 20) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
  }
}
