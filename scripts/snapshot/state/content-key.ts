import { names } from '../../content/layout.ts'
import type { Reader } from '../../content/read.ts'
import type { ContentFolder, Scan } from '../../content/scan.ts'
import { fileNames, fingerprintContent } from './fingerprint.ts'

/** The fingerprint of a member's content, from the bytes of its files. */
export const contentKeyOf = (scan: Scan, content: ContentFolder, reader: Reader): Uint8Array => {
  const folder = `${names.members}/${scan.username}`
  const paths = [scan.profile, ...scan.shots.map((name) => `${names.shots}/${name}`)]
  const oids = paths.map(
    (path) => reader(`${content.path}/${folder}/${path}`, `${content.name}/${folder}/${path}`).oid,
  )
  return fingerprintContent(fileNames(scan), oids)
}
