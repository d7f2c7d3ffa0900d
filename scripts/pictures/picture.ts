/**
 * Pictures as bytes: what a file is, whether it is whole, what it tells on people, and what
 * of it is published. Nothing is decoded and nothing compressed, so the same file gives the
 * same bytes on every machine. Read `parts.ts` next, then one kind, such as `png.ts`.
 */

import { compareText } from '../text/order.ts'
import { readAvif } from './avif.ts'
import { readGif } from './gif.ts'
import { readJpeg } from './jpeg.ts'
import {
  type Find,
  find,
  findAfter,
  orientationExif,
  place,
  readOrientation,
} from './metadata.ts'
import {
  assertFew,
  BrokenPicture,
  broken,
  type Kind,
  type Part,
  type Reader,
  type Shape,
  startsWith,
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
  /**
   * The file without the place and `personal`, and otherwise as it is; the file itself if
   * there is nothing to take out, and `published` if its metadata is made to defeat that.
   */
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

/** How each kind begins, and what takes it apart. */
const kinds: Readonly<Record<Kind, { readonly begins: RegExp; readonly read: Reader }>> = {
  jpg: { begins: /^\xff\xd8\xff/, read: readJpeg },
  png: { begins: /^\x89PNG\r\n\x1a\n/, read: readPng },
  webp: { begins: /^RIFF.{4}WEBP/s, read: readWebp },
  gif: { begins: /^GIF8[79]a/, read: readGif },
  avif: { begins: /^ftyp.* avi[fs]\b/s, read: readAvif },
}

const kindNames = Object.keys(kinds) as Kind[]

/** The kind that an ending promises, in whatever case. */
export const kindOfName = (name: string): Kind | undefined => {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase().replace('jpeg', 'jpg')
  return kindNames.find((kind) => kind === ending)
}

export const kindOf = (file: Buffer): Kind | undefined => {
  const begins = beginningOf(file)
  return kindNames.find((kind) => kinds[kind].begins.test(begins))
}

/**
 * The first letters of a file; of one that is made of boxes what it is for, such as "ftyp
 * avif mif1".
 */
const beginningOf = (file: Buffer) => {
  if (file.length < 16 || !startsWith(file, 'ftyp', 4))
    return file.toString('latin1', 0, 1_000)
  const others = file.toString('latin1', 16, Math.min(file.readUInt32BE(0), 200))
  return ['ftyp', file.toString('latin1', 8, 12), ...(others.match(/.{4}/gs) ?? [])].join(' ')
}

/** Reads a picture, or says why it can't be published. Never throws for what the bytes say. */
export const readPicture = (
  bytes: Uint8Array,
): Picture | { readonly problem: PictureProblem } => {
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

const takeApart = (kind: Kind, file: Buffer) => {
  const parts: Part[] = []
  let end = 0
  const shape = kinds[kind].read(file, (part) => {
    assertFew(parts.push(part), 7_000)
    end += part.bytes.length
  })
  if (end < file.length) parts.push({ bytes: file.subarray(end), is: 'after' })
  const exif = parts.find(isHeeded)?.holds
  return {
    ...shape,
    kind,
    pixels: Math.max(shape.width * shape.height, shape.pixels),
    parts,
    orientation: exif ? readOrientation(exif) : 1,
  }
}

/** Whether viewers turn the picture by it. */
const isHeeded = (part: Part | undefined) => part?.is === 'exif' && part.open === true

type Taken = ReturnType<typeof takeApart>

const compose = (file: Buffer, taken: Taken): Picture => {
  const { kind, width, height, frames, hasAlpha, orientation, parts } = taken
  const found = findIn(parts)
  // all pieces of longer XMP have the same list, which may be long
  const telling = new Set([...new Set(found)].filter((finds) => finds.some(tells)))
  const told = new Set([...telling].flat().flatMap(({ words }) => words || []))
  const hasPlace = told.delete(place)
  const published = taken.published ?? join(taken, ({ shown }) => shown)
  return {
    kind,
    width,
    height,
    frames,
    hasAlpha,
    orientation,
    hasPlace,
    personal: [...told],
    published,
    // made when somebody asks: a build never does
    get cleaned() {
      if (!hasPlace && told.size === 0) return file
      const cleaned = join(taken, (part, index) => {
        const finds = found[index] ?? []
        return telling.has(finds) ? withoutTold(part, finds) : part.bytes
      })
      return tellsNothing(cleaned, published) ? cleaned : published
    },
  }
}

/**
 * Whether a picture tells nothing and looks like this one. What was taken out may have kept
 * other metadata from being read.
 */
const tellsNothing = (file: Buffer, published: Buffer) => {
  const picture = readPicture(file)
  if ('problem' in picture || picture.hasPlace || picture.personal.length > 0) return false
  return picture.published.equals(published)
}

/** What the metadata of each part holds. */
const findIn = (parts: readonly Part[]): readonly (readonly Find[])[] => {
  let count = 0
  const countOne = () => assertFew(++count, 2_000)
  const all = (finds: Iterable<Find>): readonly Find[] => {
    countOne()
    return Array.from(finds, (one) => {
      countOne()
      return one
    })
  }
  const pieces = parts
    .flatMap(({ is, key = '', holds }) =>
      is === 'more-xmp' && holds ? [{ key, holds }] : [],
    )
    .sort((a, b) => compareText(a.key, b.key))
  const moreXmp = all(find(Buffer.concat(pieces.map(({ holds }) => holds))))
  return parts.map(({ is, bytes, holds }) => {
    if (is === 'more-xmp') return moreXmp
    if (is === 'after') return all(findAfter(bytes))
    return holds ? all(find(holds)) : []
  })
}

const tells = ({ words }: Find) => Boolean(words)

/** The bytes of a part of which only that went which tells, if it need not go as a whole. */
const withoutTold = (
  { is, bytes, shown, holds, open, seal }: Part,
  found: readonly Find[],
) => {
  if (!holds || !open) return shown
  const cleaned = Buffer.from(bytes)
  const copyOf = (piece: Buffer): Buffer => {
    const at = piece.byteOffset - bytes.byteOffset
    return cleaned.subarray(at, at + piece.length)
  }
  for (const { piece, by = '\0' } of found) if (piece) copyOf(piece).fill(by, 'latin1')
  const left = copyOf(holds)
  // where values lie on other data, that went with them
  const isTurned = is === 'exif' && readOrientation(left) !== readOrientation(holds)
  if (isTurned || [...find(left)].some(tells)) return shown
  seal?.(cleaned)
  return cleaned
}

/** The file of what is left of each part, with EXIF that says how it is turned. */
const join = (
  { parts, orientation, exif, finish }: Taken,
  leave: (part: Part, index: number) => Buffer | undefined,
): Buffer => {
  const left = parts.map((part, index) => {
    const bytes = leave(part, index)
    return bytes && { ...part, bytes }
  })
  if (orientation !== 1 && exif && !left.some(isHeeded))
    left.splice(exif.index, 0, { bytes: exif.wrap(orientationExif(orientation)), is: 'exif' })
  const all = left.filter((part) => part !== undefined)
  const file = Buffer.concat(all.map(({ bytes }) => bytes))
  finish?.(file, all)
  return file
}

/** What a file is that is no picture of these kinds, by its first bytes. */
export const otherKind = (file: Buffer): PictureProblem => {
  const begins = beginningOf(file)
  if (/^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\//.test(begins)) {
    const advice =
      'run "git lfs pull", or store the picture in git itself: git lfs untrack, then add it again'
    return {
      code: 'picture-pointer',
      is: 'it is a pointer of Git LFS and not the picture',
      advice,
    }
  }
  const [is, , advice = 'export it as PNG, JPEG or WebP'] =
    otherKinds.find(([, form]) => form.test(begins)) ??
    (['no picture that browsers show'] as const)
  return { code: 'picture-kind', is, advice }
}

const heicAdvice =
  'export it as JPEG; an iPhone does so with Settings > Camera > Formats > Most Compatible'

/** What else people take for a picture: its name, how it begins, what to do. */
const otherKinds: readonly (readonly [name: string, form: RegExp, advice?: string])[] = [
  ['an empty file', /^$/, 'export the picture again'],
  ['HEIC', /^ftyp.* (?:he[iv][cxms]|mif1|msf1)\b/, heicAdvice],
  ['SVG', /<svg[\s>]/i, 'export it as PNG or WebP, 2,000 pixels wide'],
  [
    'a video',
    /^(?:ftyp |.E\xdf\xa3)/,
    'take a picture out of it, or make an animation as WebP of it',
  ],
  [
    'a web page',
    /<(?:!doctype html|html)/i,
    'save the picture itself: the download gave a page',
  ],
]
