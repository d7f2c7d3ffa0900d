import { readTrack } from './avif-frames.ts'
import { alphaName, readItems } from './avif-items.ts'
import { type Box, boxesIn, type Span, spansOf } from './boxes.ts'
import { orientationExif, readExif } from './metadata.ts'
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
 * (`avif-frames.ts`). Nothing can be taken out without moving what others point at. So what isn't published is overwritten
 * where it stands: EXIF by EXIF that says nothing, all else by zeros.
 */
export const readAvif: Reader = (file, add) => {
  const top = topBoxes(file)
  const end = top.at(-1)?.to ?? 0
  const lists = top.filter(({ type }) => type === 'meta').length
  if (lists !== 1) throw broken(lists === 0 ? 'it has no items' : 'it has two lists of items')
  let size: Size | undefined
  let frames = 1
  const spans: Span[] = []
  const data: Box[] = []
  const keep = (more: Iterable<Span>): void => {
    for (const one of more) if (one.to > one.from) assertFew(spans.push(one))
  }
  const onBox = (box: Box): void => {
    if (box.type === 'mdat' || box.type === 'idat') data.push(box)
    if (box.type === 'meta') {
      const items = readItems(file, box)
      keep(items.spans)
      if (top.includes(box)) size = items.size
    }
    if (box.type === 'trak') {
      const track = readTrack(file, box)
      keep(track.spans)
      frames = Math.max(frames, track.frames)
    }
  }
  keep(spansOf(file, top, onBox))
  if (size === undefined) throw broken('it does not say how large it is')
  if (spans.some(({ to }) => to > end)) throw broken()
  if (data.length > 16) throw broken('it has too many boxes of data')
  spans.sort(byStart)
  keep(data.flatMap((box) => [...gapsIn(box, spans)]))
  cut(file.subarray(0, end), spans.sort(byStart), add)
  const pixels = size.width * size.height * frames
  return { ...size, frames, pixels, hasAlpha: file.includes(alphaName) }
}

/** The boxes of the file up to where no more of its own follow: to a second file, or to what is no box. */
const topBoxes = (file: Buffer): readonly Box[] => {
  const boxes: Box[] = []
  let isComplete = false
  for (let at = 0; at < file.length; ) {
    const type = fourLetters(file, at + 4)
    const isOwn = ['ftyp', 'meta', 'mdat', 'moov'].includes(type)
    const isBox = /^[\w ]{4}$/.test(type) && (isOwn || at + file.readUInt32BE(at) <= file.length)
    if (isComplete && (type === 'ftyp' || !isBox)) break
    const { value } = boxesIn(file, at, file.length, broken).next()
    if (value === undefined) break
    assertFew(boxes.push(value))
    at = value.to
    isComplete ||= type === 'meta'
  }
  return boxes
}

/** What lies in a box of data and belongs to no item, which is overwritten. */
function* gapsIn({ type, from, to }: Box, taken: readonly Span[]): Generator<Span> {
  let at = from
  for (const one of taken) {
    if (one.to <= at) continue
    if (one.from >= to) break
    if (one.from > at) yield { from: at, to: one.from, hole: type, header: 0 }
    at = one.to
  }
  if (to > at) yield { from: at, to, hole: type, header: 0 }
}

/** The file in parts: holes, and what stands between them. No hole may lie on a picture or on another hole. */
const cut = (file: Buffer, spans: readonly Span[], add: (part: Part) => void): void => {
  let at = 0
  let shownTo = 0
  for (const { from, to, hole, header = 0 } of spans) {
    // two lists of items may name one item
    if (hole !== undefined && from < at && to === at) continue
    if (from < Math.max(at, hole === undefined ? 0 : shownTo))
      throw broken('its metadata lies on other data')
    if (hole === undefined) shownTo = Math.max(shownTo, to)
    else {
      if (from > at) add({ bytes: file.subarray(at, from), is: 'picture' })
      add(overwritten(file.subarray(from, to), hole, header))
      at = to
    }
  }
  if (at < file.length) add({ bytes: file.subarray(at), is: 'picture' })
}

/** What stands in place of a hole has its length, because boxes point at bytes: zeros, and of a box its header. */
const overwritten = (bytes: Buffer, type: string, header: number): Part => {
  const instead = Buffer.alloc(bytes.length)
  const holds = bytes.subarray(header)
  if (header > 0) {
    bytes.copy(instead, 0, 0, header)
    instead.write('free', 4, 'latin1')
  }
  // of the boxes that anybody may define, one is for XMP
  if (type === 'mime' || type === 'uuid')
    return { bytes, is: 'xmp', holds, open: header === 0, instead }
  // a video after the picture, as phones write it, or what belongs to no item
  if ((type === 'mpvd' || type === 'mdat') && holds.some(Boolean))
    return { bytes, is: 'after', instead }
  if (type !== 'Exif' || header > 0) return { bytes, is: 'other', instead }
  if (bytes.length < 8) throw broken('its EXIF is none')
  const tiff = bytes.subarray(4 + bytes.readUInt32BE(0))
  const { orientation } = readExif(tiff)
  // decoders refuse EXIF that isn't any
  const left =
    orientation === 1 ? Buffer.from('4d4d002a00000008', 'hex') : orientationExif(orientation)
  left.copy(instead, 4)
  return { bytes, is: 'exif', holds: tiff, open: true, instead }
}

const byStart = (one: Span, other: Span): number => one.from - other.from || one.to - other.to

/** The brands of a file that begins with "ftyp", its own first; none for other files. */
export const brandsOf = (file: Buffer): readonly string[] => {
  if (file.length < 16 || !startsWith(file, 'ftyp', 4)) return []
  const end = Math.min(file.readUInt32BE(0), file.length, 200)
  const brands = [fourLetters(file, 8)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(fourLetters(file, at))
  return brands
}
