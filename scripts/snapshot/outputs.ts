import { hash } from 'node:crypto'
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
  sumsFile,
  type Variant,
  variantFolder,
  variants,
} from '../api/routes.ts'
import type { Site } from '../content/site.ts'
import { createFolderOf, findEntry } from '../files/folder.ts'
import { readFile } from '../files/open.ts'
import { writeNew } from '../files/write.ts'

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
 * when the build begins, unless another one was just before it: some servers give a file of the future another tag. They
 * are whole seconds, because some ways of copying a snapshot to other machines keep no more.
 */
export const nextBaseTime = (now: number, last: number): number =>
  Math.max(floor(now) - span, floor(last) + span)

/** Seconds that belong to one build: one for each variant and encoding, the last one for the list. */
const span = Math.max(8, variants.length * (encodings.length + 1) + 1)

const floor = (seconds: number): number => Math.floor(seconds / span) * span

/** Time of change of a file of the snapshot, in seconds. That of SHA256SUMS tells the next build the baseTime of this one. */
export const timeOf = (baseTime: number, path: string): number => {
  if (path === sumsFile) return baseTime + span - 1
  const variant = path.startsWith(`${variantFolder.http}/`) ? 1 : 0
  const encoding = encodings.findIndex(({ suffix }) => path.endsWith(suffix)) + 1
  return baseTime + variant * (encodings.length + 1) + encoding
}

export type PressOptions = {
  readonly site: Site
  readonly slots: readonly Slot[]
  readonly encode: Encoder['encode']
  /** Takes each file. */
  readonly take: (slot: Slot, file: { readonly bytes: Uint8Array; readonly digest: string }) => void
}

/** What the snapshot holds of a member. */
export type Made = {
  /** By slot. */
  readonly sha256: Digests
  /** Of the stats of its files and folders; empty if they can't be relied on. */
  readonly stat: string
  /** Bytes of the largest file. */
  readonly largest: number
  /** sha256 of what is published of its pictures, by path below the snapshot's root. */
  readonly pictures?: Readonly<Record<string, string>>
}

/** Makes the files of a member. */
export const press = (
  member: Member,
  { site, slots, encode, take }: PressOptions,
): Pick<Made, 'sha256' | 'largest'> => {
  let plain: Uint8Array = new Uint8Array()
  let largest = 0
  const sha256 = slots.map((slot) => {
    let bytes: Uint8Array
    if (slot.encoding === undefined) {
      bytes = plain = encode(renderRoute(slot.route, slot.variant, member, site))
      largest = Math.max(largest, bytes.length)
    } else {
      bytes = compress(plain, slot.encoding)
      if (bytes.length >= plain.length) return null
    }
    const digest = hash('sha256', bytes)
    take(slot, { bytes, digest })
    return digest
  })
  return { sha256, largest }
}

export type Encoder = {
  /** UTF-8, valid until `forget`. */
  readonly encode: (text: string) => Uint8Array
  readonly forget: () => void
}

/** Makes an encoder that uses the same memory again after each `forget`. */
export const createEncoder = (): Encoder => {
  const encoder = new TextEncoder()
  let memory = new Uint8Array(1 << 18)
  let used = 0
  return {
    encode: (text) => {
      // three bytes are the most that a UTF-16 unit can take
      const most = text.length * 3
      if (used + most > memory.length) {
        memory = new Uint8Array(Math.max(memory.length * 2, most))
        used = 0
      }
      const start = used
      used += encoder.encodeInto(text, memory.subarray(start)).written
      return memory.subarray(start, used)
    },
    forget: () => {
      used = 0
    },
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
    for (const entry of fs.readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      const slot = paths.indexOf(path)
      if (slot !== -1 && entry.isFile()) sha256[slot] = hashFile(`${root}/${folder}`, entry.name) ?? ''
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
 * Fingerprint of what stat says of a member's folders and files in the snapshot, under each of its names; empty if one is
 * missing or no plain file.
 */
export const fingerprintOutput = (
  root: string,
  names: readonly string[],
  { slots, made }: Output,
): string => {
  const folders = names.flatMap((name) => foldersOf(slots, name))
  const files = names.flatMap((name) =>
    slots.flatMap((slot, number) => (made.sha256[number] ? [slotPath(slot, name)] : [])),
  )
  return fingerprintPaths(root, { folders, files })
}

type Output = { readonly slots: readonly Slot[]; readonly made: Pick<Made, 'sha256'> }

/** The same of any folders and files. */
export const fingerprintPaths = (
  root: string,
  { folders, files }: { readonly folders: readonly string[]; readonly files: readonly string[] },
): string => {
  const stats: fs.Stats[] = []
  const add = (path: string, isFolder: boolean): boolean => {
    const stat = fs.lstatSync(`${root}/${path}`, { throwIfNoEntry: false })
    if (stat === undefined || !(isFolder ? stat.isDirectory() : stat.isFile())) return false
    stats.push(stat)
    return true
  }
  const areThere = folders.every((path) => add(path, true)) && files.every((path) => add(path, false))
  return areThere ? fingerprintStats([], stats) : ''
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

/** Paths of the plain files that the snapshot has below `pictures/`: to list them takes no stat for each. */
export const listPictures = (out: string): ReadonlySet<string> => {
  if (!findEntry(out, 'pictures')?.isDirectory()) return new Set()
  const entries = fs.readdirSync(path.join(out, 'pictures'), { withFileTypes: true })
  return new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => `pictures/${name}`))
}

/** sha256 in hex of a plain file below a trusted folder; `undefined` if there is none, or it can't be ours. */
export const hashFile = (folder: string, name: string): string | undefined => {
  const bytes = readFile(folder, name, { limit: largestFile })
  return bytes && hash('sha256', bytes)
}

/** Bytes; no file that a build makes has so many. */
export const largestFile = 1 << 29

/** Whether a link or a file stands where a folder of the snapshot, or one above it, should be. */
export const isBlocked = (out: string, folder: string): boolean =>
  folder !== '.' &&
  (isBlocked(out, path.posix.dirname(folder)) || findEntry(out, folder)?.isDirectory() === false)

/** Where the files of a build are put, and the snapshot that they are for. */
export type StagePlace = {
  readonly stage: string
  /** Time of change for the files of this build, in seconds; see {@link nextBaseTime}. */
  readonly baseTime: number
  /** The snapshot. */
  readonly folder: string
  /** Whether it is known to be empty. */
  readonly empty: boolean
}

/** Stages a file, by its path below the snapshot's root; its bytes may come in pieces. */
export type Stage = (path: string, bytes: Uint8Array | readonly Uint8Array[]) => void

export const createStage = ({ stage, baseTime }: StagePlace): Stage => {
  const folderOf = createFolderOf(stage, { make: true })
  return (below, bytes) => {
    try {
      const seconds = timeOf(baseTime, below)
      writeNew(folderOf(below)!, path.posix.basename(below), (file) => {
        for (const piece of [bytes].flat()) fs.writeFileSync(file, piece)
        fs.futimesSync(file, seconds, seconds)
      })
    } catch (error) {
      // two members have one picture, or answer at one name: that is found when all are compared
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Whether the snapshot has a file with these bytes, and no link leads there. */
export const isThere = ({ folder, empty }: StagePlace, file: string, sha256: string): boolean =>
  !empty && !isBlocked(folder, path.posix.dirname(file)) && hashFile(folder, file) === sha256
