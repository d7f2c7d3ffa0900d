import { createHash, hash } from 'node:crypto'
import fs from 'node:fs'
import { findEntry } from '../../files/folder.ts'
import { openFile, readInto } from '../../files/open.ts'
import { remove } from '../../files/remove.ts'
import { replaceFile } from '../../files/write.ts'
import type { Entries } from './entries.ts'
import { isSoundEntry, type Memory, memoryOf, StoredEntry } from './entry.ts'

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

/** What a build would leave, for another look at the site by this process. */
export const stateOf = (epoch: string, entries: Entries): State => {
  const all = [...entries]
  const bytes = Buffer.from(new SharedArrayBuffer(all.reduce((sum, { size }) => sum + size, 0)))
  const offsets = new Map<string, number>()
  let at = 0
  for (const entry of all) {
    bytes.set(entry.bytes, at)
    offsets.set(entry.username, at)
    at += entry.size
  }
  return { epoch, sums: '', memory: memoryOf(bytes), offsets }
}

/** Reads the state in a trusted folder; a missing, damaged or foreign one is an empty state. */
export const readState = (own: string | undefined): State => {
  const file = own === undefined ? undefined : openFile(own, stateFile)
  if (file === undefined) return emptyState
  try {
    const { size } = fs.fstatSync(file)
    if (size < headerSize + sumSize || size > stateLimit) return emptyState
    const bytes = Buffer.from(new SharedArrayBuffer(size))
    if (readInto(file, bytes) !== size || !isWhole(bytes)) return emptyState
    return readEntries(bytes) ?? emptyState
  } finally {
    fs.closeSync(file)
  }
}

/** `undefined` if a field can't be what a build wrote. */
const readEntries = (bytes: Buffer): State | undefined => {
  const [epoch, sums] = [field(bytes, 0), field(bytes, 1)]
  if (!isDigest(epoch) || !isDigest(sums)) return undefined
  const memory = memoryOf(bytes)
  const offsets = new Map<string, number>()
  const end = bytes.length - sumSize
  for (let at = headerSize; at < end; ) {
    if (!isSoundEntry(memory, at, end)) return undefined
    const { username, size } = new StoredEntry(memory, at)
    if (offsets.has(username)) return undefined
    offsets.set(username, at)
    at += size
  }
  return { epoch, sums, memory, offsets }
}

/** Writes the state, whole or not at all. After a power failure it may be lost: its sum says so. */
export const writeState = (
  own: string,
  { epoch, sums, entries }: Omit<State, 'memory' | 'offsets'> & { entries: Entries },
): void => {
  if (findEntry(own, stateFile)?.isDirectory()) remove(own, stateFile)
  replaceFile(own, stateFile, (file) => {
    const sum = createHash('sha256')
    const fields = [epoch, sums].map((text) => text.padEnd(fieldSize))
    for (const bytes of inBatches(Buffer.from(magic + fields.join('')), entries)) {
      sum.update(bytes)
      fs.writeFileSync(file, bytes)
    }
    fs.writeFileSync(file, sum.digest())
  })
}

const stateFile = 'state'

/** Bytes: some two million members. */
const stateLimit = 1 << 30

const isDigest = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

const magic = 'shotpress-state-5\n'
const fieldSize = 64
const headerSize = magic.length + 2 * fieldSize
const sumSize = 32

const isWhole = (bytes: Buffer): boolean =>
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
