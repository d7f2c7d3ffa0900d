import { hash } from 'node:crypto'
import type fs from 'node:fs'

/** What the file system says of a file. */
export type Stat = fs.Stats

/**
 * Fingerprint of files' names and of what stat says of them: 32 hex digits. It changes whenever one of them is written,
 * replaced, renamed or given another time.
 */
export const fingerprintStats = (names: readonly string[], stats: readonly fs.Stats[]): string => {
  const text = names.join('/')
  // the numbers, and room for the text after them
  const numbers = new Float64Array(stats.length * 6 + Math.ceil((text.length * 3) / 8))
  let at = 0
  for (const { dev, ino, mode, size, mtimeMs, ctimeMs } of stats) {
    numbers[at++] = dev
    numbers[at++] = ino
    numbers[at++] = mode
    numbers[at++] = size
    numbers[at++] = mtimeMs
    numbers[at++] = ctimeMs
  }
  const bytes = Buffer.from(numbers.buffer)
  const end = at * 8 + bytes.write(text, at * 8)
  return hash('sha1', bytes.subarray(0, end)).slice(0, 32)
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
