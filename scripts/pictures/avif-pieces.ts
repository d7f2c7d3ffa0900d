import { groupBy } from '../text/groups.ts'
import { boxesIn, createReader, inside } from './boxes.ts'
import { assertFew, broken, fourLetters, type Part, pixelsOf, type Size } from './parts.ts'

// Which pieces of the file an AVIF's picture is made of: items, and the frames of an animation.

/** Items that are pictures, or say how pictures make one. */
const pictureItems = ['av01', 'grid', 'iovl', 'iden', 'tmap']
/** What an item of transparency, and a track of it, is called. */
export const alphaName = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha'

type Items = {
  /**
   * Of which its picture is made, as pieces of the file: tiles, transparency, a map of
   * brightness.
   */
  readonly pieces: readonly Buffer[]
  /** EXIF and XMP. */
  readonly told: readonly Part[]
  /** That of its picture, if it has one. */
  readonly size?: Size | undefined
}

/**
 * Reads what a "meta" box holds: where in the file its items lie. All others are not
 * published, such as thumbnails.
 */
export const readItems = (file: Buffer, data: Buffer): Items => {
  const own = (...path: readonly string[]) => inside(data.subarray(4), ...path)
  const [iinf, iloc, pitm] = ['iinf', 'iloc', 'pitm'].map((type) => own(type))
  const pieces: Buffer[] = []
  const told: Part[] = []
  if (iinf === undefined || iloc === undefined) return { pieces, told }
  const types = new Map(typesIn(iinf))
  const isPicture = (id: number) => pictureItems.includes(types.get(id) ?? '')
  const main = pitm ? [createReader(pitm, 4)(pitm[0] === 0 ? 2 : 4)] : []
  if (!main.every(isPicture)) throw broken('its picture is none of AV1')
  // the same with more brightness where the screen has it
  const maps = [...types.keys()].filter((id) => types.get(id) === 'tmap')
  const { size, hasAlpha } = readProperties(own('iprp', 'ipco'))
  const needed = withParts([...main, ...maps], linksIn(own('iref'), hasAlpha))
  for (const { id, bytes, count } of extentsIn(file, iloc, own('idat'))) {
    const type = types.get(id)
    if (needed.has(id) && isPicture(id)) pieces.push(bytes)
    if (type !== 'Exif' && type !== 'mime') continue
    if (count > 1) throw broken('its metadata lies in pieces')
    if (type === 'mime') told.push({ bytes, is: 'xmp', holds: bytes, open: true })
    else told.push({ bytes, is: 'exif', holds: tiffIn(bytes), open: true })
  }
  return { pieces, told, size: pitm && size }
}

const tiffIn = (item: Buffer) => {
  if (item.length < 8) throw broken('its EXIF is none')
  return item.subarray(4 + item.readUInt32BE(0))
}

/** Items, and those of which they are made. */
const withParts = (
  items: readonly number[],
  links: Iterable<readonly [whole: number, part: number]>,
): ReadonlySet<number> => {
  const parts = groupBy(links, ([whole]) => whole)
  const all = new Set(items)
  // it grows on the way
  for (const id of all) for (const [, part] of parts.get(id) ?? []) all.add(part)
  return all
}

/** The largest size is that of the whole: others are of tiles and thumbnails. */
const readProperties = (ipco: Buffer = Buffer.alloc(0)) => {
  let size: Size | undefined
  let hasAlpha = false
  for (const { type, data } of boxesIn(ipco)) {
    if (type === 'auxC') hasAlpha ||= data.includes(alphaName)
    if (type !== 'ispe') continue
    const one = { width: data.readUInt32BE(4), height: data.readUInt32BE(8) }
    if (pixelsOf([one]) > (size ? pixelsOf([size]) : 0)) size = one
  }
  return { size, hasAlpha }
}

function* typesIn(iinf: Buffer): Generator<readonly [id: number, type: string]> {
  for (const { type, data } of boxesIn(iinf.subarray(iinf[0] === 0 ? 6 : 8))) {
    const idBytes = [0, 0, 2, 4][data[0] ?? 0]
    if (type !== 'infe' || !idBytes) throw broken('its list of items is none that is known')
    yield [createReader(data, 4)(idBytes), fourLetters(data, 6 + idBytes)]
  }
}

