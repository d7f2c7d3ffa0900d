import { describe, expect, test } from 'vitest'
import { kindOfName, mostPictureBytes, readPicture } from '../../scripts/pictures/picture.ts'
import { rowsOf, texts } from '../tables.ts'
import {
  ascii,
  avif,
  berlin,
  box,
  bytes,
  chunk,
  deflated,
  end,
  exif,
  frame,
  gif,
  gifExtension,
  gifFrame,
  header,
  jfif,
  jpeg,
  pixels,
  png,
  riff,
  riffChunk,
  segment,
  short,
  signature,
  u32,
  vp8l,
  vp8x,
  xmpOf,
} from './bytes.ts'

const read = (bytes: Buffer) => {
  const picture = readPicture(bytes)
  if ('problem' in picture) throw new Error(picture.problem.is)
  return picture
}
const problem = (bytes: Buffer) => {
  const picture = readPicture(bytes)
  return 'problem' in picture ? `${picture.problem.code}: ${picture.problem.is}` : 'none'
}

const camera = exif(
  [ascii(0x010f, 'Kodak'), short(0x0112, 6), ascii(0x013b, 'Ana Reis')],
  [ascii(0x9003, '2014:03:02 10:00:00'), ascii(0xa431, 'X-100-7')],
  berlin,
)
/** What is left of it where it is published. */
const turned = exif([short(0x0112, 6)])
const upright = exif([ascii(0x010f, 'Kodak')], [], berlin)
const xmp = xmpOf(
  'xmp:Rating="5" exif:GPSLatitude="52,30.98N" exif:GPSLongitude="13,22.66E"/>',
)
const resource = (number: number, data: Buffer) =>
  bytes('8BIM', u32(number * 2 ** 16), u32(data.length), data, Buffer.alloc(data.length % 2))
const dataSet = '\x1c\x02\x50\0\x08Ana Reis'
const iptc = resource(0x0404, bytes(dataSet, '\x1c\x02\x19\0\x09green tea'))

