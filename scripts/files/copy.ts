import fs from 'node:fs'
import { openFile } from './open.ts'
import type { Spot } from './path-below.ts'
import { writeNew } from './write.ts'

/** Copies a plain file to where nothing is; says whether there was one. */
export const copyFile = (from: Spot, to: Spot): boolean => {
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
