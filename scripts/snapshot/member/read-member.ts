import { names } from '../../content/layout.ts'
import type { Read, Reader } from '../../content/read/read-file.ts'
import type { Scan } from '../../content/read/scan.ts'

/** Called with each file of a member as it is read. */
export type Takers = { readonly profile?: (read: Read) => void; readonly shot?: (read: Read) => void }

/** Reads a member's profile, then the shots; returns git's names of their bytes. */
export const readMember = (
  { username, profile, shots, stats }: Scan,
  read: Reader,
  takers: Takers = {},
): readonly string[] => {
  const oids: string[] = []
  const readAll = (below: string, files: readonly string[], taker: Takers['shot']): void => {
    for (const name of files) {
      const file = read(`${below}/${name}`, stats[oids.length]!.size)
      oids.push(file.oid)
      taker?.(file)
    }
  }
  const folder = `${names.members}/${username}`
  readAll(folder, profile === undefined ? [] : [profile], takers.profile)
  readAll(`${folder}/${names.shots}`, shots, takers.shot)
  return oids
}
