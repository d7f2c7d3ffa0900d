import {
  broken,
  kept,
  type Part,
  pixelsOf,
  type Reader,
  type Size,
  startsWith,
} from './parts.ts'

/**
 * GIF (87a and 89a): blocks, each made of sub-blocks of up to 255 bytes, the last of them
 * empty.
 */
export const readGif: Reader = (file, add) => {
  const frames: Size[] = []
  let hasAlpha: boolean | undefined
  let at = 13 + tableBytes(file, 10)
  if (at > file.length) throw broken()
  add(kept(file.subarray(0, at)))
  for (let block: number | undefined; block !== 0x3b; ) {
    const start = at
    block = file[at]
    at += 1
    if (block === 0x2c) {
      frames.push({
        width: file.readUInt16LE(start + 5),
        height: file.readUInt16LE(start + 7),
      })
      // after the frame's own table of colours, and a byte that says how its pixels are packed
      at = endOfSubBlocks(file, start + 11 + tableBytes(file, start + 9))
    } else if (block === 0x21) at = endOfSubBlocks(file, start + 2)
    else if (block === undefined) throw broken()
    // some programs end a block twice
    else if (block !== 0 && block !== 0x3b) throw broken(`there is no block at byte ${start}`)
    const bytes = file.subarray(start, at)
    if (startsWith(bytes, '!\xf9')) hasAlpha ??= ((bytes[3] ?? 0) & 1) === 1
    if (block === 0x21) add(extension(bytes))
    else add(block === 0 ? { bytes } : kept(bytes))
  }
  const size = sizeOf(file, frames)
  return {
    ...size,
    frames: frames.length,
    pixels: pixelsOf(frames),
    hasAlpha: hasAlpha === true,
  }
}

/** The header's size, or that of the first frame where it has none. */
const sizeOf = (file: Buffer, frames: readonly Size[]) => {
  const said = { width: file.readUInt16LE(6), height: file.readUInt16LE(8) }
  const size = pixelsOf([said]) === 0 ? frames[0] : said
  if (size === undefined || frames.length === 0 || pixelsOf([size]) === 0)
    throw broken('it has no pixels')
  return size
}

/** A table of colours, if the flags at a byte say that there is one. */
const tableBytes = (file: Buffer, at: number) => {
  const flags = file[at] ?? 0
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

const endOfSubBlocks = (file: Buffer, from: number) => {
  let at = from
  for (;;) {
    const length = file[at]
    if (length === undefined) throw broken()
    at += 1 + length
    if (length === 0) return at
  }
}

/** Leads every reader to the end of the block, wherever it comes from. */
const xmpEnd = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0])

/**
 * Kept are timing and transparency (F9), how often the frames are repeated, and a colour
 * profile.
 */
const extension = (bytes: Buffer): Part => {
  const name = bytes.toString('latin1', 1, 14)
  const isControl = name.startsWith('\xf9\x04') && bytes.length === 8
  if (isControl || name === '\xff\x0bICCRGBG1012') return kept(bytes)
  if (
    /^\xff\x0b(?:NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(name) &&
    startsWith(bytes, '\x03\x01', 14)
  )
    return { bytes, shown: Buffer.from([...bytes.subarray(0, 18), 0]) }
  if (name !== '\xff\x0bXMP DataXMP' || bytes.length < 14 + xmpEnd.length) return { bytes }
  // the text stands there as it is
  const open = bytes.subarray(-xmpEnd.length).equals(xmpEnd)
  return { bytes, is: 'xmp', holds: bytes.subarray(14, -xmpEnd.length), open }
}
