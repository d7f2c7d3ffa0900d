import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
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
import { once } from '../content/once.ts'
import type { Site } from '../content/site.ts'
import { createFolderOf } from '../files/folder.ts'
import { readFile } from '../files/open.ts'
import type { Sum } from '../files/sums.ts'
import { writeNew } from '../files/write.ts'

/** One of the files that a member can have: a route in a variant, plain or in an encoding. */
export type Slot = {
  readonly route: Route
  readonly variant: Variant
  /** What the path has after that of the plain file: empty, or the encoding's. */
  readonly suffix: string
}

/** The slots of a site, in the order of the paths. What a member has in each is listed in this order everywhere. */
export const slotsOf = (site: Pick<Site, 'precompress' | 'schemes'>): readonly Slot[] =>
  site.schemes.flatMap((variant) =>
    routes.flatMap((route) =>
      [{ suffix: '' }, ...encodingsOf(site)].map(({ suffix }) => ({ route, variant, suffix })),
    ),
  )

const encodingsOf = ({ precompress }: Pick<Site, 'precompress'>) =>
  encodings.filter(({ name }) => precompress.includes(name))

/** A file, or its copy in an encoding, whose path has the suffix; sha256 in hex. */
export type EncodedFile = { readonly suffix: string; readonly bytes: Uint8Array; readonly digest: string }

/** A file, then its copies in each encoding of the site; `null` where that would be no smaller. */
export const copiesOf = (
  plain: Uint8Array,
  site: Pick<Site, 'precompress'>,
): readonly (EncodedFile | null)[] => [
  { suffix: '', bytes: plain, digest: hash('sha256', plain) },
  ...encodingsOf(site).map(({ name, suffix }) => {
    const bytes = compress(plain, name)
    return bytes.length < plain.length ? { suffix, bytes, digest: hash('sha256', bytes) } : null
  }),
]

/** Path of a slot's file below the snapshot's root. */
export const slotPath = ({ route, variant, suffix }: Slot, username: string): string =>
  filePath(route, variant, username) + suffix

/** sha256 in hex of what a member has in each slot; `null` is no file. */
export type Digests = readonly (string | null)[]

/** Every name at which the API answers with a member's files. */
export const namesOf = ({ username, aliases }: Named): readonly string[] => [username, ...aliases]

type Named = { readonly username: string; readonly aliases: readonly string[] }

/** The files of a member, with their slots; under each of the names. */
export const filesOf = (
  member: Named & { readonly made: Pick<Made, 'sha256'> },
  slots: readonly Slot[],
): readonly Sum[] =>
  namesOf(member).flatMap((name) =>
    slots.flatMap((slot, number) => {
      const digest = member.made.sha256[number]
      return digest ? [{ path: slotPath(slot, name), digest }] : []
    }),
  )

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

