import { createHash, hash } from 'node:crypto'
import fs from 'node:fs'
import { type Memory, memoryOf, StoredRecord } from './record.ts'

/** What the last build left for the next: hints that are checked before they are believed. */
export type State = {
  /** What every result depends on besides a member's own files: the program and site.yaml. */
  readonly epoch: string
  /** Fingerprint of the stats of the snapshot's own files and folders outside the members. */
  readonly frame: string
  /** The records, one after the other, in memory that threads share. */
  readonly memory: Memory
  /** Where each member's record begins. */
  readonly offsets: ReadonlyMap<string, number>
}

export const emptyState: State = {
  epoch: '',
  frame: '',
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
      const { username, size } = new StoredRecord(memory, at)
      offsets.set(username, at)
      at += size
    }
    return { epoch: field(bytes, magic.length), frame: field(bytes, magic.length + 64), memory, offsets }
  } finally {
    fs.closeSync(file)
  }
}

/** Writes a state file beside the old one, then puts it in its place. */
export const writeState = (
  path: string,
  { epoch, frame, records }: { epoch: string; frame: string; records: Iterable<Uint8Array> },
): void => {
  const next = `${path}.next`
  const file = fs.openSync(next, 'w')
  try {
    const sum = createHash('sha256')
    for (const bytes of inBatches(Buffer.from(magic + epoch.padEnd(64) + frame.padEnd(64)), records)) {
      sum.update(bytes)
      fs.writeFileSync(file, bytes)
    }
    fs.writeFileSync(file, sum.digest())
  } finally {
    fs.closeSync(file)
  }
  fs.renameSync(next, path)
}

const magic = 'shotpress-state-1\n'
const headerSize = magic.length + 128
const sumSize = 32

const isWhole = (bytes: Buffer): boolean =>
  bytes.length >= headerSize + sumSize &&
  bytes.toString('latin1', 0, magic.length) === magic &&
  hash('sha256', bytes.subarray(0, -sumSize), 'buffer').equals(bytes.subarray(-sumSize))

const field = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 64).trimEnd()

function* inBatches(header: Uint8Array, records: Iterable<Uint8Array>): Generator<Buffer> {
  let batch: Uint8Array[] = [header]
  let size = 0
  for (const record of records) {
    batch.push(record)
    size += record.length
    if (size > 1 << 20) {
      yield Buffer.concat(batch)
      batch = []
      size = 0
    }
  }
  yield Buffer.concat(batch)
}
