import {
  assertFew,
  broken,
  fourLetters,
  kept,
  type Part,
  pixelsOf,
  type Reader,
  type Size,
  startsWith,
  withoutHeader,
} from './parts.ts'

/**
 * Chunks that are published of a picture, and of an animation; those that are pictures
 * themselves.
 */
const still = ['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L']
const moving = ['VP8X', 'ICCP', 'ANIM', 'ANMF']
const images = ['VP8 ', 'VP8L']
const flag = { moving: 0x02, xmp: 0x04, exif: 0x08, alpha: 0x10, profile: 0x20 }

type Chunk = { readonly type: string; readonly bytes: Buffer; readonly data: Buffer }

/** WebP (RFC 9649): a RIFF file of chunks; the first one, VP8X, says what else there is. */
export const readWebp: Reader = (file, add) => {
  const end = 8 + file.readUInt32LE(4)
  if (end > file.length) throw broken()
  const chunks = chunksOf(file.subarray(0, end), 12)
  const [first] = chunks
  if (first === undefined) throw broken('it has no pixels')
  const isExtended = first.type === 'VP8X'
  const flags = flagsOf(first)
  const isMoving = isExtended && (flags & flag.moving) !== 0
  const published = isMoving ? moving : still
  add(kept(file.subarray(0, 12)))
  for (const one of chunks) {
    const isShown = one === first || (isExtended && published.includes(one.type))
    add(isShown ? toPicture(one) : toOther(one, isExtended))
  }
  const size = isExtended ? sizeAt(first.data, 4) : sizeOf(first)
  const pictures = isMoving ? ['ANMF'] : images
  const frames = chunks
    .filter(({ type }) => pictures.includes(type))
    .map((one) => (isMoving ? sizeAt(one.data, 6) : sizeOf(one)))
  const [frame] = frames
  if (frame === undefined) throw broken('it has no pixels')
  if (!isMoving && frames.length > 1) throw broken('it has two pictures')
  if (!isMoving && (frame.width !== size.width || frame.height !== size.height))
    throw broken('its header tells another size')
  const exif = { index: 1 + chunks.length, wrap: (tiff: Buffer) => chunk('EXIF', tiff) }
  return {
    ...size,
    frames: frames.length,
    pixels: pixelsOf(frames),
    hasAlpha: (flags & flag.alpha) !== 0,
    finish,
    ...(isExtended && { exif }),
  }
}

/**
 * Those of the header; a lossless picture without one says in its own bytes whether it has
 * alpha.
 */
const flagsOf = ({ type, data }: Chunk) => {
  if (type === 'VP8X') return data[0] ?? 0
  return type === 'VP8L' ? (data[4] ?? 0) : 0
}

const toPicture = ({ type, bytes, data }: Chunk): Part => {
  if (type === 'ANMF') return { bytes, shown: frameOf(data) }
  if (type === 'VP8X' && data.length !== 10) throw broken('the length of its header is wrong')
  return { bytes, shown: chunk(type, type === 'ANIM' ? data.subarray(0, 6) : data) }
}

const toOther = ({ type, bytes, data }: Chunk, isExtended: boolean): Part => {
  // without VP8X no viewer looks for EXIF
  if (type === 'EXIF')
    return { bytes, is: 'exif', holds: withoutHeader(data), open: isExtended }
  if (type === 'XMP ') return { bytes, is: 'xmp', holds: data, open: true }
  // decoders read on into what nothing announces
  if (!isExtended && ![...still, ...moving].includes(type))
    throw broken('what follows its pixels is unknown')
  return { bytes }
}

/** Says in the header how long the file is now, and what it has. */
const finish = (file: Buffer, parts: readonly Part[]) => {
  const last = parts.at(-1)
  file.writeUInt32LE(file.length - 8 - (last?.is === 'after' ? last.bytes.length : 0), 4)
  if (!startsWith(file, 'VP8X', 12)) return
  let flags = (file[20] ?? 0) & ~(flag.exif | flag.xmp)
  for (const { is } of parts) if (is === 'exif' || is === 'xmp') flags |= flag[is]
  // no viewer shows a picture that lacks the profile which it announces
  if (!parts.some(({ bytes }) => startsWith(bytes, 'ICCP'))) flags &= ~flag.profile
  file[20] = flags
}

const chunksOf = (bytes: Buffer, from: number, most?: number): readonly Chunk[] => {
  const chunks: Chunk[] = []
  for (let at = from; at < bytes.length; ) {
    if (at + 8 > bytes.length) throw broken(`there is no chunk at byte ${at}`)
    const to = at + 8 + bytes.readUInt32LE(at + 4)
    if (to > bytes.length) throw broken(`the length at byte ${at + 4} is wrong`)
    // some programs leave out the last byte that makes a length even
    const next = Math.min(to + (to % 2 === at % 2 ? 0 : 1), bytes.length)
    const data = bytes.subarray(at + 8, to)
    chunks.push({ type: fourLetters(bytes, at), bytes: bytes.subarray(at, next), data })
    assertFew(chunks.length, most)
    at = next
  }
  return chunks
}

/** A frame of an animation without what is no picture in it. */
const frameOf = (data: Buffer): Buffer => {
  // programs write two
  const inside = chunksOf(data, 16, 16)
  const pieces = [['ALPH'], images].flatMap((types) => {
    const piece = inside.find(({ type }) => types.includes(type))
    return piece ? [chunk(piece.type, piece.data)] : []
  })
  return chunk('ANMF', data.subarray(0, 16), ...pieces)
}

const sizeOf = ({ type, data }: Chunk): Size => {
  if (type === 'VP8 ' && data.length >= 10 && startsWith(data, '\x9d\x01\x2a', 3)) {
    const width = data.readUInt16LE(6) & 0x3fff
    const height = data.readUInt16LE(8) & 0x3fff
    if (width > 0 && height > 0) return { width, height }
  }
  if (type === 'VP8L' && data.length >= 5 && data[0] === 0x2f) {
    const bits = data.readUInt32LE(1)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  throw broken('its pixels have no header')
}

/** Of a header: three bytes each, and one less than it is. */
const sizeAt = (data: Buffer, at: number): Size => ({
  width: data.readUIntLE(at, 3) + 1,
  height: data.readUIntLE(at + 3, 3) + 1,
})

const chunk = (type: string, ...data: readonly Buffer[]): Buffer => {
  const length = data.reduce((sum, piece) => sum + piece.length, 0)
  const bytes = Buffer.concat([Buffer.alloc(8), ...data, Buffer.alloc(length % 2)])
  bytes.write(type, 0, 'latin1')
  bytes.writeUInt32LE(length, 4)
  return bytes
}
