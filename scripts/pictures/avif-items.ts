import { type Box, boxesIn, createReader, dataOf, inside, type Span, wrongLength } from './boxes.ts'
import { assertFew, broken, fourLetters, type Size } from './parts.ts'

/** Items that are pictures, or say how pictures make one. */
const pictureItems = ['av01', 'grid', 'iovl', 'iden', 'tmap']
/** What an item of transparency, and a track of it, is called. */
export const alphaName = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha'

type Items = { readonly spans: readonly Span[]; readonly size?: Size | undefined }

/**
 * Reads a "meta" box: where in the file its items lie. Of which its picture is made is published: tiles, transparency, a
 * map of brightness. All other items are holes, thumbnails too. `size` is that of its picture, if it has one.
 */
export const readItems = (file: Buffer, meta: Box): Items => {
  const own = (type: string): Box | undefined => inside(file, meta, type, 4)
  const [iinf, iloc, pitm] = ['iinf', 'iloc', 'pitm'].map(own)
  if (iinf === undefined || iloc === undefined) return { spans: [] }
  const types = new Map(typesIn(file, iinf))
  const isPicture = (id: number): boolean => pictureItems.includes(types.get(id) ?? '')
  const primary = pitm && readPrimary(dataOf(file, pitm))
  if (primary !== undefined && !isPicture(primary)) throw broken('its picture is none of AV1')
  const properties = propertiesIn(file, own('iprp'))
  const isAlpha = (id: number): boolean =>
    properties
      .get(id)
      ?.some((box) => box.type === 'auxC' && dataOf(file, box).includes(alphaName)) ?? false
  const links = linksIn(file, own('iref'), isAlpha)
  for (const group of groupsIn(file, own('grpl'))) {
    // another way to show the picture: with more brightness where the screen has it
    if (primary === undefined || !group.includes(primary)) continue
    for (const id of group) if (types.get(id) === 'tmap') link(links, primary, id)
  }
  const needed = new Set(primary === undefined ? [] : [primary])
  // it grows on the way
  for (const id of needed) for (const other of links.get(id) ?? []) needed.add(other)
  const spans: Span[] = []
  for (const [id, extents] of extentsIn(file, iloc, own('idat'))) {
    const type = types.get(id) ?? ''
    const isHole = !needed.has(id) || !isPicture(id)
    if (isHole && !isPicture(id) && extents.length > 1) throw broken('its metadata lies in pieces')
    for (const extent of extents) spans.push(isHole ? { ...extent, hole: type } : extent)
  }
  const ispe = primary && properties.get(primary)?.find(({ type }) => type === 'ispe')
  return { spans, size: ispe ? readSize(dataOf(file, ispe)) : undefined }
}

const readPrimary = (data: Buffer): number =>
  data[0] === 0 ? data.readUInt16BE(4) : data.readUInt32BE(4)

const readSize = (data: Buffer): Size | undefined => {
  const size = { width: data.readUInt32BE(4), height: data.readUInt32BE(8) }
  return size.width > 0 && size.height > 0 ? size : undefined
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

/** By item, what is said of it, such as its size. */
const propertiesIn = (file: Buffer, iprp: Box | undefined): ReadonlyMap<number, readonly Box[]> => {
  const found = new Map<number, readonly Box[]>()
  const ipco = inside(file, iprp, 'ipco')
  const all = ipco ? [...boxesIn(file, ipco.from, ipco.to)] : []
  let count = 0
  for (const box of iprp ? boxesIn(file, iprp.from, iprp.to) : []) {
    if (box.type !== 'ipma') continue
    const data = dataOf(file, box)
    const read = createReader(data, 4)
    const isWide = ((data[3] ?? 0) & 1) === 1
    for (let items = read(4); items > 0; items -= 1) {
      const id = read(data[0] === 0 ? 2 : 4)
      const own = Array.from({ length: read(1) }, () =>
        isWide ? read(2) & 0x7fff : read(1) & 0x7f,
      )
      count += 1 + own.length
      assertFew(count)
      found.set(
        id,
        own.flatMap((index) => all[index - 1] ?? []),
      )
    }
  }
  return found
}

/** By item, those of which it is made: tiles and layers, and its transparency. */
const linksIn = (
  file: Buffer,
  iref: Box | undefined,
  isAlpha: (id: number) => boolean,
): Map<number, number[]> => {
  const links = new Map<number, number[]>()
  if (iref === undefined) return links
  const bytes = file[iref.from] === 0 ? 2 : 4
  let count = 0
  for (const box of boxesIn(file, iref.from + 4, iref.to)) {
    const read = createReader(dataOf(file, box), 0)
    const from = read(bytes)
    const isOfTransparency = box.type === 'auxl' && isAlpha(from)
    for (let left = read(2); left > 0; left -= 1) {
      assertFew(++count)
      const to = read(bytes)
      if (box.type === 'dimg') link(links, from, to)
      if (isOfTransparency) link(links, to, from)
    }
  }
  return links
}

const link = (links: Map<number, number[]>, from: number, to: number): void => {
  const known = links.get(from) ?? []
  links.set(from, known)
  known.push(to)
}

/** Lists of items of which a viewer may show any. */
function* groupsIn(file: Buffer, grpl: Box | undefined): Generator<readonly number[]> {
  for (const box of grpl ? boxesIn(file, grpl.from, grpl.to) : []) {
    if (box.type !== 'altr') continue
    const read = createReader(dataOf(file, box), 8)
    const count = read(4)
    assertFew(count)
    yield Array.from({ length: count }, () => read(4))
  }
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
