import { crc32, deflateSync } from 'node:zlib'

// Small pictures, put together by hand. Their containers are right; what is in them no viewer
// would like to see.

const latin1 = (text: string) => Buffer.from(text, 'latin1')
type Piece = string | Buffer | readonly number[]
/** Texts in Latin-1, and bytes, one after the other. */
export const bytes = (...pieces: readonly Piece[]) =>
  Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? latin1(piece) : Buffer.from(piece))),
  )
const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
export const u32 = (value: number) => bytes(u16(value >>> 16), u16(value & 0xffff))
const le16 = (value: number) => u16(value).reverse()
const le32 = (value: number) => u32(value).reverse()

type Entry = readonly [tag: number, type: number, value: Buffer]
export const ascii = (tag: number, text: string): Entry => [tag, 2, latin1(`${text}\0`)]
export const short = (tag: number, value: number): Entry => [tag, 3, u16(value)]
const degrees = (tag: number, value: number): Entry => [
  tag,
  5,
  bytes(
    u32(Math.floor(value)),
    u32(1),
    u32(Math.round((value % 1) * 6000)),
    u32(100),
    u32(0),
    u32(1),
  ),
]

/** Bytes of a value of TIFF's types that take more than one: SHORT, LONG and RATIONAL. */
const sizes = new Map([
  [3, 2],
  [4, 4],
  [5, 8],
])

/** Big-endian EXIF: a main folder, a folder of EXIF's own, a folder of GPS. */
export const exif = (
  main: readonly Entry[],
  own: readonly Entry[] = [],
  gps: readonly Entry[] = [],
) => {
  const folder = (entries: readonly Entry[], at: number) => {
    let more = at + 2 + 12 * entries.length + 4
    const values: Buffer[] = []
    const rows = entries.map(([tag, type, value]) => {
      const count = value.length / (sizes.get(type) ?? 1)
      if (value.length <= 4)
        return [u16(tag), u16(type), u32(count), value, Buffer.alloc(4 - value.length)]
      values.push(value)
      more += value.length
      return [u16(tag), u16(type), u32(count), u32(more - value.length)]
    })
    return bytes(u16(entries.length), ...rows.flat(), u32(0), ...values)
  }
  const pointers = (own_: number, gps_: number) => [
    ...(own.length > 0 ? [[0x8769, 4, u32(own_)] as const] : []),
    ...(gps.length > 0 ? [[0x8825, 4, u32(gps_)] as const] : []),
  ]
  const mainLength = folder([...main, ...pointers(0, 0)], 8).length
  const ownLength = own.length > 0 ? folder(own, 0).length : 0
  const ownAt = 8 + mainLength
  const gpsAt = ownAt + ownLength
  return bytes(
    'MM\0*\0\0\0\x08',
    folder([...main, ...pointers(ownAt, gpsAt)], 8),
    own.length > 0 ? folder(own, ownAt) : '',
    gps.length > 0 ? folder(gps, gpsAt) : '',
  )
}

/** Berlin. */
export const berlin: readonly Entry[] = [
  ascii(1, 'N'),
  degrees(2, 52.5163),
  ascii(3, 'E'),
  degrees(4, 13.3777),
]

export const xmpOf = (inside: string) =>
  `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description ${inside}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`

export const segment = (marker: number, ...data: readonly Piece[]) => {
  const body = bytes(...data)
  return bytes([0xff, marker], u16(body.length + 2), body)
}

export const jfif = segment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\0\0')

/** A JPEG of 16 × 8 with the given segments before its frame. */
export const jpeg = (...before: readonly Buffer[]) =>
  bytes(
    '\xff\xd8',
    ...before,
    segment(0xc0, '\x08\0\x08\0\x10\x01\x01\x11\0'),
    segment(0xda, '\x01\x01\0\0\x3f\0'),
    '\x12\xff\0\x34\xff\xd0\x56\xff\xd9',
  )

export const chunk = (type: string, ...data: readonly Piece[]) => {
  const body = bytes(type, ...data)
  return bytes(u32(body.length - 4), body, u32(crc32(body)))
}

