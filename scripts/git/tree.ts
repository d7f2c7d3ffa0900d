import { UserError } from '../problems/user-error.ts'
import { quote } from '../text/printable.ts'
import { runGit } from './run.ts'

/** A file of a revision. */
export type TreeFile = {
  /** Path below the folder that was asked for, with `/`. */
  readonly path: string
  /** Whether it is a plain file: not a link, not a submodule. */
  readonly plain: boolean
  /** The hash by which git knows the bytes, as hex. */
  readonly oid: string
}

/** The files that a folder of a work tree had at a revision. */
export type Tree = {
  /** The top of the work tree. */
  readonly top: string
  /** Path of the folder below the top, with `/`; empty for the top itself. */
  readonly folder: string
  /** The hash of the commit. */
  readonly commit: string
  /** Every path is text: git's bytes, read as UTF-8. */
  readonly files: readonly TreeFile[]
}

/** Lists the files of a folder, as they were at a revision of the repository that holds it. */
export const readTree = (folder: string, revision: string): Tree => {
  if (revision.startsWith('-')) {
    throw new UserError(`a revision does not begin with a dash: ${quote(revision)}`, {
      hint: 'write --base main, or a folder such as ../main/content',
    })
  }
  const where = runGit(folder, ['rev-parse', '--show-toplevel', '--show-prefix'])?.toString().split('\n')
  if (where === undefined) {
    throw new UserError(`${quote(folder)} is in no git repository that can be read`, {
      hint: 'name a folder of content instead, such as --base ../main/content',
    })
  }
  const [top, prefix] = where as [string, string]
  const commit = runGit(folder, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${revision}^{commit}`,
  ])
    ?.toString()
    .trim()
  if (commit === undefined) {
    throw new UserError(`the repository has no revision ${quote(revision)}`, {
      hint: 'fetch it first; in a GitHub workflow, give actions/checkout fetch-depth: 0',
    })
  }
  const list = runGit(top, [
    'ls-tree',
    '-r',
    '-z',
    '--full-tree',
    commit,
    ...(prefix === '' ? [] : ['--', prefix]),
  ])
  if (list === undefined) {
    throw new UserError(`git can't list the files of ${quote(revision)}`, {
      hint: 'look at what git fsck says; a partial clone may lack them: git fetch --refetch',
    })
  }
  return { top, folder: prefix.replace(/\/$/, ''), commit, files: [...entries(list, prefix)] }
}

/** `<mode> <type> <oid>\t<path>`, each ended by a zero byte. */
function* entries(list: Buffer, prefix: string): Generator<TreeFile> {
  let from = 0
  for (let end = list.indexOf(0); end !== -1; end = list.indexOf(0, from)) {
    const line = list.toString('utf8', from, end)
    from = end + 1
    const tab = line.indexOf('\t')
    const [mode, type, oid] = line.slice(0, tab).split(' ')
    const plain = type === 'blob' && mode!.startsWith('100')
    const path = line.slice(tab + 1)
    if (path.startsWith(prefix)) yield { path: path.slice(prefix.length), plain, oid: oid! }
  }
}

/** Reads blobs, raw: no filter and no conversion of line ends. Calls back in the order given. */
export const readBlobs = (
  folder: string,
  oids: readonly string[],
  take: (bytes: Buffer, number: number) => void,
): void => {
  for (let start = 0; start < oids.length; start += batch) {
    const some = oids.slice(start, start + batch)
    const answer = runGit(folder, ['cat-file', '--batch'], `${some.join('\n')}\n`)
    let at = 0
    some.forEach((oid, number) => {
      const end = answer?.indexOf(10, at) ?? -1
      const [, type, size] = end === -1 ? [] : answer!.toString('latin1', at, end).split(' ')
      if (type !== 'blob') {
        throw new UserError(`git can't read the object ${oid}`, {
          hint: 'look at what git fsck says; a partial clone may lack it: git fetch --refetch',
        })
      }
      at = end + 1 + Number(size)
      take(answer!.subarray(end + 1, at), start + number)
      at++
    })
  }
}

/** Blobs that are in memory at a time. */
const batch = 250
