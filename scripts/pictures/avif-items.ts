import { type Box, boxesIn, createReader, dataOf, inside, type Span, wrongLength } from './boxes.ts'
import { assertFew, broken, fourLetters, type Size } from './parts.ts'

/** Items that are pictures, or say how pictures make one. */
const pictureItems = ['av01', 'grid', 'iovl', 'iden', 'tmap']
/** What an item of transparency, and a track of it, is called. */
export const alphaName = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha'

type Items = { readonly spans: readonly Span[]; readonly size: Size | undefined }

/**
 * Reads a "meta" box: where in the file its items lie. Of which its picture is made is published: tiles, transparency, a
 * map of brightness. All other items are holes, thumbnails too. `size` is that of its picture, if it has one.
 */
export const readItems = (file: Buffer, meta: Box): Items => {
  const own = (type: string): Box | undefined => inside(file, meta, type, 4)
  const [iinf, iloc, pitm] = ['iinf', 'iloc', 'pitm'].map(own)
  if (iinf === undefined || iloc === undefined) return { spans: [], size: undefined }
  const types = new Map(typesIn(file, iinf))
  const isPicture = (id: number): boolean => pictureItems.includes(types.get(id) ?? '')
  const needed = new Set<number>()
  if (pitm) needed.add(readPrimary(dataOf(file, pitm)))
  if (![...needed].every(isPicture)) throw broken('its picture is none of AV1')
  // the same with more brightness where the screen has it
  for (const [id, type] of types) if (type === 'tmap') needed.add(id)
  const { size, hasAlpha } = readProperties(file, inside(file, own('iprp'), 'ipco'))
  const links = linksIn(file, own('iref'), hasAlpha)
  // it grows on the way
  for (const id of needed) for (const other of links.get(id) ?? []) needed.add(other)
  const spans: Span[] = []
  for (const [id, extents] of extentsIn(file, iloc, own('idat'))) {
    const isShown = needed.has(id) && isPicture(id)
    if (!isPicture(id) && extents.length > 1) throw broken('its metadata lies in pieces')
    for (const extent of extents)
      spans.push(isShown ? extent : { ...extent, hole: types.get(id) ?? '' })
  }
  return { spans, size: pitm && size.width > 0 ? size : undefined }
}

const readPrimary = (data: Buffer): number =>
  data[0] === 0 ? data.readUInt16BE(4) : data.readUInt32BE(4)

/** The largest size is that of the whole: others are of tiles and thumbnails. */
const readProperties = (file: Buffer, ipco: Box | undefined) => {
  let size = { width: 0, height: 0 }
  let hasAlpha = false
  for (const { type, from, to } of ipco ? boxesIn(file, ipco.from, ipco.to) : []) {
    if (type === 'auxC') hasAlpha ||= file.subarray(from, to).includes(alphaName)
    if (type !== 'ispe') continue
    const one = { width: file.readUInt32BE(from + 4), height: file.readUInt32BE(from + 8) }
    if (one.width * one.height > size.width * size.height) size = one
  }
  return { size, hasAlpha }
}

function* typesIn(file: Buffer, iinf: Box): Generator<readonly [id: number, type: string]> {
  const skip = file[iinf.from] === 0 ? 6 : 8
  for (const box of boxesIn(file, iinf.from + skip, iinf.to)) {
    const data = dataOf(file, box)
    const version = data[0]
    if (box.type !== 'infe' || (version !== 2 && version !== 3))
      throw broken('its list of items is none that is known')
    const id = version === 2 ? data.readUInt16BE(4) : data.readUInt32BE(4)
    yield [id, fourLetters(data, version === 2 ? 8 : 10)]
  }
}

/** By item, those of which it is made: tiles and layers, and its transparency. */
const linksIn = (file: Buffer, iref: Box | undefined, hasAlpha: boolean) => {
  const links = new Map<number, number[]>()
  if (iref === undefined) return links
  const bytes = file[iref.from] === 0 ? 2 : 4
  let count = 0
  for (const box of boxesIn(file, iref.from + 4, iref.to)) {
    const read = createReader(dataOf(file, box), 0)
    const from = read(bytes)
    for (let left = read(2); left > 0; left -= 1) {
      assertFew(++count)
      const to = read(bytes)
      if (box.type === 'dimg') link(links, from, to)
      if (box.type === 'auxl' && hasAlpha) link(links, to, from)
    }
  }
  return links
}

const link = (links: Map<number, number[]>, from: number, to: number): void => {
  const known = links.get(from) ?? []
  links.set(from, known)
  known.push(to)
}

/** In which pieces of the file, perhaps of the box "idat", each item lies. */
function* extentsIn(file: Buffer, iloc: Box, idat: Box | undefined) {
  const data = dataOf(file, iloc)
  const version = data[0] ?? 0
  const sizes = [...data.toString('hex', 4, 6)].map((digit) => Number.parseInt(digit, 16))
  if (sizes.some((bytes) => ![0, 4, 8].includes(bytes))) throw wrongLength()
  const [offsetBytes = 0, lengthBytes = 0, baseBytes = 0, indexBytes = 0] = sizes
  const read = createReader(data, 6)
  const listed = new Set<number>()
  let count = 0
  for (let items = read(version < 2 ? 2 : 4); items > 0; items -= 1) {
    const id = read(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : read(2) & 15
    const start = [0, idat?.from][method]
    if (read(2) !== 0 || start === undefined) throw broken('an item lies outside of the file')
    const base = read(baseBytes) + start
    // one would be published as the other
    if (listed.has(id)) throw broken('an item is listed twice')
    listed.add(id)
    const extents = Array.from({ length: read(2) }, () => {
      if (version > 0) read(indexBytes)
      const from = base + read(offsetBytes)
      const to = from + read(lengthBytes)
      if (to > file.length) throw broken()
      if (to === from) throw broken('an item is empty')
      assertFew(++count)
      return { from, to }
    })
    yield [id, extents] as const
  }
}
