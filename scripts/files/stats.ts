import { createHash } from 'node:crypto'
import type fs from 'node:fs'

/** What the file system says of a file. */
export type Stat = fs.Stats

/**
 * Fingerprint of files' names and of what stat says of them: 32 hex digits. It changes whenever one of them is written,
 * replaced, renamed or given another time.
 */
export const fingerprintStats = (names: readonly string[], stats: readonly fs.Stats[]): string => {
  const print = createFingerprint(stats.length)
  for (const stat of stats) print.add(stat)
  return print.of(names.join('/'))
}

/** The same, stat by stat: what is said of a hundred thousand files need not be kept. */
export const createFingerprint = (room = 16) => {
  let numbers = new Float64Array(room * 6)
  let at = 0
  return {
    add: ({ dev, ino, mode, size, mtimeMs, ctimeMs }: fs.Stats): void => {
      if (at === numbers.length) {
        const longer = new Float64Array(Math.max(96, at * 2))
        longer.set(numbers)
        numbers = longer
      }
      numbers[at++] = dev
      numbers[at++] = ino
      numbers[at++] = mode
      numbers[at++] = size
      numbers[at++] = mtimeMs
      numbers[at++] = ctimeMs
    },
    of: (text = ''): string => {
      const stats = new Uint8Array(numbers.buffer, 0, at * 8)
      return createHash('sha1').update(stats).update(text).digest('hex').slice(0, 32)
    },
  }
}

/** Whether stat says the same of two files, or of one at two times. */
export const isSameStat = (one: fs.Stats, other: fs.Stats): boolean =>
  one.ino === other.ino &&
  one.dev === other.dev &&
  one.mode === other.mode &&
  one.size === other.size &&
  one.mtimeMs === other.mtimeMs &&
  one.ctimeMs === other.ctimeMs

/**
 * Whether the last change of every file is so long ago that the file system's clock will tell a later change from it. A
 * fingerprint of files that have not settled must not be kept. To be asked before the files are read.
 */
export const haveSettled = (stats: readonly Pick<fs.Stats, 'ctimeMs'>[]): boolean => {
  const now = Date.now()
  // whole seconds mean a coarse clock
  return stats.every(({ ctimeMs }) => ctimeMs + (ctimeMs % 1000 === 0 ? 2000 : 50) < now)
}
