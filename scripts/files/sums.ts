import path from 'node:path'
import { UserError } from '../problems/diagnostic.ts'
import { byKey } from '../text/order.ts'
import { isPathBelow, readFile, type Spot } from './folder.ts'

/** A line of SHA256SUMS. */
export type Sum = {
  /** Path below the snapshot's root, with `/` between the names. */
  readonly path: string
  /** sha256 in lower-case hex. */
  readonly digest: string
}

/** The lines of a list below a trusted folder; none if there is no plain file. */
export const readSums = ({ root, below }: Spot): readonly Sum[] =>
  parseSums(readFile(root, below), { name: path.join(root, below) })

/**
 * The lines of a list, in the order of their paths. Lines that begin with `#` are passed
 * over. A list that is out of order, or names anything but files below its folder, is
 * refused; `hint` says what to do then.
 */
export const parseSums = (
  list: Buffer | undefined,
  { name, hint }: { readonly name: string; readonly hint?: string },
): readonly Sum[] => {
  const sums: Sum[] = []
  let last = ''
  for (const line of linesOf(list)) {
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

/**
 * The lines of a list that deploy or a build wrote; `undefined` if it is damaged, which
 * nobody is told.
 */
export const sumsIn = (list: Buffer | undefined): readonly Sum[] | undefined => {
  try {
    return parseSums(list, { name: '' })
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

/** The list of files, in the format of coreutils; a file that is given twice is listed once. */
export const renderSums = (sums: readonly Sum[]): string =>
  [...digestsOf(sums)]
    .sort(byKey)
    .map(([path, digest]) => `${digest}  ${path}\n`)
    .join('')

/** The digests of files by their paths. */
export const digestsOf = (sums: readonly Sum[]): ReadonlyMap<string, string> =>
  new Map(sums.map(({ path, digest }) => [path, digest]))

/** The lines of a text, without their ends. */
export const linesOf = (text: Buffer | string | undefined): readonly string[] =>
  text?.length ? text.toString().replace(/\n$/, '').split('\n') : []
