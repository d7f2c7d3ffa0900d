import { assertFew, broken, fourLetters } from './parts.ts'

/**
 * A box: all of it, and what it holds after its header. Both are pieces of the file's own
 * memory.
 */
export type Box = { readonly type: string; readonly bytes: Buffer; readonly data: Buffer }

/** The box that stands at `at`. */
export const boxAt = (bytes: Buffer, at: number): Box => {
  const short = bytes.readUInt32BE(at)
  const header = short === 1 ? 16 : 8
  const room = bytes.length - at
  const length = (short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short) || room
  if (length < header) throw broken('a length in it is wrong')
  if (length > room) throw broken()
  const box = bytes.subarray(at, at + length)
  return { type: fourLetters(bytes, at + 4), bytes: box, data: box.subarray(header) }
}

/** The boxes that stand one after the other. */
export function* boxesIn(bytes: Buffer, from = 0): Generator<Box, undefined> {
  let count = 0
  for (let at = from; at < bytes.length; ) {
    assertFew(++count)
    const box = boxAt(bytes, at)
    yield box
    at += box.bytes.length
  }
}

/** What the first box of a type holds, and in that the first one of the next type. */
export const inside = (
  bytes: Buffer | undefined,
  ...[type, ...more]: readonly string[]
): Buffer | undefined => {
  if (bytes === undefined || type === undefined) return bytes
  for (const box of boxesIn(bytes)) if (box.type === type) return inside(box.data, ...more)
  return undefined
}

/** Reads numbers of 0 to 6 or 8 bytes, one after the other. */
export const createReader = (data: Buffer, from: number): ((bytes: number) => number) => {
  let at = from
  return (bytes) => {
    at += bytes
    if (bytes === 8) return Number(data.readBigUInt64BE(at - 8))
    return bytes === 0 ? 0 : data.readUIntBE(at - bytes, bytes)
  }
}

const lists = {
  file: 'ftyp meta mdat moov',
  meta: 'hdlr pitm iinf iref iprp iloc idat grpl',
  iprp: 'ipco ipma',
  ipco: 'av1C ispe pixi colr auxC irot imir clap pasp a1op a1lx lsel rloc clli mdcv cclv amve',
  mdat: '',
  idat: '',
  grpl: 'altr',
  iinf: 'infe',
  moov: 'mvhd trak meta',
  trak: 'tkhd tref edts mdia meta',
  edts: 'elst',
  mdia: 'mdhd hdlr minf',
  minf: 'vmhd nmhd dinf stbl',
  dinf: 'dref',
  stbl: 'stsd stts ctts cslg stsc stsz stco co64 stss sdtp sgpd sbgp',
  stsd: 'av01',
  av01: 'av1C colr pasp clap ccst auxi pixi btrt clli mdcv',
}
/**
 * Types of the boxes that are published in a box of a type; one that isn't here has no boxes
 * in it.
 */
const published = new Map(
  Object.entries(lists).map(([outer, types]) => [outer, types.split(' ')] as const),
)

/**
 * Bytes of a box that are published: before the boxes in it, or at all. Behind them may stand
 * names, and what is unknown.
 */
const lengths: Readonly<Record<string, number>> = {
  meta: 4,
  hdlr: 24,
  ispe: 12,
  irot: 1,
  imir: 1,
  clap: 32,
  pasp: 8,
  clli: 4,
  mdcv: 24,
  dref: 20,
  stsd: 8,
}

/**
 * Where in the data of a box that ends which is published; and where more of it begins and
 * ends.
 */
const shownIn = ({
  type,
  data,
}: Box): readonly [first: number, from?: number, to?: number] => {
  const [version] = data
  switch (type) {
    case 'iinf':
      return [version === 0 ? 6 : 8]
    case 'infe':
      // before the item's name and what else it says of itself in words
      return [version === 2 ? 12 : 14]
    case 'mvhd':
    case 'tkhd':
    case 'mdhd':
      // when it was made and changed
      return [4, version === 1 ? 20 : 12, data.length]
    case 'av01':
      // the name of the program that compressed it
      return [42, 74, 78]
    default:
      return [lengths[type] ?? (published.has(type) ? 0 : data.length)]
  }
}

/**
 * A box of a file, the type of the box that it is in, and what is published of it: nothing if
 * it isn't known there.
 */
type Found = Box & { readonly outer: string; readonly shown?: readonly Buffer[] }

/** Goes through boxes, down to those of data. */
export function* walk(boxes: Iterable<Box>, outer = 'file'): Generator<Found, void> {
  for (const box of boxes) {
    const { type, bytes, data } = box
    if (!published.get(outer)?.includes(type)) {
      yield { ...box, outer }
      continue
    }
    const [first, from = first, to = first] = shownIn(box)
    const header = bytes.length - data.length
    yield {
      ...box,
      outer,
      shown: [bytes.subarray(0, header + first), data.subarray(from, to)],
    }
    if (!published.has(type)) continue
    if (to > data.length) throw broken()
    // what stands in "mdat" and "idat" are no boxes
    if (!type.endsWith('dat')) yield* walk(boxesIn(data.subarray(to)), type)
  }
}
