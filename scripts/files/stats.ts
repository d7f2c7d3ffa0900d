import { createHash } from 'node:crypto'
import type fs from 'node:fs'

/**
 * Fingerprint of files' names and of what stat says of them: 32 hex digits. It changes whenever one of them is written,
 * replaced, renamed or given another time.
 */
export const fingerprintStats = (names: readonly string[], stats: readonly fs.Stats[]): string => {
  const print = createFingerprint()
  for (const stat of stats) print.add(stat)
  return print.of(names.join('/'))
}

/** The same, stat by stat: what is said of a hundred thousand files need not be kept. */
export const createFingerprint = () => {
  const numbers: number[] = []
  return {
    add: ({ dev, ino, mode, size, mtimeMs, ctimeMs }: fs.Stats): unknown =>
      numbers.push(dev, ino, mode, size, mtimeMs, ctimeMs),
    of: (text = '') =>
      createHash('sha1').update(new Float64Array(numbers)).update(text).digest('hex').slice(0, 32),
  }
}

/**
 * Whether the last change of every file is so long ago that the file system's clock will tell a later change from it. A
 * fingerprint of files that have not settled must not be kept. To be asked before the files are read.
 */
export const haveSettled = (stats: readonly Pick<fs.Stats, 'ctimeMs'>[]): boolean => {
  const now = Date.now()
  // whole seconds mean a coarse clock
  return stats.every(({ ctimeMs }) => ctimeMs + (ctimeMs % 1000 === 0 ? 2000 : 50) < now)
}
