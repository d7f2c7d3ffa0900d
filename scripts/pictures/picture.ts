/**
 * Pictures as bytes: what a file is, whether it is whole, what it tells on people, and what of it is published. Nothing
 * is decoded and nothing compressed, so the same file gives the same bytes on every machine. Read `parts.ts` next, then
 * one kind, such as `png.ts`.
 */

import { brandsOf, readAvif } from './avif.ts'
import { readGif } from './gif.ts'
import { readJpeg } from './jpeg.ts'
import { orientationExif, place, readAfter, readOrientation, scrub } from './metadata.ts'
import {
  assertFew,
  BrokenPicture,
  broken,
  type Count,
  type Kind,
  type Part,
  type Reader,
  type Shape,
} from './parts.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

export type Picture = Pick<Shape, 'width' | 'height' | 'frames' | 'hasAlpha'> & {
  readonly kind: Kind
  /** 1 is upright; 2 to 8 as EXIF counts them. */
  readonly orientation: number
  /** Whether it says where it was taken. */
  readonly hasPlace: boolean
  /** What else it tells on people, in words. */
  readonly personal: readonly string[]
  /** What visitors get: pixels, frames, colour profile and orientation, and nothing else. */
  readonly published: Buffer
  /** The file without the place and `personal`, and otherwise as it is; the file itself if there is nothing to take out. */
  readonly cleaned: Buffer
}

export type PictureProblem = {
  readonly code: 'picture-kind' | 'picture-broken' | 'picture-too-large' | 'picture-pointer'
  /** Completes the message: what it is, or what is wrong. */
  readonly is: string
  /** What to do instead. */
  readonly advice: string
}

export const mostPictureBytes = 10 * 1024 * 1024
const mostPicturePixels = 100_000_000

const readers: Record<Kind, Reader> = {
  jpg: readJpeg,
  png: readPng,
  webp: readWebp,
  gif: readGif,
  avif: readAvif,
}

/** The kind that an ending promises, in whatever case. */
export const kindOfName = (name: string): Kind | undefined => {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase().replace('jpeg', 'jpg')
  return (Object.keys(readers) as Kind[]).find((kind) => kind === ending)
}

/** Reads a picture, or says why it can't be published. Never throws for what the bytes say. */
export const readPicture = (bytes: Uint8Array): Picture | { readonly problem: PictureProblem } => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.length > mostPictureBytes) return { problem: tooManyBytes(file.length) }
  const kind = kindOf(file)
  if (kind === undefined) return { problem: otherKind(file) }
  try {
    const taken = takeApart(kind, file)
    return taken.pixels > mostPicturePixels
      ? { problem: tooManyPixels(taken) }
      : compose(file, taken)
  } catch (error) {
    // Buffer's own error, which has a code, is that of a value that would lie behind the end
    const known = error instanceof RangeError && 'code' in error ? broken() : error
    if (!(known instanceof BrokenPicture)) throw error
    const advice = 'open it where it was made, and export it again'
    return { problem: { code: 'picture-broken', is: known.message, advice } }
  }
}

/** The problem of a file that is too large to be read at all. */
export const tooManyBytes = (length: number): PictureProblem => ({
  code: 'picture-too-large',
  is: `it has ${(length / 1024 / 1024).toFixed(1)} MiB, more than the 10 allowed`,
  advice: `${smaller}, and have some 500 KB as WebP`,
})

const tooManyPixels = ({ width, height, frames }: Shape): PictureProblem => {
  const film = frames > 1 ? ` in ${frames} frames` : ''
  return {
    code: 'picture-too-large',
    is: `${width} × ${height}${film} are more than the 100 million pixels allowed`,
    advice: smaller,
  }
}

const smaller = 'export it smaller: 2,000 pixels are enough for a large picture on a page'

export const kindOf = (file: Buffer): Kind | undefined => {
  const begins = file.toString('latin1', 0, 12)
  if (begins.startsWith('\xff\xd8\xff')) return 'jpg'
  if (begins.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^RIFF.{4}WEBP/s.test(begins)) return 'webp'
  if (/^GIF8[79]a/.test(begins)) return 'gif'
  return brandsOf(file).some((brand) => brand === 'avif' || brand === 'avis') ? 'avif' : undefined
}

const takeApart = (kind: Kind, file: Buffer) => {
  const parts: Part[] = []
  let end = 0
  let entries = 0
  const count = (): void => assertFew(++entries, 10_000)
  const shape = readers[kind](file, (part) => {
    assertFew(parts.push(part))
    if (part.holds) count()
    end += part.bytes.length
  })
  if (end < file.length) parts.push({ bytes: file.subarray(end), is: 'after' })
  const exif = parts.find(isHeeded)?.holds
  return { ...shape, kind, parts, count, orientation: exif ? readOrientation(exif) : 1 }
}

