import { crc32, inflateSync } from 'node:zlib'
import { iptcOf } from './jpeg.ts'
import { assertFew, broken, type Container, cutOff, fourLetters, type Part, startsWith } from './parts.ts'

/**
 * Chunks that say what one sees: pixels, transparency, frames, colour, and how large a pixel is. Of the others, those
 * that begin with a small letter may be left out by what PNG says.
 */
const kept = new Set(
  'IHDR PLTE IDAT IEND tRNS acTL fcTL fdAT cHRM gAMA iCCP sBIT sRGB cICP mDCV mDCv cLLI cLLi bKGD pHYs'.split(
    ' ',
  ),
)

const depths: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/** As much text of a file as is looked through after it is inflated; a bomb says nothing that anybody could read. */
const textBytes = 4 * 1024 * 1024
type Inflate = (data: Buffer) => Buffer

/** PNG and APNG (ISO/IEC 15948): chunks of a length, a type, data, and a sum over both. */
export const readPng = (file: Buffer): Container => {
  const parts: Part[] = [{ bytes: file.subarray(0, 8), is: 'picture' }]
  let header: Buffer | undefined
  let firstData = 0
  let palette = false
  let animated = false
  let frames = 0
  let framePixels = 0
  const inflate = createInflate()
  let at = 8
  for (;;) {
    assertFew(parts.length)
    if (at + 12 > file.length) throw cutOff()
    const length = file.readUInt32BE(at)
    const type = fourLetters(file, at + 4)
    const end = at + 12 + length
    if (!/^[A-Za-z]{4}$/.test(type)) throw broken(`there is no chunk at byte ${at}`)
    if (end > file.length) throw cutOff()
    if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) {
      throw broken(`the sum of its chunk ${type} at byte ${at} is wrong`)
    }
    const data = file.subarray(at + 8, end - 4)
    if ((header === undefined) !== (type === 'IHDR')) throw broken('it does not begin with one header')
    if (type === 'IHDR') header = data
    if (type === 'PLTE') palette = true
    if (type === 'acTL') animated = true
    if (type === 'IDAT' && firstData === 0) firstData = parts.length
    if (type === 'fcTL') {
      if (length !== 26) throw broken('a frame of it has a wrong header')
      frames += 1
      framePixels += data.readUInt32BE(4) * data.readUInt32BE(8)
    }
    parts.push(toPart(type, file.subarray(at, end), { data, inflate }))
    at = end
    if (type === 'IEND') break
    if (/^[A-Z]/.test(type) && !kept.has(type)) throw broken(`no viewer knows its chunk ${type}`)
  }
  const { width, height, colour } = checked(header!)
  if (firstData === 0 || (colour === 3 && !palette)) throw broken('it has no pixels')
  if (at < file.length) parts.push({ bytes: file.subarray(at), is: 'after' })
  const pixels = Math.max(width * height, animated ? framePixels : 0)
  const exif = { index: firstData, wrap: (tiff: Buffer) => chunk('eXIf', tiff) }
  return { kind: 'png', width, height, frames: animated ? Math.max(frames, 1) : 1, pixels, parts, exif }
}

const checked = (header: Buffer): { width: number; height: number; colour: number } => {
  if (header.length !== 13) throw broken('its header is too short')
  const [width, height, colour] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9]!]
  if (width === 0 || height === 0 || width > 0x7fffffff || height > 0x7fffffff) {
    throw broken('it has no width or no height')
  }
  if (!depths[colour]?.includes(header[8]!) || header[10] !== 0 || header[11] !== 0 || header[12]! > 1) {
    throw broken('its header says what no picture can be')
  }
  return { width, height, colour }
}

type Inside = { readonly data: Buffer; readonly inflate: Inflate }

const toPart = (type: string, bytes: Buffer, { data, inflate }: Inside): Part => {
  if (kept.has(type)) return { bytes, is: 'picture' }
  // no viewer knows it, and exiftool does: 0 and a length before EXIF that is compressed
  if (type === 'zxIf') return { bytes, is: 'exif', holds: data[0] === 0 ? inflate(data.subarray(5)) : data }
  if (type === 'eXIf') {
    const from = startsWith(data, 'Exif\0') ? 6 : 0
    const rewrite = (holds: Buffer) => chunk('eXIf', Buffer.concat([data.subarray(0, from), holds]))
    return { bytes, is: 'exif', holds: data.subarray(from), rewrite }
  }
  if (type !== 'tEXt' && type !== 'zTXt' && type !== 'iTXt') return { bytes, is: 'other' }
  const keyEnd = data.indexOf(0)
  if (keyEnd < 1 || keyEnd > 79) return { bytes, is: 'other' }
  const key = data.toString('latin1', 0, keyEnd)
  const { text, from } = textOf(type, keyEnd, { data, inflate })
  if (key === 'XML:com.adobe.xmp') {
    if (from === undefined) return { bytes, is: 'xmp', holds: text }
    const rewrite = (holds: Buffer) => chunk(type, Buffer.concat([data.subarray(0, from), holds]))
    return { bytes, is: 'xmp', holds: text, rewrite }
  }
  if (/^Raw profile type /i.test(key)) return rawProfile(bytes, text)
  return { bytes, is: 'text', key, holds: text }
}

/** The text of a chunk, and where it stands in the data if it stands there as it is. */
const textOf = (type: string, keyEnd: number, { data, inflate }: Inside): { text: Buffer; from?: number } => {
  if (type === 'tEXt') return { text: data.subarray(keyEnd + 1), from: keyEnd + 1 }
  if (type === 'zTXt') return { text: inflate(data.subarray(keyEnd + 2)) }
  const languageEnd = data.indexOf(0, keyEnd + 3)
  const titleEnd = languageEnd === -1 ? -1 : data.indexOf(0, languageEnd + 1)
  if (titleEnd === -1) return { text: data.subarray(keyEnd + 1) }
  const text = data.subarray(titleEnd + 1)
  return data[keyEnd + 1] === 1 ? { text: inflate(text) } : { text, from: titleEnd + 1 }
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
  const digits = /^\s*([^\n]*)\n\s*\d+\n([\s0-9a-f]*)/i.exec(text.toString('latin1'))
  const raw = Buffer.from((digits?.[2] ?? '').replace(/\s+/g, ''), 'hex')
  if (startsWith(raw, 'Exif\0')) return { bytes, is: 'exif', holds: raw.subarray(6) }
  if (startsWith(raw, 'Photoshop 3.0\0')) return { bytes, is: 'iptc', holds: iptcOf(raw.subarray(14)) }
  if (startsWith(raw, '8BIM')) return { bytes, is: 'iptc', holds: iptcOf(raw) }
  if (/^iptc/i.test(digits?.[1] ?? '')) return { bytes, is: 'iptc', holds: raw }
  return { bytes, is: 'xmp', holds: raw }
}

const chunk = (type: string, data: Buffer): Buffer => {
  const bytes = Buffer.alloc(data.length + 12)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8)
  return bytes
}
