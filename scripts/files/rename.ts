import fs from 'node:fs'

/** As fs.renameSync. On Windows, a file that a scanner or reader has open just now is tried again, for a second. */
export const rename = (from: string, to: string): void => {
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
