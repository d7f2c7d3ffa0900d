import { place, readExif } from './exif.ts'
import { startsWith } from './parts.ts'

/** Names of elements and attributes that tell on people, whatever their prefix. */
const personalNames: Record<string, string> = {
  SerialNumber: 'the serial number of the camera',
  BodySerialNumber: 'the serial number of the camera',
  CameraSerialNumber: 'the serial number of the camera',
  LensSerialNumber: 'the serial number of the lens',
  OwnerName: "the name of the camera's owner",
  CameraOwnerName: "the name of the camera's owner",
  Artist: 'the name of the artist',
  creator: 'the name of the creator',
  contributor: 'the name of a contributor',
  Author: 'the name of the author',
  CaptionWriter: 'the name of who wrote the caption',
  CreatorContactInfo: 'how the creator is reached',
  PersonInImage: 'the name of a person in the picture',
  PersonDisplayName: 'the name of a person in the picture',
  RegionList: 'where in the picture which person is',
  Location: 'the name of a place',
  City: 'the name of a place',
  filePath: 'the path of a file on the computer',
  linkForm: 'the path of a file on the computer',
}

const named = new RegExp(`:(?:${Object.keys(personalNames).join('|')}|GPS[A-Za-z]{1,40})(?=[\\s=>/])`, 'gi')

/** A piece of XMP with one of these names, and whether it says anything. */
type Found = { readonly from: number; readonly to: number; readonly name: string; readonly says: boolean }

/** What XMP tells on people, in words. It is read by its names alone: a prefix may be any, and broken XML tells as well. */
export const readXmp = (xmp: Buffer): readonly string[] =>
  search(plain(xmp)).flatMap(({ name, says }) => {
    if (!says) return []
    if (/^gps.*(?:lat|long|position|coordinates)/i.test(name)) return [place]
    return lowerNames.get(name.toLowerCase()) ?? []
  })

/** The same XMP with blanks where it told on people; `undefined` if the whole of it has to go. */
export const cleanXmp = (xmp: Buffer): Buffer | undefined => {
  if (xmp.includes(0)) return undefined
  const cleaned = Buffer.from(xmp)
  for (const { from, to } of search(xmp.toString('latin1'))) cleaned.fill(0x20, from, to)
  return cleaned
}

const lowerNames = new Map(Object.entries(personalNames).map(([name, words]) => [name.toLowerCase(), words]))

/** UTF-16 and UTF-32 become readable without their zero bytes. */
const plain = (xmp: Buffer): string =>
  (xmp.includes(0) ? Buffer.from(xmp.filter((byte) => byte !== 0)) : xmp).toString('latin1')

/** Each attribute (`prefix:Name="value"`) and each element (`<prefix:Name>value</prefix:Name>`), from left to right. */
const search = (text: string): readonly Found[] => {
  const found: Found[] = []
  named.lastIndex = 0
  for (let match = named.exec(text); match !== null; match = named.exec(text)) {
    let from = match.index
    while (from > 0 && match.index - from < 64 && /[\w.-]/.test(text[from - 1]!)) from -= 1
    const piece = (text[from - 1] === '<' ? element : attribute)(text, from, named.lastIndex)
    if (piece === undefined) continue
    found.push({ name: match[0].slice(1), ...piece })
    named.lastIndex = piece.to
  }
  return found
}

/** As much of a value as is looked at. */
const mostOfValue = 1_000
const isSaid = (text: string): boolean => /\S/.test(text)

const attribute = (text: string, from: number, nameEnd: number): Omit<Found, 'name'> | undefined => {
  const opening = /^\s*=\s*(["'])/.exec(text.slice(nameEnd, nameEnd + 20))
  if (opening === null) return undefined
  const start = nameEnd + opening[0].length
  const end = text.indexOf(opening[1]!, start)
  const to = end === -1 ? text.length : end + 1
  return { from, to, says: isSaid(text.slice(start, Math.min(to - 1, start + mostOfValue))) }
}

const element = (text: string, from: number, nameEnd: number): Omit<Found, 'name'> => {
  const piece = (to: number, said: string) => ({ from: from - 1, to, says: isSaid(said) })
  const opened = text.indexOf('>', nameEnd)
  const inTag = text.slice(nameEnd, nameEnd + mostOfValue)
  if (opened === -1) return piece(text.length, inTag)
  const values = attributeValues(inTag.slice(0, opened - nameEnd))
  if (text[opened - 1] === '/') return piece(opened + 1, values)
  const closing = text.indexOf(`</${text.slice(from, nameEnd)}`, opened)
  const inside = text.slice(opened + 1, Math.min(closing === -1 ? text.length : closing, opened + 10_000))
  const closed = closing === -1 ? -1 : text.indexOf('>', closing)
  const said = inside.replace(/<[^<>]{0,1000}>/g, (tag) => ` ${attributeValues(tag)} `)
  return piece(closed === -1 ? text.length : closed + 1, said + values)
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

/** What IPTC tells on people, by itself or among Photoshop's resources. */
export const readIptc = (iptc: Buffer): readonly string[] =>
  startsWith(iptc, '8BIM') ? readResources(iptc) : readDataSets(iptc)

/** Each "8BIM", a number, a padded name, a length, padded data: IPTC is 0404, and EXIF and XMP may be there, too. */
const readResources = (bytes: Buffer): readonly string[] => {
  const tells: string[] = []
  for (let at = 0; at + 12 <= bytes.length && startsWith(bytes, '8BIM', at); ) {
    const from = at + 10 + 2 * Math.floor((bytes[at + 6]! + 2) / 2)
    if (from > bytes.length) break
    const to = from + bytes.readUInt32BE(from - 4)
    const data = bytes.subarray(from, to)
    const number = bytes.readUInt16BE(at + 4)
    const read = resourceReaders[number]?.(data) ?? []
    for (const words of read) tells.push(words)
    at = to + ((to - from) % 2)
  }
  return tells
}

const resourceReaders: Record<number, (data: Buffer) => readonly string[] | undefined> = {
  1028: (data) => readDataSets(data),
  1058: (data) => readExif(data)?.tells,
  1060: readXmp,
}

/** Data sets of 1C, a record, a number, a length. */
const readDataSets = (iptc: Buffer): readonly string[] => {
  const tells: string[] = []
  for (let at = 0; at + 5 <= iptc.length && iptc[at] === 0x1c; ) {
    const length = iptc.readUInt16BE(at + 3)
    const words = iptc[at + 1] === 2 ? iptcTags[iptc[at + 2]!] : undefined
    if (words !== undefined && length > 0) tells.push(words)
    at += 5 + (length < 0x8000 ? length : iptc.length)
  }
  return tells
}

/** What a text of a PNG tells on people, by its name. */
export const readText = (key: string, value: Buffer): readonly string[] => {
  if (!/\S/.test(value.toString('latin1', 0, 1_000))) return []
  if (/gps.*(?:lat|long|position)/i.test(key)) return [place]
  if (/^(?:exif:)?(?:author|artist|creator)|owner/i.test(key)) return ['the name of the author']
  return /serial/i.test(key) ? ['a serial number'] : []
}
