import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import fs from 'node:fs'
import { type Diagnostic, fileStart } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import { mayPass, UserError } from '../../problems/user-error.ts'
import { sizeLimit } from '../layout.ts'
import type { Source } from '../source.ts'
import { createInside, type Inside } from './inside.ts'

export type Read = {
  /** The name that git gives to the file's bytes: sha1 of `blob <size>`, NUL and the bytes; in hex. */
  readonly oid: string
} & (
  | { readonly source: Source; readonly diagnostic?: never }
  | { readonly source?: never; readonly diagnostic: Diagnostic }
)

/** Reads a file of the content folder; `file` is what diagnostics call it. No link on the way is followed. */
export type Reader = (path: string, file: string) => Read

/** Makes a reader for the content folder with a buffer of its own, which every file passes through. */
export const createReader = (root: string): Reader => {
  const inside = createInside(root)
  const buffer = Buffer.allocUnsafeSlow(headroom + sizeLimit + 1)
  const room = buffer.subarray(headroom)
  return (path, file) => {
    const size = fill(path, { file, inside }, room)
    const bytes = buffer.subarray(headroom, headroom + size)
    const header = `blob ${size}\0`
    const start = headroom - header.length
    buffer.write(header, start, 'latin1')
    const oid = hash('sha1', buffer.subarray(start, headroom + size))
    if (size > sizeLimit) {
      return {
        oid,
        diagnostic: diagnose(
          'too-large',
          { file, ...fileStart },
          { bytes: fs.lstatSync(path).size, limit: sizeLimit },
        ),
      }
    }
    if (!isUtf8(bytes)) return { oid, diagnostic: notUtf8(bytes, file) }
    return { oid, source: { file, text: textOf(bytes) } }
  }
}

/** At the first byte that is no part of a character in UTF-8. */
const notUtf8 = (bytes: Buffer, file: string): Diagnostic => {
  const text = bytes.toString('utf8')
  let [at, read] = [text.indexOf(replacement), 0]
  let offset = Buffer.byteLength(text.slice(0, at))
  // the file may hold the replacement character itself
  while (bytes.subarray(offset, offset + 3).equals(replacementBytes)) {
    read = at
    at = text.indexOf(replacement, at + 1)
    offset += Buffer.byteLength(text.slice(read, at))
  }
  const before = text.slice(text.startsWith('\ufeff') ? 1 : 0, at)
  const line = before.split('\n').length
  const column = before.length - (before.lastIndexOf('\n') + 1) + 1
  return diagnose(
    'not-utf8',
    { file, line, column, endLine: line, endColumn: column + 1 },
    { byte: bytes[offset]! },
  )
}

const replacement = '\ufffd'
const replacementBytes = Buffer.from(replacement)

/**
 * The text of a file below the content folder that may hold content under another name; `undefined` for what is no
 * text, or too large.
 */
export const peek = (path: string, root: string): string | undefined => {
  const start = readStart(path, root, { length: 4096 })
  if (start === undefined || start.includes(0)) return undefined
  const bytes = start.length < 4096 ? start : readStart(path, root, { length: sizeLimit + 1 })
  return bytes && bytes.length <= sizeLimit && isUtf8(bytes) ? textOf(bytes) : undefined
}

/** The first bytes of a file below the content folder; `undefined` if it can't be read. */
export const readStart = (
  path: string,
  root: string,
  { length }: { readonly length: number },
): Buffer | undefined => {
  try {
    const buffer = Buffer.alloc(Math.min(length, fs.lstatSync(path).size))
    return buffer.subarray(0, fill(path, { file: path, inside: createInside(root) }, buffer))
  } catch (error) {
    if (mayPass(error)) return undefined
    throw error
  }
}

const textOf = (bytes: Buffer): string => withoutMark(bytes.toString('utf8'))

/** A text without the byte order mark that it may begin with. */
export const withoutMark = (text: string): string => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

/** Room before the bytes for git's header. */
const headroom = 32

/** Reads as much of a file as the buffer holds; says how much that was. */
const fill = (
  path: string,
  { file, inside }: { readonly file: string; readonly inside: Inside },
  buffer: Buffer,
): number => {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants
  let descriptor: number | undefined
  try {
    descriptor = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    if (!inside(descriptor, path)) throw new Error(`${path} leads out of the content folder`)
    // one read is enough for a plain file
    return fs.readSync(descriptor, buffer, 0, buffer.length, null)
  } catch (cause) {
    throw new UserError(`can't read ${file}`, {
      hint: 'it may have changed meanwhile: check it and run again',
      cause,
    })
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor)
  }
}
