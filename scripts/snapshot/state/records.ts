import { type MemberRecord, type Memory, memoryOf, recordSize, StoredRecord, writeRecord } from './record.ts'

/**
 * Records one after the other in a few large blocks: as a buffer of its own each, tens of thousands of them would take
 * several times the memory of what they hold.
 */
export type Blocks = readonly Uint8Array<ArrayBuffer>[]

/** Records that were made in this build. */
export type MadeRecords = {
  /** Positions of the members, in the order of the records. */
  readonly indexes: readonly number[]
  readonly blocks: Blocks
}

/** Takes records and says where they are. */
export type RecordWriter = {
  readonly add: (record: MemberRecord) => void
  readonly blocks: () => Blocks
}

export const createRecordWriter = (): RecordWriter => {
  const full: Uint8Array<ArrayBuffer>[] = []
  let block = Buffer.alloc(0)
  let used = 0
  const filled = () => (used === 0 ? [] : [block.subarray(0, used)])
  return {
    add: (record) => {
      const size = recordSize(record)
      if (used + size > block.length) {
        full.push(...filled())
        block = Buffer.allocUnsafeSlow(Math.max(size, blockSize))
        used = 0
      }
      writeRecord(record, block, used)
      used += size
    },
    blocks: () => [...full, ...filled()],
  }
}

const blockSize = 1 << 20

/** One record for each member, in the order of the members, wherever it lies. */
export type Records = Iterable<StoredRecord> & { readonly length: number }

export type RecordSources = {
  /** Where records of the last build lie, and each member's offset there; -1 is none. */
  readonly old: Memory
  readonly offsets: Int32Array
  /** Records made since, which come before old ones. */
  readonly made: readonly MadeRecords[]
}

export const gatherRecords = ({ old, offsets, made }: RecordSources): Records => {
  const blocks = [old]
  const blockOf = new Uint32Array(offsets.length)
  const offsetIn = Int32Array.from(offsets)
  for (const part of made) {
    let next = 0
    for (const bytes of part.blocks) {
      const block = memoryOf(bytes)
      for (let at = 0; at < bytes.length; at += new StoredRecord(block, at).size) {
        const index = part.indexes[next++]!
        blockOf[index] = blocks.length
        offsetIn[index] = at
      }
      blocks.push(block)
    }
  }
  return {
    length: offsets.length,
    *[Symbol.iterator]() {
      for (let index = 0; index < blockOf.length; index++) {
        yield new StoredRecord(blocks[blockOf[index]!]!, offsetIn[index]!)
      }
    },
  }
}
