/** Said of metadata that holds it. Where that is is nowhere repeated, as reports of checks are often public. */
export const place = 'where it was taken'

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
/** Cameras write some hundred entries; these bound what a hostile file can cost. */
const mostEntries = 5_000
const mostBytesOfEach = 1_000

export type Exif = {
  /** 1 is upright; 2 to 8 as EXIF counts them. */
  readonly orientation: number
  /** What it tells on people, in words; {@link place} among them. */
  readonly tells: readonly string[]
}

/** Reads EXIF from its TIFF header on; `undefined` if it is none. Whatever leads out of the bytes is passed over. */
export const readExif = (tiff: Buffer): Exif | undefined => {
  const entries = entriesOf(tiff)
  if (entries === undefined) return undefined
  const orientation = entries.find(({ tag, folder }) => tag === orientationTag && folder === 'main')
  const turned = orientation?.value.length === 2 ? tiff16(tiff, orientation.valueAt) : 1
  const tells = entries.flatMap(({ folder, tag, value }) => {
    const start = value.subarray(0, mostBytesOfEach)
    if (folder === 'gps') return gpsTags.has(tag) && start.some(Boolean) ? [place] : []
    return tag in personalTags && /[^\0 ]/.test(start.toString('latin1')) ? [personalTags[tag]!] : []
  })
  return { orientation: turned >= 1 && turned <= 8 ? turned : 1, tells }
}

/**
 * EXIF of the same length without the entries that tell on people. `undefined` if it can't be done; then the whole of it
 * has to go.
 */
export const cleanExif = (tiff: Buffer): Buffer | undefined => {
  const cleaned = Buffer.from(tiff)
  const entries = entriesOf(tiff) ?? []
  let budget = 2 * tiff.length
  const wipe = (from: number, to: number): void => {
    budget -= to - from
    if (budget >= 0) cleaned.fill(0, from, to)
  }
  const tells = ({ folder, tag }: Entry): boolean =>
    folder === 'gps' || tag === gpsPointer || tag in personalTags
  for (const entry of entries) {
    if (tells(entry) && entry.value.length > 4) wipe(entry.valueAt, entry.valueAt + entry.value.length)
  }
  for (const at of new Set(entries.map(({ folderAt }) => folderAt))) {
    const own = entries.filter(({ folderAt }) => folderAt === at)
    const left = own.filter((entry) => !tells(entry))
    if (left.length === own.length) continue
    const end = at + 2 + 12 * tiff16(tiff, at)
    const next = Buffer.from(tiff.subarray(end, end + 4))
    const rest = left.map(({ at: from }) => Buffer.from(tiff.subarray(from, from + 12)))
    wipe(at, Math.min(end + 4, tiff.length))
    if (isLittle(tiff)) cleaned.writeUInt16LE(left.length, at)
    else cleaned.writeUInt16BE(left.length, at)
    Buffer.concat([...rest, next]).copy(cleaned, at + 2)
  }
  return budget >= 0 ? cleaned : undefined
}

/** EXIF that says how the picture is to be turned, and nothing else. */
export const orientationExif = (orientation: number): Buffer => {
  const tiff = Buffer.from('4d4d002a000000080001011200030000000100000000' + '00000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

type Entry = {
  readonly folder: 'main' | 'thumbnail' | 'exif' | 'gps'
  readonly folderAt: number
  readonly at: number
  readonly tag: number
  readonly valueAt: number
  readonly value: Buffer
}

/** All entries of the folders that hold what is looked for, each folder once. */
const entriesOf = (tiff: Buffer): readonly Entry[] | undefined => {
  if (!/^(?:II\*\0|MM\0\*)/.test(tiff.toString('latin1', 0, 4)) || tiff.length < 8) return undefined
  const entries: Entry[] = []
  const seen = new Set<number>()
  const folders: Pick<Entry, 'folder' | 'at'>[] = [{ folder: 'main', at: tiff32(tiff, 4) }]
  for (const { folder, at: folderAt } of folders) {
    if (seen.has(folderAt) || folderAt < 8 || folderAt + 2 > tiff.length) continue
    seen.add(folderAt)
    const end = folderAt + 2 + 12 * tiff16(tiff, folderAt)
    for (let at = folderAt + 2; at < end && at + 12 <= tiff.length; at += 12) {
      if (entries.length === mostEntries) return entries
      const [tag, type] = [tiff16(tiff, at), tiff16(tiff, at + 2)]
      const length = (typeBytes[type] ?? 0) * tiff32(tiff, at + 4)
      const points = tiff32(tiff, at + 8)
      const valueAt = length > 4 ? points : at + 8
      entries.push({ folder, folderAt, at, tag, valueAt, value: tiff.subarray(valueAt, valueAt + length) })
      if (tag === exifPointer) folders.push({ folder: 'exif', at: points })
      if (tag === gpsPointer) folders.push({ folder: 'gps', at: points })
    }
    if (folder === 'main' && end + 4 <= tiff.length)
      folders.push({ folder: 'thumbnail', at: tiff32(tiff, end) })
  }
  return entries
}

const isLittle = (tiff: Buffer): boolean => tiff[0] === 0x49
const tiff16 = (tiff: Buffer, at: number): number =>
  isLittle(tiff) ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
const tiff32 = (tiff: Buffer, at: number): number =>
  isLittle(tiff) ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at)
