import { assertFew, broken, type Container, cutOff, type Part, startsWith } from './parts.ts'

/** GIF (87a and 89a): blocks, each made of sub-blocks of up to 255 bytes, the last of them empty. */
export const readGif = (file: Buffer): Container => {
  if (file.length < 13) throw cutOff()
  let at = 13 + tableBytes(file[10]!)
  if (at > file.length) throw cutOff()
  const parts: Part[] = [{ bytes: file.subarray(0, at), is: 'picture' }]
  let width = file.readUInt16LE(6)
  let height = file.readUInt16LE(8)
  let frames = 0
  let framePixels = 0
  for (;;) {
    assertFew(parts.length)
    const start = at
    const block = file[at]
    if (block === undefined) throw cutOff()
    if (block === 0x3b) {
      parts.push({ bytes: file.subarray(at, at + 1), is: 'picture' })
      at += 1
      break
    }
    if (block === 0x2c) {
      if (at + 10 > file.length) throw cutOff()
      const [w, h] = [file.readUInt16LE(at + 5), file.readUInt16LE(at + 7)]
      if (frames === 0 && (width === 0 || height === 0)) [width, height] = [w, h]
      frames += 1
      framePixels += w * h
      // after the frame's own table of colours: one byte, then the pixels
      at = endOfSubBlocks(file, at + 10 + tableBytes(file[at + 9]!) + 1)
      parts.push({ bytes: file.subarray(start, at), is: 'picture' })
    } else if (block === 0x21) {
      at = endOfSubBlocks(file, at + 2)
      parts.push(extension(file.subarray(start, at)))
    } else if (block === 0) {
      // some programs end a block twice
      at += 1
      parts.push({ bytes: file.subarray(start, at), is: 'other' })
    } else throw broken(`there is no block at byte ${at}`)
  }
  if (frames === 0 || width === 0 || height === 0) throw broken('it has no pixels')
  if (at < file.length) parts.push({ bytes: file.subarray(at), is: 'after' })
  return { kind: 'gif', width, height, frames, pixels: Math.max(width * height, framePixels), parts }
}

/** A table of colours, if the flags say that there is one. */
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

const endOfSubBlocks = (file: Buffer, from: number): number => {
  let at = from
  for (;;) {
    const length = file[at]
    if (length === undefined) throw cutOff()
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
    const repeats = bytes.subarray(14, 18)
    if (!startsWith(repeats, '\x03\x01')) return { bytes, is: 'other' }
    if (bytes.length === 19) return { bytes, is: 'picture' }
    return { bytes, is: 'picture', instead: Buffer.concat([bytes.subarray(0, 18), Buffer.alloc(1)]) }
  }
  // the text stands there as it is; 258 bytes after it lead every reader to the end of the block
  if (name !== 'XMP DataXMP' || bytes.length < 14 + 258) return { bytes, is: 'other' }
  const [head, tail] = [bytes.subarray(0, 14), bytes.subarray(-258)]
  const rewrite = (holds: Buffer) => Buffer.concat([head, holds, tail])
  return { bytes, is: 'xmp', holds: bytes.subarray(14, -258), rewrite }
}
