import fs from 'node:fs'

/** What a git index says of one file; stands only until the next one is taken. */
export type IndexedFile = {
  /** Below the top of the work tree, a byte a character. */
  readonly path: string
  readonly stat: () => IndexedStat
  /** Copies the name of the bytes that git last saw in the file, of {@link oidSize} bytes. */
  readonly copyOid: (target: Uint8Array, at: number) => void
}

export const oidSize = 20

/** What git keeps of a file's stat. Times are in milliseconds, made of the same parts in the same way as node's. */
export type IndexedStat = {
  readonly mtimeMs: number
  readonly ctimeMs: number
  /** The lower 32 bits. */
  readonly ino: number
  readonly size: number
}

/**
 * Takes the merged plain files of an index one by one, in the order of their paths' bytes; says whether it could be
 * read. See gitformat-index(5), versions 2 to 4. A split index is not read, nor one whose paths are longer than a
 * system would open. What a sparse index has as a folder is not in it as files.
 */
export const readGitIndex = (file: string, take: (file: IndexedFile) => void): boolean => {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants
  const descriptor = fs.openSync(file, O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOFOLLOW ?? 0))
  try {
    const bytes = Buffer.allocUnsafeSlow(windowSize)
    let [from, end] = [0, fs.readSync(descriptor, bytes)]
    const version = end < headerSize ? 0 : bytes.readUInt32BE(4)
    if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return false
    const count = bytes.readUInt32BE(8)
    from = headerSize
    let path = ''
    const entry: IndexedFile = {
      get path() {
        return path
      },
      stat: () => readStat(bytes, from),
      copyOid: (target, at) => bytes.copy(target, at, from + oidAt, from + flagsAt),
    }
    for (let number = 0; number < count; number++) {
      if (end - from < longestEntry && end === windowSize) {
        bytes.copyWithin(0, from, end)
        end = end - from + fs.readSync(descriptor, bytes, end - from, windowSize - (end - from), null)
        from = 0
      }
      if (end - from < flagsAt + 4) return false
      const flags = bytes.readUInt16BE(from + flagsAt)
      const extended = (flags & 0x4000) !== 0
      let at = from + flagsAt + (extended ? 4 : 2)
      const previous = path
      let kept = 0
      if (version === 4) {
        const cut = readOffset(bytes, at)
        kept = previous.length - cut.value
        at = cut.end
      }
      const close = bytes.indexOf(0, at)
      if (close === -1 || close >= end || kept < 0 || kept + close - at > longestPath) return false
      path = previous.slice(0, kept) + bytes.toString('latin1', at, close)
      if (path === '' || path < previous) return false
      const merged = (flags & 0x3000) === 0
      const plain = bytes.readUInt32BE(from + modeAt) >>> 12 === 0o10
      if (merged && plain) take(entry)
      // up to version 3, one to eight zeros fill the entry up to a multiple of eight
      from = version === 4 ? close + 1 : from + ((close - from + 8) & ~7)
    }
    return true
  } finally {
    fs.closeSync(descriptor)
  }
}

const readStat = (bytes: Buffer, at: number): IndexedStat => ({
  ctimeMs: readTime(bytes, at),
  mtimeMs: readTime(bytes, at + 8),
  ino: bytes.readUInt32BE(at + inoAt),
  size: bytes.readUInt32BE(at + sizeAt),
})

/** Seconds, then nanoseconds. */
const readTime = (bytes: Buffer, at: number): number =>
  bytes.readUInt32BE(at) * 1000 + bytes.readUInt32BE(at + 4) / 1e6

/** A number of seven bits a byte, each but the last with the high bit set and counted from one. */
const readOffset = (bytes: Buffer, at: number): { readonly value: number; readonly end: number } => {
  let byte = bytes[at++]!
  let value = byte & 0x7f
  while ((byte & 0x80) !== 0) {
    byte = bytes[at++]!
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, end: at }
}

const headerSize = 12

/** Where things stand in an entry. */
const [inoAt, modeAt, sizeAt, oidAt, flagsAt] = [20, 24, 36, 40, 60]

/** Bytes of a path, as Linux limits it. */
const longestPath = 4096

/** Bytes that are more than an entry with such a path has. */
const longestEntry = longestPath + 128

/** Bytes that are held at a time. */
const windowSize = 1 << 20
