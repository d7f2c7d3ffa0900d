import { hash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Digests, File } from '../api/output.ts'
import * as api from '../api/route.ts'
import type { Site } from '../content/site.ts'
import { digestIn } from './entry.ts'
import type { OpenPlace } from './place.ts'

type MakeOptions = Pick<Site, 'precompress'> & {
  readonly place: OpenPlace
  /** What is known to be on the disk, as the last build left it. */
  readonly before: Digests | undefined
}

/** Makes files as they have to be into `made`, each as it comes, and stages those that the folder doesn't hold. */
export const makeFiles = (
  files: Iterable<File>,
  { place, before = {}, precompress }: MakeOptions,
  made: Record<string, string> = {},
): Digests => {
  for (const { paths, bytes, from, isSame = false, copies = false } of files) {
    const source = from === undefined ? '' : ` ${hash('sha1', from).slice(0, 20)}`
    const encodings = copies ? encodingsOf(precompress) : []
    const isKnown = (file: string): boolean => before[file]?.slice(64) === source
    if ((isSame || source !== '') && paths.every(isKnown)) {
      for (const file of paths) {
        for (const suffix of ['', ...encodings.map((one) => one.suffix)]) {
          const known = before[file + suffix]
          if (known !== undefined) made[file + suffix] = known
        }
      }
      continue
    }
    for (const { suffix, bytes: copy, digest } of copiesOf(bytes(), encodings)) {
      for (const file of paths.map((one) => one + suffix)) {
        made[file] = digest + source
        if (digestIn(before[file]) !== digest) place.renew(file, copy, digest)
      }
    }
  }
  return made
}

type Encodings = readonly (typeof api.encodings)[number][]

const encodingsOf = (precompress: Site['precompress']): Encodings =>
  api.encodings.filter(({ name }) => precompress.includes(name))

/** A file, then its copies in encodings where they are smaller; sha256 in hex. */
const copiesOf = (plain: string | Uint8Array, encodings: Encodings) => {
  const copies = encodings.flatMap(({ name, suffix }) => {
    const bytes = compress(Buffer.from(plain), name)
    return bytes.length < Buffer.byteLength(plain) ? { suffix, bytes } : []
  })
  return [{ suffix: '', bytes: plain }, ...copies].map((copy) => ({
    ...copy,
    digest: hash('sha256', copy.bytes),
  }))
}

const compress = (bytes: Uint8Array, encoding: api.Encoding): Uint8Array => {
  if (encoding === 'br') {
    return brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    })
  }
  const zipped = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION })
  zipped[9] = 255 // the header's "operating system": unknown, so that every machine writes the same
  return zipped
}

/** Two levels below the best: a tenth of the time, for a few per cent more bytes. */
const brotliQuality = 9
