import { entrySize, type Memory, memoryOf, type StateEntry, StoredEntry, writeEntry } from './entry.ts'

/**
 * Entries one after the other in a few large blocks: as a buffer of its own each, tens of thousands of them would take
 * several times the memory of what they hold.
 */
export type Blocks = readonly Uint8Array<ArrayBuffer>[]

/** Entries that were made in this build. */
export type MadeEntries = {
  /** Positions of the members, in the order of the entries. */
  readonly indexes: readonly number[]
  readonly blocks: Blocks
}

/** Takes entries and says where they are. */
export type EntryWriter = {
  readonly add: (entry: StateEntry) => void
  readonly blocks: () => Blocks
}

export const createEntryWriter = (): EntryWriter => {
  const full: Uint8Array<ArrayBuffer>[] = []
  let block = Buffer.alloc(0)
  let used = 0
  return {
    add: (entry) => {
      const size = entrySize(entry)
      if (used + size > block.length) {
        if (used > 0) full.push(block.subarray(0, used))
        block = Buffer.allocUnsafeSlow(Math.max(size, blockSize))
        used = 0
      }
      writeEntry(entry, block, used)
      used += size
    },
    blocks: () => (used === 0 ? full : [...full, block.subarray(0, used)]),
  }
}

const blockSize = 1 << 20

export type EntryList = Iterable<StoredEntry> & { readonly length: number }

/** One entry for each member, in the order of the members, wherever it lies. */
export type Entries = EntryList & {
  /** Those that were made in this build, in any order. */
  readonly fresh: EntryList
}

/** Fresh entries that are taken one by one at less cost than all. */
export const fewFresh = 1000

export type EntrySources = {
  /** Where entries of the last build lie, and each member's offset there; -1 is none. */
  readonly old: Memory
  readonly offsets: Int32Array
  /** Entries made since, which come before old ones. */
  readonly made: readonly MadeEntries[]
}

export const gatherEntries = ({ old, offsets, made }: EntrySources): Entries => {
  const blocks = [old]
  const blockOf = new Uint32Array(offsets.length)
  const offsetIn = Int32Array.from(offsets)
  for (const part of made) {
    let next = 0
    for (const bytes of part.blocks) {
      const block = memoryOf(bytes)
      for (let at = 0; at < bytes.length; at += new StoredEntry(block, at).size) {
        const index = part.indexes[next++]!
        blockOf[index] = blocks.length
        offsetIn[index] = at
      }
      blocks.push(block)
    }
  }
  const entryAt = (index: number): StoredEntry => new StoredEntry(blocks[blockOf[index]!]!, offsetIn[index]!)
  const fresh = made.flatMap(({ indexes }) => indexes)
  return {
    ...listOf(offsets.length, entryAt),
    fresh: listOf(fresh.length, (at) => entryAt(fresh[at]!)),
  }
}

const listOf = (length: number, entryAt: (index: number) => StoredEntry): EntryList => ({
  length,
  *[Symbol.iterator]() {
    for (let index = 0; index < length; index++) yield entryAt(index)
  },
})
