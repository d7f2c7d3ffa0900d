import {
  assertFew,
  broken,
  kept,
  type Part,
  type Reader,
  type Size,
  startsWith,
} from './parts.ts'

/**
 * Segments that are known, by their marker and by how their data begin; of others nothing is
 * published.
 */
const known: readonly {
  readonly marker: number
  readonly begins: string
  /**
   * Of what says how colours are meant or stored: 12 bytes are published, and as many zeros.
   * Without it, all is.
   */
  readonly zeros?: number
  readonly is?: Part['is']
  /** Of metadata: bytes before what it holds. */
  readonly skip?: number
}[] = [
  // a thumbnail may stand in it
  { marker: 0xe0, begins: 'JFIF\0', zeros: 2 },
  { marker: 0xe2, begins: 'ICC_PROFILE\0' },
  // CMYK is not readable without it
  { marker: 0xee, begins: 'Adobe', zeros: 0 },
  { marker: 0xe1, begins: 'Exif\0', is: 'exif', skip: 6 },
  { marker: 0xe1, begins: 'http://ns.adobe.com/xap/1.0/\0', is: 'xmp', skip: 29 },
  // after the header: 32 digits of a hash, the full length, the offset
  { marker: 0xe1, begins: 'http://ns.adobe.com/xmp/extension/\0', is: 'more-xmp', skip: 75 },
  { marker: 0xed, begins: 'Photoshop 3.0\0', skip: 14 },
]

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda

/**
 * JPEG (ITU-T T.81): markers with a length each, and after "start of scan" data in which FF
 * is followed by 00.
 */
export const readJpeg: Reader = (file, add) => {
  let size: Size | undefined
  let hasScan = false
  let exifIndex = 1
  let start = nextMarker(file, 2)
  add({ bytes: file.subarray(0, start), shown: file.subarray(0, 2) })
  for (let index = 1; file[start + 1] !== endOfImage; index += 1) {
    assertFew(index, 2_000)
    const marker = file[start + 1] ?? 0
    if (marker < 0xc0 || marker === startOfImage)
      throw broken(`the marker at byte ${start} does not belong there`)
    let end = endOfSegment(file, start)
    if (isFrame(marker)) {
      if (size !== undefined) throw broken('it has two frames')
      size = sizeIn(file.subarray(start + 4, end))
    }
    if (marker === startOfScan) {
      if (size === undefined) throw broken('a scan begins before the frame')
      end = nextMarker(file, end)
      hasScan = true
    }
    const part = toPart(file.subarray(start, end))
    if (marker === 0xe0 && part.shown && index === 1) exifIndex = 2
    // viewers pass over what stands before the next one
    const next = nextMarker(file, end)
    add({ ...part, bytes: file.subarray(start, next) })
    start = next
  }
  add(kept(file.subarray(start, start + 2)))
  if (size === undefined || !hasScan) throw broken('it has no pixels')
  const exif = {
    index: exifIndex,
    wrap: (tiff: Buffer) => segment(0xe1, Buffer.from('Exif\0\0'), tiff),
  }
  return { ...size, frames: 1, pixels: 0, hasAlpha: false, exif }
}

/**
 * The next FF that stands before a marker which is not one of those that may stand among
 * pixels.
 */
const nextMarker = (file: Buffer, from: number) => {
  for (let at = from; at + 1 < file.length; at += 1) {
    if (file[at] !== 0xff) continue
    const next = file[at + 1] ?? 0
    const isRestart = next >= 0xd0 && next <= 0xd7
    if (next > 1 && next !== 0xff && !isRestart) return at
  }
  throw broken()
}

const endOfSegment = (file: Buffer, start: number) => {
  const length = file.readUInt16BE(start + 2)
  if (length < 2) throw broken(`the length at byte ${start + 2} is wrong`)
  if (start + 2 + length > file.length) throw broken()
  return start + 2 + length
}

/** C0 to CF are frames, but for tables (C4, CC) and what is reserved (C8). */
const isFrame = (marker: number) => marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const sizeIn = (frame: Buffer): Size => {
  const size = { width: frame.readUInt16BE(3), height: frame.readUInt16BE(1) }
  if (size.width === 0 || size.height === 0) throw broken('it has no width or no height')
  return size
}

const toPart = (bytes: Buffer) => {
  const marker = bytes[1] ?? 0
  const data = bytes.subarray(4)
  // frames, scans and tables; no viewer heeds a later word on the height, DC
  if (marker <= 0xdd) return [0xc8, 0xdc].includes(marker) ? { bytes } : kept(bytes)
  const found = known.find((one) => one.marker === marker && startsWith(data, one.begins))
  if (found === undefined) return { bytes }
  const { is, zeros, skip } = found
  if (skip !== undefined) {
    const key = data.toString('latin1', skip - 40, skip)
    return { bytes, is, key, holds: data.subarray(skip), open: is !== 'more-xmp' }
  }
  if (zeros === undefined) return kept(bytes)
  if (data.length < 12 + zeros) return { bytes }
  return { bytes, shown: segment(marker, data.subarray(0, 12), Buffer.alloc(zeros)) }
}

const segment = (marker: number, ...data: readonly Buffer[]): Buffer => {
  const bytes = Buffer.concat([Buffer.from([0xff, marker, 0, 0]), ...data])
  bytes.writeUInt16BE(bytes.length - 2, 2)
  return bytes
}
