import { orientationExif, readExif } from './exif.ts'
import { assertFew, broken, cutOff, fourLetters, type Part, type Shape, startsWith } from './parts.ts'

/** Items that are pictures, or say how pictures make one. */
const pictureItems = new Set(['av01', 'grid', 'iovl', 'iden', 'tmap'])
const metaBoxes = new Set(['hdlr', 'pitm', 'iinf', 'iref', 'iprp', 'iloc', 'idat', 'grpl', 'dinf'])
const fileBoxes = new Set(['ftyp', 'meta', 'mdat', 'moov'])
const metadataBoxes = new Set(['uuid', 'udta', 'udes', 'altt', 'free', 'skip', 'mpvd', 'jumb'])

type Box = { readonly type: string; readonly start: number; readonly data: number; readonly end: number }
type Range = { readonly from: number; readonly to: number }
/** A piece of the file that isn't published; what stands in its place has its length, because boxes point at bytes. */
type Hole = Range & { readonly part: (bytes: Buffer) => Part }
/** What is found in a file: holes, and the bytes that are pictures. */
type Found = { readonly file: Buffer; readonly holes: Hole[]; readonly shown: Range[] }
type Size = Pick<Shape, 'width' | 'height'>

/**
 * AVIF (ISO/IEC 23008-12 over 14496-12): boxes in boxes; pictures and metadata are items of "meta", which says at which
 * bytes of the file each item lies. Nothing can be taken out without moving what others point at. So metadata is
 * overwritten where it stands: EXIF by EXIF that says nothing, all else by zeros.
 */
export function* readAvif(file: Buffer): Generator<Part, Shape> {
  const found: Found = { file, holes: [], shown: [] }
  const { holes, shown } = found
  const top = topBoxes(file)
  const all = (type: string): Box[] => top.filter((box) => box.type === type)
  const [meta] = all('meta')
  if (meta === undefined) throw broken('it has no items')
  addAll(holes, top.filter(({ type }) => !fileBoxes.has(type)).map(emptied))
  const size = readMeta(found, meta)
  if (size === undefined) throw broken('it does not say how large it is')
  let frames = 1
  for (const moov of all('moov')) {
    for (const inner of boxesOf(file, moov.data, moov.end)) {
      if (inner.type === 'meta') readMeta(found, inner)
      else if (inner.type === 'trak') frames = Math.max(frames, readTrack(found, inner))
      else if (inner.type === 'mvhd') holes.push(timesOf(file, inner))
      else if (metadataBoxes.has(inner.type)) holes.push(emptied(inner))
    }
  }
  const { end } = top.at(-1)!
  shown.sort(byStart)
  const taken = [...shown, ...holes].sort(byStart)
  if (taken.some(({ to }) => to > end)) throw cutOff()
  if (all('mdat').length > 16) throw broken('it has too many boxes of data')
  for (const { data, end } of all('mdat')) addAll(holes, gaps(taken, { from: data, to: end }))
  yield* cut(file.subarray(0, end), holes.sort(byStart), shown)
  return { ...size, frames, pixels: size.width * size.height * frames }
}

/** The boxes of the file up to where no more of its own follow: to a second file, or to what is no box. */
const topBoxes = (file: Buffer): Box[] => {
  const boxes: Box[] = []
  let isComplete = false
  for (let at = 0; at < file.length; at = boxes.at(-1)!.end) {
    assertFew(boxes.length + 1)
    const type = fourLetters(file, at + 4)
    const isBox =
      /^[\w ]{4}$/.test(type) && (fileBoxes.has(type) || at + file.readUInt32BE(at) <= file.length)
    if (isComplete && (type === 'ftyp' || !isBox)) break
    boxes.push(boxesOf(file, at, file.length, cutOff).next().value!)
    isComplete ||= type === 'meta'
  }
  return boxes
}

