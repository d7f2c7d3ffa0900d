import { type Metadata, type Part, startsWith } from './parts.ts'

// What metadata tells on people: EXIF, XMP, IPTC, texts of a PNG, and what stands after a picture's end.

/** Said of metadata that holds a place. The place itself is never printed, as logs of checks are often public. */
export const place = 'where it was taken'

/** A sort of metadata: what it tells on people, and the same bytes without that, if they need not go as a whole. */
type Sort = {
  readonly read: (holds: Buffer) => readonly string[]
  readonly clean: (holds: Buffer) => Buffer | undefined
}

/** What a part tells on people, in words. */
export const tell = (part: Part): readonly string[] => {
  if (part.is === 'after') return readAfter(part.bytes)
  if (!('holds' in part)) return []
  return sortOf(part)?.read(part.holds) ?? readText(part.key ?? '', part.holds)
}

/** What an open part holds, of the same length, without what tells on people; `undefined` if the whole of it has to go. */
export const cleanMetadata = (part: Metadata): Buffer | undefined =>
  part.open ? sortOf(part)?.clean(part.holds) : undefined

/** The tags that tell on people: whose camera, which camera, which computer. */
const personalTags: Record<number, string> = {
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
const gpsPointer = 0x8825
/** Latitude and longitude: of the camera (2, 4), of what it was pointed at (20, 22); area as text (28). */
const gpsTags = new Set([2, 4, 20, 22, 28])

/** Bytes of a value, by its type. */
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
/** Cameras and editors write some hundred entries; these bound what a hostile file can cost. */
const mostEntries = 1_000
const mostBytesOfEach = 1_000

/**
 * Reads EXIF from its TIFF header on: how the picture is turned (1 is upright; 2 to 8 as EXIF counts them), and what it
 * tells on people, in words. Whatever leads out of the bytes is passed over.
 */
export const readExif = (tiff: Buffer): { orientation: number; tells: readonly string[] } => {
  const entries = [...entriesOf(tiff)]
  const orientation = entries.find(({ tag, folder }) => tag === orientationTag && folder === 'main')
  const turned = orientation?.value.length === 2 ? tiff16(tiff, orientation.valueAt) : 1
  const tells = new Set<string>()
  let budget = 2 * tiff.length
  for (const { folder, tag, value } of entries) {
    const words = folder === 'gps' ? gpsTags.has(tag) && place : personalTags[tag]
    if (!words || tells.has(words)) continue
    const start = value.subarray(0, mostBytesOfEach)
    budget -= start.length
    // where values lie on each other, somebody means to keep us busy
    if (budget < 0 || start.some((byte) => byte !== 0 && byte !== 0x20)) tells.add(words)
  }
  return { orientation: turned >= 1 && turned <= 8 ? turned : 1, tells: [...tells] }
}

/** What tells becomes padding, which every program passes over. */
const cleanExif = (tiff: Buffer): Buffer | undefined => {
  const cleaned = Buffer.from(tiff)
  let budget = 2 * tiff.length
  for (const { folder, at, tag, value, valueAt } of entriesOf(tiff)) {
    if (folder !== 'gps' && tag !== gpsPointer && !(tag in personalTags)) continue
    budget -= value.length
    if (budget < 0) return undefined
    cleaned.subarray(valueAt, valueAt + value.length).fill(0)
    cleaned.write(isLittle(tiff) ? '1cea' : 'ea1c', at, 'hex')
  }
  // where values lie on other data, that went with them
  return readExif(cleaned).orientation === readExif(tiff).orientation ? cleaned : undefined
}

/** EXIF that says how the picture is to be turned, and nothing else. */
export const orientationExif = (orientation: number): Buffer => {
  const tiff = Buffer.from('4d4d002a000000080001011200030000000100000000' + '00000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

/** All entries of the folders that hold what is looked for, each folder once. */
function* entriesOf(tiff: Buffer) {
  if (!/^(?:II\*\0|MM\0\*)/.test(tiff.toString('latin1', 0, 4)) || tiff.length < 8) return
  const folders = [{ folder: 'main', start: tiff32(tiff, 4) }]
  const seen = new Set<number>()
  let count = 0
  for (const { folder, start } of folders) {
    if (seen.has(start) || start < 8 || start + 2 > tiff.length) continue
    seen.add(start)
    const end = start + 2 + 12 * tiff16(tiff, start)
    for (let at = start + 2; at < end && at + 12 <= tiff.length; at += 12) {
      if (++count > mostEntries) return
      const tag = tiff16(tiff, at)
      const length = (typeBytes[tiff16(tiff, at + 2)] ?? 0) * tiff32(tiff, at + 4)
      const points = tiff32(tiff, at + 8)
      const valueAt = length > 4 ? points : at + 8
      yield { folder, at, tag, valueAt, value: tiff.subarray(valueAt, valueAt + length) }
      if (tag === exifPointer) folders.push({ folder: 'exif', start: points })
      if (tag === gpsPointer) folders.push({ folder: 'gps', start: points })
    }
    if (folder === 'main' && end + 4 <= tiff.length)
      folders.push({ folder: 'thumbnail', start: tiff32(tiff, end) })
  }
}

const isLittle = (tiff: Buffer): boolean => tiff[0] === 0x49
const tiff16 = (tiff: Buffer, at: number): number =>
  isLittle(tiff) ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
const tiff32 = (tiff: Buffer, at: number): number =>
  isLittle(tiff) ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)

/** What tells on people, and the names of elements and attributes that hold it, whatever their prefix and letter case. */
const personalNames: readonly (readonly [words: string, names: string])[] = [
  [place, 'GPS[A-Z]{0,39}?(?:Lat|Long|Position|Coordinates)[A-Z]{0,39}'],
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
  // taken out with the place, and by itself nothing to tell of
  ['', 'GPS[A-Z]{1,40}'],
]

const anyName = personalNames.map(([, names]) => `(${names})`).join('|')
const named = new RegExp(`:(?<=(<?)([\\w.-]{0,64}):)(?:${anyName})(?=[\\s=>/])`, 'gi')

/** What XMP tells on people, in words. It is read by its names alone: a prefix may be any, and broken XML tells as well. */
const readXmp = (xmp: Buffer): readonly string[] => {
  // UTF-16 and UTF-32 become readable without their zero bytes
  const text = xmp.includes(0) ? bytesAbove(xmp, 0) : xmp
  return [...search(text.toString('latin1'))].map(({ words }) => words).filter(Boolean)
}

/** The bytes that are greater than a limit. */
export const bytesAbove = (bytes: Buffer, limit: number): Buffer => {
  const left = Buffer.alloc(bytes.length)
  let end = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte > limit) left[end++] = byte
  }
  return left.subarray(0, end)
}

