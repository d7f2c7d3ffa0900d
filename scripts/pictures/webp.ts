import { assertFew, broken, cutOff, fourLetters, type Part, type Shape, startsWith } from './parts.ts'

const kept = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const keptInFrame = new Set(['VP8 ', 'VP8L', 'ALPH'])
const exifFlag = 0x08
const xmpFlag = 0x04

type Chunk = { readonly type: string; readonly bytes: Buffer; readonly data: Buffer }

/** WebP (RFC 9649): a RIFF file of chunks; the first one, VP8X, says what else there is. */
export function* readWebp(file: Buffer): Generator<Part, Shape> {
  const end = 8 + file.readUInt32LE(4)
  if (end > file.length) throw cutOff()
  const chunks = [...chunksOf(file, 12, end)]
  const first = chunks[0]
  if (first === undefined) throw broken('it has no pixels')
  const extended = first.type === 'VP8X'
  if (extended && first.data.length < 10) throw broken('its header is too short')
  yield { bytes: file.subarray(0, 12), is: 'picture' }
  for (const [index, one] of chunks.entries()) yield toPart(one, extended || index === 0, extended)
  const canvas = extended
    ? { width: first.data.readUIntLE(4, 3) + 1, height: first.data.readUIntLE(7, 3) + 1 }
    : sizeOf(first)
  const pixels = canvas.width * canvas.height
  const exif = { index: 1 + chunks.length, wrap: (tiff: Buffer) => chunk('EXIF', tiff) }
  const still = { ...canvas, frames: 1, pixels, finish, ...(extended && { exif }) }
  if (!extended || (first.data[0]! & 2) === 0) {
    const images = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L')
    if (images[0] === undefined) throw broken('it has no pixels')
    const { width, height } = sizeOf(images[0])
    if (width !== canvas.width || height !== canvas.height) throw broken('its header tells another size')
    if (extended && images.length > 1) throw broken('it has two pictures')
    return still
  }
  const frames = chunks.filter(({ type }) => type === 'ANMF')
  if (frames.length === 0) throw broken('it has no pixels')
  const framePixels = frames.reduce((sum, { data }) => {
    const { width, height } = frameSize(data)
    return sum + width * height
  }, 0)
  return { ...still, frames: frames.length, pixels: Math.max(pixels, framePixels) }
}

/** `isKnown` as long as something says that the chunk follows: decoders read on into what nothing announces. */
const toPart = ({ type, bytes, data }: Chunk, isKnown: boolean, extended: boolean): Part => {
  // without VP8X no viewer looks for EXIF
  if (type === 'EXIF')
    return { bytes, is: 'exif', holds: data.subarray(startsWith(data, 'Exif\0') ? 6 : 0), open: extended }
  if (type === 'XMP ') return { bytes, is: 'xmp', holds: data, open: true }
  if (!isKnown && !kept.has(type)) throw broken('what follows its pixels is unknown')
  if (!isKnown || !kept.has(type)) return { bytes, is: 'other' }
  if (type === 'ANMF') return { bytes, is: 'picture', instead: frameOf(data) }
  return { bytes, is: 'picture', ...(bytes.length % 2 === 1 && { instead: chunk(type, data) }) }
}

/** Says in the header how long the file is now, and what it has. */
const finish = ([head, first, ...rest]: readonly Part[]): readonly Part[] => {
  const [riff, header] = [Buffer.from(head!.bytes), Buffer.from(first!.bytes)]
  const inside = rest.filter(({ is }) => is !== 'after')
  riff.writeUInt32LE(
    inside.reduce((sum, { bytes }) => sum + bytes.length, 4 + header.length),
    4,
  )
  const flag = (is: Part['is'], bit: number): number => (inside.some((part) => part.is === is) ? bit : 0)
  if (fourLetters(header, 0) === 'VP8X')
    header[8] = (header[8]! & ~(exifFlag | xmpFlag)) | flag('exif', exifFlag) | flag('xmp', xmpFlag)
  return [{ ...head!, bytes: riff }, { ...first!, bytes: header }, ...rest]
}

function* chunksOf(bytes: Buffer, from: number, end: number): Generator<Chunk> {
  let at = from
  for (let count = 1; at < end; count += 1) {
    assertFew(count)
    if (at + 8 > end) throw broken(`there is no chunk at byte ${at}`)
    const to = at + 8 + bytes.readUInt32LE(at + 4)
    if (to > end) throw broken(`the length at byte ${at + 4} is wrong`)
    // some programs leave out the last byte that makes a length even
    const next = Math.min(to + (to % 2 === at % 2 ? 0 : 1), end)
    // decoders may read on into it
    if (to < next && bytes[to] !== 0) throw broken(`the byte ${to} after a chunk is not zero`)
    yield { type: fourLetters(bytes, at), bytes: bytes.subarray(at, next), data: bytes.subarray(at + 8, to) }
    at = next
  }
}

type Size = { readonly width: number; readonly height: number }

const frameSize = (data: Buffer): Size => ({
  width: data.readUIntLE(6, 3) + 1,
  height: data.readUIntLE(9, 3) + 1,
})

/** A frame of an animation, without what is no picture in it. */
const frameOf = (data: Buffer): Buffer => {
  if (data.length < 16) throw broken('a frame of it is too short')
  const inside = [...chunksOf(data, 16, data.length)].filter(({ type }) => keptInFrame.has(type))
  const [image] = inside.filter(({ type }) => type !== 'ALPH')
  const [size, said] = [image && sizeOf(image), frameSize(data)]
  if (size?.width !== said.width || size.height !== said.height)
    throw broken('a frame of it tells another size')
  const pieces = inside.map(({ type, data }) => chunk(type, data))
  return chunk('ANMF', Buffer.concat([data.subarray(0, 16), ...pieces]))
}

const sizeOf = ({ type, data }: Chunk): Size => {
  if (type === 'VP8 ' && data.length >= 10 && startsWith(data, '\x9d\x01\x2a', 3)) {
    const [width, height] = [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff]
    if (width > 0 && height > 0) return { width, height }
  }
  if (type === 'VP8L' && data.length >= 5 && data[0] === 0x2f) {
    const bits = data.readUInt32LE(1)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  throw broken('its pixels have no header')
}

const chunk = (type: string, data: Buffer): Buffer => {
  const bytes = Buffer.concat([Buffer.alloc(8), data, Buffer.alloc(data.length % 2)])
  bytes.write(type, 0, 'latin1')
  bytes.writeUInt32LE(data.length, 4)
  return bytes
}
