import { readTrack } from './avif-frames.ts'
import { alphaName, readItems } from './avif-items.ts'
import { type Box, boxesIn, walk } from './boxes.ts'
import { orientationExif, readOrientation } from './metadata.ts'
import {
  assertFew,
  broken,
  fourLetters,
  type Part,
  type Reader,
  type Size,
  startsWith,
} from './parts.ts'

/**
 * AVIF (ISO/IEC 23008-12 over 14496-12): boxes in boxes (`boxes.ts`); pictures and metadata are items of "meta", which
 * says at which bytes of the file each item lies (`avif-items.ts`), and an animation has a table of its frames
 * (`avif-frames.ts`). Nothing can be taken out without moving what others point at. So zeros stand in place of all that
 * isn't published, after the headers of boxes; and in place of EXIF, EXIF that says nothing.
 */
export const readAvif: Reader = (file, add) => {
  const top = [...topBoxes(file)]
  const end = top.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const lists = top.filter(({ type }) => type === 'meta').length
  if (lists !== 1) throw broken(lists === 0 ? 'it has no items' : 'it has two lists of items')
  const { kept, told, dropped, size, frames } = readBoxes(file, top)
  if (size === undefined) throw broken('it does not say how large it is')
  const placeOf = (piece: Buffer): number => piece.byteOffset - file.byteOffset
  const published = Buffer.alloc(end)
  // pieces may lie on each other, which must not keep us busy
  let room = 2 * end
  for (const piece of kept) {
    room -= piece.length
    if (room < 0 || placeOf(piece) + piece.length > end) throw broken()
    published.set(piece, placeOf(piece))
  }
  for (const box of dropped) published.write('free', placeOf(box) + 4)
  let at = 0
  for (const part of told.sort((a, b) => placeOf(a.bytes) - placeOf(b.bytes))) {
    const from = placeOf(part.bytes)
    const to = from + part.bytes.length
    // two lists of items may name one item
    if (from < at && to === at) continue
    const instead = published.subarray(from, to)
    if (from < at || to > end || (part.open && !instead.equals(Buffer.alloc(to - from))))
      throw broken('its metadata lies on other data')
    if (part.is === 'exif') orientationOnly(part.holds).copy(instead, 4)
    add({ bytes: file.subarray(at, from), is: 'picture', instead: published.subarray(at, from) })
    add({ ...part, instead })
    at = to
  }
  add({ bytes: file.subarray(at, end), is: 'picture', instead: published.subarray(at) })
  const pixels = size.width * size.height * frames
  return { ...size, frames, pixels, hasAlpha: file.includes(alphaName) }
}

/** What is published, what may tell on people, and the boxes that are not published, of all boxes; with what they say of the whole. */
const readBoxes = (file: Buffer, top: readonly Box[]) => {
  const kept: Buffer[] = []
  const told: Part[] = []
  const dropped: Buffer[] = []
  let size: Size | undefined
  let frames = 1
  const keep = (pieces: Iterable<Buffer>): void => {
    for (const piece of pieces) assertFew(kept.push(piece))
  }
  const tell = (part: Part): void => assertFew(told.push(part))
  const drop = ({ type, bytes, data }: Box): void => {
    keep([bytes.subarray(0, bytes.length - data.length)])
    dropped.push(bytes)
    // of the boxes that anybody may define, one is for XMP
    if (type === 'uuid') tell({ bytes, is: 'xmp', holds: data })
    // a video, as phones write it
    if (type === 'mpvd') tell({ bytes, is: 'after' })
  }
  const onBox = (box: Box): void => {
    if (box.type === 'meta') {
      const items = readItems(file, box.data)
      keep(items.pieces)
      for (const bytes of items.xmp) tell({ bytes, is: 'xmp', holds: bytes, open: true })
      for (const bytes of items.exif) {
        if (bytes.length < 8) throw broken('its EXIF is none')
        tell({ bytes, is: 'exif', holds: bytes.subarray(4 + bytes.readUInt32BE(0)), open: true })
      }
      if (top.includes(box)) size = items.size
    }
    if (box.type === 'trak') {
      const track = readTrack(file, box.data)
      keep(track.pieces)
      frames = Math.max(frames, track.frames)
    }
  }
  walk(top, { keep, drop, onBox })
  return { kept, told, dropped, size: size as Size | undefined, frames }
}

/** EXIF for a picture that is turned as by this one; decoders refuse EXIF that isn't any. */
const orientationOnly = (tiff: Buffer = Buffer.alloc(0)): Buffer => {
  const orientation = readOrientation(tiff)
  return orientation === 1 ? Buffer.from('4d4d002a00000008', 'hex') : orientationExif(orientation)
}

/** The boxes of the file up to where no more of its own follow: to a second file, or to what is no box. */
function* topBoxes(file: Buffer): Generator<Box> {
  let isComplete = false
  for (let at = 0; at < file.length; ) {
    const rest = file.subarray(at)
    const type = fourLetters(rest, 4)
    const isOwn = ['ftyp', 'meta', 'mdat', 'moov'].includes(type)
    const isBox = isOwn || (/^[\w ]{4}$/.test(type) && rest.readUInt32BE(0) <= rest.length)
    if (isComplete && (type === 'ftyp' || !isBox)) return
    const [box] = boxesIn(rest)
    if (box === undefined) return
    yield box
    at += box.bytes.length
    isComplete ||= type === 'meta'
  }
}

/** The brands of a file that begins with "ftyp", its own first; none for other files. */
export const brandsOf = (file: Buffer): readonly string[] => {
  if (file.length < 16 || !startsWith(file, 'ftyp', 4)) return []
  const end = Math.min(file.readUInt32BE(0), file.length, 200)
  const brands = [fourLetters(file, 8)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(fourLetters(file, at))
  return brands
}
