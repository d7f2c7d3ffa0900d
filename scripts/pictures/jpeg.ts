import { broken, type Part, type Reader, type Size, startsWith } from './parts.ts'

const exifHeader = 'Exif\0'

/** Segments of which something is published, by their marker and by how their data begins. */
const shown: readonly {
  readonly marker: number
  readonly begins: string
  /** As many bytes as are published, and zeros that follow them. */
  readonly most?: readonly [bytes: number, zeros: number]
}[] = [
  // how colours are meant; a thumbnail may stand in it
  { marker: 0xe0, begins: 'JFIF\0', most: [12, 2] },
  { marker: 0xe2, begins: 'ICC_PROFILE\0' },
  // how colours are stored; CMYK is not readable without it
  { marker: 0xee, begins: 'Adobe', most: [12, 0] },
]

/** Segments that may tell on people, and the bytes before what they hold. */
const telling = [
  { marker: 0xe1, begins: exifHeader, skip: 6, is: 'exif' },
  { marker: 0xe1, begins: 'http://ns.adobe.com/xap/1.0/\0', skip: 29, is: 'xmp' },
  // after the header: 32 digits of a hash, the full length, the offset
  { marker: 0xe1, begins: 'http://ns.adobe.com/xmp/extension/\0', skip: 75, is: 'more-xmp' },
  { marker: 0xed, begins: 'Photoshop 3.0\0', skip: 14, is: 'iptc' },
] as const

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda

/** JPEG (ITU-T T.81): markers with a length each, and after "start of scan" data in which FF is followed by 00. */
export const readJpeg: Reader = (file, add) => {
  let size: Size | undefined
  let hasScan = false
  let exifIndex = 1
  let start = nextMarker(file, 2)
  add(followed({ bytes: file.subarray(0, 2), is: 'picture' }, file.subarray(0, start)))
  for (let count = 2; file[start + 1] !== endOfImage; count += 1) {
    const marker = file[start + 1] ?? 0
    if (marker < 0xc0 || marker === startOfImage)
      throw broken(`the marker at byte ${start} does not belong there`)
    const data = dataAt(file, start)
    let end = start + 4 + data.length
    if (isFrame(marker)) {
      if (size !== undefined) throw broken('it has two frames')
      size = sizeIn(data)
    }
    if (marker === startOfScan) {
      if (size === undefined) throw broken('a scan begins before the frame')
      end = nextMarker(file, end)
      hasScan = true
    }
    const part = toPart(marker, file.subarray(start, end), data)
    if (marker === 0xe0 && part.is === 'picture' && count === 2) exifIndex = count
    const next = nextMarker(file, end)
    add(followed(part, file.subarray(start, next)))
    start = next
  }
  add({ bytes: file.subarray(start, start + 2), is: 'picture' })
  if (size === undefined || !hasScan) throw broken('it has no pixels')
  const exif = {
    index: exifIndex,
    wrap: (tiff: Buffer) => segment(0xe1, Buffer.from(`${exifHeader}\0`), tiff),
  }
  return { ...size, frames: 1, pixels: size.width * size.height, hasAlpha: false, exif }
}

/** A part with the bytes up to the next one, which viewers pass over. */
const followed = (part: Part, bytes: Buffer): Part => {
  if (bytes.length === part.bytes.length) return part
  return {
    ...part,
    bytes,
    instead: part.is === 'picture' ? (part.instead ?? part.bytes) : undefined,
  }
}

/** The next FF that stands before a marker which is not one of those that may stand among pixels. */
const nextMarker = (file: Buffer, from: number): number => {
  for (let at = from; at + 1 < file.length; at += 1) {
    if (file[at] !== 0xff) continue
    const next = file[at + 1] ?? 0
    const isRestart = next >= 0xd0 && next <= 0xd7
    if (next > 1 && next !== 0xff && !isRestart) return at
  }
  throw broken()
}

/** What stands after a marker and its length. */
const dataAt = (file: Buffer, at: number): Buffer => {
  const length = file.readUInt16BE(at + 2)
  if (length < 2) throw broken(`the length at byte ${at + 2} is wrong`)
  if (at + 2 + length > file.length) throw broken()
  return file.subarray(at + 4, at + 2 + length)
}

/** C0 to CF are frames, but for tables (C4, CC) and what is reserved (C8). */
const isFrame = (marker: number): boolean =>
  marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const sizeIn = (frame: Buffer): Size => {
  if (frame.length < 6) throw broken('its frame header is too short')
  const size = { width: frame.readUInt16BE(3), height: frame.readUInt16BE(1) }
  if (size.width === 0 || size.height === 0) throw broken('it has no width or no height')
  return size
}

const toPart = (marker: number, bytes: Buffer, data: Buffer): Part => {
  // frames, scans and tables; no viewer heeds a later word on the height, DC
  if (marker <= 0xdd) return { bytes, is: marker === 0xc8 || marker === 0xdc ? 'other' : 'picture' }
  const isLike = (one: { readonly marker: number; readonly begins: string }): boolean =>
    one.marker === marker && startsWith(data, one.begins)
  const tells = telling.find(isLike)
  if (tells !== undefined) {
    const { is, skip } = tells
    const key = data.toString('latin1', skip - 40, skip)
    return { bytes, is, key, holds: data.subarray(skip), open: is !== 'more-xmp' }
  }
  const { most: [length, zeros] = [0, 0] } = shown.find(isLike) ?? { most: [data.length + 1, 0] }
  if (data.length < length + zeros) return { bytes, is: 'other' }
  if (length === 0 || data.length === length + zeros) return { bytes, is: 'picture' }
  const instead = segment(marker, data.subarray(0, length), Buffer.alloc(zeros))
  return { bytes, is: 'picture', instead }
}

const segment = (marker: number, ...data: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat([Buffer.from([0xff, marker, 0, 0]), ...data])
  bytes.writeUInt16BE(bytes.length - 2, 2)
  return bytes
}
