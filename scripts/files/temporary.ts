import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Makes a folder of the system's for this process alone. `remove` is called at the end of the process, or before. */
export const makeTemporary = (): { readonly folder: string; readonly remove: () => void } => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-'))
  const remove = (): void => {
    process.off('exit', remove)
    fs.rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', remove)
  return { folder, remove }
}