const appleVideo = bytes(box('ftyp', 'mp42', u32(0)), box('mdat', 'ana at home'))
const xmpEnd = bytes([1, ...[...Array(256).keys()].reverse(), 0])
const gifXmp = gifExtension('XMP DataXMP', bytes(xmp, xmpEnd))
const longXmp = chunk(
  'iTXt',
  'XML:com.adobe.xmp\0\x01\0\0\0',
  deflated(xmp + ' '.repeat(1_000_000)),
)
const rawProfile = deflated(
  `\nexif\n${String(camera.length + 6).padStart(8)}\n${bytes('Exif\0\0', camera).toString('hex')}\n`,
)
const avifExif = bytes(u32(0), camera)
const exifSegment = (tiff: Buffer) => segment(0xe1, 'Exif\0\0', tiff)
const exifPng = (...tiff: Buffer[]) => png(chunk('eXIf', ...tiff))
const xmpPng = (text: string) => png(chunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0', text))
const expectPublished = (file: Buffer, published: Buffer) =>
  expect(read(file).published).toEqual(published)
const moreXmp = (at: number, text: string) =>
  segment(0xe1, 'http://ns.adobe.com/xmp/extension/\0', Buffer.alloc(36), u32(at), text)

/** Each kind with a place, in each form in which a place can stand there. */
const placed: Record<string, Buffer> = {
  'JPEG, EXIF': jpeg(jfif, exifSegment(camera)),
  'JPEG, XMP': jpeg(jfif, segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', xmp)),
  'JPEG, long XMP, its last piece first': jpeg(
    ...[xmp.indexOf('PSLong'), xmp.indexOf('PSLat'), 0].map((from, number, all) =>
      moreXmp(from, xmp.slice(from, all[number - 1])),
    ),
  ),
  'JPEG, EXIF among resources': jpeg(
    segment(0xed, 'Photoshop 3.0\0', resource(0x0422, camera)),
  ),
  'JPEG, XMP among resources': jpeg(
    segment(0xed, 'Photoshop 3.0\0', iptc, resource(0x0424, bytes(xmp))),
  ),
  'JPEG, EXIF of a picture after it': bytes(jpeg(), jpeg(exifSegment(camera))),
  'PNG, EXIF after it': bytes(png(), chunk('eXIf', camera)),
  'PNG, eXIf': exifPng(camera),
  'PNG, XMP': xmpPng(xmp),
  'PNG, compressed XMP': png(chunk('iTXt', 'XML:com.adobe.xmp\0\x01\0\0\0', deflated(xmp))),
  'PNG, raw profile': png(chunk('zTXt', 'Raw profile type exif\0\0', rawProfile)),
  'PNG, text': png(chunk('tEXt', 'exif:GPSLatitude\0', '52/1, 30/1, 0/1')),
  'WebP, EXIF': riff(vp8x(8), vp8l, riffChunk('EXIF', camera)),
  'WebP, EXIF without VP8X': riff(vp8l, riffChunk('EXIF', camera)),
  'WebP, XMP': riff(vp8x(4), vp8l, riffChunk('XMP ', xmp)),
  'GIF, XMP': gif(gifXmp, gifFrame),
  'AVIF, EXIF': avif([['Exif', avifExif]]),
  'AVIF, XMP': avif([['mime', bytes(xmp)]]),
  'AVIF, XMP in a box of its own': bytes(avif([]), box('uuid', Buffer.alloc(16), xmp)),
}

test.each(Object.entries(placed))('a place is found and taken out: %s', (_, bytes) => {
  const picture = read(bytes)
  expect(picture.hasPlace).toBe(true)
  for (const made of [picture.published, picture.cleaned]) {
    const again = read(made)
    const { kind, orientation } = picture
    expect(again).toMatchObject({ hasPlace: false, width: 16, height: 8, kind, orientation })
    expect(again.cleaned.equals(made)).toBe(true)
    expect(made.includes('52,30.98')).toBe(false)
  }
  expect(read(picture.published).published.equals(picture.published)).toBe(true)
  expect(read(picture.cleaned).published.equals(picture.published)).toBe(true)
})

test('a place is not told of a camera that did not know', () => {
  const hasPlace = (...gps: Parameters<typeof exif>[0]) =>
    read(exifPng(exif([], [], gps))).hasPlace
  expect(hasPlace(ascii(1, 'N'), [2, 5, Buffer.alloc(24)])).toBe(false)
  expect(hasPlace(ascii(0x1d, '2014:03:02'))).toBe(false)
  expect(hasPlace(ascii(0x1c, 'Mitte'))).toBe(true)
})

test('what tells on people is told once each, in words', () => {
  const file = jpeg(exifSegment(camera), segment(0xed, 'Photoshop 3.0\0', iptc))
  expect(read(file).personal).toEqual([
    'the name of the artist',
    'the serial number of the camera',
    'the name of who made it',
  ])
})

test.each(
  rowsOf(`
    xmpMM:DerivedFrom stRef:filePath="/Users/ana/tea.psd"/> → the path of a file on the computer
    /><dc:creator><rdf:Seq><rdf:li>Ana</rdf:li></rdf:Seq></dc:creator> → the name of the creator
    /><aux:SerialNumber>7</aux:SerialNumber> → the serial number of the camera
    aux:OwnerName = 'Ana'/> → the name of the camera's owner
    aux:SerialNumber="7 → the serial number of the camera
    /><dc:creator><rdf:Seq><rdf:li/></rdf:Seq></dc:creator> → ∅
    dc:creator=""/> → ∅
    xmp:CreatorTool="Figma"/> → ∅
  `),
)('what tells on people is told in XMP: %s', (inside, words) => {
  const picture = read(xmpPng(xmpOf(inside)))
  expect(picture.personal.join()).toBe(words)
  expect(read(picture.cleaned).personal).toEqual([])
})

test('what tells on people is told in what stands after the end, but for padding', () => {
  const trailers: Record<string, Buffer> = {
    'a video after its end': appleVideo,
    'another picture after its end': jpeg(),
    'data after its end': bytes('SEFTe\0\0\0 by Ana'),
    '': Buffer.alloc(100),
  }
  for (const whole of [jpeg(), png(), gif(gifFrame), riff(vp8l), avif([])])
    for (const [told, trailer] of Object.entries(trailers)) {
      const file = bytes(whole, trailer)
      const personal = told === '' ? [] : [told]
      const cleaned = told === '' ? file : whole
      expect(read(file)).toMatchObject({ personal, cleaned, published: whole })
    }
})

test('the cleaned file keeps all that tells on nobody, to the byte', () => {
  const all = [
    iptc,
    resource(0x0404, bytes('\x1c\x02\x50\0\x03Ana')),
    resource(0x0424, bytes(xmp)),
  ]
  const resources = segment(0xed, 'Photoshop 3.0\0', ...all)
  const file = jpeg(jfif, exifSegment(camera), resources, segment(0xfe, 'labels for tea'))
  const { cleaned } = read(file)
  expect(cleaned.length).toBe(file.length)
  for (const text of texts('Kodak¦2014:03:02¦labels for tea¦green tea¦xmp:Rating'))
    expect(cleaned.includes(text)).toBe(true)
  for (const text of ['Ana', 'X-100']) expect(cleaned.includes(text)).toBe(false)
  expect(read(cleaned).orientation).toBe(6)
  for (const kind of texts('PNG¦GIF¦WebP¦AVIF'))
    expect(read(placed[`${kind}, XMP`]!).cleaned.includes('xmp:Rating="5"')).toBe(true)
})

test('the cleaned file loses EXIF as a whole where it is made to defeat the cleaning, and keeps its orientation', () => {
  // every entry points at the whole of the EXIF
  const entry = Buffer.from('927c000700000fff00000008', 'hex')
  const upsideDown = Buffer.from('011200030000000100030000', 'hex')
  const tiff = bytes(
    'MM\0*',
    u32(8),
    '\x01\x01',
    upsideDown,
    ...Array(256).fill(entry),
    Buffer.alloc(2_000),
  )
  const { cleaned } = read(exifPng(tiff))
  expect(cleaned.length).toBe(png().length + 12 + 26)
  expect(read(cleaned)).toMatchObject({ orientation: 3, personal: [] })
})

test.each([
  // what becomes zeros would end the block before its end
  [
    'IPTC for XMP',
    gif(gifExtension('XMP DataXMP', bytes(dataSet, 'x'.repeat(99), xmpEnd)), gifFrame),
  ],
  // the second one turns it once the first is gone
  ['two EXIF', png(chunk('eXIf', '<\0:\0City\0>ana'), chunk('eXIf', camera))],
  // the last one is looked through once the others are gone
  ['countless texts', png(...Array<Buffer>(60).fill(longXmp), chunk('eXIf', camera))],
])('a file that defeats the cleaning becomes what is published of it: %s', (_, file) => {
  const { cleaned, published } = read(file)
  expect(cleaned.equals(published)).toBe(true)
  expect(read(cleaned)).toMatchObject({ hasPlace: false, personal: [] })
})

test('what is published of a JPEG: colour stays, all else goes', () => {
  const adobe = segment(0xee, 'Adobe\0\x64\0\0\0\0\x02')
  const icc = segment(0xe2, 'ICC_PROFILE\0\x01\x01profile')
  const thumbnail = segment(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\x01\x01rgb')
  const others = [
    segment(0xe2, 'MPF\0'),
    segment(0xe5, 'x'),
    segment(0xeb, 'JP'),
    segment(0xfe, 'hi'),
  ]
  expectPublished(jpeg(thumbnail, ...others, icc, adobe), jpeg(jfif, icc, adobe))
  expectPublished(
    jpeg(thumbnail, icc, exifSegment(turned)),
    jpeg(jfif, exifSegment(turned), icc),
  )
})

test('what is published of a PNG: frames and colour stay, texts and times go', () => {
  const kept = [
    chunk('acTL', u32(1), u32(0)),
    chunk('cICP', '\x01\x0d\0\x01'),
    chunk('pHYs', '123456789'),
    frame,
  ]
  const gone = [
    chunk('tEXt', 'Author\0Ana'),
    chunk('tIME', ''),
    chunk('caBX', 'c2pa'),
    chunk('iDOT', ''),
  ]
  expectPublished(png(...gone, ...kept), png(...kept))
  expect(read(png(...kept))).toMatchObject({ frames: 1, width: 16, height: 8 })
})

test('what is published of a JPEG: bytes between its segments go, as viewers pass over them', () => {
  const stray = bytes('Ana\xff\0\xff\xd0\xff')
  const { published, cleaned } = read(jpeg(jfif, stray, exifSegment(camera), stray))
  expect(published).toEqual(jpeg(jfif, exifSegment(turned)))
  expectPublished(cleaned, published)
})

test('what is published of a PNG: no data where there is none, and no frames that nobody shows', () => {
  const odd = bytes(
    chunk('gAMA', '1234Ana'),
    chunk('sRGB', '\0Ana'),
    frame,
    chunk('fdAT', 'Ana'),
  )
  const file = bytes(png(odd).subarray(0, -12), chunk('IEND', 'Ana Reis'))
  expectPublished(file, png())
})

test('what is published of a PNG: EXIF that follows the pixels comes before them', () => {
  const file = bytes(signature, header, pixels, pixels, chunk('eXIf', camera), end)
  expectPublished(file, png(chunk('eXIf', turned), pixels))
})

test('what is published of a WebP: flags and lengths fit what is left', () => {
  const profile = riffChunk('ICCP', 'profile')
  const told = riff(
    vp8x(0x2c),
    profile,
    vp8l,
    riffChunk('EXIF', camera),
    riffChunk('XMP ', xmp),
  )
  expectPublished(told, riff(vp8x(0x28), profile, vp8l, riffChunk('EXIF', turned)))
  expectPublished(riff(vp8x(0x08), vp8l, riffChunk('EXIF', upright)), riff(vp8x(0), vp8l))
})

test('what is published of a WebP: no chunk that is unknown, and none that is not shown', () => {
  const still = riff(
    vp8x(0),
    vp8l,
    riffChunk('ANAR', 'Ana'),
    riffChunk('ANMF', Buffer.alloc(16)),
  )
  expectPublished(still, riff(vp8x(0), vp8l))
  const head = [...Buffer.alloc(6), 15, 0, 0, 7, 0, 0, 0, 0, 0, 0]
  const moving = (own: string, more: readonly Buffer[]) =>
    riff(vp8x(2), riffChunk('ANIM', '123456', own), riffChunk('ANMF', head, vp8l, ...more))
  const shown = Buffer.from(moving('', []))
  expectPublished(moving(' Ana', [vp8l, riffChunk('ANAR', 'Ana')]), shown)
})

test('what is published of a GIF: frames, timing and repeats stay', () => {
  const repeats = gifExtension('NETSCAPE2.0', '\x03\x01\x05\0\0')
  const kept = [repeats, Buffer.from('21f904000a000000', 'hex'), gifFrame, gifFrame]
  // what says how long a frame is shown, with more than that
  const gone = [
    bytes('!\xfe\x05hello\0'),
    Buffer.from('21f904000a000003416e6100', 'hex'),
    gifXmp,
  ]
  expectPublished(gif(...gone, ...kept), gif(...kept))
  expect(read(gif(...kept)).frames).toBe(2)
})

test('what is published of an AVIF: no byte moves, metadata is overwritten', () => {
  const items = { mime: bytes(xmp), Exif: avifExif, hide: bytes('hidden') }
  const file = bytes(avif(Object.entries(items)), box('uuid', 'c2pa'))
  const { published } = read(file)
  expect(published.length).toBe(file.length)
  expect(published.includes('pixels')).toBe(true)
  for (const text of texts('Ana¦xpacket¦hidden¦c2pa'))
    expect(published.includes(text)).toBe(false)
  expect(published.includes(turned)).toBe(true)
})

test('what is published of an AVIF: what its picture is made of, without names, times and thumbnails', () => {
  const alpha = box('auxC', u32(0), 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0')
  const depth = box('auxC', u32(0), 'urn:mpeg:mpegB:cicp:systems:auxiliary:depth\0')
  const told = texts('crtt¦mdft¦cmin¦udes¦anar').map((type) => box(type, 'Ana Reis'))
  const file = (property: Buffer, references: [string, number, number][]) =>
    bytes(
      avif([['av01', Buffer.from('Ana, small')]], {
        properties: [property, ...told, box('pasp', u32(1), u32(1), 'Ana')],
        references,
        name: 'Ana at home',
      }),
      box('moof', 'Ana Reis'),
    )
  const see = (...args: Parameters<typeof file>) => {
    const whole = file(...args)
    const { published, personal, hasAlpha } = read(whole)
    expect(personal).toEqual([])
    expect(published.length).toBe(whole.length)
    expectPublished(published, published)
    expect(published.includes('pixels')).toBe(true)
    const left = published.toString('latin1').match(/Ana[\w, ]*/g)
    return { left, hasAlpha }
  }
  const unknown = Buffer.from(alpha.toString('latin1').replace('auxC', 'AuxC'), 'latin1')
  expect([
    see(depth, [['thmb', 2, 1]]).left,
    see(depth, [['auxl', 2, 1]]).left,
    see(depth, []).left,
    see(unknown, [['auxl', 2, 1]]).left,
  ]).toEqual(Array(4).fill(null))
  expect(see(alpha, [['auxl', 2, 1]])).toEqual({ left: ['Ana, small'], hasAlpha: true })
  expect(see(depth, [['dimg', 1, 2]])).toEqual({ left: ['Ana, small'], hasAlpha: false })
  expect(problem(bytes(file(depth, []), box('meta', u32(0))))).toBe(
    'picture-broken: it has two lists of items',
  )
})

test('whether something shines through', () => {
  const palette = chunk('IHDR', u32(16), u32(8), '\x08\x02\0\0\0')
  const colours = chunk('tRNS', 'abcdef')
  const control = (flags: number) => bytes('!\xf9\x04', [flags, 0, 0, 0, 0])
  const files: [Buffer, boolean][] = [
    [png(), true],
    [bytes(signature, palette, colours, pixels, end), true],
    [bytes(signature, palette, pixels, colours, end), false],
    [riff(vp8x(0x10), vp8l), true],
    [riff(vp8x(0), vp8l), false],
    [gif(control(1), gifFrame), true],
    [gif(control(0), gifFrame), false],
    [jpeg(), false],
    [avif([]), false],
  ]
  for (const [file, hasAlpha] of files) expect(read(file)).toMatchObject({ hasAlpha })
})

describe('a broken picture', () => {
  const whole = {
    JPEG: jpeg(jfif),
    PNG: png(),
    WebP: riff(vp8x(0), vp8l),
    GIF: gif(gifFrame),
    AVIF: avif([['Exif', avifExif]]),
  }
  test.each(Object.entries(whole))('is told wherever it is cut off: %s', (_, bytes) => {
    for (let length = 16; length < bytes.length; length += 1) {
      expect(problem(bytes.subarray(0, length))).toMatch(/^picture-broken: /)
    }
    expect(problem(bytes)).toBe('none')
  })

  const broken = {
    'it has two frames': jpeg(segment(0xc0, '\x08\0\x08\0\x10\x01\x01\x11\0')),
    'the sum of its chunk gAMA at byte 33 is wrong': png(
      bytes(chunk('gAMA', '1').subarray(0, -1), 'x'),
    ),
    'no viewer knows its chunk CgBI': png(chunk('CgBI', '')),
    'it has no pixels': bytes(signature, header, end),
    'its header tells another size': riff(
      riffChunk('VP8X', u32(0), [16, 0, 0, 7, 0, 0]),
      vp8l,
    ),
    // decoders would read it as pixels
    'what follows its pixels is unknown': riff(vp8l, riffChunk('ABCD', 'px')),
    'it has two pictures': riff(vp8x(0), vp8l, vp8l),
    'it is cut off': gif().subarray(0, -1),
    'there is no block at byte 19': gif(bytes('x')),
  }
  test.each(Object.entries(broken))('is told: %s', (words, bytes) =>
    expect(problem(bytes)).toBe(`picture-broken: ${words}`),
  )

  test('metadata of an AVIF that lies on its pixels, or is listed as them, can not be overwritten', () => {
    const file = avif([['Exif', avifExif]])
    const place = file.indexOf(Buffer.from([0, 2, 0, 0, 0, 1])) + 6
    file.writeUInt32BE(16, place + 4)
    for (const other of ['pixels', 'infe', 'ispe']) {
      file.writeUInt32BE(file.indexOf(other), place)
      expect(problem(file)).toBe('picture-broken: its metadata lies on other data')
    }
    file.writeUInt32BE(file.length, place)
    expect(problem(bytes(file, 'x'.repeat(1_000)))).toBe(
      'picture-broken: its metadata lies on other data',
    )
    file.writeUInt16BE(1, place - 6)
    expect(problem(file)).toBe('picture-broken: an item is listed twice')
  })
})

test('what ImageMagick makes of EXIF tells, too', () => {
  const keys = texts('exif:Artist¦exif:CameraOwnerName¦exif:BodySerialNumber¦exif:Make')
  const picture = read(png(...keys.map((key) => chunk('tEXt', `${key}\0X-100`))))
  expect(picture.personal).toEqual([
    'the name of the artist',
    "the name of the camera's owner",
    'the serial number of the camera',
  ])
  expect(picture.cleaned).toEqual(png(chunk('tEXt', 'exif:Make\0X-100')))
})

test.each(
  rowsOf(`
    pointer: it is a pointer of Git LFS and not the picture → version https://git-lfs.github.com/spec/v1⏎oid sha256:4d7a⏎size 12345⏎
    kind: an empty file → ∅
    kind: HEIC → \0\0\0\u0018ftypheic\0\0\0\0mif1heic
    kind: SVG → <?xml version="1.0"?>⏎<svg xmlns="http://www.w3.org/2000/svg"/>
    kind: a video → \0\0\0\u0018ftypmp42\0\0\0\0isommp42
    kind: a web page → <!DOCTYPE html><title>Not found</title>
    kind: no picture that browsers show → hello
  `),
)('another kind is called by its name: %s', (words, text) =>
  expect(problem(Buffer.from(text, 'latin1'))).toBe(`picture-${words}`),
)

test('too many bytes and too many pixels are told', () => {
  expect(problem(Buffer.alloc(mostPictureBytes + 1))).toBe(
    'picture-too-large: it has 10.0 MiB, more than the 10 allowed',
  )
  const large = bytes(
    signature,
    chunk('IHDR', u32(10_001), u32(10_001), '\x08\x06\0\0\0'),
    pixels,
    end,
  )
  expect(problem(large)).toBe(
    'picture-too-large: 10001 × 10001 are more than the 100 million pixels allowed',
  )
  const film = gif(...Array(9).fill(Buffer.from('2c00000000100f100f000202010200', 'hex')))
  expect(problem(film)).toBe(
    'picture-too-large: 16 × 8 in 9 frames are more than the 100 million pixels allowed',
  )
})

test('endings promise a kind in whatever case', () =>
  expect(
    texts('a.jpg¦a.JPEG¦a.b.png¦a.webp¦a.gif¦a.avif¦a.heic¦png').map(kindOfName),
  ).toEqual(['jpg', 'jpg', 'png', 'webp', 'gif', 'avif', undefined, undefined]))

test('hostile lengths and loops end at once, and a file of countless parts or entries is refused', () => {
  const loops = Buffer.from(
    '4d4d002a000000080001' + '876900040000000100000008' + '00000008',
    'hex',
  )
  expect(read(exifPng(loops))).toMatchObject({ orientation: 1, personal: [] })
  const artist = Buffer.from('013b00020090000000100000', 'hex')
  const artists = bytes('MM\0*', u32(8), '\x13\0', ...Array(0x1300).fill(artist))
  const bomb = chunk('zTXt', 'a\0\0', deflated(Buffer.alloc(5_000_000)))
  const profile = (text: string) =>
    chunk('zTXt', 'Raw profile type exif\0\0', deflated(Buffer.alloc(1 << 20, text)))
  for (const taken of [
    xmpPng('<a:creator>'.repeat(900_000)),
    xmpPng(`<a:creator>${'<'.repeat(9_900)}</a:creator>`.repeat(900)),
    xmpPng(`:GPS${'Lat'.repeat(20)}`.repeat(140_000)),
    xmpPng('a\0'.repeat(4_500_000)),
    exifPng(artists, Buffer.alloc(9_900_000)),
    png(...Array(500).fill(bomb)),
    ...texts('\n¦1\n¦x\n¦ ').map((text) => png(profile(text))),
  ])
    expect(problem(taken)).toBe('none')
  const pieces = Array<Buffer>(1_900).fill(moreXmp(0, ' a:creator="b"'))
  expect(read(jpeg(...pieces)).personal).toEqual(['the name of the creator'])
  for (const countless of [
    gif(Buffer.concat(Array(500_000).fill(gifFrame))),
    jpeg(...Array(3_000).fill(jfif)),
    png(...Array(501).fill(bomb)),
    avif([], { properties: Array(101).fill(box('uuid', xmp)) }),
    bytes(avif([]), ...Array<Buffer>(2_000).fill(box('free'))),
    riff(vp8x(2), riffChunk('ANMF', Buffer.alloc(16), ...Array<Buffer>(20).fill(vp8l))),
    xmpPng('x:GPSLatitude="'.repeat(600_000)),
    xmpPng(':creator '.repeat(1_000_000)),
  ])
    expect(problem(countless)).toBe('picture-broken: it has too many parts')
})

test('WebP that announces a colour profile, and has none, is published without that word', () =>
  expect(read(riff(vp8x(0x20), vp8l)).published).toEqual(riff(vp8x(0), vp8l)))
