/** The kinds of pictures that are published; each is its own extension. */
export type Kind = 'jpg' | 'png' | 'webp' | 'gif' | 'avif'

/** A piece of a picture's file. All parts of a picture, one after the other, are the file. */
export type Part = {
  readonly bytes: Buffer
  /** `picture` is published: pixels, frames, colour. `after` stands after the picture's end; all others go. */
  readonly is: 'picture' | 'exif' | 'xmp' | 'more-xmp' | 'after' | 'other'
  /** What is published in its place: of a `picture` part, where it differs; of others, where they can't just go. */
  readonly instead?: Buffer | undefined
  /** What may tell on people, without headers: EXIF from its TIFF header on, XMP as text, IPTC or Photoshop's resources. */
  readonly holds?: Buffer
  /**
   * Whether viewers heed what it holds, and that is a piece of `bytes`, where other metadata of the same length may
   * stand. A part without it can only go as a whole.
   */
  readonly open?: boolean
  /** Of more XMP, what its pieces are sorted by: they may come in any order. */
  readonly key?: string
}

export type Size = { readonly width: number; readonly height: number }

/** What a picture's file says of the whole. */
export type Shape = Size & {
  readonly frames: number
  /** Over all frames. */
  readonly pixels: number
  /** Whether something can shine through. */
  readonly hasAlpha: boolean
  /** Where EXIF belongs among the parts, and how it is wrapped; without it, the kind has no EXIF that viewers heed. */
  readonly exif?: { readonly index: number; readonly wrap: (tiff: Buffer) => Buffer }
  /** Corrects lengths, flags and sums after parts went or hold something else. */
  readonly finish?: (parts: readonly Part[]) => readonly Part[]
}

/** Takes a picture's file apart, up to the picture's end: passes each part on, and returns what is said of the whole. */
export type Reader = (file: Buffer, add: (part: Part) => void) => Shape

/** The file is not what its first bytes promise; the message completes "the picture is broken: …". */
export class BrokenPicture extends Error {}

export const broken = (why = 'it is cut off'): BrokenPicture => new BrokenPicture(why)

/** Ends the reading of a file that is made of countless parts. Real pictures have a few thousand. */
export const assertFew = (count: number, most = 20_000): void => {
  if (count > most) throw broken('it has too many parts')
}

/** Counts pieces of metadata and their entries, and ends the reading of a file that has countless ones. */
export type Count = () => void

export const fourLetters = (bytes: Buffer, at: number): string =>
  bytes.toString('latin1', at, at + 4)

/** Whether the bytes at `at` are this text. */
export const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text

/** Metadata without the header of EXIF or of Photoshop's resources, which stands in front in some places only. */
export const withoutHeader = (data: Buffer): Buffer => {
  const [header = ''] = /^(?:Exif\0.|Photoshop 3\.0\0)/s.exec(data.toString('latin1', 0, 14)) ?? []
  return data.subarray(header.length)
}
