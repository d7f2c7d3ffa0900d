import { orientationExif, readExif } from './exif.ts'
import { assertFew, broken, type Container, cutOff, fourLetters, type Part, startsWith } from './parts.ts'

/** Items that are pictures, or say how pictures make one. */
const pictureItems = new Set(['av01', 'grid', 'iovl', 'iden', 'tmap'])
const metaBoxes = new Set(['hdlr', 'pitm', 'iinf', 'iref', 'iprp', 'iloc', 'idat', 'grpl', 'dinf'])
const fileBoxes = new Set(['ftyp', 'meta', 'mdat', 'moov'])
const metadataBoxes = new Set(['uuid', 'udta', 'udes', 'altt', 'free', 'skip', 'mpvd', 'jumb'])

type Box = { readonly type: string; readonly start: number; readonly data: number; readonly end: number }
type Range = { readonly from: number; readonly to: number }
/** A piece of the file that isn't published; what stands in its place has its length, because boxes point at bytes. */
type Hole = Range & { readonly part: (bytes: Buffer) => Part }

/**
 * AVIF (ISO/IEC 23008-12 over 14496-12): boxes in boxes; pictures and metadata are items of "meta", which says at which
 * bytes of the file each item lies. Nothing can be taken out without moving what others point at. So metadata is
 * overwritten where it stands: EXIF by EXIF that says nothing, all else by zeros.
 */
export const readAvif = (file: Buffer): Container => {
  const top = [...topBoxes(file)]
  const meta = top.find(({ type }) => type === 'meta')
  if (meta === undefined) throw broken('it has no items')
  const holes: Hole[] = top.filter(({ type }) => !fileBoxes.has(type)).map(emptied)
  const end = top.at(-1)!.end
  if (end < file.length) holes.push({ from: end, to: file.length, part: (bytes) => ({ bytes, is: 'after' }) })
  const { size, used } = readMeta(file, meta, holes)
  if (size === undefined) throw broken('it does not say how large it is')
  let frames = 1
  const samples: Range[] = []
  for (const moov of top.filter(({ type }) => type === 'moov')) {
    for (const inner of boxesOf(file, moov.data, moov.end)) {
      if (inner.type === 'meta') addAll(used, readMeta(file, inner, holes).used)
      else if (inner.type === 'trak') {
        const track = readTrack(file, inner, holes)
        frames = Math.max(frames, track.frames)
        addAll(samples, track.samples)
        addAll(used, track.used)
      } else if (inner.type === 'mvhd') holes.push(timesOf(file, inner))
      else if (metadataBoxes.has(inner.type)) holes.push(emptied(inner))
    }
  }
  const shown = [...used, ...samples].sort(byStart)
  const stores = top.filter(({ type }) => type === 'mdat')
  if (stores.length > 16) throw broken('it has too many boxes of data')
  const taken = [...shown, ...holes].sort(byStart)
  for (const { data, end } of stores) addAll(holes, gaps(taken, { from: data, to: end }))
  const parts = cut(file, holes.sort(byStart), shown)
  const pixels = size.width * size.height * frames
  return { kind: 'avif', ...size, frames, pixels, parts }
}

/** The boxes of the file up to where no more of its own follow: to a second file, or to what is no box. */
function* topBoxes(file: Buffer): Generator<Box> {
  let complete = false
  for (let at = 0, count = 1; at < file.length; count += 1) {
    assertFew(count)
    const type = fourLetters(file, at + 4)
    if (complete && (type === 'ftyp' || !/^[\w ]{4}$/.test(type))) return
    const [box] = boxesOf(file, at, file.length, cutOff)
    yield box!
    complete ||= type === 'meta'
    at = box!.end
  }
}

