import { hash } from 'node:crypto'
import fs from 'node:fs'
import { posix as path } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { siteFiles } from '../api/document/openapi.ts'
import * as api from '../api/routes.ts'
import type { Site } from '../content/site.ts'
import { createFolderOf, readFile } from '../files/folder.ts'
import { fingerprintStats } from '../files/stats.ts'
import type { Sum } from '../files/sums.ts'
import { writeNew } from '../files/write.ts'
import type { Content } from './publish.ts'
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
  api.encodings.filter(({ name }) => precompress.includes(name))

/** The files of a member: at one name after the other, for each variant and route the plain file, then its copies. */
export const filesOf = (
  member: Named & { readonly made: Pick<Made, 'sha256'> },
  site: Pick<Site, 'precompress' | 'schemes'>,
): readonly Sum[] => {
  const { sha256 } = member.made
  const suffixes = ['', ...encodingsOf(site).map(({ suffix }) => suffix)]
  return namesOf(member).flatMap((name) => {
    const files = site.schemes.flatMap((variant) =>
      api.routes.map((route) => api.filePath(route, variant, name)),
    )
    const paths = files.flatMap((file) => suffixes.map((suffix) => file + suffix))
    return paths.flatMap((path, number) => {
      const digest = sha256[number]
      return digest ? [{ path, digest }] : []
    })
  })
}

/** Whether an entry tells of all that a site publishes of a member. */
export const isWhole = (entry: Entry, site: Site): boolean => {
  const there = new Set(filesOf(entry, site).map(({ path }) => path))
  const isThere = (variant: api.Variant): boolean =>
    api.routes.every((route) => there.has(api.filePath(route, variant, entry.username)))
  return site.schemes.every(isThere) && (!site.members || entry.listed !== undefined)
}

/** A file, then its copies in each encoding of the site, `null` where that would be no smaller; sha256 in hex. */
export const copiesOf = (plain: Uint8Array, site: Pick<Site, 'precompress'>) => [
  { suffix: '', bytes: plain, digest: hash('sha256', plain) },
  ...encodingsOf(site).map(({ name, suffix }) => {
    const bytes = compress(plain, name)
    return bytes.length < plain.length ? { suffix, bytes, digest: hash('sha256', bytes) } : null
  }),
]

const compress = (bytes: Uint8Array, encoding: api.Encoding): Uint8Array => {
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
const span = Math.max(8, api.variants.length * (api.encodings.length + 1) + 1)

const floor = (seconds: number): number => Math.floor(seconds / span) * span

/** Time of change of a file of the snapshot, in seconds. That of SHA256SUMS tells the next build the baseTime of this one. */
export const timeOf = (baseTime: number, path: string): number => {
  if (path === api.sumsFile) return baseTime + span - 1
  const variant = path.startsWith(`${api.variantFolder.http}/`) ? 1 : 0
  const encoding = api.encodings.findIndex(({ suffix }) => path.endsWith(suffix)) + 1
  return baseTime + variant * (api.encodings.length + 1) + encoding
}

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

/** A file to stage. */
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
     * What stat says of files, and of the folders that they are in; of files beside those of others without
     * their folder. Empty if one is missing or is something else, or if some were staged. A stage that becomes the whole
     * snapshot keeps its stats; else the next build reads the moved files again, as they may have been changed since.
     */
    fingerprint: ({ files = [], beside = [], isStaged }: LookedAt): string => {
      if (isStaged && !empty) return ''
      const parents = new Set(files.map((file) => path.dirname(file.path)))
      const stats: fs.Stats[] = []
      const look = (below: string): fs.Stats | undefined => {
        const stat = fs.lstatSync(`${empty ? stage : folder}/${below}`, { throwIfNoEntry: false })
        if (stat) stats.push(stat)
        return stat
      }
      const isThere =
        [...parents].every((parent) => look(parent)?.isDirectory()) &&
        beside.every((file) => empty || isFolder(path.dirname(file.path))) &&
        [...files, ...beside].every((file) => look(file.path)?.isFile())
      return isThere ? fingerprintStats([], stats) : ''
    },
  }
}

type LookedAt = {
  readonly files?: readonly Pick<Sum, 'path'>[]
  /** Files in folders that others have files in, too. */
  readonly beside?: readonly Pick<Sum, 'path'>[]
  readonly isStaged?: boolean
}

const mostKnown = 1000

/** A file of the snapshot that is no member's. */
export type FrameFile = { readonly path: string; readonly text: string }

