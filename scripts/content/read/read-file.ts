import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import fs from 'node:fs'
import { lstatOf } from '../../files/folder.ts'
import { type Diagnostic, fileStart, mayPass, UserError } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import { type ContentFolder, sizeLimit } from '../layout.ts'
import type { Source } from '../parse/parse.ts'

export type Read = {
  /**
   * The name that git gives to the file's bytes: sha1 of `blob <size>`, NUL and the bytes; in
   * hex. `''`: too large.
   */
  readonly oid: string
  readonly source?: Source
  readonly diagnostic?: Diagnostic
  /**
   * What can still be read of a text that is no UTF-8, to say what else is wrong with it;
   * never published.
   */
  readonly legible?: Source | undefined
}

/**
 * Reads a file of the content folder, by its path below it, as it was listed: with this size.
 * A link in its place is not followed, and a pipe is not waited for.
 */
export type Reader = (below: string, size?: number) => Read

export const createReader =
  ({ path: root, name }: ContentFolder): Reader =>
  (below, listedSize) => {
    const place = `${root}/${below}`
    const file = `${name}/${below}`
    try {
      const size = listedSize ?? fs.lstatSync(place).size
      if (size > sizeLimit) return tooLarge(file, size)
      const text = fs.readFileSync(place, asText) as unknown as string
      if (text.includes(replacement) || notPlain.test(text))
        return readOdd(fs.readFileSync(place, asBytes), file)
      const bytes = Buffer.byteLength(text)
      if (bytes > sizeLimit) return tooLarge(file, bytes)
      const oid = hash('sha1', `blob ${bytes}\0${text}`)
      return { oid, source: { file, text: withoutMark(text) } }
    } catch (cause) {
      throw new UserError(`can't read ${file}`, {
        hint: 'it may have changed meanwhile: check it and run again',
        cause,
      })
    }
  }

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants

// a flag may be a number, which the types don't know
const asBytes = { flag: (O_RDONLY | O_NOFOLLOW | O_NONBLOCK) as unknown as string } as const
const asText = { ...asBytes, encoding: 'utf8' } as const

const tooLarge = (file: string, bytes: number): Read => ({
  oid: '',
  diagnostic: diagnose('too-large', { file, ...fileStart }, { bytes, limit: sizeLimit }),
})

/** A file that may be no UTF-8, or holds the replacement character itself. */
const readOdd = (bytes: Buffer, file: string): Read => {
  if (bytes.length > sizeLimit) return tooLarge(file, bytes.length)
  const oid = oidOf(bytes)
  const text = bytes.toString()
  const source = { file, text: withoutMark(text) }
  const start = bytes.toString('latin1', 0, 20)
  const [, is] = otherKinds.find(([form]) => form.test(start)) ?? []
  if (is) return { oid, diagnostic: diagnose('not-text', { file, ...fileStart }, { is }) }
  if (isUtf8(bytes) && !utf16.test(text)) return { oid, source }
  // UTF-16 and what is no text at all would be told as nothing but syntax errors
  return {
    oid,
    diagnostic: notUtf8(bytes, file),
    legible: bytes.includes(0) ? undefined : source,
  }
}

/** The name that git gives to bytes. */
export const oidOf = (bytes: Buffer): string =>
  hash('sha1', Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]))

/** UTF-16 without a mark of its own: every second byte is 0. */
const utf16 = /^(?:\0[^\0]|[^\0]\0){4}/

/** How files begin that an editor saved as something else than text. */
const otherKinds = [
  [/^\{\\rtf/, 'rich text (RTF)'],
  [/^<(?:!doctype|html|\?xml)/i, 'HTML or XML'],
  [/^%PDF-/, 'a PDF'],
  [
    /^(?:PK\x03\x04|\xd0\xcf\x11\xe0)/,
    'a document of Word, Pages and the like, or an archive',
  ],
  [/^(?:\xff\xd8|\x89PNG|GIF8|RIFF)/, 'a picture'],
] as const
/** All of them that may be UTF-8, and UTF-16. */
const notPlain = new RegExp(`${utf16.source}|^(?:\\{\\\\rtf|<[!?h]|%PDF)`, 'i')

/** At the first byte that is no part of a character in UTF-8. */
const notUtf8 = (bytes: Buffer, file: string): Diagnostic => {
  const text = bytes.toString('utf8')
  const encoded = Buffer.from(text)
  let same = 0
  while (same < encoded.length && bytes[same] === encoded[same]) same++
  // the bytes of the character in its place may begin as it does
  const offset = utf16.test(text) ? bytes.indexOf(0) : encoded.lastIndexOf(replacement, same)
  const before = withoutMark(encoded.toString('utf8', 0, offset))
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  const place = { file, line, column, endLine: line, endColumn: column + 1 }
  return diagnose('not-utf8', place, {
    byte: bytes.toString('hex', offset, offset + 1).toUpperCase(),
  })
}

const replacement = '\ufffd'

/** A text without the byte order mark that it may begin with. */
export const withoutMark = (text: string): string =>
  text.charCodeAt(0) === 0xfeff ? text.slice(1) : text

/**
 * The text of a file that may hold content under another name; `undefined` for what is no
 * text, or too large.
 */
export const peek = (root: string, below: string): string | undefined => {
  const start = readStart(root, below, { length: 4096 })
  if (start === undefined || start.includes(0)) return undefined
  const bytes =
    start.length < 4096 ? start : readStart(root, below, { length: sizeLimit + 1 })
  return bytes && bytes.length <= sizeLimit && isUtf8(bytes)
    ? withoutMark(bytes.toString('utf8'))
    : undefined
}

/**
 * At most so many first bytes of a file below a folder; `undefined` if it can't be read, or a
 * link leads there.
 */
export const readStart = (
  root: string,
  below: string,
  { length, into }: { readonly length: number; readonly into?: Buffer },
): Buffer | undefined => {
  let descriptor: number | undefined
  try {
    if (leadsThroughLink(root, below)) return undefined
    descriptor = fs.openSync(`${root}/${below}`, asBytes.flag)
    const buffer = into ?? Buffer.alloc(Math.min(length, fs.fstatSync(descriptor).size))
    return buffer.subarray(0, fs.readSync(descriptor, buffer))
  } catch (error) {
    if (mayPass(error)) return undefined
    throw error
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor)
  }
}

/** Whether a part of a path below a folder is a link. What isn't there is none. */
export const leadsThroughLink = (root: string, below: string): boolean => {
  let place = root
  return below.split('/').some((part) => {
    place += `/${part}`
    return lstatOf(place)?.isSymbolicLink() === true
  })
}
