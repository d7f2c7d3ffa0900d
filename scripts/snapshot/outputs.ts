import { createHash, hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Member } from '../api/derive.ts'
import { renderRoute } from '../api/render.ts'
import {
  type Encoding,
  encodings,
  filePath,
  type Route,
  routes,
  type Variant,
  variants,
} from '../api/routes.ts'
import type { Site } from '../content/site.ts'
import { createFolderOf, findEntry } from '../files/folder.ts'
import { openFile } from '../files/open.ts'
import { writeNew } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'

/** One of the files that a member can have: a route in a variant, plain or in an encoding. */
export type Slot = {
  readonly route: Route
  readonly variant: Variant
  readonly encoding: Encoding | undefined
  /** What the path has after that of the plain file. */
  readonly suffix: string
}

/** The slots of a site, in the order of the paths. What a member has in each is listed in this order everywhere. */
export const slotsOf = ({ precompress, schemes }: Pick<Site, 'precompress' | 'schemes'>): readonly Slot[] =>
  schemes.flatMap((variant) =>
    routes.flatMap((route) => [
      { route, variant, encoding: undefined, suffix: '' },
      ...encodings
        .filter(({ name }) => precompress.includes(name))
        .map(({ name, suffix }) => ({ route, variant, encoding: name, suffix })),
    ]),
  )

/** Path of a slot's file below the snapshot's root. */
export const slotPath = ({ route, variant, suffix }: Slot, username: string): string =>
  filePath(route, variant, username) + suffix

/** sha256 in hex of what a member has in each slot; `null` is no file. */
export type Digests = readonly (string | null)[]

/**
 * Servers make an ETag of a file's size and its time of change, often in whole seconds. So that a changed file never
 * answers to an old tag, and no two variants or encodings share one, every build that changes something gets eight
 * seconds of its own, later than those of any build before, and every kind of file one of the eight. They have passed
 * when the build begins, unless another one was just before it: some servers tag a file of the future otherwise.
 */
export const nextBaseTime = (now: number, last: number): number =>
  Math.max(floor(now) - span, floor(last) + span)

const kinds = variants.flatMap((variant) => [
  `${variant} undefined`,
  ...encodings.map(({ name }) => `${variant} ${name}`),
])

/** Seconds that belong to one build: one for each kind of member's file, one for the rest, and one to spare. */
const span = Math.max(8, kinds.length + 1)

const floor = (seconds: number): number => Math.floor(seconds / span) * span

/** What tells files apart that answer at one address. */
export type FileKind = Pick<Slot, 'variant' | 'encoding'>

/** Time of change of a file of that kind, in seconds. */
export const kindTime = (baseTime: number, { variant, encoding }: FileKind): number =>
  baseTime + kinds.indexOf(`${variant} ${encoding}`)

/** Time of change of SHA256SUMS, which tells the next build what the last baseTime was, and of other files. */
export const frameTime = (baseTime: number): number => baseTime + span - 1

export type PressOptions = {
  readonly site: Site
  readonly slots: readonly Slot[]
  /** What the same program made before; spares compressing the same bytes again. */
  readonly before: Digests
  /** What is in the snapshot under each name of the member. */
  readonly present: Digests
  /** UTF-8, valid until the next call. */
  readonly encode: (text: string) => Uint8Array
  /** Takes each file that was rendered or compressed. The bytes are valid during the call only. */
  readonly take: (slot: Slot, file: { readonly bytes: Uint8Array; readonly digest: string }) => void
}

export type Pressed = {
  readonly sha256: Digests
  /** Bytes of the largest file. */
  readonly largest: number
}

/** Makes the files of a member. */
export const press = (member: Member, options: PressOptions): Pressed => {
  const { site, slots, before, present, encode, take } = options
  const digests: (string | null)[] = []
  let plain: Uint8Array = new Uint8Array()
  let plainSlot = 0
  let largest = 0
  slots.forEach((slot, number) => {
    let bytes: Uint8Array
    digests[number] = null
    if (slot.encoding === undefined) {
      bytes = plain = encode(renderRoute(slot.route, slot.variant, member, site))
      plainSlot = number
      largest = Math.max(largest, bytes.length)
    } else {
      const known = before[number]
      if (before[plainSlot] === digests[plainSlot] && known !== undefined && known === present[number]) {
        digests[number] = known
        return
      }
      bytes = compress(plain, slot.encoding)
      if (bytes.length >= plain.length) return
    }
    const digest = hash('sha256', bytes)
    digests[number] = digest
    take(slot, { bytes, digest })
  })
  return { sha256: digests, largest }
}

