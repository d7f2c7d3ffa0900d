import { UserError } from '../problems/user-error.ts'
import { readFile } from './open.ts'
import { isPathBelow } from './path-below.ts'

/** A line of SHA256SUMS. */
export type Sum = {
  /** Path below the snapshot's root, with `/` between the names. */
  readonly path: string
  /** sha256 in lower-case hex. */
  readonly digest: string
}

/** A file below a trusted folder that holds lines of SHA256SUMS. */
export type SumsFile = {
  readonly root: string
  readonly below: string
  /** What messages call it. */
  readonly name: string
  /** What to do if it can't be read. */
  readonly hint?: string
}

/**
 * The lines of a list, in the order of their paths; nothing if there is no plain file. Lines that begin with `#` are
 * passed over. A list that is out of order, or names anything but files below its folder, is refused.
 */
export const readSums = ({ root, below, name, hint }: SumsFile): readonly Sum[] => {
  const sums: Sum[] = []
  let last = ''
  for (const line of readLines(root, below)) {
    if (line.startsWith('#')) continue
    const [, digest, path] = /^([0-9a-f]{64}) {2}([^\\\p{Cc}]+)$/u.exec(line) ?? []
    if (digest === undefined || path === undefined || !isPathBelow(path) || path <= last)
      throw new UserError(`${name} is no list of a snapshot: "${line.slice(0, 100)}"`, {
        hint:
          hint ??
          'each line is a sha256 in hex, two spaces and a path; they are sorted by path, without repeats',
      })
    last = path
    sums.push({ path, digest })
  }
  return sums
}

/** The lines of a plain file below a trusted folder, without their ends. */
export const readLines = (root: string, below: string): readonly string[] => {
  const text = readFile(root, below, { limit: 2 ** 29 })?.toString('utf8') ?? ''
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}
