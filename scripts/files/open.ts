import fs from 'node:fs'
import { resolveBelow } from './folder.ts'

/** Opens a plain file below a trusted folder for reading; `undefined` if anything else, or nothing, is there. */
export const openFile = (root: string, below: string): number | undefined => open(root, below)?.file

const open = (root: string, below: string): { readonly file: number; readonly size: number } | undefined => {
  const target = resolveBelow(root, below)
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK = 0 } = fs.constants
  // Windows can't open a file without following links, so there it is looked at first
  if (O_NOFOLLOW === undefined && !fs.lstatSync(target, { throwIfNoEntry: false })?.isFile()) return undefined
  let file: number
  try {
    file = fs.openSync(target, O_RDONLY | (O_NOFOLLOW ?? 0) | O_NONBLOCK)
  } catch (error) {
    if (nothingPlain.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  const stat = fs.fstatSync(file)
  if (stat.isFile()) return { file, size: stat.size }
  fs.closeSync(file)
  return undefined
}

/** Error codes of the system when there is nothing, a link or a socket. */
const nothingPlain = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK', 'ENXIO', 'EOPNOTSUPP']

/**
 * The bytes of a plain file; `undefined` if anything else, nothing, or a file of more than `limit` bytes is there. Default:
 * more than any file of ours has, so enough for the list of a million members.
 */
export const readFile = (
  root: string,
  below: string,
  { limit = 2 ** 29 } = {},
): Buffer<ArrayBuffer> | undefined => {
  const { file, size } = open(root, below) ?? { size: 0 }
  if (file === undefined) return undefined
  try {
    if (size > limit) return undefined
    const bytes = Buffer.allocUnsafe(size)
    return bytes.subarray(0, readInto(file, bytes))
  } finally {
    fs.closeSync(file)
  }
}

/** Fills the bytes from an open file's beginning; says how many there were. */
const readInto = (file: number, bytes: Uint8Array): number => {
  let at = 0
  for (let count = 1; count > 0 && at < bytes.length; at += count) {
    count = fs.readSync(file, bytes, at, bytes.length - at, at)
  }
  return at
}