/** Makes an encoder that writes every text into the same memory. */
export const createEncoder = (): PressOptions['encode'] => {
  const encoder = new TextEncoder()
  let memory = new Uint8Array(1 << 18)
  return (text) => {
    // three bytes are the most that a UTF-16 unit can take
    if (text.length * 3 > memory.length) memory = new Uint8Array(text.length * 3)
    return memory.subarray(0, encoder.encodeInto(text, memory).written)
  }
}

export const compress = (bytes: Uint8Array, encoding: Encoding): Uint8Array => {
  switch (encoding) {
    case 'br':
      return brotliCompressSync(bytes, {
        params: {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })
    case 'gzip': {
      const zipped = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION })
      zipped[9] = 255 // the header's "operating system": unknown, so that every machine writes the same
      return zipped
    }
    default:
      return encoding satisfies never
  }
}

/** Two levels below the best: a tenth of the time, for a few per cent more bytes. */
const brotliQuality = 9

/** What stands in the snapshot where a member's files belong, under one of its names. */
export type Audit = {
  readonly sha256: Digests
  /** Paths below the root of what is no file of a member: strangers, links, folders in the wrong place. */
  readonly strangers: readonly string[]
}

/** Reads all of a member's files in the snapshot and lists what else is there. Nothing is looked at below `blocked`. */
export const auditMember = (
  root: string,
  username: string,
  { slots, blocked }: { readonly slots: readonly Slot[]; readonly blocked: readonly string[] },
): Audit => {
  const sha256: (string | null)[] = slots.map(() => null)
  const strangers: string[] = []
  const folders = foldersOf(slots, username)
  const paths = slots.map((slot) => slotPath(slot, username))
  const visit = (folder: string): void => {
    const stat = fs.lstatSync(`${root}/${folder}`, { throwIfNoEntry: false })
    if (stat === undefined) return
    if (!stat.isDirectory()) {
      strangers.push(folder)
      return
    }
    for (const entry of listFolder(`${root}/${folder}`)) {
      const path = `${folder}/${entry.name}`
      const slot = paths.indexOf(path)
      if (slot !== -1 && entry.isFile()) sha256[slot] = hashFile(`${root}/${folder}`, entry.name) ?? null
      else if (folders.includes(path)) visit(path)
      else strangers.push(path)
    }
  }
  for (const folder of folders) {
    if (folders.some((outer) => folder.startsWith(`${outer}/`))) continue // visited from there
    if (!blocked.some((path) => folder.startsWith(`${path}/`))) visit(folder)
  }
  return { sha256, strangers }
}

/**
 * Fingerprint of what stat says of a member's folders and files in the snapshot, under each of its names; empty if
 * one is missing or no plain file.
 */
export const fingerprintOutput = (
  root: string,
  names: readonly string[],
  { slots, sha256 }: OutputNames,
): string => {
  const stats: fs.Stats[] = []
  const add = (path: string, isRight: (stat: fs.Stats) => boolean): boolean => {
    const stat = fs.lstatSync(`${root}/${path}`, { throwIfNoEntry: false })
    if (stat === undefined || !isRight(stat)) return false
    stats.push(stat)
    return true
  }
  for (const name of names) {
    for (const folder of foldersOf(slots, name)) if (!add(folder, (stat) => stat.isDirectory())) return ''
    for (const [number, slot] of slots.entries()) {
      if (sha256?.[number] === null || add(slotPath(slot, name), (stat) => stat.isFile())) continue
      if (sha256 !== undefined || slot.encoding === undefined) return ''
    }
  }
  return fingerprintStats([], stats)
}

