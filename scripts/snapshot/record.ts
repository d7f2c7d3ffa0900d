/**
 * What the state keeps of one member, as bytes, so that tens of thousands of members stay small and go from thread
 * to thread without being copied piece by piece.
 */
export type MemberRecord = {
  readonly username: string
  /** Fingerprint of the content files' names and stats; `undefined` if it can't be relied on. */
  readonly contentStat: Uint8Array | undefined
  /** Fingerprint of the content files' names and bytes. */
  readonly contentKey: Uint8Array
  /** Fingerprint of the stats of the member's files and folders in the snapshot; `undefined` as above. */
  readonly outputStat: Uint8Array | undefined
  /** sha256 of each file of the member, by slot number; `undefined` is no file. */
  readonly digests: readonly (Uint8Array | undefined)[]
  /** Shots that are not drafts. */
  readonly published: number
  /** Bytes of the largest file. */
  readonly largest: number
  readonly claims: Claims
}

/** What nobody else in the site may have, as the first 8 bytes of sha1 sums. */
export type Claims = {
  /** Of the member's id; empty if the profile has none. */
  readonly member: Uint8Array
  /** Of every shot's id, drafts too; 8 bytes each. It is also the start of the token made from that id. */
  readonly shots: Uint8Array
  /** Of every token that was written out; 8 bytes each. */
  readonly tokens: Uint8Array
}

export const statSize = 16
export const keySize = 20
export const digestSize = 32
export const claimSize = 8

/** The record's length and the counts. */
const headSize = 32

const none = new Uint8Array(statSize)

/** Bytes of a record: its own length first. */
export const encodeRecord = (record: MemberRecord): Buffer => {
  const { claims } = record
  const username = Buffer.from(record.username)
  const digests = record.digests.filter((digest) => digest !== undefined)
  const mask = record.digests.reduce(
    (bits, digest, slot) => (digest === undefined ? bits : bits | (1 << slot)),
    0,
  )
  const counts = Buffer.alloc(28)
  counts.writeUInt32LE(mask, 0)
  counts.writeUInt32LE(record.published, 4)
  counts.writeUInt32LE(username.length, 8)
  counts.writeUInt32LE(claims.member.length, 12)
  counts.writeUInt32LE(claims.shots.length, 16)
  counts.writeUInt32LE(claims.tokens.length, 20)
  counts.writeUInt32LE(record.largest, 24)
  const parts = [
    Buffer.alloc(4),
    counts,
    record.contentStat ?? none,
    record.contentKey,
    record.outputStat ?? none,
    username,
    ...digests,
    claims.member,
    claims.shots,
    claims.tokens,
  ]
  const bytes = Buffer.concat(parts)
  bytes.writeUInt32LE(bytes.length, 0)
  return bytes
}

/** The record that begins at `offset`; its arrays are views of the bytes. */
export const decodeRecord = (bytes: Buffer, offset = 0): MemberRecord => {
  const mask = bytes.readUInt32LE(offset + 4)
  let at = offset + headSize
  const take = (size: number): Buffer => {
    at += size
    return bytes.subarray(at - size, at)
  }
  const size = (index: number): number => bytes.readUInt32LE(offset + 12 + 4 * index)
  const contentStat = reliable(take(statSize))
  const contentKey = take(keySize)
  const outputStat = reliable(take(statSize))
  const username = take(size(0)).toString()
  const digests: (Uint8Array | undefined)[] = []
  for (let slot = 0; slot < 32 && mask >>> slot !== 0; slot++) {
    digests.push((mask >>> slot) & 1 ? take(digestSize) : undefined)
  }
  const claims = { member: take(size(1)), shots: take(size(2)), tokens: take(size(3)) }
  return {
    username,
    contentStat,
    contentKey,
    outputStat,
    digests,
    published: bytes.readUInt32LE(offset + 8),
    largest: bytes.readUInt32LE(offset + 28),
    claims,
  }
}

/** The member that the record at `offset` is about. */
export const recordUsername = (bytes: Buffer, offset: number): string => {
  const at = offset + headSize + statSize + keySize + statSize
  return bytes.toString('utf8', at, at + bytes.readUInt32LE(offset + 12))
}

/** Length of the record that begins at `offset`. */
export const recordLength = (bytes: Buffer, offset: number): number => bytes.readUInt32LE(offset)

const reliable = (stat: Buffer): Uint8Array | undefined => (stat.equals(none) ? undefined : stat)

/** Records one at a time, so that only their bytes stay in memory; can be gone through again. */
export const decodeEach = (records: readonly Buffer[]): Iterable<MemberRecord> => ({
  *[Symbol.iterator]() {
    for (const bytes of records) yield decodeRecord(bytes)
  },
})
