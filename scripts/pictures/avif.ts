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

/** Items that are pictures, or say how pictures make one. */
const pictureItems = new Set(['av01', 'grid', 'iovl', 'iden', 'tmap'])
const metaBoxes = new Set(['hdlr', 'pitm', 'iinf', 'iref', 'iprp', 'iloc', 'idat', 'grpl', 'dinf'])
const fileBoxes = new Set(['ftyp', 'meta', 'mdat', 'moov'])
const metadataBoxes = new Set(['uuid', 'udta', 'udes', 'altt', 'free', 'skip', 'mpvd', 'jumb'])
/** They begin with when an animation or a track of it was made and changed. */
const timeBoxes = new Set(['mvhd', 'tkhd', 'mdhd'])

/** A box, and what is in it after its header; or a piece of the file without one, such as an item. */
type Box = { readonly type: string; readonly bytes: Buffer; readonly data: Buffer }
/** Pieces of a file that are pictures, and holes, which are all others. */
type Found = { readonly file: Buffer; readonly pieces: Box[] }

/**
 * AVIF (ISO/IEC 23008-12 over 14496-12): boxes in boxes; pictures and metadata are items of "meta", which says at which
 * bytes of the file each item lies. Nothing can be taken out without moving what others point at. So metadata is
 * overwritten where it stands: EXIF by EXIF that says nothing, all else by zeros.
 */
export const readAvif: Reader = (file, add) => {
  const found: Found = { file, pieces: [] }
  const { pieces } = found
  const top = topBoxes(file)
  const all = (type: string): Box[] => top.filter((box) => box.type === type)
  const [meta] = all('meta')
  if (meta === undefined) throw broken('it has no items')
  for (const box of top) if (!fileBoxes.has(box.type)) pieces.push(box)
  const size = readMeta(found, meta)
  if (size === undefined) throw broken('it does not say how large it is')
  const frames = all('moov').reduce((most, moov) => Math.max(most, readMovie(found, moov)), 1)
  const whole = file.subarray(0, endOf(top.at(-1)!.bytes) - file.byteOffset)
  if (pieces.some(({ bytes }) => endOf(bytes) > endOf(whole))) throw broken()
  if (all('mdat').length > 16) throw broken('it has too many boxes of data')
  pieces.sort(byStart)
  const gaps = all('mdat').flatMap(({ data }) => [...gapsIn(data, pieces)])
  cut(whole, [...pieces, ...gaps].sort(byStart), add)
  return { ...size, frames, pixels: size.width * size.height * frames }
}

/** The boxes of the file up to where no more of its own follow: to a second file, or to what is no box. */
const topBoxes = (file: Buffer): Box[] => {
  const boxes: Box[] = []
  let isComplete = false
  for (let at = 0; at < file.length; at += boxes.at(-1)!.bytes.length) {
    assertFew(boxes.length + 1)
    const type = fourLetters(file, at + 4)
    const isBox =
      /^[\w ]{4}$/.test(type) && (fileBoxes.has(type) || at + file.readUInt32BE(at) <= file.length)
    if (isComplete && (type === 'ftyp' || !isBox)) break
    boxes.push(boxesOf(file.subarray(at), broken).next().value!)
    isComplete ||= type === 'meta'
  }
  return boxes
}

function* boxesOf(all: Buffer, tooLong = wrongLength): Generator<Box, undefined> {
  let rest = all
  for (let count = 1; rest.length > 0; count += 1) {
    assertFew(count)
    const isLong = rest.length >= 8 && rest.readUInt32BE(0) === 1
    const header = isLong ? 16 : 8
    if (rest.length < header) throw tooLong()
    const length = (isLong ? Number(rest.readBigUInt64BE(8)) : rest.readUInt32BE(0)) || rest.length
    if (length < header) throw wrongLength()
    if (length > rest.length) throw tooLong()
    const bytes = rest.subarray(0, length)
    yield { type: fourLetters(rest, 4), bytes, data: bytes.subarray(header) }
    rest = rest.subarray(length)
  }
}

const piece = (type: string, bytes: Buffer): Box => ({ type, bytes, data: bytes })

/** The type of pieces that are pictures; no box or item has one like it. */
const shown = 'picture'

const wrongLength = (): Error => broken('a length in it is wrong')

const inside = (box: Box | undefined, ...types: readonly string[]): Box | undefined =>
  types.reduce(
    (outer, type) => outer && [...boxesOf(outer.data)].find((one) => one.type === type),
    box,
  )

