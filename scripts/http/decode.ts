import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { type Answer, elements, header } from './exchange.ts'

/** The content of an answer without its codings; `undefined` where they can't be undone within the limit. */
export const decode = (answer: Pick<Answer, 'headers' | 'body'>, limit: number): Uint8Array | undefined => {
  const codings = elements(header(answer, 'Content-Encoding')).filter((coding) => coding !== 'identity')
  if (answer.body.length === 0 || codings.length === 0) return answer.body
  if (codings.length > mostCodings) return undefined
  try {
    return codings.reduceRight<Uint8Array>((bytes, coding) => {
      if (coding === 'br') return brotliDecompressSync(bytes, { maxOutputLength: limit })
      if (coding === 'gzip' || coding === 'x-gzip') return gunzipSync(bytes, { maxOutputLength: limit })
      if (coding === 'deflate') return inflate(bytes, { maxOutputLength: limit })
      throw new RangeError(`unknown coding ${coding}`)
    }, answer.body)
  } catch {
    return undefined
  }
}

/** What is called deflate should have the head of zlib, and often has none. */
const inflate: typeof inflateSync = (bytes, options) =>
  ((bytes as Uint8Array)[0]! & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options)

/** No host has a reason for more; each may make a thousand times the bytes of the one before. */
const mostCodings = 3
