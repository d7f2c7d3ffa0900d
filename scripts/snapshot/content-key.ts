import type fs from 'node:fs'
import { names } from '../content/layout.ts'
import type { Reader } from '../content/read.ts'
import type { ContentFolder, Scan } from '../content/scan.ts'
import { contentSize, fileNames, fingerprintContent, sameBytes } from './fingerprint.ts'
import { keySize } from './record.ts'
import type { GitListing } from './task.ts'

/** The fingerprint of a member's content if git vouches for exactly these files, and for as many bytes. */
export const keyFromGit = (
  listing: GitListing | undefined,
  index: number,
  { scan, size }: { readonly scan: Scan; readonly size: number },
): Uint8Array | undefined => {
  // another size under the same hash means that git converts line ends
  if (listing === undefined || contentSize(scan) !== size || !scan.stats.every(seenBy(listing)))
    return undefined
  const [from, to] = [index * keySize, (index + 1) * keySize]
  const vouchedFor = sameBytes(listing.names.subarray(from, to), fingerprintContent(fileNames(scan), []))
  return vouchedFor ? listing.keys.subarray(from, to) : undefined
}

/**
 * Git compares times by the second. A file that was changed in the second of its index, it reads again; but it goes
 * by the modification time, which can be set back.
 */
const seenBy =
  ({ indexSeconds }: GitListing) =>
  ({ mtimeMs, ctimeMs }: fs.Stats): boolean =>
    mtimeMs >= indexSeconds * 1000 || ctimeMs < indexSeconds * 1000

/** The same fingerprint from the bytes of the files. */
export const keyFromFiles = (scan: Scan, content: ContentFolder, reader: Reader): Uint8Array => {
  const folder = `${names.members}/${scan.username}`
  const paths = [scan.profile, ...scan.shots.map((name) => `${names.shots}/${name}`)]
  const oids = paths.map(
    (path) => reader(`${content.path}/${folder}/${path}`, `${content.name}/${folder}/${path}`).oid,
  )
  return fingerprintContent(fileNames(scan), oids)
}
