import type { Told } from './exif.ts'

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

type Found = { readonly from: number; readonly to: number; readonly name: string; readonly value: string }

/** What XMP tells on people. It is read by its names alone: a prefix may be any, and broken XML tells as well. */
export const readXmp = (xmp: Buffer): Told => {
  const found = search(plain(xmp)).filter(({ value }) => value !== '')
  const hasPlace = found.some(({ name }) => /^gps.*(?:lat|long|position|coordinates)/i.test(name))
  const personal = found.flatMap(({ name }) => lowerNames.get(name.toLowerCase()) ?? [])
  return { hasPlace, personal }
}

/** The same XMP with blanks where it told on people; `undefined` if the whole of it has to go. */
export const cleanXmp = (xmp: Buffer): Buffer | undefined => {
  const cleaned = Buffer.from(xmp)
  if (xmp.includes(0)) return undefined
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
    const name = match[0].slice(1)
    const nameEnd = match.index + match[0].length
    const piece = text[from - 1] === '<' ? element(text, from, nameEnd) : attribute(text, from, nameEnd)
    if (piece === undefined) continue
    found.push({ name, ...piece })
    named.lastIndex = piece.to
  }
  return found
}

type Piece = { readonly from: number; readonly to: number; readonly value: string }

const attribute = (text: string, from: number, nameEnd: number): Piece | undefined => {
  const opening = /^\s*=\s*(["'])/.exec(text.slice(nameEnd, nameEnd + 20))
  if (opening === null) return undefined
  const start = nameEnd + opening[0].length
  const end = text.indexOf(opening[1]!, start)
  const to = end === -1 ? text.length : end + 1
  return { from, to, value: trimmed(text.slice(start, Math.min(to - 1, start + 1_000))) }
}

const element = (text: string, from: number, nameEnd: number): Piece => {
  const opened = text.indexOf('>', nameEnd)
  if (opened === -1)
    return { from: from - 1, to: text.length, value: trimmed(text.slice(nameEnd, nameEnd + 1_000)) }
  const inTag = text.slice(nameEnd, Math.min(opened, nameEnd + 1_000))
  if (text[opened - 1] === '/') return { from: from - 1, to: opened + 1, value: attributeValues(inTag) }
  const closing = text.indexOf(`</${text.slice(from, nameEnd)}`, opened)
  const end = closing === -1 ? text.length : closing
  const closed = closing === -1 ? -1 : text.indexOf('>', closing)
  const inside = text.slice(opened + 1, Math.min(end, opened + 10_000))
  const value = trimmed(inside.replace(/<[^<>]{0,1000}>/g, (tag) => ` ${attributeValues(tag)} `))
  return {
    from: from - 1,
    to: closed === -1 ? text.length : closed + 1,
    value: value || attributeValues(inTag),
  }
}

/** Values that stand in the tag itself, but for what XMP says about its own form. */
const attributeValues = (tag: string): string =>
  [...tag.matchAll(/(?<!\S)(\S{1,80})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/g)]
    .filter(([, name]) => !/^(?:xml|rdf:parseType)/.test(name!))
    .map(([, , one, other]) => one ?? other ?? '')
    .join(' ')

const trimmed = (value: string): string => value.trim().slice(0, 100)

const iptcTags: Record<number, string> = {
  80: 'the name of who made it',
  90: 'the name of a place',
  92: 'the name of a place',
  118: 'how its maker is reached',
  122: 'the name of who wrote the caption',
}

/** What IPTC tells on people: data sets of 1C, a record, a number, a length. */
export const readIptc = (iptc: Buffer): Told => {
  const personal: string[] = []
  for (let at = 0; at + 5 <= iptc.length && iptc[at] === 0x1c; ) {
    const length = iptc.readUInt16BE(at + 3)
    const words = iptc[at + 1] === 2 ? iptcTags[iptc[at + 2]!] : undefined
    if (words !== undefined && length > 0) personal.push(words)
    at += 5 + (length < 0x8000 ? length : iptc.length)
  }
  return { hasPlace: false, personal }
}

/** What a text of a PNG tells on people, by its name. */
export const readText = (key: string, value: Buffer): Told => {
  if (!/\S/.test(value.toString('latin1', 0, 1_000))) return { hasPlace: false, personal: [] }
  if (/gps.*(?:lat|long|position)/i.test(key)) return { hasPlace: true, personal: [] }
  if (/^(?:exif:)?(?:author|artist|creator)|owner/i.test(key))
    return { hasPlace: false, personal: ['the name of the author'] }
  return { hasPlace: false, personal: /serial/i.test(key) ? ['a serial number'] : [] }
}
