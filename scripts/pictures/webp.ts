import { assertFew, broken, type Container, cutOff, fourLetters, type Part, startsWith } from './parts.ts'

const kept = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const keptInFrame = new Set(['VP8 ', 'VP8L', 'ALPH'])
const exifFlag = 0x08
const xmpFlag = 0x04

type Chunk = { readonly type: string; readonly bytes: Buffer; readonly data: Buffer }

/** WebP (RFC 9649): a RIFF file of chunks; the first one, VP8X, says what else there is. */
export const readWebp = (file: Buffer): Container => {
  const end = 8 + file.readUInt32LE(4)
  if (end > file.length) throw cutOff()
  const chunks = [...chunksOf(file, 12, end)]
  const first = chunks[0]
  if (first === undefined) throw broken('it has no pixels')
  const extended = first.type === 'VP8X'
  if (extended && first.data.length < 10) throw broken('its header is too short')
  const parts = chunks.map(({ type, bytes, data }, index): Part => {
    if (type === 'EXIF') {
      const part = exif(bytes, data)
      // without VP8X no viewer looks for it
      return extended ? part : { ...part, rewrite: undefined }
    }
    if (type === 'XMP ') return holding('xmp', { bytes, data, from: 0 })
    // a file without VP8X is one chunk, and decoders read on into what follows if its length is wrong
    if (!extended && index > 0 && !kept.has(type)) throw broken('what follows its pixels is unknown')
    if (!kept.has(type) || (!extended && index > 0)) return { bytes, is: 'other' }
    if (type === 'ANMF') return { bytes, is: 'picture', instead: frameOf(data) }
    return bytes.length % 2 === 1
      ? { bytes, is: 'picture', instead: chunk(type, data) }
      : { bytes, is: 'picture' }
  })
  const frames = chunks.filter(({ type }) => type === 'ANMF')
  const images = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L')
  const canvas = extended
    ? { width: first.data.readUIntLE(4, 3) + 1, height: first.data.readUIntLE(7, 3) + 1 }
    : sizeOf(first)
  const animated = extended && (first.data[0]! & 2) !== 0
  if (animated ? frames.length === 0 : images[0] === undefined) throw broken('it has no pixels')
  if (!animated) {
    const { width, height } = sizeOf(images[0]!)
    if (width !== canvas.width || height !== canvas.height) throw broken('its header tells another size')
    if (extended && images.length > 1) throw broken('it has two pictures')
  }
  const framePixels = frames.reduce(
    (sum, { data }) => sum + (data.readUIntLE(6, 3) + 1) * (data.readUIntLE(9, 3) + 1),
    0,
  )
  const after: Part[] = end < file.length ? [{ bytes: file.subarray(end), is: 'after' }] : []
  return {
    kind: 'webp',
    ...canvas,
    frames: animated ? frames.length : 1,
    pixels: Math.max(canvas.width * canvas.height, animated ? framePixels : 0),
    parts: [{ bytes: file.subarray(0, 12), is: 'picture' }, ...parts, ...after],
    ...(extended && { exif: { index: 1 + parts.length, wrap: (tiff: Buffer) => chunk('EXIF', tiff) } }),
    finish: ([head, first, ...rest]) => {
      const [riff, header] = [Buffer.from(head!.bytes), Buffer.from(first!.bytes)]
      const inside = rest.filter(({ is }) => is !== 'after')
      riff.writeUInt32LE(
        inside.reduce((sum, { bytes }) => sum + bytes.length, 4 + header.length),
        4,
      )
      const flag = (is: Part['is'], bit: number): number => (inside.some((part) => part.is === is) ? bit : 0)
      if (extended)
        header[8] = (header[8]! & ~(exifFlag | xmpFlag)) | flag('exif', exifFlag) | flag('xmp', xmpFlag)
      return [{ ...head!, bytes: riff }, { ...first!, bytes: header }, ...rest]
    },
  }
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

/** A frame of an animation, without what is no picture in it. */
const frameOf = (data: Buffer): Buffer => {
  if (data.length < 16) throw broken('a frame of it is too short')
  const inside = [...chunksOf(data, 16, data.length)].filter(({ type }) => keptInFrame.has(type))
  const [image] = inside.filter(({ type }) => type !== 'ALPH')
  const { width, height } = image === undefined ? { width: 0, height: 0 } : sizeOf(image)
  if (width !== data.readUIntLE(6, 3) + 1 || height !== data.readUIntLE(9, 3) + 1) {
    throw broken('a frame of it tells another size')
  }
  return chunk(
    'ANMF',
    Buffer.concat([data.subarray(0, 16), ...inside.map(({ type, data }) => chunk(type, data))]),
  )
}

const sizeOf = ({ type, data }: Chunk): { readonly width: number; readonly height: number } => {
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

const exif = (bytes: Buffer, data: Buffer): Part =>
  holding('exif', { bytes, data, from: startsWith(data, 'Exif\0') ? 6 : 0 })

const holding = (
  is: 'exif' | 'xmp',
  { bytes, data, from }: { readonly bytes: Buffer; readonly data: Buffer; readonly from: number },
): Part => {
  const type = fourLetters(bytes, 0)
  const rewrite = (holds: Buffer) => chunk(type, Buffer.concat([data.subarray(0, from), holds]))
  return { bytes, is, holds: data.subarray(from), rewrite }
}

const chunk = (type: string, data: Buffer): Buffer => {
  const bytes = Buffer.alloc(8 + data.length + (data.length % 2))
  bytes.write(type, 0, 'latin1')
  bytes.writeUInt32LE(data.length, 4)
  data.copy(bytes, 8)
  return bytes
}