/** Blanks stand where it told. */
const cleanXmp = (xmp: Buffer): Buffer | undefined => {
  const found = xmp.includes(0) ? undefined : [...search(xmp.toString('latin1'))]
  if (found === undefined || found.length === mostEntries) return undefined
  const cleaned = Buffer.from(xmp)
  for (const { from, to } of found) cleaned.fill(0x20, from, to)
  return cleaned
}

/**
 * Each attribute (`prefix:Name="value"`) and each element (`<prefix:Name>value</prefix:Name>`) with one of these names, from
 * left to right; `words` are empty if it says nothing.
 */
function* search(text: string) {
  named.lastIndex = 0
  for (let count = 0; count < mostEntries; count += 1) {
    const match = named.exec(text)
    if (match === null) return
    const [name, opening, prefix, ...groups] = match
    const from = match.index - prefix!.length - opening!.length
    const read = opening === '<' ? element : attribute
    const { to, said } = read(text, named.lastIndex, `${prefix}${name}`)
    if (to === undefined) continue
    yield { from, to, words: /\S/.test(said) ? personalNames[groups.findIndex(Boolean)]![0] : '' }
    named.lastIndex = to
  }
}

/** As much of a value as is looked at. */
const mostOfValue = 1_000

/** Where an attribute ends after its name, and what it says. */
const attribute = (text: string, nameEnd: number) => {
  const opening = /^\s*=\s*(["'])/.exec(text.slice(nameEnd, nameEnd + 20))
  if (opening === null) return { to: undefined, said: '' }
  const start = nameEnd + opening[0].length
  const end = text.indexOf(opening[1]!, start)
  const to = end === -1 ? text.length : end + 1
  return { to, said: text.slice(start, Math.min(to - 1, start + mostOfValue)) }
}

const element = (text: string, nameEnd: number, name: string) => {
  const opened = text.indexOf('>', nameEnd)
  const inTag = text.slice(nameEnd, nameEnd + mostOfValue)
  if (opened === -1) return { to: text.length, said: inTag }
  const values = attributeValues(inTag.slice(0, opened - nameEnd))
  if (text[opened - 1] === '/') return { to: opened + 1, said: values }
  const closing = text.indexOf(`</${name}`, opened)
  const inside = text.slice(
    opened + 1,
    Math.min(closing === -1 ? text.length : closing, opened + mostOfValue),
  )
  const closed = closing === -1 ? -1 : text.indexOf('>', closing)
  const said = inside.replace(/<[^<>]{0,1000}>/g, (tag) => ` ${attributeValues(tag)} `)
  return { to: closed === -1 ? text.length : closed + 1, said: said + values }
}

/** Values that stand in a tag, but for what XMP says about its own form. */
const attributeValues = (tag: string): string =>
  [...tag.matchAll(/(?<!\S)(\S{1,80})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/g)]
    .filter(([, name]) => !/^(?:xml|rdf:parseType)/.test(name!))
    .map(([, , one, other]) => one ?? other)
    .join(' ')

const iptcTags: Record<number, string> = {
  80: 'the name of who made it',
  90: 'the name of a place',
  92: 'the name of a place',
  118: 'how its maker is reached',
  122: 'the name of who wrote the caption',
}

/** Photoshop's: each "8BIM", a number, a padded name, a length, padded data. IPTC may be there, and EXIF and XMP. */
function* resourcesIn(bytes: Buffer) {
  let at = 0
  for (let count = 0; count < mostEntries && isResource(bytes, at); count += 1) {
    const from = at + 10 + 2 * Math.floor((bytes[at + 6]! + 2) / 2)
    if (from > bytes.length) break
    const to = from + bytes.readUInt32BE(from - 4)
    yield { number: bytes.readUInt16BE(at + 4), data: bytes.subarray(from, to) }
    at = to + ((to - from) % 2)
  }
}

/** IPTC: data sets of 1C, a record, a number, a length; with what each tells on people. */
function* dataSetsIn(iptc: Buffer) {
  let at = 0
  for (let count = 0; count < mostEntries && iptc[at] === 0x1c; count += 1) {
    if (at + 5 > iptc.length) return
    const length = iptc.readUInt16BE(at + 3)
    const end = at + 5 + (length < 0x8000 ? length : iptc.length)
    const words = iptc[at + 1] === 2 && length > 0 ? iptcTags[iptc[at + 2]!] : undefined
    yield { words, bytes: iptc.subarray(at, end) }
    at = end
  }
}

const exif: Sort = { read: (tiff) => readExif(tiff).tells, clean: cleanExif }
const xmp: Sort = { read: readXmp, clean: cleanXmp }
const dataSets: Sort = {
  read: (iptc) => [...dataSetsIn(iptc)].flatMap(({ words }) => words ?? []),
  // those that tell go, the others move up, and zeros stand at the end, which programs pass over
  clean: (iptc) => {
    const left = [...dataSetsIn(iptc)].filter(({ words }) => words === undefined)
    return Buffer.concat(
      [...left.map(({ bytes }) => bytes), Buffer.alloc(iptc.length)],
      iptc.length,
    )
  },
}
/** By number. */
const resources: Readonly<Record<number, Sort>> = { 1028: dataSets, 1058: exif, 1060: xmp }
const photoshop: Sort = {
  read: (bytes) =>
    [...resourcesIn(bytes)].flatMap(({ number, data }) => resources[number]?.read(data) ?? []),
  clean: (bytes) => {
    const cleaned = Buffer.from(bytes)
    for (const { number, data } of resourcesIn(cleaned)) resources[number]?.clean(data)?.copy(data)
    return cleaned
  },
}

const sortOf = ({ is, holds }: Metadata): Sort | undefined => {
  if (is === 'iptc') return isResource(holds) ? photoshop : dataSets
  if (is === 'exif') return exif
  return is === 'text' ? undefined : xmp
}

const isResource = (bytes: Buffer, at = 0): boolean =>
  at + 12 <= bytes.length && startsWith(bytes, '8BIM', at)

/** What a text of a PNG tells on people, by its name. */
const readText = (key: string, value: Buffer): readonly string[] => {
  if (!/\S/.test(value.toString('latin1', 0, 1_000))) return []
  const ofPlace = /gps(.*)/i.exec(key)?.[1] ?? ''
  if (/lat|long|position/i.test(ofPlace)) return [place]
  if (/^(?:exif:)?(?:author|artist|creator)|owner/i.test(key)) return ['the name of the author']
  return /serial/i.test(key) ? ['a serial number'] : []
}

/** Padding tells nothing; phones write a video there, and cameras a second picture, with EXIF or XMP of its own. */
const readAfter = (bytes: Buffer): readonly string[] => {
  if (!bytes.some((byte) => byte !== 0 && byte !== 0xff && byte !== 0x0a && byte !== 0x0d))
    return []
  const still = bytes.includes('\xff\xd8\xff', 0, 'latin1') ? 'another picture' : 'data'
  const what = `${bytes.includes('ftyp') ? 'a video' : still} after its end`
  const hasPlace =
    bytes.includes('GPSLatitude') ||
    [...exifIn(bytes)].some((tiff) => readExif(tiff).tells.includes(place))
  return hasPlace ? [place, what] : [what]
}

/** Whatever may be EXIF: its header stands in each kind of picture. */
function* exifIn(bytes: Buffer): Generator<Buffer> {
  for (const start of ['II*\0', 'MM\0*']) {
    let at = bytes.indexOf(start)
    for (let count = 0; at !== -1 && count < 10; count += 1) {
      yield bytes.subarray(at)
      at = bytes.indexOf(start, at + 1)
    }
  }
}
