import { isUsername } from '../../content/username.ts'
import { slots } from './slots.ts'

/**
 * What the state keeps of one member, as bytes, so that tens of thousands of members stay small and go from thread
 * to thread without being copied piece by piece.
 */
export type StateEntry = {
  readonly username: string
  /** Its other names, under each of which the snapshot holds the same files. */
  readonly aliases: readonly string[]
  /** Fingerprint of the content files' names and stats; `undefined` if it can't be relied on. */
  readonly contentStat: Uint8Array | undefined
  /** Fingerprint of the content files' names and bytes. */
  readonly contentKey: Buffer
  /** Fingerprint of the stats of the member's files and folders in the snapshot; `undefined` as above. */
  readonly outputStat: Uint8Array | undefined
  /** sha256 of each file of the member, by slot number; `undefined` is no file. */
  readonly digests: readonly (Buffer | undefined)[]
  /** Shots, drafts too. */
  readonly shots: number
  /** Shots that are not drafts. */
  readonly published: number
  /** Bytes of the largest file. */
  readonly largest: number
  /** What nobody else in the site may have, one after the other: the ids, and the tokens; see claims.ts. */
  readonly claims: Uint8Array
}

/** Every name at which the API answers with a member's files. */
export const namesOf = ({
  username,
  aliases,
}: Pick<StateEntry, 'username' | 'aliases'>): readonly string[] => [username, ...aliases]

/** The same entry with other stats. A stored entry can't be spread: its parts are getters. */
export const withStats = (
  { username, aliases, contentKey, digests, shots, published, largest, claims }: StateEntry,
  stats: Pick<StateEntry, 'contentStat' | 'outputStat'>,
): StateEntry => ({
  ...{ username, aliases, contentKey, digests, shots, published, largest, claims },
  ...stats,
})

export const statSize = 16
export const keySize = 20
const digestSize = 32
/** Bytes of a claim, the start of a sum: enough that two equal ones are worth a look at what they stand for. */
export const claimSize = 8

/** Where the numbers stand in an entry, 4 bytes each, from its beginning; the entry's own length is the first. */
const head = {
  length: 0,
  /** A bit for each slot that has a digest. */
  mask: 4,
  published: 8,
  largest: 12,
  shots: 16,
  namesSize: 20,
} as const

/** Offsets of the fixed parts, which follow; then come the others: names with a slash between them, digests, claims. */
const contentStatAt = 24
const contentKeyAt = contentStatAt + statSize
const outputStatAt = contentKeyAt + keySize
const namesAt = outputStatAt + statSize

const unreliable = new Uint8Array(statSize)

/** Bytes that an entry takes. */
export const entrySize = (entry: StateEntry): number =>
  namesAt +
  Buffer.byteLength(joinedNames(entry)) +
  entry.digests.reduce((sum, digest) => (digest === undefined ? sum : sum + digestSize), 0) +
  entry.claims.length

const joinedNames = (entry: StateEntry): string => namesOf(entry).join('/')

/** Writes an entry into memory that has room for it. */
export const writeEntry = (entry: StateEntry, bytes: Buffer, offset: number): void => {
  const { digests, claims } = entry
  bytes.set(entry.contentStat ?? unreliable, offset + contentStatAt)
  bytes.set(entry.contentKey, offset + contentKeyAt)
  bytes.set(entry.outputStat ?? unreliable, offset + outputStatAt)
  const namesSize = bytes.write(joinedNames(entry), offset + namesAt)
  let at = offset + namesAt + namesSize
  let mask = 0
  for (let slot = 0; slot < digests.length; slot++) {
    const digest = digests[slot]
    if (digest === undefined) continue
    mask |= 1 << slot
    bytes.set(digest, at)
    at += digestSize
  }
  bytes.set(claims, at)
  bytes.writeUInt32LE(at + claims.length - offset, offset + head.length)
  bytes.writeUInt32LE(mask, offset + head.mask)
  bytes.writeUInt32LE(entry.published, offset + head.published)
  bytes.writeUInt32LE(entry.largest, offset + head.largest)
  bytes.writeUInt32LE(entry.shots, offset + head.shots)
  bytes.writeUInt32LE(namesSize, offset + head.namesSize)
}

