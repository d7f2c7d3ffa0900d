import fs from 'node:fs'
import { openFile } from './open.ts'
import { writeNew } from './write.ts'

/** A path below a trusted folder. */
export type Place = { readonly root: string; readonly below: string }

/** Copies a plain file to where nothing is; says whether there was one. */
export const copyFile = (from: Place, to: Place): boolean => {
  const source = openFile(from.root, from.below)
  if (source === undefined) return false
  try {
    const bytes = Buffer.alloc(1 << 16)
    writeNew(to.root, to.below, (target) => {
      for (let count = 1; count > 0; ) {
        count = fs.readSync(source, bytes)
        fs.writeSync(target, bytes, 0, count)
      }
    })
    return true
  } finally {
    fs.closeSync(source)
  }
}
