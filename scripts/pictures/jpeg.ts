import { assertFew, broken, type Container, cutOff, type Part, startsWith } from './parts.ts'

const exifHeader = 'Exif\0'
const xmpHeader = 'http://ns.adobe.com/xap/1.0/\0'
const moreXmpHeader = 'http://ns.adobe.com/xmp/extension/\0'

/** JPEG (ITU-T T.81): markers with a length each, and after "start of scan" data in which FF is followed by 00. */
export const readJpeg = (file: Buffer): Container => {
  const parts: Part[] = [{ bytes: file.subarray(0, 2), is: 'picture' }]
  let size: { readonly width: number; readonly height: number } | undefined
  let scans = 0
  let jfif = false
  let at = 2
  for (;;) {
    assertFew(parts.length)
    const start = at
    while (file[at] === 0xff && file[at + 1] === 0xff) at += 1
    if (at + 2 > file.length) throw cutOff()
    if (file[at] !== 0xff) throw broken(`there is no marker at byte ${at}`)
    const marker = file[at + 1]!
    if (marker === 0xd9) {
      parts.push({ bytes: file.subarray(start, at + 2), is: 'picture' })
      at += 2
      break
    }
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) {
      throw broken(`the marker at byte ${at} does not belong there`)
    }
    if (at + 4 > file.length) throw cutOff()
    const length = file.readUInt16BE(at + 2)
    if (length < 2) throw broken(`the length at byte ${at + 2} is wrong`)
    const end = at + 2 + length
    if (end > file.length) throw cutOff()
    const data = file.subarray(at + 4, end)
    if (isFrame(marker)) {
      if (size !== undefined) throw broken('it has two frames')
      if (data.length < 6) throw broken('its frame header is too short')
      size = { width: data.readUInt16BE(3), height: data.readUInt16BE(1) }
      if (size.width === 0 || size.height === 0) throw broken('it has no width or no height')
    }
    at = marker === 0xda ? endOfScan(file, end) : end
    if (marker === 0xda) {
      if (size === undefined) throw broken('a scan begins before the frame')
      scans += 1
    }
    const part = toPart(marker, file.subarray(start, at), data)
    if (parts.length === 1 && marker === 0xe0) jfif = part.is === 'picture'
    parts.push(part)
  }
  if (size === undefined || scans === 0) throw broken('it has no pixels')
  if (at < file.length) parts.push({ bytes: file.subarray(at), is: 'after' })
  const exif = { index: jfif ? 2 : 1, wrap: (tiff: Buffer) => segment(0xe1, exifHeader, '\0', tiff) }
  return { kind: 'jpg', ...size, frames: 1, pixels: size.width * size.height, parts, exif }
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
  throw cutOff()
}

const toPart = (marker: number, bytes: Buffer, data: Buffer): Part => {
  if (marker < 0xe0 && marker !== 0xc8) return { bytes, is: 'picture' }
  switch (marker) {
    case 0xe0:
      // JFIF says how colours are meant; a thumbnail may stand in it
      if (!startsWith(data, 'JFIF\0') || data.length < 14) break
      if (data.length === 14) return { bytes, is: 'picture' }
      return { bytes, is: 'picture', instead: segment(0xe0, data.subarray(0, 12), '\0\0') }
    case 0xe1: {
      if (startsWith(data, exifHeader)) return holding('exif', { bytes, data, header: exifHeader.length + 1 })
      if (startsWith(data, xmpHeader)) return holding('xmp', { bytes, data, header: xmpHeader.length })
      // after the header: 32 digits of a hash, the full length, the offset
      if (startsWith(data, moreXmpHeader)) {
        const begins = moreXmpHeader.length + 40
        const key = data.toString('latin1', moreXmpHeader.length, begins)
        return { bytes, is: 'more-xmp', key, holds: data.subarray(begins) }
      }
      break
    }
    case 0xe2:
      if (startsWith(data, 'ICC_PROFILE\0')) return { bytes, is: 'picture' }
      if (startsWith(data, 'MPF\0')) return { bytes, is: 'index' }
      break
    case 0xed:
      if (startsWith(data, 'Photoshop 3.0\0')) return { bytes, is: 'iptc', holds: iptcOf(data.subarray(14)) }
      break
    case 0xee:
      // Adobe's marker says how colours are stored; CMYK is not readable without it
      if (!startsWith(data, 'Adobe') || data.length < 12) break
      if (data.length === 12) return { bytes, is: 'picture' }
      return { bytes, is: 'picture', instead: segment(0xee, data.subarray(0, 12)) }
  }
  return { bytes, is: 'other' }
}

const holding = (
  is: 'exif' | 'xmp',
  { bytes, data, header }: { readonly bytes: Buffer; readonly data: Buffer; readonly header: number },
): Part => {
  const head = bytes.subarray(0, bytes.length - data.length + header)
  return { bytes, is, holds: data.subarray(header), rewrite: (holds) => Buffer.concat([head, holds]) }
}

const segment = (marker: number, ...data: readonly (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(
    data.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)),
  )
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** The IPTC of Photoshop's resources: each "8BIM", a number, a padded name, a length, padded data; IPTC is 0x0404. */
export const iptcOf = (resources: Buffer): Buffer => {
  let at = 0
  while (at + 12 <= resources.length && startsWith(resources, '8BIM', at)) {
    const name = 2 * Math.floor((resources[at + 6]! + 2) / 2)
    const data = at + 6 + name + 4
    if (data > resources.length) break
    const length = resources.readUInt32BE(data - 4)
    if (resources.readUInt16BE(at + 4) === 0x0404) return resources.subarray(data, data + length)
    at = data + length + (length % 2)
  }
  return resources.subarray(0, 0)
}
