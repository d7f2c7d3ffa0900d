import { hash } from 'node:crypto'
import fs from 'node:fs'
import { posix as path } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { siteFiles } from '../api/document/openapi.ts'
import {
  allRoute,
  binsRoute,
  type Encoding,
  encodings,
  errors,
  fileOf,
  filePath,
  membersRoute,
  type Route,
  routes,
  sumsFile,
  type Variant,
  variantFolder,
  variants,
} from '../api/routes.ts'
import { once } from '../content/once.ts'
import type { Site } from '../content/site.ts'
import { createFolderOf, readFile } from '../files/folder.ts'
import type { Sum } from '../files/sums.ts'
import { writeNew } from '../files/write.ts'
import type { Entry } from './state.ts'

/** What the snapshot holds of a member. */
export type Made = {
  /** Of the files at one of its names, in hex, in the order of {@link filesOf}; `null` is no file. */
  readonly sha256: readonly (string | null)[]
  /** Of the stats of its files and folders; empty if they can't be relied on. */
  readonly stat: string
  /** Bytes of the largest file. */
  readonly largest: number
}

type Named = { readonly username: string; readonly aliases: readonly string[] }

/** Every name at which the API answers with a member's files. */
export const namesOf = ({ username, aliases }: Named): readonly string[] => [username, ...aliases]

const encodingsOf = ({ precompress }: Pick<Site, 'precompress'>) =>
  encodings.filter(({ name }) => precompress.includes(name))

