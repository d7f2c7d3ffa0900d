import { broken, type Part, type Reader, startsWith } from './parts.ts'

/** GIF (87a and 89a): blocks, each made of sub-blocks of up to 255 bytes, the last of them empty. */
export const readGif: Reader = (file, add) => {
  let at = 13 + tableBytes(file[10]!)
  if (at > file.length) throw broken()
  add({ bytes: file.subarray(0, at), is: 'picture' })
  let [width, height] = [file.readUInt16LE(6), file.readUInt16LE(8)]
  let [frames, framePixels] = [0, 0]
  for (let block: number | undefined; block !== 0x3b; ) {
    const start = at
    block = file[at]
    at += 1
    if (block === undefined) throw broken()
    if (block === 0x2c) {
      const [w, h] = [file.readUInt16LE(start + 5), file.readUInt16LE(start + 7)]
      if (frames === 0 && (width === 0 || height === 0)) [width, height] = [w, h]
      frames += 1
      framePixels += w * h
      // after the frame's own table of colours: one byte, then the pixels
      at = endOfSubBlocks(file, start + 10 + tableBytes(file[start + 9]!) + 1)
    } else if (block === 0x21) at = endOfSubBlocks(file, start + 2)
    // some programs end a block twice
    else if (block !== 0 && block !== 0x3b) throw broken(`there is no block at byte ${start}`)
    const bytes = file.subarray(start, at)
    add(block === 0x21 ? extension(bytes) : { bytes, is: block === 0 ? 'other' : 'picture' })
  }
  if (frames === 0 || width === 0 || height === 0) throw broken('it has no pixels')
  return { width, height, frames, pixels: Math.max(width * height, framePixels) }
}

/** A table of colours, if the flags say that there is one. */
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

const endOfSubBlocks = (file: Buffer, from: number): number => {
  let at = from
  for (;;) {
    const length = file[at]
    if (length === undefined) throw broken()
    at += 1 + length
    if (length === 0) return at
  }
}

/** Kept are timing and transparency (F9), how often the frames are repeated, and a colour profile. */
const extension = (bytes: Buffer): Part => {
  if (bytes[1] === 0xf9) return { bytes, is: 'picture' }
  if (bytes[1] !== 0xff || bytes[2] !== 11) return { bytes, is: 'other' }
  const name = bytes.toString('latin1', 3, 14)
  if (name === 'ICCRGBG1012') return { bytes, is: 'picture' }
  if (name === 'NETSCAPE2.0' || name === 'ANIMEXTS1.0') {
    if (!startsWith(bytes, '\x03\x01', 14)) return { bytes, is: 'other' }
    if (bytes.length === 19) return { bytes, is: 'picture' }
    return {
      bytes,
      is: 'picture',
      instead: Buffer.concat([bytes.subarray(0, 18), Buffer.alloc(1)]),
    }
  }
  // the text stands there as it is; 258 bytes after it lead every reader to the end of the block
  if (name !== 'XMP DataXMP' || bytes.length < 14 + 258) return { bytes, is: 'other' }
  return { bytes, is: 'xmp', holds: bytes.subarray(14, -258), open: true }
}
