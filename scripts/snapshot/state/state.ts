import { createHash, hash } from 'node:crypto'
import fs from 'node:fs'
import type { Entries } from './entries.ts'
import { leastEntry, type Memory, memoryOf, StoredEntry } from './entry.ts'

/** What the last build left for the next: hints that are checked before they are believed. */
export type State = {
  /** What every result depends on besides a member's own files: the program and site.yaml. */
  readonly epoch: string
  /** sha256 of SHA256SUMS, in hex. */
  readonly sums: string
  /** The entries, one after the other, in memory that threads share. */
  readonly memory: Memory
  /** Where each member's entry begins. */
  readonly offsets: ReadonlyMap<string, number>
}

export const emptyState: State = {
  epoch: '',
  sums: '',
  memory: memoryOf(Buffer.alloc(0)),
  offsets: new Map(),
}

/** Reads a state file; a missing, damaged or foreign one is an empty state. */
export const readState = (path: string): State => {
  let file: number
  try {
    file = fs.openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyState
    throw error
  }
  try {
    const length = fs.fstatSync(file).size
    const bytes = Buffer.from(new SharedArrayBuffer(length))
    if (fs.readSync(file, bytes, 0, length, 0) !== length || !isWhole(bytes)) return emptyState
    const memory = memoryOf(bytes)
    const offsets = new Map<string, number>()
    const end = length - sumSize
    for (let at = headerSize; at < end; ) {
      if (at + leastEntry > end) return emptyState
      const { username, size } = new StoredEntry(memory, at)
      if (size < leastEntry || at + size > end) return emptyState
      offsets.set(username, at)
      at += size
    }
    return { epoch: field(bytes, 0), sums: field(bytes, 1), memory, offsets }
  } finally {
    fs.closeSync(file)
  }
}

/** Writes a state file beside the old one, then puts it in its place. */
export const writeState = (
  path: string,
  { epoch, sums, entries }: Omit<State, 'memory' | 'offsets'> & { entries: Entries },
): void => {
  const next = `${path}.next`
  const file = fs.openSync(next, 'w')
  try {
    const sum = createHash('sha256')
    const fields = [epoch, sums].map((text) => text.padEnd(fieldSize))
    for (const bytes of inBatches(Buffer.from(magic + fields.join('')), entries)) {
      sum.update(bytes)
      fs.writeFileSync(file, bytes)
    }
    fs.writeFileSync(file, sum.digest())
  } finally {
    fs.closeSync(file)
  }
  fs.renameSync(next, path)
}

const magic = 'shotpress-state-5\n'
const fieldSize = 64
const headerSize = magic.length + 2 * fieldSize
const sumSize = 32

const isWhole = (bytes: Buffer): boolean =>
  bytes.length >= headerSize + sumSize &&
  bytes.toString('latin1', 0, magic.length) === magic &&
  hash('sha256', bytes.subarray(0, -sumSize), 'buffer').equals(bytes.subarray(-sumSize))

/** One of the texts that the file begins with. */
const field = (bytes: Buffer, number: number): string => {
  const at = magic.length + number * fieldSize
  return bytes.toString('latin1', at, at + fieldSize).trimEnd()
}

function* inBatches(header: Uint8Array, entries: Entries): Generator<Buffer> {
  let batch: Uint8Array[] = [header]
  let size = 0
  for (const { bytes } of entries) {
    batch.push(bytes)
    size += bytes.length
    if (size > 1 << 20) {
      yield Buffer.concat(batch)
      batch = []
      size = 0
    }
  }
  yield Buffer.concat(batch)
}
