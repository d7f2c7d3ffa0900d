import fs from 'node:fs'
import { openFile } from '../files/open.ts'
import { isPathBelow } from '../files/path-below.ts'
import { UserError } from '../problems/user-error.ts'

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
 * The lines of a list, in the order of their paths, read as they are asked for; nothing if there is no plain file.
 * Lines that begin with `#` are passed over. A list that is out of order, or names anything but files below its
 * folder, is refused when that line is reached.
 */
export function* readSums({ root, below, name, hint }: SumsFile): Generator<Sum> {
  let last = ''
  for (const line of readLines(root, below, { name, hint })) {
    if (line.startsWith('#')) continue
    const [, digest, path] = /^([0-9a-f]{64}) {2}([^\\\p{Cc}]+)$/u.exec(line) ?? []
    if (digest === undefined || path === undefined || !isPathBelow(path))
      throw unreadable(name, { line, hint })
    if (path <= last) throw unreadable(name, { line, hint })
    last = path
    yield { path, digest }
  }
}

/** The lines of a plain file below a trusted folder, without their ends. */
export function* readLines(
  root: string,
  below: string,
  { name = below, hint }: { readonly name?: string; readonly hint?: string | undefined } = {},
): Generator<string> {
  const file = openFile(root, below)
  if (file === undefined) return
  try {
    const bytes = Buffer.alloc(1 << 20)
    let kept = 0
    for (;;) {
      const count = fs.readSync(file, bytes, kept, bytes.length - kept, null)
      const filled = kept + count
      const end = count === 0 ? filled : bytes.lastIndexOf(10, filled - 1) + 1
      if (end > 0) yield* bytes.toString('utf8', 0, end).replace(/\n$/, '').split('\n')
      if (count === 0) return
      if (end === 0 && filled === bytes.length) throw unreadable(name, { line: 'a line of a megabyte', hint })
      bytes.copyWithin(0, end, filled)
      kept = filled - end
    }
  } finally {
    fs.closeSync(file)
  }
}

const unreadable = (
  name: string,
  { line, hint }: { readonly line: string; readonly hint: string | undefined },
): UserError =>
  new UserError(`${name} is no list of a snapshot: "${line.slice(0, 100)}"`, {
    hint:
      hint ?? 'each line is a sha256 in hex, two spaces and a path; they are sorted by path, without repeats',
  })
