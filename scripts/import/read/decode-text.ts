import type { Tolerance } from './tolerance.ts'

export type Decoded = { readonly text: string; readonly tolerated: readonly Tolerance[] }

/** The text of a body. It should be UTF-8; bytes that are not are taken for windows-1252, one by one. */
export const decodeText = (bytes: Uint8Array): Decoded => {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const body = marked ? bytes.subarray(3) : bytes
  const mark: readonly Tolerance[] = marked ? ['byte-order-mark'] : []
  try {
    return { text: strict.decode(body), tolerated: mark }
  } catch {
    return { text: mixedText(body), tolerated: [...mark, 'latin-1'] }
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Stretches of UTF-8 with other bytes between them, as where a program cut a character in two. */
const mixedText = (bytes: Uint8Array): string => {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  let start = 0
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at)
    if (length === 0) {
      text += utf8.decode(bytes.subarray(start, at)) + windows1252(bytes[at]!)
      start = at + 1
    }
    at += Math.max(1, length)
  }
  return text + utf8.decode(bytes.subarray(start))
}

/** Bytes of the well-formed UTF-8 sequence that begins here (Unicode, table 3-7); 0 if none does. */
const sequenceLength = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at]!
  if (first < 0x80) return 1
  const length = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const low = { 224: 0xa0, 240: 0x90 }[first] ?? 0x80
  const high = { 237: 0x9f, 244: 0x8f }[first] ?? 0xbf
  for (let i = 1; i < length; i++) {
    const next = bytes[at + i] ?? 0
    if (next < (i === 1 ? low : 0x80) || next > (i === 1 ? high : 0xbf)) return 0
  }
  return length
}

/** What browsers take for Latin-1: 0x80 to 0x9f are quotes, dashes and the like (https://encoding.spec.whatwg.org). */
const windows1252 = (byte: number): string =>
  byte >= 0x80 && byte <= 0x9f ? specials[byte - 0x80]! : String.fromCharCode(byte)

const specials = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
