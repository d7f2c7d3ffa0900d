import { crc32, inflateSync } from 'node:zlib'
import { broken, fourLetters, type Part, type Reader, startsWith } from './parts.ts'

/**
 * Chunks that say what one sees: pixels, transparency, frames, colour, and how large a pixel is. Of the others, those
 * that begin with a small letter may be left out by what PNG says.
 */
const kept = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'acTL', 'fcTL', 'fdAT', 'pHYs', 'bKGD'],
  ...['cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'mDCv', 'cLLI', 'cLLi'],
])

/** By the number that says what a colour is made of. */
const depths = [[1, 2, 4, 8, 16], [], [8, 16], [1, 2, 4, 8], [8, 16], [], [8, 16]]

/** As much text of a file as is looked through after it is inflated; a bomb says nothing that anybody could read. */
const textBytes = 4 * 1024 * 1024
type Inflate = (data: Buffer) => Buffer

/** PNG and APNG (ISO/IEC 15948): chunks of a length, a type, data, and a sum over both. */
export const readPng: Reader = (file, add) => {
  add({ bytes: file.subarray(0, 8), is: 'picture' })
  const inflate = createInflate()
  const seen = new Set<string>()
  let header: Buffer | undefined
  let [firstData, frames, framePixels] = [0, 0, 0]
  for (let at = 8, index = 1; !seen.has('IEND'); index += 1) {
    if (at + 12 > file.length) throw broken()
    const length = file.readUInt32BE(at)
    const type = fourLetters(file, at + 4)
    const end = at + 12 + length
    if (!/^[A-Za-z]{4}$/.test(type)) throw broken(`there is no chunk at byte ${at}`)
    if (end > file.length) throw broken()
    const bytes = file.subarray(at, end)
    if (sumOf(bytes) !== bytes.readUInt32BE(8 + length)) {
      throw broken(`the sum of its chunk ${type} at byte ${at} is wrong`)
    }
    const data = bytes.subarray(8, -4)
    if ((header === undefined) !== (type === 'IHDR'))
      throw broken('it does not begin with one header')
    header ??= data
    if (type === 'IDAT' && !seen.has(type)) firstData = index
    if (type === 'fcTL') {
      if (length !== 26) throw broken('a frame of it has a wrong header')
      frames += 1
      framePixels += data.readUInt32BE(4) * data.readUInt32BE(8)
    }
    seen.add(type)
    add(toPart(type, bytes, inflate))
    if (/^[A-Z]/.test(type) && !kept.has(type)) throw broken(`no viewer knows its chunk ${type}`)
    at = end
  }
  const { width, height, colour } = checked(header!)
  if (firstData === 0 || (colour === 3 && !seen.has('PLTE'))) throw broken('it has no pixels')
  const animated = seen.has('acTL')
  const pixels = Math.max(width * height, animated ? framePixels : 0)
  const exif = { index: firstData, wrap: exifChunk }
  return { width, height, frames: animated ? Math.max(frames, 1) : 1, pixels, exif, finish }
}

const checked = (header: Buffer): { width: number; height: number; colour: number } => {
  if (header.length !== 13) throw broken('its header is too short')
  const [width, height, colour] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9]!]
  if (width === 0 || height === 0 || width > 0x7fffffff || height > 0x7fffffff) {
    throw broken('it has no width or no height')
  }
  if (
    !depths[colour]?.includes(header[8]!) ||
    header[10] !== 0 ||
    header[11] !== 0 ||
    header[12]! > 1
  ) {
    throw broken('its header says what no picture can be')
  }
  return { width, height, colour }
}

const toPart = (type: string, bytes: Buffer, inflate: Inflate): Part => {
  const data = bytes.subarray(8, -4)
  if (kept.has(type)) return { bytes, is: 'picture' }
  // no viewer knows it, and exiftool does: 0 and a length before EXIF that is compressed
  if (type === 'zxIf')
    return { bytes, is: 'exif', holds: data[0] === 0 ? inflate(data.subarray(5)) : data }
  if (type === 'eXIf')
    return {
      bytes,
      is: 'exif',
      holds: data.subarray(startsWith(data, 'Exif\0') ? 6 : 0),
      open: true,
    }
  const keyEnd = data.indexOf(0)
  if (!['tEXt', 'zTXt', 'iTXt'].includes(type) || keyEnd < 1 || keyEnd > 79)
    return { bytes, is: 'other' }
  const key = data.toString('latin1', 0, keyEnd)
  const { holds, open } = textOf(type, data.subarray(keyEnd + 1), inflate)
  if (key === 'XML:com.adobe.xmp') return { bytes, is: 'xmp', holds, open }
  if (/^Raw profile type /i.test(key)) return rawProfile(bytes, holds)
  return { bytes, is: 'text', key, holds }
}

/** The text of a chunk, after its key; `open` if it stands there as it is. */
const textOf = (type: string, data: Buffer, inflate: Inflate): { holds: Buffer; open: boolean } => {
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
      left -= Math.min(left, 1 << 16)
      return Buffer.alloc(0)
    }
  }
}

/** EXIF, XMP and IPTC as ImageMagick writes them into a text: a name, a length, hexadecimal digits. */
const rawProfile = (bytes: Buffer, text: Buffer): Part => {
  const [, name = '', digits = ''] =
    /^\s*(\S[^\n]*)\n\s*\d+\n([\s0-9a-f]*)/i.exec(text.toString('latin1')) ?? []
  const raw = Buffer.from(digits.replace(/\s+/g, ''), 'hex')
  if (startsWith(raw, 'Exif\0')) return { bytes, is: 'exif', holds: raw.subarray(6) }
  if (startsWith(raw, 'Photoshop 3.0\0')) return { bytes, is: 'iptc', holds: raw.subarray(14) }
  return { bytes, is: startsWith(raw, '8BIM') || /^iptc/i.test(name) ? 'iptc' : 'xmp', holds: raw }
}

/** Over the type and the data of a chunk. */
const sumOf = (bytes: Buffer): number => crc32(bytes.subarray(4, -4))

const finish = (parts: readonly Part[]): readonly Part[] => {
  for (const { is, bytes } of parts)
    if (is === 'exif' || is === 'xmp') bytes.writeUInt32BE(sumOf(bytes), bytes.length - 4)
  return parts
}

/** `finish` fills in the sum. */
const exifChunk = (tiff: Buffer): Buffer => {
  const bytes = Buffer.concat([Buffer.from('....eXIf'), tiff, Buffer.alloc(4)])
  bytes.writeUInt32BE(tiff.length, 0)
  return bytes
}
