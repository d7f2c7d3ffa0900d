import { createHash } from 'node:crypto'
import type fs from 'node:fs'

/**
 * Fingerprint of files' names and of what stat says of them: 32 hex digits. It changes
 * whenever one of them is written, replaced, renamed or given another time. Stat by stat, as
 * what is said of a hundred thousand files need not be kept.
 */
export const createFingerprint = () => {
  const numbers: number[] = []
  let settled = 0
  return {
    add: ({ dev, ino, mode, size, mtimeMs, ctimeMs }: fs.Stats): void => {
      numbers.push(dev, ino, mode, size, mtimeMs, ctimeMs)
      // whole seconds mean a coarse clock
      settled = Math.max(settled, ctimeMs + (ctimeMs % 1000 === 0 ? 2000 : 50))
    },
    /**
     * Whether the last change of every file is so long ago that the file system's clock will
     * tell a later change from it. A fingerprint of files that have not settled must not be
     * kept. To be asked before the files are read.
     */
    hasSettled: () => settled < Date.now(),
    of: (text = '') =>
      createHash('sha1')
        .update(new Float64Array(numbers))
        .update(text)
        .digest('hex')
        .slice(0, 32),
  }
}
