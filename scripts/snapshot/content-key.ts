import { names } from '../content/layout.ts'
import type { Reader } from '../content/read.ts'
import type { ContentFolder, Scan } from '../content/scan.ts'
import { fileNames, fingerprintContent, sameBytes } from './fingerprint.ts'
import { keySize } from './record.ts'
import type { GitListing } from './task.ts'

/** The fingerprint of a member's content if git vouches for exactly these files. */
export const keyFromGit = (
  listing: GitListing | undefined,
  index: number,
  scan: Scan,
): Uint8Array | undefined => {
  if (listing === undefined) return undefined
  const [from, to] = [index * keySize, (index + 1) * keySize]
  const vouchedFor = sameBytes(listing.names.subarray(from, to), fingerprintContent(fileNames(scan), []))
  return vouchedFor ? listing.keys.subarray(from, to) : undefined
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
