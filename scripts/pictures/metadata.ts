import { latin1Above, startsWith } from './parts.ts'

// What metadata tells on people: EXIF, XMP, IPTC, and what stands after a picture's end.

/**
 * Said of metadata that holds a place. The place itself is never printed, as logs of checks
 * are often public.
 */
export const place = 'where it was taken'

/** Something in metadata. */
export type Find = {
  /** What it tells on people, if it tells anything. */
  readonly words?: string | undefined
  /** What has to go with all that tells: a piece of the metadata's own memory. */
  readonly piece?: Buffer | undefined
  /** Latin-1 that then stands there, again and again; zeros without it. */
  readonly by?: string
}

/** What metadata holds. Not all that tells can be overwritten: what is left tells once more. */
export const find = (holds: Buffer): Iterable<Find> => {
  if (isExif(holds)) return findInExif(holds)
  if (holds[0] === dataSetMark) return findInDataSets(holds)
  return startsWith(holds, '8BIM') ? findInResources(holds) : findInXmp(holds)
}

const isExif = (holds: Buffer) => /^(?:II\*\0|MM\0\*)/.test(holds.toString('latin1', 0, 4))

const gpsPointer = 0x8825
/** The tags that tell on people: whose camera, which camera, which computer. */
const personalTags: Readonly<Record<number, string>> = {
  [gpsPointer]: '',
  315: 'the name of the artist',
  316: 'the name of the computer',
  37500: 'notes of the camera maker, which hold serial numbers and more',
  40093: 'the name of the author',
  42032: "the name of the camera's owner",
  42033: 'the serial number of the camera',
  42037: 'the serial number of the lens',
  42039: 'the name of the photographer',
  42040: 'the name of the editor',
  50735: 'the serial number of the camera',
}
const orientationTag = 0x0112
const exifPointer = 0x8769
/**
 * Latitude and longitude: of the camera (2, 4), of what it was pointed at (20, 22); area as
 * text (28).
 */
const gpsTags = [2, 4, 20, 22, 28]

/** Bytes of a value, by its type. */
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
/** As much of a value as is looked at. */
const mostOfValue = 500

/**
 * How EXIF, from its TIFF header on, turns the picture: 1 is upright; 2 to 8 as EXIF counts
 * them.
 */
export const readOrientation = (tiff: Buffer): number => {
  for (const { folder, tag, value } of entriesOf(tiff)) {
    if (folder !== 'main') break
    if (tag !== orientationTag) continue
    const [one = 0, other = 0] = value
    const turned = isLittle(tiff) ? one + 256 * other : 256 * one + other
    return value.length === 2 && turned >= 1 && turned <= 8 ? turned : 1
  }
  return 1
}