/** Reads the items of a "meta" box: what isn't picture becomes a hole. Gives the size of its picture. */
const readMeta = ({ file, pieces }: Found, meta: Box): Size | undefined => {
  const own = piece('', meta.data.subarray(4))
  for (const box of boxesOf(own.data)) {
    if (!metaBoxes.has(box.type)) pieces.push(box)
    // an item that lies on them can't be overwritten
    else if (box.type !== 'iprp' && box.type !== 'idat') pieces.push(piece(shown, box.bytes))
  }
  const [iinf, iloc, pitm, idat] = ['iinf', 'iloc', 'pitm', 'idat'].map(
    (type) => inside(own, type)?.data,
  )
  if (iinf === undefined || iloc === undefined) return undefined
  const types = new Map(itemTypes(iinf))
  const isPicture = (id: number): boolean => pictureItems.has(types.get(id) ?? '')
  for (const [id, extents] of extentsOf(iloc, file, idat)) {
    if (!isPicture(id) && extents.length > 1) throw broken('its metadata lies in pieces')
    for (const bytes of extents)
      pieces.push(piece(isPicture(id) ? shown : (types.get(id) ?? ''), bytes))
  }
  if (pitm === undefined) return undefined
  if (!isPicture(pitm[0] === 0 ? pitm.readUInt16BE(4) : pitm.readUInt32BE(4)))
    throw broken('its picture is none of AV1')
  let [width, height] = [0, 0]
  for (const property of boxesOf(inside(own, 'iprp', 'ipco')?.data ?? Buffer.alloc(0))) {
    const { type, data } = property
    pieces.push(metadataBoxes.has(type) ? property : piece(shown, property.bytes))
    if (type !== 'ispe' || data.length < 12) continue
    const [w, h] = [data.readUInt32BE(4), data.readUInt32BE(8)]
    // the largest is that of the whole: others are of tiles and thumbnails
    if (w * h > width * height) [width, height] = [w, h]
  }
  return width === 0 ? undefined : { width, height }
}

function* itemTypes(iinf: Buffer): Generator<readonly [id: number, type: string]> {
  for (const { type, data } of boxesOf(iinf.subarray(iinf[0] === 0 ? 6 : 8))) {
    const version = data[0]
    if (type !== 'infe' || (version !== 2 && version !== 3))
      throw broken('its list of items is none that is known')
    const id = version === 2 ? data.readUInt16BE(4) : data.readUInt32BE(4)
    yield [id, fourLetters(data, version === 2 ? 8 : 10)]
  }
}