/** Memory that holds entries: its bytes, and the same to read numbers from. */
export type Memory = { readonly bytes: Buffer; readonly numbers: DataView }

export const memoryOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Memory => ({
  bytes: Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength),
  numbers: new DataView(buffer, byteOffset, byteLength),
})

/**
 * Whether the bytes from an offset on can be an entry that ends at `end` or before it: every field is one that a build
 * could have written.
 */
export const isSoundEntry = (memory: Memory, offset: number, end: number): boolean => {
  if (offset + namesAt > end) return false
  const at = (field: number): number => memory.numbers.getUint32(offset + field, true)
  const [size, mask, shots, namesSize] = [at(head.length), at(head.mask), at(head.shots), at(head.namesSize)]
  if (offset + size > end || mask >= 2 ** slots.length || (mask & plainSlots) !== plainSlots) return false
  let claimsSize = size - namesAt - namesSize
  for (let rest = mask; rest !== 0; rest >>>= 1) if (rest & 1) claimsSize -= digestSize
  const claims = claimsSize / claimSize
  // at least the member's id, and one for each shot
  return (
    Number.isInteger(claims) &&
    claims >= 1 + shots &&
    at(head.published) <= shots &&
    at(head.largest) > 0 &&
    memory.bytes
      .toString('utf8', offset + namesAt, offset + namesAt + namesSize)
      .split('/')
      .every(isUsername)
  )
}

/** The bits of the slots that every member has. */
const plainSlots = slots.reduce((mask, { encoding }, slot) => (encoding ? mask : mask | (1 << slot)), 0)

/** An entry where it lies in memory: of its parts only those are read that are asked for, as views of the bytes. */
export class StoredEntry implements StateEntry {
  readonly #memory: Memory
  readonly #offset: number
  #digests: readonly (Buffer | undefined)[] | undefined

  constructor(memory: Memory, offset: number) {
    this.#memory = memory
    this.#offset = offset
  }

  get size(): number {
    return this.#number(head.length)
  }

  get bytes(): Buffer {
    return this.#part(0, this.size)
  }

  get shots(): number {
    return this.#number(head.shots)
  }

  get published(): number {
    return this.#number(head.published)
  }

  get largest(): number {
    return this.#number(head.largest)
  }

  get username(): string {
    return this.#names.split('/', 1)[0]!
  }

  get aliases(): readonly string[] {
    return this.#names.split('/').slice(1)
  }

  get contentStat(): Uint8Array | undefined {
    return this.#stat(contentStatAt)
  }

  get contentKey(): Buffer {
    return this.#part(contentKeyAt, keySize)
  }

  get outputStat(): Uint8Array | undefined {
    return this.#stat(outputStatAt)
  }

  get digests(): readonly (Buffer | undefined)[] {
    this.#digests ??= this.#readDigests()
    return this.#digests
  }

  get claims(): Uint8Array {
    let at = namesAt + this.#number(head.namesSize)
    for (let mask = this.#number(head.mask); mask !== 0; mask >>>= 1) if (mask & 1) at += digestSize
    return this.#part(at, this.size - at)
  }

  get #names(): string {
    const at = this.#offset + namesAt
    return this.#memory.bytes.toString('utf8', at, at + this.#number(head.namesSize))
  }

  #readDigests(): readonly (Buffer | undefined)[] {
    const digests: (Buffer | undefined)[] = []
    let at = namesAt + this.#number(head.namesSize)
    for (let mask = this.#number(head.mask); mask !== 0; mask >>>= 1) {
      digests.push(mask & 1 ? this.#part(at, digestSize) : undefined)
      if (mask & 1) at += digestSize
    }
    return digests
  }

  #number(at: number): number {
    return this.#memory.numbers.getUint32(this.#offset + at, true)
  }

  #part(at: number, size: number): Buffer {
    return this.#memory.bytes.subarray(this.#offset + at, this.#offset + at + size)
  }

  #stat(at: number): Buffer | undefined {
    const stat = this.#part(at, statSize)
    return Buffer.compare(stat, unreliable) === 0 ? undefined : stat
  }
}
