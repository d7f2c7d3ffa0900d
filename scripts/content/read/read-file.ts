import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { type Diagnostic, fileStart } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import { mayPass, UserError } from '../../problems/user-error.ts'
import { sizeLimit } from '../layout.ts'
import type { Source } from '../load.ts'
import type { ContentFolder } from './scan.ts'

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

/** Opens a folder of the content, given below the content folder, to read several of its files. */
export type OpenFolder = (below: string) => OpenedFolder

export type OpenedFolder = {
  /** Reads a file that was listed with this size. */
  readonly read: (name: string, size: number) => Read
  readonly close: () => void
}

/**
 * Reads as {@link createReader} does, at half the cost: the folder, not each file, is proved to lie inside the content,
 * and a file takes one call. It leaves everything unusual to that reader.
 */
export const createOpenFolder = ({ path, name: content }: ContentFolder): OpenFolder => {
  const reader = createReader(path)
  const hold = createHold(path)
  return (below) => {
    const folder = hold(`${path}/${below}`)
    return {
      read: (name, size) => {
        const text = folder && size <= sizeLimit ? quickText(`${folder.path}/${name}`) : undefined
        const bytes = text === undefined ? 0 : Buffer.byteLength(text)
        const file = `${content}/${below}/${name}`
        // it may have grown since it was listed
        if (text === undefined || bytes > sizeLimit) return reader(`${path}/${below}/${name}`, file)
        const oid = hash('sha1', `blob ${bytes}\0${text}`)
        return { oid, source: { file, text: withoutMark(text) } }
      },
      close: () => folder?.release(),
    }
  }
}

/** The text of a file; `undefined` if it can't be read, or may be no UTF-8. */
const quickText = (path: string): string | undefined => {
  try {
    const text = fs.readFileSync(path, options)
    return text.includes('\ufffd') ? undefined : text
  } catch {
    return undefined
  }
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants

// a flag may be a number, which the types don't know
const options = { encoding: 'utf8', flag: (O_RDONLY | O_NOFOLLOW | O_NONBLOCK) as unknown as string } as const

/**
 * Whether a file that was opened by this path lies inside the content folder: a folder on the way may have been
 * replaced by a link between listing and opening.
 */
export type Inside = (descriptor: number, file: string) => boolean

export const createInside = (root: string): Inside => {
  const proved = createProof(root)
  return (descriptor, file) => (proved === undefined ? noLinkBetween(root, file) : proved(descriptor))
}

/** Whether what is open lies inside, as the system itself says; `undefined` on one that can't say. */
const createProof = (root: string): ((descriptor: number) => boolean) | undefined => {
  let start = realFolder(root)
  if (start === undefined) return undefined
  return (descriptor) => {
    const real = fs.readlinkSync(descriptorPath(descriptor))
    if (start !== undefined && real.startsWith(start)) return true
    start = realFolder(root) // it may have been moved itself
    return start !== undefined && real.startsWith(start)
  }
}

/** Has a folder of the content listed, given by its path: what `list` gets leads to that folder. */
export type Enter = <T>(folder: string, list: (path: string) => T) => T

/** Enters only folders that lie inside, as far as the system can say so. */
export const createEnter = (root: string): Enter => {
  const proved = createProof(root)
  return (folder, list) => {
    if (proved === undefined) {
      const listed = list(folder)
      return noLinkBetween(root, `${folder}/.`) ? listed : refuse(folder)
    }
    const descriptor = openFolder(folder)
    try {
      return proved(descriptor) ? list(descriptorPath(descriptor)) : refuse(folder)
    } finally {
      fs.closeSync(descriptor)
    }
  }
}

/** For a listing that is used only if it equals one that was proved. */
export const enterUnproved: Enter = (folder, list) => list(folder)

const refuse = (folder: string): never => {
  throw new UserError(`${folder} leads out of the content folder`, {
    hint: 'it may have changed meanwhile: check it and run again',
  })
}

/** A folder that is held open, and a path to it that no link can lead elsewhere. */
export type HeldFolder = { readonly path: string; readonly release: () => void }

/**
 * Opens folders of the content, each proved to lie inside; `undefined` if it doesn't, or on a system that has no path
 * to what is open.
 */
export const createHold = (root: string): ((folder: string) => HeldFolder | undefined) => {
  const proved = createProof(root)
  return (folder) => {
    if (proved === undefined) return undefined
    let held: number | undefined
    try {
      held = openFolder(folder)
      if (proved(held)) {
        const descriptor = held
        return { path: descriptorPath(descriptor), release: () => fs.closeSync(descriptor) }
      }
    } catch {
      // whoever opens the file says what is wrong
    }
    if (held !== undefined) fs.closeSync(held)
    return undefined
  }
}

const openFolder = (folder: string): number =>
  fs.openSync(folder, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY)

const descriptorPath = (descriptor: number): string => `/proc/self/fd/${descriptor}`

/** Where Linux says that an open folder is, with a slash at the end; `undefined` on a system that can't say. */
const realFolder = (folder: string): string | undefined => {
  if (process.platform !== 'linux') return undefined
  let descriptor: number | undefined
  try {
    descriptor = openFolder(folder)
    return `${fs.readlinkSync(descriptorPath(descriptor))}/`.replace('//', '/')
  } catch {
    return undefined // as where /proc is not mounted
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor)
  }
}

/** The second best: it doesn't notice a folder that is swapped and put back in time. */
const noLinkBetween = (root: string, file: string): boolean => {
  for (let folder = path.dirname(file); folder.length > root.length; folder = path.dirname(folder)) {
    if (!fs.lstatSync(folder).isDirectory()) return false
  }
  return true
}