/** Whether viewers turn the picture by it. */
const isHeeded = (part: Part | undefined): boolean => part?.is === 'exif' && part.open === true

type Taken = ReturnType<typeof takeApart>

const compose = (file: Buffer, taken: Taken): Picture => {
  const { kind, width, height, frames, hasAlpha, orientation, parts, count } = taken
  const moreXmp = tellTogether(parts, count)
  const told = parts.map((part) => (part.is === 'more-xmp' ? moreXmp : tell(part, count)))
  const all = new Set(told.flat())
  const hasPlace = all.delete(place)
  const shown = parts.map(
    ({ is, bytes, instead }) => instead ?? (is === 'picture' ? bytes : undefined),
  )
  const left = parts.map((part, index) =>
    told[index]?.length === 0 ? part.bytes : (withoutTold(part, count) ?? part.instead),
  )
  return {
    kind,
    width,
    height,
    frames,
    hasAlpha,
    orientation,
    hasPlace,
    personal: [...all],
    published: join(taken, shown),
    cleaned: hasPlace || all.size > 0 ? join(taken, left) : file,
  }
}

const tell = ({ is, bytes, holds }: Part, count: Count): readonly string[] => {
  if (is === 'after') return readAfter(bytes, count)
  return holds ? scrub(Buffer.from(holds), count) : []
}

/** What XMP tells that stands in pieces. */
const tellTogether = (parts: readonly Part[], count: Count): readonly string[] => {
  const pieces = parts
    .flatMap(({ is, key = '', holds }) => (is === 'more-xmp' && holds ? [{ key, holds }] : []))
    .sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key))
  return scrub(Buffer.concat(pieces.map(({ holds }) => holds)), count)
}

/** The bytes of a part of which only that went which tells; `undefined` if it has to go as a whole. */
const withoutTold = ({ is, bytes, holds, open }: Part, count: Count): Buffer | undefined => {
  if (!holds || !open) return undefined
  const cleaned = Buffer.from(bytes)
  const at = holds.byteOffset - bytes.byteOffset
  const inside = cleaned.subarray(at, at + holds.length)
  scrub(inside, count)
  // where values lie on other data, that went with them
  const isTurned = is === 'exif' && readOrientation(inside) !== readOrientation(holds)
  return isTurned || scrub(inside, count).length > 0 ? undefined : cleaned
}

/** The file of what is left of each part, with EXIF that says how it is turned. */
const join = (
  { parts, orientation, exif, finish }: Taken,
  left: readonly (Buffer | undefined)[],
): Buffer => {
  const kept = parts.map((part, index) => left[index] && { ...part, bytes: left[index] })
  if (orientation !== 1 && exif && !kept.some(isHeeded))
    kept.splice(exif.index, 0, { bytes: exif.wrap(orientationExif(orientation)), is: 'exif' })
  const all = kept.filter((part) => part !== undefined)
  return Buffer.concat((finish?.(all) ?? all).map(({ bytes }) => bytes))
}

/** What a file is that is no picture of these kinds, by its first bytes. */
export const otherKind = (file: Buffer): PictureProblem => {
  const brands = brandsOf(file)
  const begins = brands.length > 0 ? `ftyp ${brands.join(' ')}` : file.toString('latin1', 0, 1_000)
  if (/^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\//.test(begins)) {
    const advice =
      'run "git lfs pull", or store the picture in git itself: git lfs untrack, then add it again'
    return { code: 'picture-pointer', is: 'it is a pointer of Git LFS and not the picture', advice }
  }
  const [is, , advice = 'export it as PNG, JPEG or WebP'] =
    otherKinds.find(([, form]) => form.test(begins)) ?? (['no picture that browsers show'] as const)
  return { code: 'picture-kind', is, advice }
}

const heicAdvice =
  'export it as JPEG; an iPhone does so with Settings > Camera > Formats > Most Compatible'

/** What else people take for a picture: its name, how it begins, what to do. Of boxes, the brands are looked at. */
const otherKinds: readonly (readonly [name: string, form: RegExp, advice?: string])[] = [
  ['an empty file', /^$/, 'export the picture again'],
  ['HEIC', /^ftyp.* (?:he[iv][cxms]|mif1|msf1)\b/, heicAdvice],
  ['SVG', /<svg[\s>]/i, 'export it as PNG or WebP, 2,000 pixels wide'],
  [
    'a video',
    /^(?:ftyp |.E\xdf\xa3)/,
    'take a picture out of it, or make an animation as WebP of it',
  ],
  ['a web page', /<(?:!doctype html|html)/i, 'save the picture itself: the download gave a page'],
]