function* boxesOf(file: Buffer, from: number, end: number, tooLong = wrongLength): Generator<Box, undefined> {
  let at = from
  for (let count = 1; at < end; count += 1) {
    assertFew(count)
    if (at + 8 > end) throw tooLong()
    let data = at + 8
    let length = file.readUInt32BE(at)
    if (length === 1) {
      if (at + 16 > end) throw tooLong()
      length = Number(file.readBigUInt64BE(at + 8))
      data = at + 16
    }
    const to = length === 0 ? end : at + length
    if (to < data) throw wrongLength()
    if (to > end) throw tooLong()
    yield { type: fourLetters(file, at + 4), start: at, data, end: to }
    at = to
  }
}

const wrongLength = (): Error => broken('a length in it is wrong')

/** A box within others. */
const inside = (file: Buffer, box: Box | undefined, ...types: readonly string[]): Box | undefined =>
  types.reduce(
    (outer, type) => outer && [...boxesOf(file, outer.data, outer.end)].find((one) => one.type === type),
    box,
  )

/** The box becomes one of the same length that readers pass over. */
const emptied = ({ type, start, data, end }: Box): Hole => ({
  from: start,
  to: end,
  part: (bytes) => {
    const instead = Buffer.alloc(bytes.length)
    bytes.copy(instead, 0, 0, data - start)
    instead.write('free', 4, 'latin1')
    const holds = bytes.subarray(data - start)
    // of the boxes that anybody may define, one is for XMP
    if (type === 'uuid') return { bytes, is: 'xmp', holds, instead }
    // a video after the picture, as phones write it
    return { bytes, is: type === 'mpvd' && holds.some(Boolean) ? 'after' : 'other', instead }
  },
})

/** When an animation or a track of it was made and changed: the beginning of its header. */
const timesOf = (file: Buffer, { data, end }: Box): Hole => {
  const to = data + (file[data] === 1 ? 20 : 12)
  if (to > end) throw wrongLength()
  return { from: data + 4, to, part: metadata(undefined) }
}

/** Reads the items of a "meta" box: what isn't picture becomes a hole. Gives the size of the first picture. */
const readMeta = ({ file, holes, shown }: Found, { data, end }: Box): Size | undefined => {
  const boxes = [...boxesOf(file, data + 4, end)]
  const box = (type: string): Box | undefined => boxes.find((one) => one.type === type)
  addAll(holes, boxes.filter(({ type }) => !metaBoxes.has(type)).map(emptied))
  const [iinf, iloc, iprp, idat, pitm] = [box('iinf'), box('iloc'), box('iprp'), box('idat'), box('pitm')]
  if (iinf === undefined || iloc === undefined) return undefined
  const types = itemTypes(file, iinf)
  const isPicture = (item: number): boolean => pictureItems.has(types.get(item) ?? '')
  for (const [item, extents] of itemExtents(file, iloc, idat)) {
    if (isPicture(item)) addAll(shown, extents)
    else if (extents.length > 1) throw broken('its metadata lies in pieces')
    else for (const range of extents) holes.push({ ...range, part: metadata(types.get(item)) })
  }
  if (pitm === undefined || iprp === undefined) return undefined
  const first = file[pitm.data] === 0 ? file.readUInt16BE(pitm.data + 4) : file.readUInt32BE(pitm.data + 4)
  if (!isPicture(first)) throw broken('its picture is none of AV1')
  const properties = inside(file, iprp, 'ipco')
  if (properties === undefined) return undefined
  const described = [...boxesOf(file, properties.data, properties.end)]
  addAll(holes, described.filter(({ type }) => metadataBoxes.has(type)).map(emptied))
  for (const list of boxesOf(file, iprp.data, iprp.end)) {
    for (const index of list.type === 'ipma' ? propertiesOf(first, file, list) : []) {
      const size = described[index - 1]
      if (size?.type !== 'ispe' || size.end - size.data < 12) continue
      const [width, height] = [file.readUInt32BE(size.data + 4), file.readUInt32BE(size.data + 8)]
      if (width > 0 && height > 0) return { width, height }
    }
  }
  return undefined
}

const itemTypes = (file: Buffer, { data, end }: Box): Map<number, string> => {
  const types = new Map<number, string>()
  for (const { type, data: at } of boxesOf(file, data + (file[data] === 0 ? 6 : 8), end)) {
    const version = file[at]!
    if (type !== 'infe' || (version !== 2 && version !== 3))
      throw broken('its list of items is none that is known')
    const id = version === 2 ? file.readUInt16BE(at + 4) : file.readUInt32BE(at + 4)
    types.set(id, fourLetters(file, at + (version === 2 ? 8 : 10)))
  }
  return types
}

