import { hash } from 'node:crypto'
import type fs from 'node:fs'
import type { Scan } from '../../content/read/scan.ts'
import { keySize, statSize } from './entry.ts'

/**
 * Fingerprint of what stat says of some files: it changes whenever one of them is written, replaced, renamed or
 * given another time.
 */
export const fingerprintStats = (names: readonly string[], stats: readonly fs.Stats[]): Uint8Array => {
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
  return hash('sha1', bytes.subarray(0, end), 'buffer').subarray(0, statSize)
}

/** Names of a member's files in the order of their stats and hashes. */
const fileNames = (scan: Scan): readonly string[] => [scan.profile ?? '', ...scan.shots]

/** Fingerprint of a member's content as far as stat shows it. */
export const fingerprintScan = (scan: Scan): Uint8Array => fingerprintStats(fileNames(scan), scan.stats)

/**
 * Whether the last change of every file lies so far before `since` (milliseconds) that the file system's clock will
 * tell a later change from it. A fingerprint of files that have not settled must not be kept.
 */
export const haveSettled = (stats: readonly Pick<fs.Stats, 'ctimeMs'>[], since: number): boolean =>
  stats.every(({ ctimeMs }) => ctimeMs + tick(ctimeMs) < since)

/** Milliseconds that a file system's clock may stand still: whole seconds mean a coarse one. */
const tick = (time: number): number => (time % 1000 === 0 ? 2000 : 50)

/** Fingerprint of the files' names and the hashes of their bytes: independent of any clock. */
export const fingerprintContent = (names: readonly string[], oids: readonly string[]): Buffer =>
  hash('sha1', `${names.join('/')}\0${oids.join('')}`, 'buffer').subarray(0, keySize)

/** The same of a member's files, from git's names of them. */
export const contentKeyOf = (scan: Scan, oids: readonly string[]): Buffer =>
  fingerprintContent(fileNames(scan), oids)

export const sameBytes = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && Buffer.compare(a, b) === 0)
