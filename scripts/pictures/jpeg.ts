import { broken, type Part, type Reader, type Size, startsWith } from './parts.ts'

const exifHeader = 'Exif\0'
const xmpHeader = 'http://ns.adobe.com/xap/1.0/\0'
const moreXmpHeader = 'http://ns.adobe.com/xmp/extension/\0'

/** JPEG (ITU-T T.81): markers with a length each, and after "start of scan" data in which FF is followed by 00. */
export const readJpeg: Reader = (file, add) => {
  add({ bytes: file.subarray(0, 2), is: 'picture' })
  let size: Size | undefined
  let scans = 0
  let jfif = false
  let at = 2
  for (let marker = 0; marker !== 0xd9; ) {
    const start = at
    while (file[at] === 0xff && file[at + 1] === 0xff) at += 1
    if (at + 2 > file.length) throw broken()
    if (file[at] !== 0xff) throw broken(`there is no marker at byte ${at}`)
    marker = file[at + 1]!
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) {
      throw broken(`the marker at byte ${at} does not belong there`)
    }
    const data = marker === 0xd9 ? file.subarray(0, 0) : dataAt(file, at)
    at += marker === 0xd9 ? 2 : 4 + data.length
    if (isFrame(marker)) {
      if (size !== undefined) throw broken('it has two frames')
      if (data.length < 6) throw broken('its frame header is too short')
      size = { width: data.readUInt16BE(3), height: data.readUInt16BE(1) }
      if (size.width === 0 || size.height === 0) throw broken('it has no width or no height')
    }
    if (marker === 0xda) {
      at = endOfScan(file, at)
      if (size === undefined) throw broken('a scan begins before the frame')
      scans += 1
    }
    const part = toPart(marker, file.subarray(start, at), data)
    if (start === 2 && marker === 0xe0) jfif = part.is === 'picture'
    add(part)
  }
  if (size === undefined || scans === 0) throw broken('it has no pixels')
  const exif = {
    index: jfif ? 2 : 1,
    wrap: (tiff: Buffer) => segment(0xe1, exifHeader, '\0', tiff),
  }
  return { ...size, frames: 1, pixels: size.width * size.height, exif }
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
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const endOfScan = (file: Buffer, from: number): number => {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at)) {
    const next = file[at + 1]
    if (next === undefined) break
    if (next === 0 || (next >= 0xd0 && next <= 0xd7)) at += 2
    else if (next === 0xff) at += 1
    else return at
  }
  throw broken()
}

const toPart = (marker: number, bytes: Buffer, data: Buffer): Part => {
  const begins = (text: string): boolean => startsWith(data, text)
  if (marker < 0xe0 && marker !== 0xc8) return { bytes, is: 'picture' }
  // JFIF says how colours are meant; a thumbnail may stand in it
  if (marker === 0xe0 && begins('JFIF\0') && data.length >= 14) {
    const instead = data.length > 14 ? segment(0xe0, data.subarray(0, 12), '\0\0') : undefined
    return { bytes, is: 'picture', instead }
  }
  if (marker === 0xe1 && begins(exifHeader))
    return { bytes, is: 'exif', holds: data.subarray(exifHeader.length + 1), open: true }
  if (marker === 0xe1 && begins(xmpHeader))
    return { bytes, is: 'xmp', holds: data.subarray(xmpHeader.length), open: true }
  if (marker === 0xe1 && begins(moreXmpHeader)) {
    // after the header: 32 digits of a hash, the full length, the offset
    const from = moreXmpHeader.length + 40
    const key = data.toString('latin1', moreXmpHeader.length, from)
    return { bytes, is: 'more-xmp', key, holds: data.subarray(from) }
  }
  if (marker === 0xe2 && begins('ICC_PROFILE\0')) return { bytes, is: 'picture' }
  if (marker === 0xe2 && begins('MPF\0')) return { bytes, is: 'index' }
  if (marker === 0xed && begins('Photoshop 3.0\0'))
    return { bytes, is: 'iptc', holds: data.subarray(14), open: true }
  // Adobe's marker says how colours are stored; CMYK is not readable without it
  if (marker === 0xee && begins('Adobe') && data.length >= 12) {
    const instead = data.length > 12 ? segment(0xee, data.subarray(0, 12)) : undefined
    return { bytes, is: 'picture', instead }
  }
  return { bytes, is: 'other' }
}

const segment = (marker: number, ...data: readonly (string | Buffer)[]): Buffer => {
  const pieces = data.map((piece) =>
    typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece,
  )
  const bytes = Buffer.concat([Buffer.from([0xff, marker, 0, 0]), ...pieces])
  bytes.writeUInt16BE(bytes.length - 2, 2)
  return bytes
}
