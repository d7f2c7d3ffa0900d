import { broken, type Part, type Reader, type Size, startsWith } from './parts.ts'

/** GIF (87a and 89a): blocks, each made of sub-blocks of up to 255 bytes, the last of them empty. */
export const readGif: Reader = (file, add) => {
  let at = 13 + tableBytes(file, 10)
  if (at > file.length) throw broken()
  add({ bytes: file.subarray(0, at), is: 'picture' })
  const frames: ReturnType<typeof frameAt>[] = []
  let control: Buffer | undefined
  for (let block: number | undefined; block !== 0x3b; ) {
    const start = at
    block = file[at]
    at += 1
    if (block === 0x2c) {
      const frame = frameAt(file, start)
      frames.push(frame)
      at = endOfSubBlocks(file, frame.pixelsAt)
    } else if (block === 0x21) at = endOfSubBlocks(file, start + 2)
    const bytes = file.subarray(start, at)
    if (block === 0x21 && bytes[1] === 0xf9) control ??= bytes
    add(partOf(block, bytes, start))
  }
  const pixels = frames.reduce((sum, { width, height }) => sum + width * height, 0)
  const { width, height } = sizeOf(file, frames)
  const hasAlpha = ((control?.[3] ?? 0) & 1) === 1
  return {
    width,
    height,
    frames: frames.length,
    pixels: Math.max(width * height, pixels),
    hasAlpha,
  }
}

const partOf = (block: number | undefined, bytes: Buffer, at: number): Part => {
  switch (block) {
    case undefined:
      throw broken()
    case 0x21:
      return extension(bytes)
    case 0x2c:
    case 0x3b:
      return { bytes, is: 'picture' }
    // some programs end a block twice
    case 0:
      return { bytes, is: 'other' }
    default:
      throw broken(`there is no block at byte ${at}`)
  }
}

/** The header's size, or that of the first frame where it has none; no frame may lie outside. */
const sizeOf = (file: Buffer, frames: readonly ReturnType<typeof frameAt>[]): Size => {
  const said = { width: file.readUInt16LE(6), height: file.readUInt16LE(8) }
  const size = said.width === 0 || said.height === 0 ? (frames[0] ?? said) : said
  if (frames.length === 0 || size.width === 0 || size.height === 0) throw broken('it has no pixels')
  if (frames.some(({ left, top }) => left >= size.width || top >= size.height))
    throw broken('a frame of it lies outside of the picture')
  return size
}

/** A table of colours, if the flags at a byte say that there is one. */
const tableBytes = (file: Buffer, at: number): number => {
  const flags = file[at] ?? 0
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

const frameAt = (file: Buffer, start: number) => {
  const [left = 0, top = 0, width = 0, height = 0] = [1, 3, 5, 7].map((at) =>
    file.readUInt16LE(start + at),
  )
  // after the frame's own table of colours: how many bits the first codes have
  const bitsAt = start + 10 + tableBytes(file, start + 9)
  const bits = file[bitsAt]
  if (bits === undefined) throw broken()
  if (bits < 1 || bits > 11) throw broken('the pixels of a frame are not packed as those of a GIF')
  return { left, top, width, height, pixelsAt: bitsAt + 1 }
}

const endOfSubBlocks = (file: Buffer, from: number): number => {
  let at = from
  for (;;) {
    const length = file[at]
    if (length === undefined) throw broken()
    at += 1 + length
    if (length === 0) return at
  }
}

/** Names of extensions that say how often the frames are repeated. */
const repeats = ['NETSCAPE2.0', 'ANIMEXTS1.0']

/** Leads every reader to the end of the block, wherever it comes from. */
const xmpEnd = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0])

/** Kept are timing and transparency (F9), how often the frames are repeated, and a colour profile. */
const extension = (bytes: Buffer): Part => {
  if (bytes[1] === 0xf9) {
    // viewers differ in what they make of another one
    if (bytes.length !== 8 || bytes[2] !== 4)
      throw broken('what says how long a frame is shown has a wrong length')
    return { bytes, is: 'picture' }
  }
  const name = startsWith(bytes, '\x21\xff\x0b') ? bytes.toString('latin1', 3, 14) : ''
  if (name === 'ICCRGBG1012') return { bytes, is: 'picture' }
  if (repeats.includes(name) && startsWith(bytes, '\x03\x01', 14))
    return {
      bytes,
      is: 'picture',
      ...(bytes.length > 19 && { instead: Buffer.from([...bytes.subarray(0, 18), 0]) }),
    }
  if (name === 'XMP DataXMP' && bytes.length >= 14 + xmpEnd.length) {
    // the text stands there as it is
    const open = bytes.subarray(-xmpEnd.length).equals(xmpEnd)
    return { bytes, is: 'xmp', holds: bytes.subarray(14, -xmpEnd.length), open }
  }
  return { bytes, is: 'other' }
}
