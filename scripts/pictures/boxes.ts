import { assertFew, broken, fourLetters } from './parts.ts'

/** A box: where in the file it begins, where what it holds begins after its header, and where it ends. */
export type Box = {
  readonly type: string
  readonly at: number
  readonly from: number
  readonly to: number
}

export const wrongLength = (): Error => broken('a length in it is wrong')

/** The boxes that stand one after the other between two bytes of a file. */
export function* boxesIn(
  file: Buffer,
  from: number,
  to: number,
  tooLong = wrongLength,
): Generator<Box, undefined> {
  let count = 0
  for (let at = from; at < to; ) {
    assertFew(++count)
    const room = to - at
    const isLong = room >= 8 && file.readUInt32BE(at) === 1
    const header = isLong ? 16 : 8
    if (room < header) throw tooLong()
    const length = (isLong ? Number(file.readBigUInt64BE(at + 8)) : file.readUInt32BE(at)) || room
    if (length < header) throw wrongLength()
    if (length > room) throw tooLong()
    yield { type: fourLetters(file, at + 4), at, from: at + header, to: at + length }
    at += length
  }
}

/** The first box of a type in another one, in which boxes begin after `skip` bytes. */
export const inside = (
  file: Buffer,
  box: Box | undefined,
  type: string,
  skip = 0,
): Box | undefined => {
  if (box === undefined) return undefined
  for (const one of boxesIn(file, box.from + skip, box.to)) if (one.type === type) return one
  return undefined
}

export const dataOf = (file: Buffer, { from, to }: Box): Buffer => file.subarray(from, to)

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
  /** Types of the boxes that may stand in it, which begin after `skip` bytes; without, it is kept as it is. */
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

/** What of an AVIF is published: boxes that are not listed in one that is are overwritten. */
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

/** A piece of the file that is published as it is, or a hole, in place of which something else stands. */
export type Span = {
  readonly from: number
  readonly to: number
  /** Of a hole, the type of the box or of the item that stood there. */
  readonly hole?: string
  /** Of a hole, bytes of its box's header. */
  readonly header?: number
}

/** What boxes are made of, down to boxes of data: what is published, and holes. `onBox` is told of each that is published. */
export function* spansOf(
  file: Buffer,
  boxes: Iterable<Box>,
  onBox: (box: Box) => void,
  outer = 'file',
): Generator<Span> {
  for (const box of boxes) {
    const { type, at, from, to } = box
    if (!rules[outer]?.holds?.includes(type)) {
      yield { from: at, to, hole: type, header: from - at }
      continue
    }
    onBox(box)
    const data = dataOf(file, box)
    const { holds, skip = 0, blank } = rules[type] ?? {}
    const inner = from + (typeof skip === 'number' ? skip : skip(data))
    const end = holds === undefined ? to : inner
    if (end > to) throw wrongLength()
    const [first, last = data.length] = blank?.(data) ?? [data.length]
    const hole = { from: Math.min(from + first, end), to: Math.min(from + last, end), hole: '' }
    yield { from: at, to: hole.from }
    yield hole
    yield { from: hole.to, to: end }
    if (holds?.length) yield* spansOf(file, boxesIn(file, inner, to), onBox, type)
  }
}