const compress = (bytes: Uint8Array, encoding: Encoding): Uint8Array => {
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

/**
 * Fingerprint of what stat says of folders and files of a snapshot; empty if one is missing or is something else. It changes
 * whenever one of them is written, replaced, renamed or given another time.
 */
const fingerprintOutput = (root: string, { folders = [], files }: Outputs): string => {
  const stats: fs.Stats[] = []
  for (const [at, below] of [...folders, ...files].entries()) {
    const stat = fs.lstatSync(`${root}/${below}`, { throwIfNoEntry: false })
    if (!(at < folders.length ? stat?.isDirectory() : stat?.isFile())) return ''
    stats.push(stat!)
  }
  return fingerprintStats([], stats)
}

type Outputs = { readonly folders?: readonly string[]; readonly files: readonly string[] }

/** The folders that hold a member's files: of each variant the user's, then the shots'. */
export const foldersOf = (slots: readonly Slot[], username: string): readonly string[] =>
  slots.flatMap((slot) => {
    const path = slotPath(slot, username)
    return slot.suffix === '' ? [path.slice(0, path.lastIndexOf('/'))] : []
  })

/** Fingerprint of files' names and of what stat says of them. 32 hex digits. */
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

/**
 * Whether the last change of every file is so long ago that the file system's clock will tell a later change from it. A
 * fingerprint of files that have not settled must not be kept. To be asked before the files are read.
 */
export const haveSettled = (stats: readonly Pick<fs.Stats, 'ctimeMs'>[]): boolean => {
  const now = Date.now()
  return stats.every(({ ctimeMs }) => ctimeMs + tickMs(ctimeMs) < now)
}

/** How long a file system's clock may stand still: whole seconds mean a coarse one. */
const tickMs = (time: number): number => (time % 1000 === 0 ? 2000 : 50)

/** sha256 in hex of a plain file below a trusted folder; `undefined` if there is none, or it can't be ours. */
export const hashFile = (folder: string, name: string): string | undefined => {
  const bytes = readFile(folder, name, { limit: largestFile })
  return bytes && hash('sha256', bytes)
}

/** Bytes; no file that a build makes has so many. */
export const largestFile = 1 << 29

/** The snapshot that is there, and the stage of the next one. */
export type Place = {
  readonly folder: string
  /** Whether the snapshot is known to be empty. */
  readonly empty: boolean
  readonly stage: string
  /** Time of change for the files of this build, in seconds; see {@link nextBaseTime}. */
  readonly baseTime: number
}

export type Snapshot = ReturnType<typeof openSnapshot>

/** Looks into a snapshot and fills its stage; paths are below the snapshot's root. */
export const openSnapshot = ({ folder, empty, stage, baseTime }: Place) => {
  const stageFolderOf = createFolderOf(stage, { make: true })
  const stagedFolderOf = createFolderOf(stage, { make: false })
  const folders = new Map<string, boolean>()
  /** Whether a folder is there, and no link leads to it. */
  const isFolder = (below: string): boolean => {
    if (below === '.') return true
    const known = folders.get(below)
    if (known !== undefined) return known
    if (folders.size === mostKnown) folders.clear()
    const stat = isFolder(path.posix.dirname(below))
      ? fs.lstatSync(`${folder}/${below}`, { throwIfNoEntry: false })
      : undefined
    folders.set(below, stat?.isDirectory() === true)
    return stat?.isDirectory() === true
  }
  const has = (file: string, sha256: string): boolean => {
    const parent = path.posix.dirname(file)
    return !empty && isFolder(parent) && hashFile(`${folder}/${parent}`, path.posix.basename(file)) === sha256
  }
  const put = (below: string, bytes: Uint8Array | readonly Uint8Array[]): void => {
    const seconds = timeOf(baseTime, below)
    try {
      writeNew(stageFolderOf(below)!, path.posix.basename(below), (file) => {
        for (const piece of [bytes].flat()) fs.writeFileSync(file, piece)
        fs.futimesSync(file, seconds, seconds)
      })
    } catch (error) {
      // two members have one picture, or answer at one name: that is found when all are compared
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  return {
    isFolder,
    /** Whether a plain file with these bytes is there, and no link leads to it. */
    has,
    /** Stages a file; its bytes may come in pieces. */
    put,
    /** Stages a file if the snapshot doesn't have it; says whether it did. */
    renew: (file: string, { bytes, digest }: Pick<EncodedFile, 'bytes' | 'digest'>): boolean => {
      if (has(file, digest)) return false
      put(file, bytes)
      return true
    },
    /** A file as it will be: as it is staged, else as it is. */
    read: (file: string): Buffer | undefined => {
      const [staged, name] = [stagedFolderOf(file), path.posix.basename(file)]
      const limit = largestFile
      return (
        (staged === undefined ? undefined : readFile(staged, name, { limit })) ??
        (isFolder(path.posix.dirname(file)) ? readFile(folder, file, { limit }) : undefined)
      )
    },
    /**
     * Paths of the plain files below `pictures/`. Each is named after its bytes: where nothing else was touched, nobody need
     * look at one again if its name is there, and to list them takes no stat for each.
     */
    pictures: once((): ReadonlySet<string> => {
      const entries = isFolder('pictures')
        ? fs.readdirSync(`${folder}/pictures`, { withFileTypes: true })
        : []
      return new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => `pictures/${name}`))
    }),
    /**
     * What stat says of files and folders; empty if some of them were staged. A stage that becomes the whole snapshot keeps
     * its stats; else the next build reads the moved files again, as they may have been changed since.
     */
    fingerprint: (about: Outputs, { isStaged = false } = {}): string =>
      empty ? fingerprintOutput(stage, about) : isStaged ? '' : fingerprintOutput(folder, about),
  }
}

const mostKnown = 1000
