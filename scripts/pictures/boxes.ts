import { assertFew, broken, fourLetters } from './parts.ts'

/** A box: all of it, and what it holds after its header. Both are pieces of the file's own memory. */
export type Box = { readonly type: string; readonly bytes: Buffer; readonly data: Buffer }

/** The boxes that stand one after the other. */
export function* boxesIn(bytes: Buffer): Generator<Box, undefined> {
  let count = 0
  for (let at = 0; at < bytes.length; ) {
    assertFew(++count)
    const rest = bytes.subarray(at)
    const short = rest.readUInt32BE(0)
    const header = short === 1 ? 16 : 8
    const length = (short === 1 ? Number(rest.readBigUInt64BE(8)) : short) || rest.length
    if (length < header) throw broken('a length in it is wrong')
    if (length > rest.length) throw broken()
    const box = rest.subarray(0, length)
    yield { type: fourLetters(box, 4), bytes: box, data: box.subarray(header) }
    at += length
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

type Rule = {
  /** Types of the boxes that are published in it, which begin after `skip` bytes; without, it is kept as it is. */
  readonly holds?: readonly string[]
  readonly skip?: number | ((data: Buffer) => number)
  /** Where in its data names and times stand, from and to; to its end without the second. */
  readonly blank?: (data: Buffer) => readonly [from: number, to?: number]
}

const holds = (types: string, more: Omit<Rule, 'holds'> = {}): Rule => ({
  holds: types.split(' '),
  ...more,
})
const ofLength = (length: number): Rule => ({ blank: () => [length] })
/** They begin with when an animation or a track of it was made and changed. */
const times: Rule = { blank: (data) => [4, data[0] === 1 ? 20 : 12] }

/** What of an AVIF is published, by the box that it stands in. */
const rules: Readonly<Record<string, Rule>> = {
  file: holds('ftyp meta mdat moov'),
  meta: holds('hdlr pitm iinf iref iprp iloc idat grpl', { skip: 4 }),
  // a name
  hdlr: ofLength(24),
  iprp: holds('ipco ipma'),
  ipco: holds(
    'av1C ispe pixi colr auxC irot imir clap pasp a1op a1lx lsel rloc clli mdcv cclv amve',
  ),
  mdat: { holds: [] },
  idat: { holds: [] },
  ispe: ofLength(12),
  irot: ofLength(1),
  imir: ofLength(1),
  clap: ofLength(32),
  pasp: ofLength(8),
  clli: ofLength(4),
  mdcv: ofLength(24),
  grpl: holds('altr'),
  iinf: holds('infe', { skip: (data) => (data[0] === 0 ? 6 : 8) }),
  // after the item's type, its name and what else it says of itself in words
  infe: { blank: (data) => [data[0] === 2 ? 12 : 14] },
  moov: holds('mvhd trak meta'),
  trak: holds('tkhd tref edts mdia meta'),
  mvhd: times,
  tkhd: times,
  mdhd: times,
  edts: holds('elst'),
  mdia: holds('mdhd hdlr minf'),
  minf: holds('vmhd nmhd dinf stbl'),
  dinf: holds('dref'),
  // where data lie that stand in another file
  dref: ofLength(20),
  stbl: holds('stsd stts ctts cslg stsc stsz stco co64 stss sdtp sgpd sbgp'),
  stsd: holds('av01', { skip: 8 }),
  // the name of the program that compressed it
  av01: holds('av1C colr pasp clap ccst auxi pixi btrt clli mdcv', {
    skip: 78,
    blank: () => [42, 74],
  }),
}

/** Goes through boxes, down to those of data. `keep` is called for what is published of them. */
export const walk = (
  boxes: Iterable<Box>,
  on: {
    readonly keep: (pieces: Iterable<Buffer>) => void
    readonly onBox: (box: Box) => void
    /** For a box that is not published. */
    readonly drop: (box: Box) => void
  },
  outer = 'file',
): void => {
  for (const box of boxes) {
    const { type, bytes, data } = box
    if (!rules[outer]?.holds?.includes(type)) {
      on.drop(box)
      continue
    }
    on.onBox(box)
    const { holds, skip = 0, blank } = rules[type] ?? {}
    const inner = typeof skip === 'number' ? skip : skip(data)
    const end = holds === undefined ? data.length : inner
    if (end > data.length) throw broken()
    const [first, last = end] = blank?.(data) ?? [end]
    const shown = bytes.length - data.length + Math.min(first, end)
    on.keep([bytes.subarray(0, shown), data.subarray(last, end)])
    if (holds?.length) walk(boxesIn(data.subarray(inner)), on, type)
  }
}
