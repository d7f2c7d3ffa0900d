import { hash } from 'node:crypto'
import fs from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import {
  type Encoding,
  encodings,
  filePath,
  routes,
  sumsFile,
  variantFolder,
  variants,
} from '../api/routes.ts'
import { once } from '../content/once.ts'
import type { Site } from '../content/site.ts'
import { createFolderOf, readFile } from '../files/folder.ts'
import type { Sum } from '../files/sums.ts'
import { writeNew } from '../files/write.ts'

/** What the snapshot holds of a member. */
export type Made = {
  /** Of the files at one of its names, in hex, in the order of {@link pathsOf}; `null` is no file. */
  readonly sha256: readonly (string | null)[]
  /** Of the stats of its files and folders; empty if they can't be relied on. */
  readonly stat: string
  /** Bytes of the largest file. */
  readonly largest: number
}

type Named = { readonly username: string; readonly aliases: readonly string[] }

/** Every name at which the API answers with a member's files. */
export const namesOf = ({ username, aliases }: Named): readonly string[] => [username, ...aliases]

type FileSwitches = Pick<Site, 'precompress' | 'schemes'>

const encodingsOf = ({ precompress }: Pick<Site, 'precompress'>) =>
  encodings.filter(({ name }) => precompress.includes(name))

/**
 * Where the files of a member can be: at one name after the other, for each variant and route the plain file, then its
 * copies in each encoding of the site.
 */
export const pathsOf = (names: readonly string[], site: FileSwitches): readonly string[] => {
  const suffixes = ['', ...encodingsOf(site).map(({ suffix }) => suffix)]
  const paths: string[] = []
  for (const name of names) {
    for (const variant of site.schemes) {
      for (const route of routes) {
        const path = filePath(route, variant, name)
        for (const suffix of suffixes) paths.push(path + suffix)
      }
    }
  }
  return paths
}

/** The files of a member, at all of its names. */
export const filesOf = (
  member: Named & { readonly made: Pick<Made, 'sha256'> },
  site: FileSwitches,
): readonly Sum[] => {
  const { sha256 } = member.made
  const files: Sum[] = []
  pathsOf(namesOf(member), site).forEach((path, number) => {
    const digest = sha256[number % sha256.length]
    if (digest) files.push({ path, digest })
  })
  return files
}

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

const compress = (bytes: Uint8Array, encoding: Encoding): Uint8Array => {
  if (encoding === 'br') {
    return brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    })
  }
  const zipped = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION })
  zipped[9] = 255 // the header's "operating system": unknown, so that every machine writes the same
  return zipped
}

/** Two levels below the best: a tenth of the time, for a few per cent more bytes. */
const brotliQuality = 9

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

/**
 * Fingerprint of files' names and of what stat says of them: 32 hex digits. It changes whenever one of them is written,
 * replaced, renamed or given another time.
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
  const bytes = readFile(folder, name)
  return bytes && hash('sha256', bytes)
}

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
  const stageFolderOf = createFolderOf(stage)
  const folders = new Map<string, boolean>()
  /** Whether a folder is there, and no link leads to it. */
  const isFolder = (below: string): boolean => {
    if (below === '') return true
    const known = folders.get(below)
    if (known !== undefined) return known
    if (folders.size === mostKnown) folders.clear()
    const isThere =
      isFolder(split(below).parent) &&
      fs.lstatSync(`${folder}/${below}`, { throwIfNoEntry: false })?.isDirectory() === true
    folders.set(below, isThere)
    return isThere
  }
  const has = (file: string, sha256: string): boolean => {
    const { parent, name } = split(file)
    return !empty && isFolder(parent) && hashFile(`${folder}/${parent}`, name) === sha256
  }
  const put = (path: string, bytes: Uint8Array | readonly Uint8Array[]): void => {
    const seconds = timeOf(baseTime, path)
    try {
      writeNew(stageFolderOf(path), split(path).name, (file) => {
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
      const { parent, name } = split(file)
      const staged = readFile(`${stage}/${parent}`, name)
      return staged ?? (isFolder(parent) ? readFile(`${folder}/${parent}`, name) : undefined)
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
     * What stat says of files, and of the folders that they are in; empty if one is missing or is something else, or if
     * some were staged. A stage that becomes the whole snapshot keeps its stats; else the next build reads the moved files
     * again, as they may have been changed since.
     */
    fingerprint: (
      files: readonly Pick<Sum, 'path'>[],
      { withFolders = false, isStaged = false } = {},
    ): string => {
      if (isStaged && !empty) return ''
      const parents = withFolders ? new Set(files.map(({ path }) => split(path).parent)) : []
      const stats: fs.Stats[] = []
      const look = (below: string): fs.Stats | undefined => {
        const stat = fs.lstatSync(`${empty ? stage : folder}/${below}`, { throwIfNoEntry: false })
        if (stat) stats.push(stat)
        return stat
      }
      const isThere =
        [...parents].every((parent) => look(parent)?.isDirectory()) &&
        files.every(({ path }) => look(path)?.isFile())
      return isThere ? fingerprintStats([], stats) : ''
    },
  }
}

/** The folder and the name of a path. */
const split = (path: string): { readonly parent: string; readonly name: string } => {
  const at = path.lastIndexOf('/')
  return { parent: path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) }
}

const mostKnown = 1000