type OutputNames = {
  readonly slots: readonly Slot[]
  /** Absent if it is not known which files there are. */
  readonly sha256?: Digests
}

/** The folders that hold a member's files: of each variant the user's, then the shots'. */
const foldersOf = (slots: readonly Slot[], username: string): readonly string[] =>
  slots.flatMap((slot) => {
    const path = slotPath(slot, username)
    return slot.encoding === undefined ? [path.slice(0, path.lastIndexOf('/'))] : []
  })

/**
 * Fingerprint of what stat says of some files: it changes whenever one of them is written, replaced, renamed or
 * given another time. 32 hex digits.
 */
export const fingerprintStats = (names: readonly string[], stats: readonly fs.Stats[]): string => {
  const text = names.join('/')
  // the numbers, and room for the text after them
  const numbers = new Float64Array(stats.length * 6 + Math.ceil((text.length * 3) / 8))
  let at = 0
  for (const { dev, ino, mode, size, mtimeMs, ctimeMs } of stats) {
    numbers[at++] = dev
    numbers[at++] = ino
    numbers[at++] = mode
    numbers[at++] = size
    numbers[at++] = mtimeMs
    numbers[at++] = ctimeMs
  }
  const bytes = Buffer.from(numbers.buffer)
  const end = at * 8 + bytes.write(text, at * 8)
  return hash('sha1', bytes.subarray(0, end)).slice(0, 32)
}

/** sha256 in hex of a plain file below a trusted folder; `undefined` if there is none. */
export const hashFile = (folder: string, name: string): string | undefined => {
  const file = openFile(folder, name)
  if (file === undefined) return undefined
  try {
    const first = fs.readSync(file, scratch, 0, scratch.length, null)
    // one read is enough to fill the buffer from a plain file
    if (first < scratch.length) return hash('sha256', scratch.subarray(0, first))
    const sum = createHash('sha256')
    let size = 0
    for (let count = first; count > 0; count = fs.readSync(file, scratch, 0, scratch.length, null)) {
      sum.update(scratch.subarray(0, count))
      size += count
      if (size > largestFile) break // the file is not ours: any digest but the right one will do
    }
    return sum.digest('hex')
  } finally {
    fs.closeSync(file)
  }
}

const scratch = Buffer.allocUnsafeSlow(1 << 18)

/** Bytes; no file that a build makes has so many. */
export const largestFile = 1 << 29

/** Lists a folder of the snapshot. What has a name that is no text can be neither listed, moved nor removed. */
export const listFolder = (folder: string): readonly fs.Dirent[] => {
  const entries = fs.readdirSync(folder, { withFileTypes: true })
  const isUnreachable = ({ name }: fs.Dirent): boolean =>
    name.includes('\ufffd') && !fs.lstatSync(`${folder}/${name}`, { throwIfNoEntry: false })
  if (entries.some(isUnreachable)) {
    throw new UserError(`a file with a name that is not UTF-8 is in ${folder}`, {
      hint: 'remove it, or the snapshot as a whole',
    })
  }
  return entries
}

/** Whether a link or a file stands where a folder of the snapshot, or one above it, should be. */
export const isBlocked = (out: string, folder: string): boolean =>
  folder !== '.' &&
  (isBlocked(out, path.posix.dirname(folder)) || findEntry(out, folder)?.isDirectory() === false)

/** Writes new files below a folder: path inside, bytes, and time of change in seconds. */
export type Stage = (path: string, bytes: Uint8Array, seconds: number) => void

export const createStage = (root: string): Stage => {
  const folderOf = createFolderOf(root, { make: true })
  return (below, bytes, seconds) => {
    try {
      writeNew(folderOf(below)!, path.posix.basename(below), (file) => {
        fs.writeFileSync(file, bytes)
        fs.futimesSync(file, seconds, seconds)
      })
    } catch (error) {
      // two members answer at one name: that is found when all are compared, and nothing is committed
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Whether a file with these bytes is below a folder, and no link leads there. */
export const isThere = (folder: string, file: string, sha256: string): boolean =>
  !isBlocked(folder, path.posix.dirname(file)) && hashFile(folder, file) === sha256
