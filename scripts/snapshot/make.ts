import { hash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { File } from '../api/output.ts'
import * as api from '../api/route.ts'
import type { Site } from '../content/site.ts'
import type { OpenDestination } from './destination.ts'
import { digestIn, type Marks } from './entry.ts'

type MakeOptions = Pick<Site, 'precompress'> & {
  readonly destination: OpenDestination
  /** What is known to be on the disk, as the last build left it. */
  readonly before: Marks | undefined
}

/**
 * Makes files as they have to be into `made`, each as it comes, and stages those that the
 * folder doesn't hold.
 */
export const makeFiles = (
  files: Iterable<File>,
  { destination, before, precompress }: MakeOptions,
  made = new Map<string, string>(),
): Marks => {
  const none = ['']
  const suffixes = [...none, ...api.encodings.map(({ suffix }) => suffix)]
  for (const { paths, bytes, from, isSame, copies } of files) {
    const source = from === undefined ? '' : ` ${hash('sha1', from).slice(0, 20)}`
    const isKnown = (file: string) => before?.get(file)?.endsWith(source)
    if (before && (isSame || source) && paths.every(isKnown)) {
      for (const path of paths)
        for (const suffix of copies ? suffixes : none) {
          const known = before.get(path + suffix)
          if (known !== undefined) made.set(path + suffix, known)
        }
      continue
    }
    for (const { suffix, bytes: copy } of copiesOf(bytes(), copies ? precompress : [])) {
      const digest = hash('sha256', copy)
      for (const file of paths.map((one) => one + suffix)) {
        made.set(file, digest + source)
        if (digestIn(before?.get(file)) !== digest) destination.renew(file, copy, digest)
      }
    }
  }
  return made
}

/** A file, then its copies in encodings where they are smaller. */
const copiesOf = (plain: string | Uint8Array, wanted: Site['precompress']) => {
  const encodings = api.encodings.filter(({ name }) => wanted.includes(name))
  const copies = encodings.flatMap(({ name, suffix }) => {
    const bytes = compress(Buffer.from(plain), name)
    return bytes.length < Buffer.byteLength(plain) ? { suffix, bytes } : []
  })
  return [{ suffix: '', bytes: plain }, ...copies]
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