/** EXIF that says how the picture is to be turned, and nothing else. */
export const orientationExif = (orientation: number): Buffer => {
  const tiff = Buffer.from('4d4d002a000000080001011200030000000100000000' + '00000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

/** What tells becomes padding, which every program passes over. */
function* findInExif(tiff: Buffer): Iterable<Find> {
  const padding = isLittle(tiff) ? '\x1c\xea' : '\xea\x1c'
  let budget = 2 * tiff.length
  for (const { folder, at, tag, value } of entriesOf(tiff)) {
    const inGps = gpsTags.includes(tag) ? place : ''
    const words = folder === 'gps' ? inGps : personalTags[tag]
    if (words !== undefined) budget -= value.length
    // where values lie on each other, somebody means to keep us busy
    if (words === undefined || budget < 0) yield { words }
    else {
      yield { words: says(value) ? words : '', piece: value }
      yield { piece: tiff.subarray(at, at + 2), by: padding }
    }
  }
}

const says = (value: Buffer) =>
  value.subarray(0, mostOfValue).some((byte) => byte !== 0 && byte !== 0x20)

/**
 * All entries of the folders that hold what is looked for, each folder once. Whatever leads
 * out of the bytes is passed over.
 */
function* entriesOf(tiff: Buffer) {
  if (!isExif(tiff) || tiff.length < 8) return
  const numberAt = (at: number, length: number) =>
    isLittle(tiff) ? tiff.readUIntLE(at, length) : tiff.readUIntBE(at, length)
  const folders = [{ folder: 'main', start: numberAt(4, 4) }]
  const seen = new Set<number>()
  let entries = 0
  for (const { folder, start } of folders) {
    if (seen.has(start) || start < 8 || start + 2 > tiff.length) continue
    seen.add(start)
    const end = start + 2 + 12 * numberAt(start, 2)
    for (let at = start + 2; at < end && at + 12 <= tiff.length; at += 12) {
      // cameras and editors write some hundred; damaged EXIF seems to have any number
      if (++entries > 1_000) return
      const tag = numberAt(at, 2)
      const length = (typeBytes[numberAt(at + 2, 2)] ?? 0) * numberAt(at + 4, 4)
      const points = numberAt(at + 8, 4)
      const valueAt = length > 4 ? points : at + 8
      if (tag === exifPointer) folders.push({ folder: 'exif', start: points })
      if (tag === gpsPointer) folders.push({ folder: 'gps', start: points })
      yield { folder, at, tag, value: tiff.subarray(valueAt, valueAt + length) }
    }
    if (folder === 'main' && end + 4 <= tiff.length)
      folders.push({ folder: 'thumbnail', start: numberAt(end, 4) })
  }
}

const isLittle = (tiff: Buffer) => tiff[0] === 0x49

/**
 * What tells on people, and the names of elements and attributes that hold it, whatever their
 * prefix and letter case.
 */
const personalNames: readonly (readonly [words: string, names: string])[] = [
  ['the serial number of the camera', '(?:Body|Camera)?SerialNumber'],
  ['the serial number of the lens', 'LensSerialNumber'],
  ["the name of the camera's owner", '(?:Camera)?OwnerName'],
  ['the name of the artist', 'Artist'],
  ['the name of the creator', 'creator'],
  ['the name of a contributor', 'contributor'],
  ['the name of the author', 'Author'],
  ['the name of who wrote the caption', 'CaptionWriter'],
  ['how the creator is reached', 'CreatorContactInfo'],
  ['the name of a person in the picture', 'PersonInImage|PersonDisplayName'],
  ['where in the picture which person is', 'RegionList'],
  ['the name of a place', 'Location|City'],
  ['the path of a file on the computer', 'filePath|linkForm'],
  // taken out with the place, and most of it nothing to tell of by itself
  ['', 'GPS[A-Z]{1,60}'],
]

const anyName = personalNames.map(([, names]) => `(${names})`).join('|')
const nameOfXmp = new RegExp(`:(?:${anyName})(?=[\\s=>/])`, 'gi')
const placeName = /^:GPS.*(?:Lat|Long|Position|Coordinates)/i

/**
 * Blanks stand in place of each attribute (`prefix:Name="value"`) and each element
 * (`<prefix:Name>value</prefix:Name>`) that tells. XMP is read by its names alone: a prefix
 * may be any, and broken XML tells as well.
 */
function* findInXmp(xmp: Buffer): Iterable<Find> {
  // UTF-16 and UTF-32 become readable without their zero bytes
  const isWide = xmp.includes(0)
  const text = isWide ? latin1Above(0, xmp.subarray(0, 1 << 18)) : xmp.toString('latin1')
  const named = new RegExp(nameOfXmp)
  for (let match = named.exec(text); match; match = named.exec(text)) {
    const [name, ...groups] = match
    const before = text.slice(Math.max(0, match.index - 65), match.index)
    const [start = '', opening, prefix = ''] = /(<?)([\w.-]{0,64})$/.exec(before) ?? []
    const nameEnd = named.lastIndex
    const end =
      opening === '<' ? elementEnd(text, nameEnd, prefix + name) : attributeEnd(text, nameEnd)
    if (end === undefined) {
      yield {}
      continue
    }
    const words = placeName.test(name) ? place : personalNames[groups.findIndex(Boolean)]?.[0]
    const isSaid = saysMore(text.slice(nameEnd, Math.min(end, nameEnd + mostOfValue)))
    const piece = isWide ? undefined : xmp.subarray(match.index - start.length, end)
    yield { words: isSaid ? words : '', piece, by: ' ' }
    named.lastIndex = end
  }
}

/** Where a text ends that comes next. */
const endOf = (what: string, text: string, from: number) => {
  const at = text.indexOf(what, from)
  return at === -1 ? text.length : at + what.length
}

const attributeEnd = (text: string, nameEnd: number) => {
  const [opening, quote = ''] = /^\s*=\s*(["'])/.exec(text.slice(nameEnd, nameEnd + 20)) ?? []
  return opening === undefined ? undefined : endOf(quote, text, nameEnd + opening.length)
}

const elementEnd = (text: string, nameEnd: number, name: string) => {
  const opened = endOf('>', text, nameEnd)
  return text[opened - 2] === '/'
    ? opened
    : endOf('>', text, endOf(`</${name}`, text, opened))
}

/** Whether there is a text or a value, but for what XMP says about its own form. */
const saysMore = (xml: string) =>
  />\s*[^\s<]|=\s*(["'])\s*(?!\1)\S/.test(
    xml.replace(/\s(?:xml|rdf:parseType)[^\s=]*\s*=/g, ''),
  )

const iptcTags: Readonly<Record<number, string>> = {
  80: 'the name of who made it',
  90: 'the name of a place',
  92: 'the name of a place',
  118: 'how its maker is reached',
  122: 'the name of who wrote the caption',
}

const dataSetMark = 0x1c

/**
 * IPTC: data sets of 1C, a record, a number, a length. Those that tell go, the others move
 * up, and zeros stand at the end, which programs pass over.
 */
function* findInDataSets(iptc: Buffer): Iterable<Find> {
  const others: Buffer[] = []
  let at = 0
  while (iptc[at] === dataSetMark && at + 5 <= iptc.length) {
    const length = iptc.readUInt16BE(at + 3)
    const end = length < 0x8000 ? at + 5 + length : iptc.length
    const words = iptc[at + 1] === 2 && length > 0 ? iptcTags[iptc[at + 2] ?? 0] : undefined
    if (!words) others.push(iptc.subarray(at, end))
    yield { words }
    at = end
  }
  yield { piece: iptc, by: Buffer.concat(others, iptc.length).toString('latin1') }
}

/**
 * Photoshop's: each "8BIM", a number, a padded name, a length, padded data. By number, those
 * that may tell.
 */
const resources: Readonly<Record<number, (holds: Buffer) => Iterable<Find>>> = {
  1028: findInDataSets,
  1058: findInExif,
  1060: findInXmp,
}

function* findInResources(bytes: Buffer): Iterable<Find> {
  let at = 0
  while (startsWith(bytes, '8BIM', at)) {
    const from = at + 10 + 2 * Math.floor(((bytes[at + 6] ?? 0) + 2) / 2)
    if (from > bytes.length) break
    const to = from + bytes.readUInt32BE(from - 4)
    yield* resources[bytes.readUInt16BE(at + 4)]?.(bytes.subarray(from, to)) ?? [{}]
    at = to + ((to - from) % 2)
  }
}

/**
 * Padding tells nothing; phones write a video there, and cameras a second picture, with EXIF
 * or XMP of its own.
 */
export function* findAfter(bytes: Buffer): Iterable<Find> {
  if (!/[^\0\n\r\xff]/.test(bytes.toString('latin1'))) return
  const still = bytes.includes('\xff\xd8\xff', 0, 'latin1') ? 'another picture' : 'data'
  yield { words: `${bytes.includes('ftyp') ? 'a video' : still} after its end` }
  if (bytes.includes('GPSLatitude')) yield { words: place }
  for (const start of ['II*\0', 'MM\0*'])
    for (const { words } of findInExif(bytes.subarray(bytes.indexOf(start))))
      yield { words: words === place ? place : '' }
}
