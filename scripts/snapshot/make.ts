import { hash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { File } from '../api/output.ts'
import * as api from '../api/route.ts'
import type { Site } from '../content/site.ts'
import { digestIn, type Made } from './entry.ts'
import type { OpenPlace } from './place.ts'

type MakeOptions = Pick<Site, 'precompress'> & {
  readonly place: OpenPlace
  /** What is known to be on the disk, as the last build left it. */
  readonly before: Made | undefined
  /** Takes the files, each as soon as it is made. Default: a new one. */
  readonly made?: Record<string, string>
}

/** Makes files as they have to be, and stages those that the folder doesn't hold; says how many. */
export const makeFiles = (toMake: Iterable<File>, options: MakeOptions) => {
  const { place, before, precompress, made = {} } = options
  const known = (file: string): string => before?.files[file] ?? ''
  let staged = 0
  const stage = (file: string, { bytes, digest }: Copy): void => {
    if (digestIn(known(file)) !== digest && place.renew(file, bytes, digest)) staged++
  }
  for (const { paths, bytes, from, isSame = false, copies = false } of toMake) {
    const source = from === undefined ? '' : ` ${hash('sha1', from).slice(0, 20)}`
    const encodings = copies ? encodingsOf(precompress) : []
    const isKnown = (file: string): boolean =>
      known(file) !== '' && known(file).slice(64) === source
    if ((isSame || source !== '') && paths.every(isKnown)) {
      for (const file of paths)
        for (const one of [file, ...encodings.map(({ suffix }) => file + suffix)])
          if (known(one) !== '') made[one] = known(one)
      continue
    }
    for (const copy of copiesOf(bytes(), encodings)) {
      for (const file of paths) {
        made[file + copy.suffix] = copy.digest + source
        stage(file + copy.suffix, copy)
      }
    }
  }
  return { files: made, staged }
}

type Copy = { readonly bytes: string | Uint8Array; readonly digest: string }

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