export const signature = latin1('\x89PNG\r\n\x1a\n')
export const header = chunk('IHDR', u32(16), u32(8), '\x08\x06\0\0\0')
export const pixels = chunk('IDAT', 'pixels')
export const end = chunk('IEND')
export const frame = chunk('fcTL', u32(0), u32(16), u32(8), Buffer.alloc(14))

/** A PNG of 16 × 8 with the given chunks before its pixels. */
export const png = (...before: readonly Buffer[]) =>
  bytes(signature, header, ...before, pixels, end)

export const deflated = (text: string | Buffer) => deflateSync(text)

export const riffChunk = (type: string, ...data: readonly Piece[]) => {
  const body = bytes(...data)
  return bytes(type, le32(body.length), body, Buffer.alloc(body.length % 2))
}
export const riff = (...chunks: readonly Buffer[]) => riffChunk('RIFF', 'WEBP', ...chunks)
export const vp8x = (flags: number) => riffChunk('VP8X', [flags], '\0\0\0\x0f\0\0\x07\0\0')
/** 16 × 8, one byte longer than it need be, so that it is padded. */
export const vp8l = riffChunk('VP8L', [0x2f], le32(15 + 7 * 2 ** 14), 'px')

export const gif = (...blocks: readonly Buffer[]) =>
  bytes('GIF89a', le16(16), le16(8), '\x80\0\0\0\0\0\0\0\0', ...blocks, ';')
export const gifFrame = bytes(',', le32(0), le16(16), le16(8), '\0\x02\x02\x01\x02\0')
export const gifExtension = (name: string, data: Piece) =>
  bytes([0x21, 0xff, name.length], name, data)

export const box = (type: string, ...data: readonly Piece[]) => {
  const body = bytes(type, ...data)
  return bytes(u32(body.length + 4), body)
}
const infe = (id: number, type: string, ends: string) =>
  box('infe', u32(0x02000000), u16(id), u16(0), type, ends)

type AvifOptions = {
  /** Properties after the size. */
  readonly properties?: readonly Buffer[]
  /** Which item refers to which one, and as what; items count from 1, the picture is the first. */
  readonly references?: readonly (readonly [type: string, from: number, to: number])[]
  /** Of each item, and of the handler. */
  readonly name?: string
}

/** An AVIF of 16 × 8 with items beside its picture, in the order of the file. */
export const avif = (
  items: readonly (readonly [type: string, data: Buffer])[],
  { properties = [], references = [], name = '' }: AvifOptions = {},
) => {
  const all = [['av01', latin1('pixels')] as const, ...items]
  const ends = (type: string) =>
    type === 'mime' ? `${name}\0application/rdf+xml\0` : `${name}\0`
  const meta = (from: number) => {
    let at = from
    const places = all.map(([, data], index) => {
      at += data.length
      return bytes(u16(index + 1), u16(0), u16(1), u32(at - data.length), u32(data.length))
    })
    const owned = [1, ...properties.map((_, index) => index + 2)]
    return box(
      'meta',
      u32(0),
      box('hdlr', u32(0), u32(0), 'pict', Buffer.alloc(12), `${name}\0`),
      box('pitm', u32(0), u16(1)),
      box('iloc', u32(0), u16(0x4400), u16(all.length), ...places),
      box(
        'iinf',
        u32(0),
        u16(all.length),
        ...all.map(([type], index) => infe(index + 1, type, ends(type))),
      ),
      box(
        'iref',
        u32(0),
        ...references.map(([type, one, other]) => box(type, u16(one), u16(1), u16(other))),
      ),
      box(
        'iprp',
        box('ipco', box('ispe', u32(0), u32(16), u32(8)), ...properties),
        // the last item has what else is told
        box('ipma', u32(0), u32(2), u16(1), [1, 1], u16(all.length), [owned.length], owned),
      ),
    )
  }
  const brands = box('ftyp', 'avif', u32(0), 'avifmif1miaf')
  const from = brands.length + meta(0).length + 8
  return bytes(brands, meta(from), box('mdat', ...all.map(([, data]) => data)))
}
