import { crc32, inflateSync } from 'node:zlib'
import {
  assertFew,
  broken,
  fourLetters,
  kept,
  latin1Above,
  type Part,
  pixelsOf,
  type Reader,
  type Size,
  withoutHeader,
} from './parts.ts'

/**
 * Chunks that say what one sees: pixels, transparency, frames, colour, and how large a pixel
 * is; each with its length, if it is always the same. Of the others, those that begin with a
 * small letter may be left out by what PNG says.
 */
const lengths = new Map(
  'IHDR13 PLTE IDAT IEND tRNS bKGD pHYs9 sBIT acTL8 fcTL26 fdAT cHRM32 gAMA4 iCCP sRGB1 cICP4 mDCV24 mDCv24 cLLI8 cLLi8'
    .split(' ')
    .map((chunk) => [chunk.slice(0, 4), chunk.slice(4)]),
)

/**
 * As much text of a file as is looked through after it is inflated; a bomb says nothing that
 * anybody could read.
 */
const textBytes = 4 * 1024 * 1024
type Inflate = (data: Buffer) => Buffer

/** PNG and APNG (ISO/IEC 15948): chunks of a length, a type, data, and a sum over both. */
export const readPng: Reader = (file, add) => {
  const inflate = createInflate()
  const frames: Size[] = []
  let header: Header | undefined
  let firstData = 0
  let texts = 0
  let isMoving = false
  add(kept(file.subarray(0, 8)))
  for (let at = 8, index = 1, type = ''; type !== 'IEND'; index += 1) {
    const bytes = chunkAt(file, at)
    const data = bytes.subarray(8, -4)
    type = fourLetters(bytes, 4)
    if ((header === undefined) !== (type === 'IHDR'))
      throw broken('it does not begin with one header')
    header ??= readHeader(data)
    if (firstData === 0) {
      if (type === 'IDAT') firstData = index
      if (type === 'tRNS') header.hasAlpha = true
      if (type === 'acTL') isMoving = true
    }
    if (type.endsWith('Xt')) assertFew(++texts, 500)
    if (type === 'fcTL' && isMoving)
      frames.push({ width: data.readUInt32BE(4), height: data.readUInt32BE(8) })
    // viewers heed chunks of frames after "acTL" alone
    const isShown = isMoving || !['acTL', 'fcTL', 'fdAT'].includes(type)
    add(isShown ? toPart(type, bytes, inflate) : { bytes })
    if (/^[A-Z]/.test(type) && !lengths.has(type))
      throw broken(`no viewer knows its chunk ${type}`)
    at += bytes.length
  }
  if (header === undefined || firstData === 0) throw broken('it has no pixels')
  const exif = { index: firstData, wrap: (tiff: Buffer) => chunk('eXIf', tiff) }
  return { ...header, frames: Math.max(frames.length, 1), pixels: pixelsOf(frames), exif }
}

const chunkAt = (file: Buffer, at: number) => {
  if (at + 12 > file.length) throw broken()
  const length = file.readUInt32BE(at)
  const type = fourLetters(file, at + 4)
  if (!/^[A-Za-z]{4}$/.test(type)) throw broken(`there is no chunk at byte ${at}`)
  if (at + 12 + length > file.length) throw broken()
  const bytes = file.subarray(at, at + 12 + length)
  if (sumOf(bytes) !== bytes.readUInt32BE(8 + length))
    throw broken(`the sum of its chunk ${type} at byte ${at} is wrong`)
  return bytes
}

type Header = Size & { hasAlpha: boolean }

const readHeader = (data: Buffer): Header => {
  if (data.length !== 13) throw broken('its header is too short')
  const width = data.readUInt32BE(0)
  const height = data.readUInt32BE(4)
  if (width === 0 || height === 0) throw broken('it has no width or no height')
  // with transparency: grey (4) or coloured (6)
  return { width, height, hasAlpha: data[9] === 4 || data[9] === 6 }
}

const toPart = (type: string, bytes: Buffer, inflate: Inflate): Part => {
  const data = bytes.subarray(8, -4)
  const length = lengths.get(type)
  if (type === 'IEND') return { bytes, shown: chunk('IEND') }
  if (length !== undefined)
    return ['', String(data.length)].includes(length) ? kept(bytes) : { bytes }
  if (type === 'eXIf')
    return { bytes, is: 'exif', holds: withoutHeader(data), open: true, seal: withSum }
  const keyEnd = data.indexOf(0)
  if (!['tEXt', 'zTXt', 'iTXt'].includes(type) || keyEnd < 1 || keyEnd > 79) return { bytes }
  const key = data.toString('latin1', 0, keyEnd)
  const text = textOf(type, data.subarray(keyEnd + 1), inflate)
  if (key === 'XML:com.adobe.xmp') return { bytes, is: 'xmp', ...text, seal: withSum }
  if (/^Raw profile type /i.test(key)) return { bytes, holds: rawProfile(text.holds) }
  // ImageMagick calls them as XMP does: exif:GPSLatitude
  const asXmp = ` x:${key}="${text.holds.toString('latin1', 0, 1_000)}"`
  return { bytes, holds: Buffer.from(asXmp, 'latin1') }
}

/** The text of a chunk, after its key; `open` if it stands there as it is. */
const textOf = (
  type: string,
  data: Buffer,
  inflate: Inflate,
): { holds: Buffer; open: boolean } => {
  if (type === 'tEXt') return { holds: data, open: true }
  if (type === 'zTXt') return { holds: inflate(data.subarray(1)), open: false }
  const languageEnd = data.indexOf(0, 2)
  const titleEnd = languageEnd === -1 ? -1 : data.indexOf(0, languageEnd + 1)
  if (titleEnd === -1) return { holds: data, open: false }
  const text = data.subarray(titleEnd + 1)
  return data[0] === 1 ? { holds: inflate(text), open: false } : { holds: text, open: true }
}

/** Inflates the texts of a file, as long as there are not too many. */
const createInflate = (): Inflate => {
  let left = textBytes
  return (data) => {
    if (left === 0) return Buffer.alloc(0)
    try {
      const text = inflateSync(data, { maxOutputLength: left })
      left -= text.length
      return text
    } catch {
      // not readable for us means not readable for anybody; it isn't published
      left = Math.floor(left / 2)
      return Buffer.alloc(0)
    }
  }
}

/**
 * EXIF, XMP and IPTC as ImageMagick writes them into a text: a name, a length, hexadecimal
 * digits.
 */
const rawProfile = (text: Buffer) => {
  const [head = ''] = /^\s*\S[^\n]*\n\s*\d+\n/.exec(text.toString('latin1', 0, 200)) ?? []
  const digits = latin1Above(0x20, text.subarray(head.length, 1 << 19))
  return withoutHeader(Buffer.from(digits, 'hex'))
}

/** Over the type and the data of a chunk. */
const sumOf = (bytes: Buffer) => crc32(bytes.subarray(4, -4))

const withSum = (bytes: Buffer) => {
  bytes.writeUInt32BE(sumOf(bytes), bytes.length - 4)
  return bytes
}

const chunk = (type: string, data: Buffer = Buffer.alloc(0)) => {
  const bytes = Buffer.concat([Buffer.from(`....${type}`), data, Buffer.alloc(4)])
  bytes.writeUInt32BE(data.length, 0)
  return withSum(bytes)
}
