import { broken, type Part, type Reader, startsWith } from './parts.ts'

/** GIF (87a and 89a): blocks, each made of sub-blocks of up to 255 bytes, the last of them empty. */
export const readGif: Reader = (file, add) => {
  let at = 13 + tableBytes(file, 10)
  if (at > file.length) throw broken()
  add({ bytes: file.subarray(0, at), is: 'picture' })
  let size = { width: file.readUInt16LE(6), height: file.readUInt16LE(8) }
  let frames = 0
  let framePixels = 0
  let control: Buffer | undefined
  for (let block: number | undefined; block !== 0x3b; ) {
    const start = at
    block = file[at]
    at += 1
    if (block === undefined) throw broken()
    if (block === 0x2c) {
      const frame = frameAt(file, start)
      if (frames === 0 && (size.width === 0 || size.height === 0)) size = frame
      if (frame.left >= size.width || frame.top >= size.height)
        throw broken('a frame of it lies outside of the picture')
      frames += 1
      framePixels += frame.width * frame.height
      at = endOfSubBlocks(file, frame.pixelsAt)
    } else if (block === 0x21) at = endOfSubBlocks(file, start + 2)
    // some programs end a block twice
    else if (block !== 0 && block !== 0x3b) throw broken(`there is no block at byte ${start}`)
    const bytes = file.subarray(start, at)
    if (block === 0x21 && bytes[1] === 0xf9) control ??= bytes
    add(block === 0x21 ? extension(bytes) : { bytes, is: block === 0 ? 'other' : 'picture' })
  }
  if (frames === 0 || size.width === 0 || size.height === 0) throw broken('it has no pixels')
  const { width, height } = size
  const hasAlpha = ((control?.[3] ?? 0) & 1) === 1
  return { width, height, frames, pixels: Math.max(width * height, framePixels), hasAlpha }
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
  const isControl = bytes[1] === 0xf9 && (bytes[2] ?? 0) >= 4
  if (isControl) return exactly(bytes, Buffer.from([0x21, 0xf9, 4, ...bytes.subarray(3, 7), 0]))
  const name = startsWith(bytes, '\x21\xff\x0b') ? bytes.toString('latin1', 3, 14) : ''
  if (name === 'ICCRGBG1012') return { bytes, is: 'picture' }
  if (repeats.includes(name) && startsWith(bytes, '\x03\x01', 14))
    return exactly(bytes, Buffer.from([...bytes.subarray(0, 18), 0]))
  if (name === 'XMP DataXMP' && bytes.length >= 14 + xmpEnd.length) {
    // the text stands there as it is
    const open = bytes.subarray(-xmpEnd.length).equals(xmpEnd)
    return { bytes, is: 'xmp', holds: bytes.subarray(14, -xmpEnd.length), open }
  }
  return { bytes, is: 'other' }
}

/** An extension without further bytes than these. */
const exactly = (bytes: Buffer, instead: Buffer): Part =>
  instead.equals(bytes) ? { bytes, is: 'picture' } : { bytes, is: 'picture', instead }
