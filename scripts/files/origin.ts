import fs from 'node:fs'
import { join, type Spot } from './folder.ts'
import { findTracked } from './git.ts'

type Asked = Spot & {
  readonly identity: string
  /** Files beside it: in their work tree, git tracks one of them. */
  readonly known: readonly string[]
}

/**
 * Where a file of ours comes from. In a work tree git knows: what it doesn't track did not
 * come with a branch, as a cache that was restored there. Elsewhere, as where an archive was
 * unpacked, only the very file that we wrote is ours: it says its identity itself. `tracked`
 * is the path by which git knows it.
 */
export const originOf = ({ root, below, identity, known }: Asked) => {
  const tracked = findTracked({ root, below }, known)
  if (tracked !== undefined) return { isOurs: tracked.length === 0, tracked: tracked[0] }
  const stat = fs.lstatSync(join(root, below), { bigint: true, throwIfNoEntry: false })
  return { isOurs: identity !== '' && stat !== undefined && identity === identityIn(stat) }
}

/**
 * What tells an open file from each copy of it: its number on the disk, and the moment in
 * which it was made. No archive and no copy brings these along, and a new file of the same
 * name has others. `''` where the disk doesn't keep that moment.
 */
export const identityOf = (file: number): string =>
  identityIn(fs.fstatSync(file, { bigint: true }))

const identityIn = ({ ino, birthtimeNs }: fs.BigIntStats) => {
  // Windows lends the moment of an old file to the next one of its name; there, each use of a
  // number has its own
  if (process.platform === 'win32') return String(ino)
  return birthtimeNs === 0n ? '' : `${ino}-${birthtimeNs}`
}
