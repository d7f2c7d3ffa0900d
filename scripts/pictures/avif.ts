import { alphaName, readItems, readTrack } from './avif-pieces.ts'
import { type Box, boxAt, walk } from './boxes.ts'
import { orientationExif, readOrientation } from './metadata.ts'
import { assertFew, broken, fourLetters, type Part, type Reader, type Size } from './parts.ts'

/**
 * AVIF (ISO/IEC 23008-12 over 14496-12): boxes in boxes (`boxes.ts`); pictures and metadata
 * are items of "meta", which says at which bytes of the file each item lies, and an animation
 * has a table of its frames (`avif-pieces.ts`). Nothing can be taken out without moving what
 * others point at. So zeros stand in place of all that isn't published, after the headers of
 * boxes; and in place of EXIF, EXIF that says nothing.
 */
export const readAvif: Reader = (file, add) => {
  const top = [...topBoxes(file)]
  const end = top.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const lists = top.filter(({ type }) => type === 'meta').length
  if (lists !== 1) throw broken(lists === 0 ? 'it has no items' : 'it has two lists of items')
  const { shown, told, dropped, size, frames } = readBoxes(file, top)
  if (size === undefined) throw broken('it does not say how large it is')
  const placeOf = (piece: Buffer) => piece.byteOffset - file.byteOffset
  const published = Buffer.alloc(end)
  // pieces may lie on each other, which must not keep us busy
  let room = 2 * end
  for (const piece of shown) {
    room -= piece.length
    if (room < 0 || placeOf(piece) + piece.length > end) throw broken()
    published.set(piece, placeOf(piece))
  }
  for (const box of dropped) published.write('free', placeOf(box) + 4)
  let at = 0
  const addPicture = (to: number) =>
    add({ bytes: file.subarray(at, to), shown: published.subarray(at, to) })
  for (const part of told.sort((a, b) => placeOf(a.bytes) - placeOf(b.bytes))) {
    const from = placeOf(part.bytes)
    const to = from + part.bytes.length
    // two lists of items may name one item
    if (from < at && to === at) continue
    const instead = published.subarray(from, to)
    if (from < at || to > end || (part.open && !isBlank(instead)))
      throw broken('its metadata lies on other data')
    if (part.is === 'exif') orientationOnly(part.holds).copy(instead, 4)
    addPicture(from)
    add({ ...part, shown: instead })
    at = to
  }
  addPicture(end)
  const pixels = size.width * size.height * frames
  return { ...size, frames, pixels, published, hasAlpha: file.includes(alphaName) }
}

/** Whether all bytes are zero: the first one is, and each is as the next one. */
const isBlank = (bytes: Buffer) =>
  bytes[0] === 0 && bytes.subarray(1).equals(bytes.subarray(0, -1))

/**
 * What is published, what may tell on people, and the boxes that are not published, of all
 * boxes; with what they say of the whole.
 */
const readBoxes = (file: Buffer, top: readonly Box[]) => {
  const shown: Buffer[] = []
  const told: Part[] = []
  const dropped: Buffer[] = []
  let size: Size | undefined
  let frames = 1
  const show = (pieces: readonly Buffer[]) => {
    for (const piece of pieces) assertFew(shown.push(piece))
  }
  const tell = (part: Part) => assertFew(told.push(part), 100)
  for (const { type, bytes, data, outer, shown: own } of walk(top)) {
    if (own === undefined) {
      show([bytes.subarray(0, bytes.length - data.length)])
      dropped.push(bytes)
      // of the boxes that anybody may define, one is for XMP
      if (type === 'uuid') tell({ bytes, is: 'xmp', holds: data })
      // a video, as phones write it
      if (type === 'mpvd') tell({ bytes, is: 'after' })
      continue
    }
    show(own)
    if (type === 'meta') {
      const items = readItems(file, data)
      show(items.pieces)
      for (const part of items.told) tell(part)
      if (outer === 'file') size = items.size
    }
    if (type === 'trak') {
      const track = readTrack(file, data)
      show(track.pieces)
      frames = Math.max(frames, track.frames)
    }
  }
  return { shown, told, dropped, size, frames }
}

/** EXIF for a picture that is turned as by this one; decoders refuse EXIF that isn't any. */
const orientationOnly = (tiff: Buffer = Buffer.alloc(0)) => {
  const orientation = readOrientation(tiff)
  return orientation === 1
    ? Buffer.from('4d4d002a00000008', 'hex')
    : orientationExif(orientation)
}

/**
 * The boxes of the file up to where no more of its own follow: to a second file, or to what
 * is no box.
 */
function* topBoxes(file: Buffer): Generator<Box> {
  let count = 0
  let isComplete = false
  for (let at = 0; at < file.length; ) {
    assertFew(++count, 1_000)
    const type = fourLetters(file, at + 4)
    const isOwn = ['ftyp', 'meta', 'mdat', 'moov'].includes(type)
    const isBox =
      isOwn || (/^[\w ]{4}$/.test(type) && file.readUInt32BE(at) <= file.length - at)
    if (isComplete && (type === 'ftyp' || !isBox)) return
    const box = boxAt(file, at)
    yield box
    at += box.bytes.length
    isComplete ||= type === 'meta'
  }
}