function* boxesOf(file: Buffer, from: number, end: number, tooLong = wrongLength): Generator<Box> {
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

/** The box becomes one of the same length that readers pass over. */
const emptied = ({ type, start, data, end }: Box): Hole => ({
  from: start,
  to: end,
  part: (bytes) => {
    const instead = Buffer.alloc(bytes.length)
    bytes.copy(instead, 0, 0, data - start)
    instead.write('free', 4, 'latin1')
    const says = bytes.subarray(data - start).some(Boolean)
    // a video after the picture, as phones write it
    return { bytes, is: type === 'mpvd' && says ? 'after' : 'other', instead }
  },
})

/** When an animation or a track of it was made and changed: the beginning of its header. */
const timesOf = (file: Buffer, { data, end }: Box): Hole => {
  const to = data + (file[data] === 1 ? 20 : 12)
  if (to > end) throw wrongLength()
  return {
    from: data + 4,
    to,
    part: (bytes) => ({ bytes, is: 'other', instead: Buffer.alloc(bytes.length) }),
  }
}

type Meta = {
  readonly size?: { readonly width: number; readonly height: number } | undefined
  readonly used: Range[]
}

/** Reads the items of a "meta" box: what isn't picture becomes a hole, the rest is used. */
const readMeta = (file: Buffer, { data, end }: Box, holes: Hole[]): Meta => {
  const boxes = [...boxesOf(file, data + 4, end)]
  const box = (type: string): Box | undefined => boxes.find((one) => one.type === type)
  addAll(holes, boxes.filter(({ type }) => !metaBoxes.has(type)).map(emptied))
  const [iinf, iloc, iprp, idat, pitm] = [box('iinf'), box('iloc'), box('iprp'), box('idat'), box('pitm')]
  if (iinf === undefined || iloc === undefined) return { used: [] }
  const types = itemTypes(file, iinf)
  const used: Range[] = []
  for (const [id, extents] of itemExtents(file, iloc, idat)) {
    const type = types.get(id) ?? ''
    if (pictureItems.has(type)) addAll(used, extents)
    else if (extents.length > 1) throw broken('its metadata lies in pieces')
    else
      addAll(
        holes,
        extents.map((range) => ({ ...range, part: metadata(type) })),
      )
  }
  const primary =
    pitm && (file[pitm.data] === 0 ? file.readUInt16BE(pitm.data + 4) : file.readUInt32BE(pitm.data + 4))
  if (primary === undefined || iprp === undefined) return { used }
  if (!pictureItems.has(types.get(primary) ?? '')) throw broken('its picture is none of AV1')
  return { used, size: itemSize(file, iprp, primary, holes) }
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
  const sizes = file.readUInt16BE(iloc.data + 4)
  const [offsetBytes, lengthBytes, baseBytes, indexBytes] = [12, 8, 4, 0].map(
    (shift) => (sizes >> shift) & 15,
  )
  if ([offsetBytes, lengthBytes, baseBytes, indexBytes].some((bytes) => ![0, 4, 8].includes(bytes!)))
    throw wrongLength()
  const items = new Map<number, Range[]>()
  let listed = 0
  for (let count = read(version < 2 ? 2 : 4); count > 0; count -= 1) {
    const id = read(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : read(2) & 15
    if (method > 1 || read(2) !== 0) throw broken('an item lies outside of the file')
    if (method === 1 && idat === undefined) throw broken('an item lies outside of the file')
    const base = read(baseBytes!) + (method === 1 ? idat!.data : 0)
    const extents: Range[] = []
    for (let extent = read(2); extent > 0; extent -= 1) {
      listed += 1
      assertFew(listed)
      if (version > 0) read(indexBytes!)
      const from = base + read(offsetBytes!)
      const to = from + read(lengthBytes!)
      if (to > file.length) throw cutOff()
      if (to === from) throw broken('an item is empty')
      extents.push({ from, to })
    }
    if (items.has(id)) throw broken('an item is listed twice')
    assertFew(items.size)
    items.set(id, extents)
  }
  return items
}

/** The size of an item by its properties; what describes it in words becomes a hole. */
const itemSize = (file: Buffer, iprp: Box, item: number, holes: Hole[]): Meta['size'] => {
  const inner = [...boxesOf(file, iprp.data, iprp.end)]
  const container = inner.find(({ type }) => type === 'ipco')
  if (container === undefined) return undefined
  const properties = [...boxesOf(file, container.data, container.end)]
  addAll(holes, properties.filter(({ type }) => metadataBoxes.has(type)).map(emptied))
  for (const { data, end } of inner.filter(({ type }) => type === 'ipma')) {
    const [wideIds, wideIndexes] = [file[data]! > 0, (file[data + 3]! & 1) === 1]
    let at = data + 8
    while (at + 3 <= end) {
      const id = wideIds ? file.readUInt32BE(at) : file.readUInt16BE(at)
      at += wideIds ? 4 : 2
      const count = file[at]!
      at += 1
      for (let index = 0; index < count && at + (wideIndexes ? 2 : 1) <= end; index += 1) {
        const property = wideIndexes ? file.readUInt16BE(at) & 0x7fff : file[at]! & 0x7f
        at += wideIndexes ? 2 : 1
        const box = properties[property - 1]
        if (id !== item || box?.type !== 'ispe' || box.end - box.data < 12) continue
        const [width, height] = [file.readUInt32BE(box.data + 4), file.readUInt32BE(box.data + 8)]
        if (width > 0 && height > 0) return { width, height }
      }
    }
  }
  return undefined
}

type Track = { readonly frames: number; readonly samples: Range[]; readonly used: Range[] }

/** A track of an animation: its frames, or their transparency; sound and text are no picture. */
const readTrack = (file: Buffer, track: Box, holes: Hole[]): Track => {
  const boxes = [...boxesOf(file, track.data, track.end)]
  const used = boxes.filter(({ type }) => type === 'meta').flatMap((meta) => readMeta(file, meta, holes).used)
  addAll(holes, boxes.filter(({ type }) => metadataBoxes.has(type)).map(emptied))
  const inside = (box: Box | undefined, type: string): Box | undefined =>
    box && [...boxesOf(file, box.data, box.end)].find((one) => one.type === type)
  const media = boxes.find(({ type }) => type === 'mdia')
  for (const box of [boxes.find(({ type }) => type === 'tkhd'), inside(media, 'mdhd')])
    if (box !== undefined) holes.push(timesOf(file, box))
  const handler = inside(media, 'hdlr')
  const kind = handler && fourLetters(file, handler.data + 8)
  if (kind !== 'pict' && kind !== 'auxv') throw broken('it holds sound or text beside its pictures')
  const table = inside(inside(media, 'minf'), 'stbl')
  const [sizes, toChunk] = [inside(table, 'stsz'), inside(table, 'stsc')]
  const chunks = inside(table, 'stco') ?? inside(table, 'co64')
  if (sizes === undefined || toChunk === undefined || chunks === undefined)
    throw broken('its frames are not listed')
  const [same, frames] = [file.readUInt32BE(sizes.data + 4), file.readUInt32BE(sizes.data + 8)]
  if (same === 0 && sizes.data + 12 + 4 * frames > sizes.end) throw wrongLength()
  const wide = chunks.type === 'co64' ? 8 : 4
  const count = file.readUInt32BE(chunks.data + 4)
  const runs = file.readUInt32BE(toChunk.data + 4)
  if (chunks.data + 8 + wide * count > chunks.end || toChunk.data + 8 + 12 * runs > toChunk.end)
    throw wrongLength()
  assertFew(count)
  const samples: Range[] = []
  for (let chunk = 0, run = 0, sample = 0; chunk < count; chunk += 1) {
    while (run + 1 < runs && file.readUInt32BE(toChunk.data + 8 + 12 * (run + 1)) <= chunk + 1) run += 1
    const inChunk =
      runs === 0 ? 0 : Math.min(file.readUInt32BE(toChunk.data + 12 + 12 * run), frames - sample)
    const at = chunks.data + 8 + wide * chunk
    const from = wide === 8 ? Number(file.readBigUInt64BE(at)) : file.readUInt32BE(at)
    let length = same * inChunk
    for (let index = 0; same === 0 && index < inChunk; index += 1) {
      length += file.readUInt32BE(sizes.data + 12 + 4 * (sample + index))
    }
    sample += inChunk
    if (from + length > file.length) throw cutOff()
    if (length > 0) samples.push({ from, to: from + length })
  }
  return { frames: kind === 'pict' ? frames : 1, samples, used }
}

/** What stands in place of an item that is no picture. */
const metadata =
  (type: string) =>
  (bytes: Buffer): Part => {
    const instead = Buffer.alloc(bytes.length)
    if (type !== 'Exif') {
      const is = type === 'mime' ? 'xmp' : 'other'
      return { bytes, is, holds: bytes, instead, rewrite: (holds) => holds }
    }
    if (bytes.length < 8) throw broken('its EXIF is none')
    const header = 4 + bytes.readUInt32BE(0)
    const holds = bytes.subarray(header)
    const orientation = readExif(holds)?.orientation ?? 1
    // decoders refuse EXIF that isn't any
    const tiff = orientation === 1 ? Buffer.from('4d4d002a00000008', 'hex') : orientationExif(orientation)
    tiff.copy(instead, 4, 0, Math.min(tiff.length, bytes.length - 4))
    return {
      bytes,
      is: 'exif',
      holds,
      instead,
      rewrite: (clean) => Buffer.concat([bytes.subarray(0, header), clean]),
    }
  }

/** What lies in a box of data and belongs to no item: it is overwritten. */
const gaps = (taken: readonly Range[], { from, to }: Range): Hole[] => {
  const found: Hole[] = []
  const zeros = (bytes: Buffer): Part => ({
    bytes,
    is: bytes.some(Boolean) ? 'after' : 'other',
    instead: Buffer.alloc(bytes.length),
  })
  let at = from
  for (const range of taken) {
    if (range.to <= from) continue
    if (range.from >= to) break
    if (range.from > at) found.push({ from: at, to: range.from, part: zeros })
    at = Math.max(at, range.to)
  }
  if (at < to) found.push({ from: at, to, part: zeros })
  return found
}

/** The file in parts: holes, and what stands between them. No hole may lie on a picture or on another hole. */
const cut = (file: Buffer, holes: readonly Hole[], shown: readonly Range[]): Part[] => {
  const parts: Part[] = []
  let at = 0
  let next = 0
  for (const { from, to, part } of holes) {
    // two lists of items may name one item
    if (from < at && at === to) continue
    while (next < shown.length && shown[next]!.to <= from) next += 1
    if (from < at || (next < shown.length && shown[next]!.from < to))
      throw broken('its metadata lies on other data')
    if (from > at) parts.push({ bytes: file.subarray(at, from), is: 'picture' })
    parts.push(part(file.subarray(from, to)))
    at = to
  }
  if (at < file.length) parts.push({ bytes: file.subarray(at), is: 'picture' })
  return parts
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