/** At which bytes of the file, or of the box "idat", each item lies. */
function* extentsOf(iloc: Buffer, file: Buffer, idat: Buffer | undefined) {
  const version = iloc[0]!
  let at = 6
  const read = (bytes: number): number => {
    at += bytes
    if (bytes === 8) return Number(iloc.readBigUInt64BE(at - 8))
    return bytes === 0 ? 0 : iloc.readUIntBE(at - bytes, bytes)
  }
  const sizes = [...iloc.toString('hex', 4, 6)].map((digit) => Number(`0x${digit}`))
  const [offsetBytes, lengthBytes, baseBytes, indexBytes] = sizes
  if (sizes.some((bytes) => ![0, 4, 8].includes(bytes))) throw wrongLength()
  const listed = new Set<number>()
  let extents = 0
  for (let count = read(version < 2 ? 2 : 4); count > 0; count -= 1) {
    const id = read(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : read(2) & 15
    if (method > 1 || read(2) !== 0 || (method === 1 && idat === undefined))
      throw broken('an item lies outside of the file')
    const base = read(baseBytes!) + (method === 1 ? idat!.byteOffset - file.byteOffset : 0)
    // one would be published as the other
    if (listed.has(id)) throw broken('an item is listed twice')
    listed.add(id)
    const pieces: Buffer[] = []
    for (let extent = read(2); extent > 0; extent -= 1) {
      if (version > 0) read(indexBytes!)
      const from = base + read(offsetBytes!)
      const to = from + read(lengthBytes!)
      if (to > file.length) throw broken()
      if (to === from) throw broken('an item is empty')
      pieces.push(file.subarray(from, to))
      assertFew(++extents)
    }
    yield [id, pieces] as const
  }
}

/** The boxes of an animation, and those in them, that are looked into. */
const within: Readonly<Record<string, string>> = { moov: 'trak', trak: 'mdia' }

/** Reads an animation, or a track of it: what isn't picture becomes a hole. Counts frames. */
const readMovie = (found: Found, outer: Box): number => {
  let frames = outer.type === 'trak' ? readTrack(found, outer) : 1
  for (const box of boxesOf(outer.data)) {
    const { type, data } = box
    if (type === within[outer.type]) frames = Math.max(frames, readMovie(found, box))
    else if (type === 'meta') readMeta(found, box)
    else if (metadataBoxes.has(type)) found.pieces.push(box)
    else if (timeBoxes.has(type)) {
      const end = data[0] === 1 ? 20 : 12
      if (data.length < end) throw wrongLength()
      found.pieces.push(piece('', data.subarray(4, end)))
    }
  }
  return frames
}

/** Finds the pictures of a track: its frames, or their transparency; sound and text are none. Counts frames. */
const readTrack = ({ file, pieces }: Found, track: Box): number => {
  const media = inside(track, 'mdia')
  const handler = inside(media, 'hdlr')
  const kind = handler && fourLetters(handler.data, 8)
  if (kind !== 'pict' && kind !== 'auxv') throw broken('it holds sound or text beside its pictures')
  const table = inside(media, 'minf', 'stbl')
  const [sizes, toChunk] = [inside(table, 'stsz')?.data, inside(table, 'stsc')?.data]
  const chunks = inside(table, 'stco') ?? inside(table, 'co64')
  if (sizes === undefined || toChunk === undefined || chunks === undefined)
    throw broken('its frames are not listed')
  const [same, frames] = [sizes.readUInt32BE(4), sizes.readUInt32BE(8)]
  const wide = chunks.type === 'co64' ? 8 : 4
  const [count, runs] = [chunks.data.readUInt32BE(4), toChunk.readUInt32BE(4)]
  const isShort = same === 0 && sizes.length < 12 + 4 * frames
  if (isShort || chunks.data.length < 8 + wide * count || toChunk.length < 8 + 12 * runs)
    throw wrongLength()
  assertFew(count)
  for (let chunk = 0, run = 0, sample = 0; chunk < count; chunk += 1) {
    while (run + 1 < runs && toChunk.readUInt32BE(8 + 12 * (run + 1)) <= chunk + 1) run += 1
    const inChunk = runs === 0 ? 0 : toChunk.readUInt32BE(12 + 12 * run)
    const last = Math.min(sample + inChunk, frames)
    const at = 8 + wide * chunk
    const from = wide === 8 ? Number(chunks.data.readBigUInt64BE(at)) : chunks.data.readUInt32BE(at)
    let to = from + same * (last - sample)
    for (; same === 0 && sample < last; sample += 1) to += sizes.readUInt32BE(12 + 4 * sample)
    sample = last
    if (to > file.length) throw broken()
    if (to > from) pieces.push(piece(shown, file.subarray(from, to)))
  }
  return kind === 'pict' ? frames : 1
}

/** What lies in a box of data and belongs to no item, which is overwritten. */
function* gapsIn(data: Buffer, taken: readonly Box[]): Generator<Box> {
  let at = 0
  for (const { bytes } of [...taken, piece('', data.subarray(data.length))]) {
    const from = bytes.byteOffset - data.byteOffset
    if (Math.min(from, data.length) > at) yield piece('mdat', data.subarray(at, from))
    at = Math.max(at, from + bytes.length)
  }
}

/** The file in parts: holes, and what stands between them. No hole may lie on a picture or on another hole. */
const cut = (file: Buffer, pieces: readonly Box[], add: (part: Part) => void): void => {
  let rest = file
  let shownTo = 0
  for (const one of pieces) {
    const { type, bytes } = one
    const isHole = type !== shown
    // two lists of items may name one item
    if (isHole && bytes.byteOffset < rest.byteOffset && endOf(bytes) === rest.byteOffset) continue
    if (bytes.byteOffset < Math.max(rest.byteOffset, isHole ? shownTo : 0))
      throw broken('its metadata lies on other data')
    if (isHole) {
      const from = bytes.byteOffset - rest.byteOffset
      if (from > 0) add({ bytes: rest.subarray(0, from), is: 'picture' })
      add(overwritten(one))
      rest = rest.subarray(from + bytes.length)
    } else shownTo = Math.max(shownTo, endOf(bytes))
  }
  if (rest.length > 0) add({ bytes: rest, is: 'picture' })
}

/** What stands in place of a hole has its length, because boxes point at bytes: zeros, and of a box its header. */
const overwritten = ({ type, bytes, data }: Box): Part => {
  const instead = Buffer.alloc(bytes.length)
  const isItem = data.length === bytes.length
  if (!isItem) {
    bytes.copy(instead, 0, 0, bytes.length - data.length)
    instead.write('free', 4, 'latin1')
  }
  // of the boxes that anybody may define, one is for XMP
  if (type === 'mime' || type === 'uuid')
    return { bytes, is: 'xmp', holds: data, open: isItem, instead }
  // a video after the picture, as phones write it, or what belongs to no item
  const isAfter = ['mpvd', 'mdat'].includes(type) && data.some(Boolean)
  if (type !== 'Exif') return { bytes, is: isAfter ? 'after' : 'other', instead }
  if (bytes.length < 8) throw broken('its EXIF is none')
  const holds = bytes.subarray(4 + bytes.readUInt32BE(0))
  const { orientation } = readExif(holds)
  // decoders refuse EXIF that isn't any
  const tiff =
    orientation === 1 ? Buffer.from('4d4d002a00000008', 'hex') : orientationExif(orientation)
  tiff.copy(instead, 4)
  return { bytes, is: 'exif', holds, open: true, instead }
}

const endOf = (bytes: Buffer): number => bytes.byteOffset + bytes.length
const byStart = ({ bytes: one }: Box, { bytes: other }: Box): number =>
  one.byteOffset - other.byteOffset || one.length - other.length

/** The brands of a file that begins with "ftyp", its own first; none for other files. */
export const brandsOf = (file: Buffer): readonly string[] => {
  if (file.length < 16 || !startsWith(file, 'ftyp', 4)) return []
  const end = Math.min(file.readUInt32BE(0), file.length, 200)
  const brands = [fourLetters(file, 8)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(fourLetters(file, at))
  return brands
}
