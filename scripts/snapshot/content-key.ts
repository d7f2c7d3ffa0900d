import { names } from '../content/layout.ts'
import type { Reader } from '../content/read.ts'
import type { ContentFolder, Scan } from '../content/scan.ts'
import { contentSize, fileNames, fingerprintContent, fingerprintLook, sameBytes } from './fingerprint.ts'
import { keySize } from './record.ts'
import type { GitListing } from './task.ts'

/** The fingerprint of a member's content if git knows exactly these files, and saw them as they are now. */
export const keyFromGit = (
  listing: GitListing | undefined,
  index: number,
  { scan, size }: { readonly scan: Scan; readonly size: number },
): Uint8Array | undefined => {
  // another size under the same hash means that git converts line ends
  if (listing === undefined || contentSize(scan) !== size) return undefined
  const [from, to] = [index * keySize, (index + 1) * keySize]
  const sameLook = sameBytes(listing.looks.subarray(from, to), fingerprintLook(fileNames(scan), scan.stats))
  return sameLook ? listing.keys.subarray(from, to) : undefined
}

/** The same fingerprint from the bytes of the files. */
export const keyFromFiles = (scan: Scan, content: ContentFolder, reader: Reader): Uint8Array => {
  const folder = `${names.members}/${scan.username}`
  const paths = [scan.profile, ...scan.shots.map((name) => `${names.shots}/${name}`)]
  const oids = paths.map(
    (path) => reader(`${content.path}/${folder}/${path}`, `${content.name}/${folder}/${path}`).oid,
  )
  return fingerprintContent(fileNames(scan), oids)
}