/** A file and its copies. */
const withCopies = (
  path: string,
  text: string,
  site: Pick<Site, 'precompress'>,
): readonly StagedFile[] =>
  copiesOf(Buffer.from(text), site).flatMap((copy) =>
    copy ? [{ ...copy, path: path + copy.suffix }] : [],
  )

const withoutCopies = ({ path, text }: FrameFile) => withCopies(path, text, { precompress: [] })

/** The error bodies, which every snapshot has. */
export const errorFiles = Object.values(api.errors).flatMap(({ file, body }) =>
  withoutCopies({ path: file, text: body }),
)

/** A few members' published bodies once more, a member a line: for each scheme a file. */
export type Bin = {
  /** Two hex digits. */
  readonly name: string
  readonly members: number
  /** Of the members' names and bodies. */
  readonly from: string
  /** Of the stats of its files; empty if they can't be relied on. */
  readonly stat: string
  /** For each scheme, and with the copies in the encodings of the site. */
  readonly files: readonly (Sum & { readonly bytes: number })[]
}

const binPath = (name: string, variant: api.Variant): string =>
  api.fileOf(api.binsRoute, { variant, request: api.binsRoute.path.replace('<xx>', name) })

/** All bins in the order of their names, none if the site has none. Stages files that the snapshot doesn't have. */
export const makeBins = (
  { entries, site, last, read }: Pick<Content, 'entries' | 'site' | 'last' | 'read'>,
  snapshot: Snapshot,
): readonly Bin[] => {
  if (!site.all) return []
  const names = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'))
  const groups = new Map(names.map((name): [string, Entry[]] => [name, []]))
  for (const one of entries)
    groups.get(hash('sha1', one.username.toLowerCase()).slice(0, 2))!.push(one)
  const lineOf = (entry: Entry, variant: api.Variant): string => {
    const files = filesOf(entry, site)
    const [profile, shots] = api.routes.map((route) => {
      const wanted = api.filePath(route, variant, entry.username)
      const file = files.find(({ path }) => path === wanted)!
      return (read?.(file, entry) ?? snapshot.read(wanted)!).toString().trimEnd()
    })
    return `{"username":"${entry.username}","profile":${profile},"shots":${shots}}\n`
  }
  return [...groups].map(([name, group], number) => {
    const members = group.sort(byUsername)
    const from = hash(
      'sha1',
      members.map(({ username, made }) => `${username} ${made.sha256}\n`).join(''),
    )
    const known = last.bins?.[number]
    if (known?.from === from) {
      const stat = snapshot.fingerprint({ beside: known.files })
      if (stat !== '' && stat === known.stat) return known
      if (known.files.every(({ path, digest }) => snapshot.has(path, digest)))
        return { ...known, stat }
    }
    const made = site.schemes.flatMap((variant) => {
      const lines = members.map((entry) => lineOf(entry, variant))
      return withCopies(binPath(name, variant), lines.join(''), site)
    })
    const isStaged = made.map(snapshot.renew).includes(true)
    const files = made.map(({ path, digest, bytes }) => ({ path, digest, bytes: bytes.length }))
    return {
      name,
      members: members.length,
      from,
      stat: snapshot.fingerprint({ beside: files, isStaged }),
      files,
    }
  })
}

/** Aliases are in no bin and in no list. */
const byUsername = (a: Entry, b: Entry): number => (a.username < b.username ? -1 : 1)

/** Every file of a snapshot that is no member's, but for bins: error bodies, description, lists, files of hosts. */
export const frameOf = (
  { site, entries, hostFiles }: Pick<Content, 'site' | 'entries' | 'hostFiles'>,
  bins: readonly Bin[],
): readonly StagedFile[] => {
  const listOf = (path: string, list: object) => withCopies(path, `${JSON.stringify(list)}\n`, site)
  const ofMembers = site.members
    ? listOf(api.fileOf(api.membersRoute), {
        Members: entries.toSorted(byUsername).map(({ listed }) => listed),
      })
    : []
  const ofBins = (site.all ? site.schemes : []).flatMap((variant) => {
    const listed = bins.map(({ name, members, files }) => {
      const { bytes, digest } = files.find(({ path }) => path === binPath(name, variant))!
      return { name, members: String(members), bytes: String(bytes), sha256: digest }
    })
    return listOf(api.fileOf(api.allRoute, { variant }), {
      members: String(entries.length),
      bins: listed,
    })
  })
  return [
    ...errorFiles,
    ...[...siteFiles(site), ...hostFiles].flatMap(withoutCopies),
    ...ofMembers,
    ...ofBins,
  ]
}