/** Which item is made of which one: of tiles and layers, and its transparency. */
function* linksIn(iref: Buffer = Buffer.alloc(4), hasAlpha = false) {
  const idBytes = iref[0] === 0 ? 2 : 4
  let count = 0
  for (const { type, data } of boxesIn(iref.subarray(4))) {
    const read = createReader(data, 0)
    const from = read(idBytes)
    for (let left = read(2); left > 0; left -= 1) {
      assertFew(++count)
      const to = read(idBytes)
      if (type === 'dimg') yield [from, to] as const
      if (type === 'auxl' && hasAlpha) yield [to, from] as const
    }
  }
}

/** In which pieces of the file, perhaps of the box "idat", each item lies. */
function* extentsIn(file: Buffer, iloc: Buffer, idat: Buffer | undefined) {
  const version = iloc[0] ?? 0
  const read = createReader(iloc, 6)
  const idBytes = version < 2 ? 2 : 4
  // four numbers of half a byte each say how long other numbers are
  const [offsetBytes = 0, lengthBytes = 0, baseBytes = 0, indexBytes = 0] = Array.from(
    iloc.toString('hex', 4, 6),
    (digit) => Number.parseInt(digit, 16),
  )
  const listed = new Set<number>()
  let total = 0
  for (let items = read(idBytes); items > 0; items -= 1) {
    const id = read(idBytes)
    const whole = [file, idat][version === 0 ? 0 : read(2) & 15]
    if (read(2) !== 0 || whole === undefined) throw broken('an item lies outside of the file')
    const base = read(baseBytes)
    // one would be published as the other
    if (listed.has(id)) throw broken('an item is listed twice')
    listed.add(id)
    const count = read(2)
    for (let left = count; left > 0; left -= 1) {
      assertFew(++total)
      if (version > 0) read(indexBytes)
      const from = base + read(offsetBytes)
      const to = from + read(lengthBytes)
      if (to > whole.length) throw broken()
      if (to === from) throw broken('an item is empty')
      yield { id, bytes: whole.subarray(from, to), count }
    }
  }
}

/**
 * Reads a track of an animation: its frames, or their transparency, as pieces of the file.
 * Sound and text are none.
 */
export const readTrack = (file: Buffer, track: Buffer) => {
  const media = inside(track, 'mdia')
  const handler = inside(media, 'hdlr')
  const kind = handler && fourLetters(handler, 8)
  if (kind !== 'pict' && kind !== 'auxv')
    throw broken('it holds sound or text beside its pictures')
  const table = inside(media, 'minf', 'stbl')
  const sizes = inside(table, 'stsz')
  /** From which chunk of frames on a chunk has how many. */
  const runs = inside(table, 'stsc')
  const near = inside(table, 'stco')
  /** Where each chunk begins. */
  const starts = near ?? inside(table, 'co64')
  if (sizes === undefined || runs === undefined || starts === undefined)
    throw broken('its frames are not listed')
  // the size that all frames have; or 0, and that of each stands behind
  const same = sizes.readUInt32BE(4)
  const frames = sizes.readUInt32BE(8)
  const chunks = starts.readUInt32BE(4)
  const lastRun = runs.readUInt32BE(4) - 1
  const nextStart = createReader(starts, 8)
  const pieces: Buffer[] = []
  assertFew(chunks)
  let run = 0
  let frame = 0
  for (let chunk = 1; chunk <= chunks; chunk += 1) {
    while (run < lastRun && runs.readUInt32BE(20 + 12 * run) <= chunk) run += 1
    const inChunk = lastRun < 0 ? 0 : runs.readUInt32BE(12 + 12 * run)
    const last = Math.min(frame + inChunk, frames)
    const from = nextStart(near ? 4 : 8)
    let to = from + same * (last - frame)
    if (same === 0) for (; frame < last; frame += 1) to += sizes.readUInt32BE(12 + 4 * frame)
    frame = last
    if (to > file.length) throw broken()
    pieces.push(file.subarray(from, to))
  }
  return { frames: kind === 'pict' ? frames : 1, pieces }
}