/** The files of a member: at one name after the other, for each variant and route the plain file, then its copies. */
export const filesOf = (
  member: Named & { readonly made: Pick<Made, 'sha256'> },
  site: Pick<Site, 'precompress' | 'schemes'>,
): readonly Sum[] => {
  const { sha256 } = member.made
  const suffixes = ['', ...encodingsOf(site).map(({ suffix }) => suffix)]
  const paths: string[] = []
  for (const name of namesOf(member)) {
    for (const variant of site.schemes) {
      for (const route of routes) {
        const path = filePath(route, variant, name)
        for (const suffix of suffixes) paths.push(path + suffix)
      }
    }
  }
  const files: Sum[] = []
  paths.forEach((path, number) => {
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

/** A file to stage; its bytes may come in pieces. */
export type StagedFile = Sum & { readonly bytes: Uint8Array }

export type Snapshot = ReturnType<typeof openSnapshot>

/** Looks into a snapshot and fills its stage; paths are below the snapshot's root. */
export const openSnapshot = ({ folder, empty, stage, baseTime }: Place) => {
  const stageFolderOf = createFolderOf(stage)
  const folders = new Map<string, boolean>()
  /** Whether a folder is there, and no link leads to it. */
  const isFolder = (below: string): boolean => {
    if (below === '.') return true
    const known = folders.get(below)
    if (known !== undefined) return known
    if (folders.size === mostKnown) folders.clear()
    const isThere =
      isFolder(path.dirname(below)) &&
      fs.lstatSync(`${folder}/${below}`, { throwIfNoEntry: false })?.isDirectory() === true
    folders.set(below, isThere)
    return isThere
  }
  const find = (file: string): Buffer | undefined =>
    isFolder(path.dirname(file))
      ? readFile(`${folder}/${path.dirname(file)}`, path.basename(file))
      : undefined
  const has = (file: string, sha256: string): boolean => {
    const bytes = empty ? undefined : find(file)
    return bytes !== undefined && hash('sha256', bytes) === sha256
  }
  const put = ({ path: target, bytes }: Pick<StagedFile, 'path' | 'bytes'>): void => {
    const seconds = timeOf(baseTime, target)
    try {
      writeNew(stageFolderOf(target), path.basename(target), (file) => {
        fs.writeFileSync(file, bytes)
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
    put,
    /** Stages a file if the snapshot doesn't have it; says whether it did. */
    renew: (file: StagedFile): boolean => {
      if (has(file.path, file.digest)) return false
      put(file)
      return true
    },
    /** A file as it will be: as it is staged, else as it is. */
    read: (file: string): Buffer | undefined =>
      readFile(`${stage}/${path.dirname(file)}`, path.basename(file)) ?? find(file),
    /**
     * Paths of the plain files below `pictures/`. Each is named after its bytes: where nothing else was touched, nobody need
     * look at one again if its name is there, and to list them takes no stat for each.
     */
    pictures: once((): ReadonlySet<string> => {
      if (!isFolder('pictures')) return new Set()
      const entries = fs.readdirSync(`${folder}/pictures`, { withFileTypes: true })
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
      const parents = withFolders ? new Set(files.map((file) => path.dirname(file.path))) : []
      const stats: fs.Stats[] = []
      const look = (below: string): fs.Stats | undefined => {
        const stat = fs.lstatSync(`${empty ? stage : folder}/${below}`, { throwIfNoEntry: false })
        if (stat) stats.push(stat)
        return stat
      }
      const isThere =
        [...parents].every((parent) => look(parent)?.isDirectory()) &&
        files.every((file) => look(file.path)?.isFile())
      return isThere ? fingerprintStats([], stats) : ''
    },
  }
}

const mostKnown = 1000

/** A file of the snapshot that is no member's. */
export type FrameFile = { readonly path: string; readonly text: string }

/** The same with its bytes. */
export const frameFile = ({ path, text }: FrameFile): StagedFile => {
  const bytes = Buffer.from(text)
  return { path, bytes, digest: hash('sha256', bytes) }
}

/** The error bodies, which every snapshot has. */
export const errorFiles = Object.values(errors).map(({ file, body }) => frameFile({ path: file, text: body }))

/** A few members' published bodies once more, a member a line: for each scheme a file. */
export type Bin = {
  readonly members: number
  /** Of the members' names and bodies. */
  readonly from: string
  /** Of the stats of its files; empty if they can't be relied on. */
  readonly stat: string
  /** For each scheme, and with the copies in the encodings of the site. */
  readonly files: readonly (Sum & { readonly bytes: number })[]
}

export type ListSources = {
  readonly site: Site
  readonly snapshot: Snapshot
  /** Bins of the last build, as far as they are known. */
  readonly before: readonly Bin[]
  /** A published body of a member. */
  readonly read: (file: Sum, entry: Entry) => Uint8Array
}

/** All bins in the order of their names, none if the site has none. Stages files that the snapshot doesn't have. */
export const makeBins = (
  entries: readonly Entry[],
  { site, snapshot, before, read }: ListSources,
): readonly Bin[] => {
  if (!site.all) return []
  const groups = Array.from({ length: 256 }, (): Entry[] => [])
  for (const one of entries)
    groups[Number.parseInt(hash('sha1', one.username.toLowerCase()).slice(0, 2), 16)]!.push(one)
  const lineOf = (entry: Entry, variant: Variant): readonly Uint8Array[] => {
    const files = filesOf({ ...entry, aliases: [] }, site)
    const bodyOf = (route: Route): Uint8Array => {
      const wanted = filePath(route, variant, entry.username)
      return read(files.find(({ path }) => path === wanted)!, entry).subarray(0, -1)
    }
    const [profile, shots] = routes.map(bodyOf)
    const start = Buffer.from(`{"username":"${entry.username}","profile":`)
    return [start, profile!, Buffer.from(',"shots":'), shots!, Buffer.from('}\n')]
  }
  return groups.map((group, number) => {
    const members = group.sort(byUsername)
    const from = hash('sha1', members.map(({ username, made }) => `${username} ${made.sha256}\n`).join(''))
    const known = before[number]
    if (known?.from === from) {
      const stat = snapshot.fingerprint(known.files)
      if (stat !== '' && stat === known.stat) return known
      if (known.files.every(({ path, digest }) => snapshot.has(path, digest))) return { ...known, stat }
    }
    const made = site.schemes.flatMap((variant) => {
      const text = Buffer.concat(members.flatMap((entry) => lineOf(entry, variant)))
      return withCopies(binPath(number, variant), text, site)
    })
    const isStaged = made.map(snapshot.renew).includes(true)
    const files = made.map(({ path, digest, bytes }) => ({ path, digest, bytes: bytes.length }))
    return { members: members.length, from, stat: snapshot.fingerprint(files, { isStaged }), files }
  })
}

/** Aliases are in no bin and in no list. */
const byUsername = (a: Entry, b: Entry): number => (a.username < b.username ? -1 : 1)

/** A file and its copies. */
const withCopies = (path: string, plain: Uint8Array, site: Site) =>
  copiesOf(plain, site).flatMap((copy) => (copy ? [{ ...copy, path: path + copy.suffix }] : []))

/** Two hex digits. */
const nameOf = (number: number): string => number.toString(16).padStart(2, '0')

const binPath = (number: number, variant: Variant): string =>
  fileOf(binsRoute, { variant, request: binsRoute.path.replace('<xx>', nameOf(number)) })

/** What the list of members says of one, in this order. */
export type Listed = {
  readonly id: string
  readonly username: string
  readonly name: string
  readonly totalShots: string
  /** Of the newest published shot. */
  readonly date: string
}

/** Every file of a snapshot that is no member's, but for bins and files of hosts: error bodies, description, lists. */
export const frameOf = (
  site: Site,
  entries: readonly Entry[],
  bins: readonly Bin[],
): readonly StagedFile[] => {
  const listOf = (path: string, list: object) =>
    withCopies(path, Buffer.from(`${JSON.stringify(list)}\n`), site)
  const ofMembers = site.members
    ? listOf(fileOf(membersRoute), { Members: entries.toSorted(byUsername).map(({ listed }) => listed) })
    : []
  const ofBins = (site.all ? site.schemes : []).flatMap((variant) =>
    listOf(fileOf(allRoute, { variant }), listBins(bins, variant)),
  )
  return [...errorFiles, ...siteFiles(site).map(frameFile), ...ofMembers, ...ofBins]
}

const listBins = (all: readonly Bin[], variant: Variant) => ({
  members: String(all.reduce((sum, bin) => sum + bin.members, 0)),
  bins: all.map(({ members, files }, number) => {
    const { bytes, digest } = files.find(({ path }) => path === binPath(number, variant))!
    return { name: nameOf(number), members: String(members), bytes: String(bytes), sha256: digest }
  }),
})
