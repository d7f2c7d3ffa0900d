import { hash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Member } from '../../api/derive.ts'
import { renderRoute } from '../../api/render.ts'
import type { Encoding } from '../../api/routes.ts'
import type { Site } from '../../content/site.ts'
import { sameBytes } from '../state/fingerprint.ts'
import { type Slot, slots } from '../state/slots.ts'

export type PressOptions = {
  readonly site: Site
  /** sha256 by slot number of what the same program made before; spares compressing the same bytes again. */
  readonly before: readonly (Buffer | undefined)[]
  /** sha256 by slot number of what is in the snapshot, under each name of the member. */
  readonly present: readonly (Buffer | undefined)[]
  /** UTF-8, valid until the next call. */
  readonly encode: (text: string) => Uint8Array
  /** Takes the bytes of a file that is not in the snapshot yet. They are valid during the call only. */
  readonly write: (slot: Slot, file: { readonly bytes: Uint8Array; readonly digest: Uint8Array }) => void
}

export type Pressed = {
  /** sha256 of each file, by slot number. */
  readonly digests: readonly (Buffer | undefined)[]
  /** Bytes of the largest file. */
  readonly largest: number
}

/** Makes the files of a member. */
export const press = (member: Member, { site, before, present, encode, write }: PressOptions): Pressed => {
  const digests = new Array<Buffer | undefined>(slots.length).fill(undefined)
  let plain: Uint8Array = new Uint8Array()
  let plainSlot = 0
  let largest = 0
  slots.forEach((slot, number) => {
    let bytes: Uint8Array
    if (slot.encoding === undefined) {
      bytes = plain = encode(renderRoute(slot.route, slot.variant, member, site))
      plainSlot = number
      largest = Math.max(largest, bytes.length)
    } else {
      if (!site.precompress.includes(slot.encoding)) return
      if (sameBytes(before[plainSlot], digests[plainSlot]) && sameBytes(before[number], present[number])) {
        digests[number] = before[number]
        return
      }
      bytes = compress(plain, slot.encoding)
      if (bytes.length >= plain.length) return
    }
    const digest = hash('sha256', bytes, 'buffer')
    digests[number] = digest
    if (!sameBytes(digest, present[number])) write(slot, { bytes, digest })
  })
  return { digests, largest }
}

/** Makes an encoder that writes every text into the same memory. */
export const createEncoder = (): PressOptions['encode'] => {
  const encoder = new TextEncoder()
  let memory = new Uint8Array(1 << 18)
  return (text) => {
    // three bytes are the most that a UTF-16 unit can take
    if (text.length * 3 > memory.length) memory = new Uint8Array(text.length * 3)
    return memory.subarray(0, encoder.encodeInto(text, memory).written)
  }
}

const compress = (bytes: Uint8Array, encoding: Encoding): Uint8Array => {
  switch (encoding) {
    case 'br':
      return brotliCompressSync(bytes, {
        params: {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })
    case 'gzip': {
      const zipped = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION })
      zipped[9] = 255 // the header's "operating system": unknown, so that every machine writes the same
      return zipped
    }
    default:
      return encoding satisfies never
  }
}

/** Two levels below the best: a tenth of the time, for a few per cent more bytes. */
const brotliQuality = 9
