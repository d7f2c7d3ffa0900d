/** The kinds of pictures that are published; each is its own extension. */
export type Kind = 'jpg' | 'png' | 'webp' | 'gif' | 'avif'

/** A piece of a picture's file. All parts of a picture, one after the other, are the file. */
export type Part = {
  readonly bytes: Buffer
  /** What is published of it: pixels, frames, colour. Without it, nothing is. */
  readonly shown?: Buffer | undefined
  /** Metadata of a kind that matters to the whole; `after` stands after the picture's end. */
  readonly is?: 'exif' | 'xmp' | 'more-xmp' | 'after' | undefined
  /**
   * What may tell on people, without headers: EXIF from its TIFF header on, XMP as text, IPTC
   * or Photoshop's resources.
   */
  readonly holds?: Buffer
  /**
   * Whether viewers heed what it holds, and that is a piece of `bytes`, where other metadata
   * of the same length may stand. A part without it can only go as a whole.
   */
  readonly open?: boolean
  /** Corrects a sum after the part holds something else. */
  readonly seal?: (bytes: Buffer) => void
  /** Of more XMP, what its pieces are sorted by: they may come in any order. */
  readonly key?: string
}

/** A part that is published as it is. */
export const kept = (bytes: Buffer): Part => ({ bytes, shown: bytes })

export type Size = { readonly width: number; readonly height: number }

export const pixelsOf = (frames: readonly Size[]): number =>
  frames.reduce((sum, { width, height }) => sum + width * height, 0)

/** What a picture's file says of the whole. */
export type Shape = Size & {
  readonly frames: number
  /** Over all frames, where they may have more than the whole. */
  readonly pixels: number
  /** Whether something can shine through. */
  readonly hasAlpha: boolean
  /**
   * Where EXIF belongs among the parts, and how it is wrapped; without it, the kind has no
   * EXIF that viewers heed.
   */
  readonly exif?: { readonly index: number; readonly wrap: (tiff: Buffer) => Buffer }
  /** What is published, where that is no new file of the parts that are shown. */
  readonly published?: Buffer
  /** Corrects lengths and flags in a file that is made of these parts. */
  readonly finish?: (file: Buffer, parts: readonly Part[]) => void
}

/**
 * Takes a picture's file apart, up to the picture's end: passes each part on, and returns
 * what is said of the whole.
 */
export type Reader = (file: Buffer, add: (part: Part) => void) => Shape

/**
 * The file is not what its first bytes promise; the message completes "the picture is broken:
 * …".
 */
export class BrokenPicture extends Error {}

export const broken = (why = 'it is cut off'): BrokenPicture => new BrokenPicture(why)

/**
 * Ends the reading of a file that is made of countless parts. Real pictures have a few
 * hundred, animations some thousand.
 */
export const assertFew = (count: number, most = 3_000): void => {
  if (count > most) throw broken('it has too many parts')
}

export const fourLetters = (bytes: Buffer, at: number): string =>
  bytes.toString('latin1', at, at + 4)

/** Whether the bytes at `at` are this text. */
export const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text

/**
 * As Latin-1 what is greater than a byte, such as white space or zero. An expression takes
 * ten times as long.
 */
export const latin1Above = (most: number, bytes: Buffer): string => {
  const others = Buffer.alloc(bytes.length)
  let count = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte > most) others[count++] = byte
  }
  return others.toString('latin1', 0, count)
}

/**
 * Metadata without the header of EXIF or of Photoshop's resources, which stands in front in
 * some places only.
 */
export const withoutHeader = (data: Buffer): Buffer => {
  const [header = ''] =
    /^(?:Exif\0.|Photoshop 3\.0\0)/s.exec(data.toString('latin1', 0, 14)) ?? []
  return data.subarray(header.length)
}
