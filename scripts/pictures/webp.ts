import {
  assertFew,
  broken,
  fourLetters,
  type Part,
  type Reader,
  type Size,
  startsWith,
} from './parts.ts'

const kept = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const keptInFrame = new Set(['VP8 ', 'VP8L', 'ALPH'])
const exifFlag = 0x08
const xmpFlag = 0x04

type Chunk = { readonly type: string; readonly bytes: Buffer; readonly data: Buffer }

/** WebP (RFC 9649): a RIFF file of chunks; the first one, VP8X, says what else there is. */
export const readWebp: Reader = (file, add) => {
  const end = 8 + file.readUInt32LE(4)
  if (end > file.length) throw broken()
  const chunks = chunksOf(file.subarray(0, end), 12)
  const [first] = chunks
  if (first === undefined) throw broken('it has no pixels')
  const extended = first.type === 'VP8X'
  if (extended && first.data.length < 10) throw broken('its header is too short')
  add({ bytes: file.subarray(0, 12), is: 'picture' })
  for (const one of chunks) add(toPart(one, extended || one === first, extended))
  const { width, height } = extended ? sizeAt(first.data, 4) : sizeOf(first)
  const exif = { index: 1 + chunks.length, wrap: (tiff: Buffer) => chunk('EXIF', tiff) }
  const shape = { width, height, pixels: width * height, finish, ...(extended && { exif }) }
  const animated = extended && (first.data[0]! & 2) !== 0
  const images = chunks.filter(({ type }) =>
    (animated ? ['ANMF'] : ['VP8 ', 'VP8L']).includes(type),
  )
  if (images[0] === undefined) throw broken('it has no pixels')
  if (animated) {
    const sizes = images.map(({ data }) => sizeAt(data, 6))
    const framePixels = sizes.reduce((sum, { width, height }) => sum + width * height, 0)
    return { ...shape, frames: images.length, pixels: Math.max(shape.pixels, framePixels) }
  }
  const size = sizeOf(images[0])
  if (size.width !== width || size.height !== height) throw broken('its header tells another size')
  if (extended && images.length > 1) throw broken('it has two pictures')
  return { ...shape, frames: 1 }
}

/** `isKnown` as long as something says that the chunk follows: decoders read on into what nothing announces. */
const toPart = ({ type, bytes, data }: Chunk, isKnown: boolean, extended: boolean): Part => {
  // without VP8X no viewer looks for EXIF
  if (type === 'EXIF')
    return {
      bytes,
      is: 'exif',
      holds: data.subarray(startsWith(data, 'Exif\0') ? 6 : 0),
      open: extended,
    }
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
  const flag = (is: Part['is'], bit: number): number =>
    inside.some((part) => part.is === is) ? bit : 0
  if (fourLetters(header, 0) === 'VP8X')
    header[8] = (header[8]! & ~(exifFlag | xmpFlag)) | flag('exif', exifFlag) | flag('xmp', xmpFlag)
  return [{ ...head!, bytes: riff }, { ...first!, bytes: header }, ...rest]
}

const chunksOf = (bytes: Buffer, from: number): readonly Chunk[] => {
  const chunks: Chunk[] = []
  for (let at = from; at < bytes.length; ) {
    if (at + 8 > bytes.length) throw broken(`there is no chunk at byte ${at}`)
    const to = at + 8 + bytes.readUInt32LE(at + 4)
    if (to > bytes.length) throw broken(`the length at byte ${at + 4} is wrong`)
    // some programs leave out the last byte that makes a length even
    const next = Math.min(to + (to % 2 === at % 2 ? 0 : 1), bytes.length)
    // decoders may read on into it
    if (to < next && bytes[to] !== 0) throw broken(`the byte ${to} after a chunk is not zero`)
    const [one, data] = [bytes.subarray(at, next), bytes.subarray(at + 8, to)]
    assertFew(chunks.push({ type: fourLetters(bytes, at), bytes: one, data }))
    at = next
  }
  return chunks
}

/** Of a header: three bytes each, and one less than it is. */
const sizeAt = (data: Buffer, at: number): Size => ({
  width: data.readUIntLE(at, 3) + 1,
  height: data.readUIntLE(at + 3, 3) + 1,
})

/** A frame of an animation, without what is no picture in it. */
const frameOf = (data: Buffer): Buffer => {
  if (data.length < 16) throw broken('a frame of it is too short')
  const inside = chunksOf(data, 16).filter(({ type }) => keptInFrame.has(type))
  const image = inside.find(({ type }) => type !== 'ALPH')
  const [size, said] = [image && sizeOf(image), sizeAt(data, 6)]
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
