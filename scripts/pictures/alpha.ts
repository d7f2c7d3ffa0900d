import { fourLetters, type Kind, startsWith } from './parts.ts'

/** Whether something can shine through a picture that was read and is whole, by what its file says of itself. */
export const hasAlpha = (kind: Kind, file: Buffer): boolean => {
  switch (kind) {
    case 'png': {
      // grey or colour with alpha, or one colour that is none
      const colourType = file[25] ?? 0
      const transparent = file.indexOf('tRNS')
      const isBeforePixels = transparent > 0 && transparent < file.indexOf('IDAT')
      return colourType === 4 || colourType === 6 || isBeforePixels
    }
    case 'webp': {
      const isLossless = fourLetters(file, 12) === 'VP8L'
      const flags = file[isLossless ? 24 : 20] ?? 0
      return (isLossless || startsWith(file, 'VP8X', 12)) && (flags & 0x10) !== 0
    }
    case 'gif': {
      const control = file.indexOf('\x21\xf9\x04', 0, 'latin1')
      return control > 0 && ((file[control + 3] ?? 0) & 1) === 1
    }
    case 'avif':
      return file.includes('urn:mpeg:mpegB:cicp:systems:auxiliary:alpha')
    case 'jpg':
      return false
  }
}