/** At which bytes of the file each item lies. */
const itemExtents = (file: Buffer, iloc: Box, idat: Box | undefined): Map<number, Range[]> => {
  const version = file[iloc.data]!
  let at = iloc.data + 6
  const read = (bytes: number): number => {
    if (at + bytes > iloc.end) throw wrongLength()
    at += bytes
    if (bytes === 8) return Number(file.readBigUInt64BE(at - 8))
    return bytes === 0 ? 0 : file.readUIntBE(at - bytes, bytes)
  }
  const sizes = [...file.toString('hex', iloc.data + 4, iloc.data + 6)].map((digit) => Number(`0x${digit}`))
  const [offsetBytes, lengthBytes, baseBytes, indexBytes] = sizes
  if (sizes.some((bytes) => ![0, 4, 8].includes(bytes))) throw wrongLength()
  const items = new Map<number, Range[]>()
  let listed = 0
  for (let count = read(version < 2 ? 2 : 4); count > 0; count -= 1) {
    const id = read(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : read(2) & 15
    if (method > 1 || read(2) !== 0 || (method === 1 && idat === undefined))
      throw broken('an item lies outside of the file')
    const base = read(baseBytes!) + (method === 1 ? idat!.data : 0)
    const extents: Range[] = []
    for (let extent = read(2); extent > 0; extent -= 1) {
      if (version > 0) read(indexBytes!)
      const from = base + read(offsetBytes!)
      const to = from + read(lengthBytes!)
      if (to > file.length) throw cutOff()
      if (to === from) throw broken('an item is empty')
      extents.push({ from, to })
      listed += 1
      assertFew(listed)
    }
    assertFew(items.size)
    if (items.has(id)) throw broken('an item is listed twice')
    items.set(id, extents)
  }
  return items
}

/** The numbers of an item's properties, counted from 1. */
function* propertiesOf(item: number, file: Buffer, { data, end }: Box): Generator<number> {
  const [idBytes, indexBytes] = [file[data]! > 0 ? 4 : 2, file[data + 3]! & 1 ? 2 : 1]
  for (let at = data + 8; at + 3 <= end; ) {
    const id = file.readUIntBE(at, idBytes)
    at += idBytes
    let count = file[at]!
    at += 1
    for (; count > 0 && at + indexBytes <= end; count -= 1) {
      // the first bit says whether a reader must know it
      if (id === item) yield file.readUIntBE(at, indexBytes) & (indexBytes === 2 ? 0x7fff : 0x7f)
      at += indexBytes
    }
  }
}

/** Reads a track of an animation: its frames, or their transparency; sound and text are no picture. Counts frames. */
const readTrack = (found: Found, track: Box): number => {
  const { file, holes, shown } = found
  const boxes = [...boxesOf(file, track.data, track.end)]
  for (const meta of boxes) if (meta.type === 'meta') readMeta(found, meta)
  addAll(holes, boxes.filter(({ type }) => metadataBoxes.has(type)).map(emptied))
  const media = boxes.find(({ type }) => type === 'mdia')
  for (const box of [boxes.find(({ type }) => type === 'tkhd'), inside(file, media, 'mdhd')])
    if (box !== undefined) holes.push(timesOf(file, box))
  const handler = inside(file, media, 'hdlr')
  const kind = handler && fourLetters(file, handler.data + 8)
  if (kind !== 'pict' && kind !== 'auxv') throw broken('it holds sound or text beside its pictures')
  const table = inside(file, media, 'minf', 'stbl')
  const [sizes, toChunk] = [inside(file, table, 'stsz'), inside(file, table, 'stsc')]
  const chunks = inside(file, table, 'stco') ?? inside(file, table, 'co64')
  if (sizes === undefined || toChunk === undefined || chunks === undefined)
    throw broken('its frames are not listed')
  const [same, frames] = [file.readUInt32BE(sizes.data + 4), file.readUInt32BE(sizes.data + 8)]
  const wide = chunks.type === 'co64' ? 8 : 4
  const count = file.readUInt32BE(chunks.data + 4)
  const runs = file.readUInt32BE(toChunk.data + 4)
  if (
    (same === 0 && sizes.data + 12 + 4 * frames > sizes.end) ||
    chunks.data + 8 + wide * count > chunks.end ||
    toChunk.data + 8 + 12 * runs > toChunk.end
  )
    throw wrongLength()
  assertFew(count)
  for (let chunk = 0, run = 0, sample = 0; chunk < count; chunk += 1) {
    while (run + 1 < runs && file.readUInt32BE(toChunk.data + 8 + 12 * (run + 1)) <= chunk + 1) run += 1
    const inChunk = runs === 0 ? 0 : file.readUInt32BE(toChunk.data + 12 + 12 * run)
    const last = Math.min(sample + inChunk, frames)
    const at = chunks.data + 8 + wide * chunk
    const from = wide === 8 ? Number(file.readBigUInt64BE(at)) : file.readUInt32BE(at)
    let to = from + same * (last - sample)
    for (; same === 0 && sample < last; sample += 1) to += file.readUInt32BE(sizes.data + 12 + 4 * sample)
    sample = last
    if (to > file.length) throw cutOff()
    if (to > from) shown.push({ from, to })
  }
  return kind === 'pict' ? frames : 1
}

/** What stands in place of an item that is no picture. */
const metadata =
  (type: string | undefined) =>
  (bytes: Buffer): Part => {
    const instead = Buffer.alloc(bytes.length)
    if (type === 'mime') return { bytes, is: 'xmp', holds: bytes, open: true, instead }
    if (type !== 'Exif') return { bytes, is: 'other', instead }
    if (bytes.length < 8) throw broken('its EXIF is none')
    const holds = bytes.subarray(4 + bytes.readUInt32BE(0))
    const orientation = readExif(holds)?.orientation ?? 1
    // decoders refuse EXIF that isn't any
    const tiff = orientation === 1 ? Buffer.from('4d4d002a00000008', 'hex') : orientationExif(orientation)
    tiff.copy(instead, 4)
    return { bytes, is: 'exif', holds, open: true, instead }
  }

/** What lies in a box of data and belongs to no item: it is overwritten. */
const gaps = (taken: readonly Range[], { from, to }: Range): Hole[] => {
  const zeros = (bytes: Buffer): Part => ({
    ...{ bytes, is: bytes.some(Boolean) ? 'after' : 'other' },
    instead: Buffer.alloc(bytes.length),
  })
  const found: Hole[] = []
  let at = from
  for (const range of [...taken, { from: to, to }]) {
    const next = Math.min(range.from, to)
    if (next > at) found.push({ from: at, to: next, part: zeros })
    at = Math.max(at, range.to)
  }
  return found
}

/** The file in parts: holes, and what stands between them. No hole may lie on a picture or on another hole. */
function* cut(file: Buffer, holes: readonly Hole[], shown: readonly Range[]): Generator<Part> {
  let at = 0
  let next = 0
  for (const { from, to, part } of holes) {
    // two lists of items may name one item
    if (from < at && at === to) continue
    while (next < shown.length && shown[next]!.to <= from) next += 1
    if (from < at || (next < shown.length && shown[next]!.from < to))
      throw broken('its metadata lies on other data')
    if (from > at) yield { bytes: file.subarray(at, from), is: 'picture' }
    yield part(file.subarray(from, to))
    at = to
  }
  if (at < file.length) yield { bytes: file.subarray(at), is: 'picture' }
}

const addAll = <T>(list: T[], others: readonly T[]): void => {
  for (const other of others) list.push(other)
}

const byStart = (one: Range, other: Range): number => one.from - other.from || one.to - other.to

/** The brands of a file that begins with "ftyp", its own first; none for other files. */
export const brandsOf = (file: Buffer): readonly string[] => {
  if (file.length < 16 || !startsWith(file, 'ftyp', 4)) return []
  const end = Math.min(file.readUInt32BE(0), file.length, 200)
  const brands = [fourLetters(file, 8)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(fourLetters(file, at))
  return brands
}
