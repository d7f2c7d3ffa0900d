import { hash } from 'node:crypto'
import {
  allRoute,
  binsRoute,
  encodings,
  membersRoute,
  routes,
  siteFile,
  type Variant,
} from '../api/routes.ts'
import type { Site } from '../content/site.ts'
import type { Sum } from '../files/sums.ts'
import {
  compress,
  type Digests,
  fingerprintPaths,
  isThere,
  type Slot,
  type Stage,
  type StagePlace,
  slotPath,
} from './outputs.ts'
import type { FrameFile } from './publish.ts'
import type { Entry } from './state.ts'

/** A few members' published bodies once more, a member a line: for each scheme a file. */
export type Bin = {
  /** Two hex digits. */
  readonly name: string
  readonly members: number
  /** Of the members' names and bodies. */
  readonly from: string
  /** Of the stats of its files; empty if they can't be relied on. */
  readonly stat: string
  readonly files: readonly BinFile[]
}

type BinFile = {
  readonly variant: Variant
  readonly bytes: number
  /** sha256 in hex, then those of its copies in the encodings of the site; `null` is no file. */
  readonly sha256: Digests
}

/** The names of all bins, in their order. */
export const binNames: readonly string[] = Array.from({ length: 256 }, (_, number) =>
  number.toString(16).padStart(2, '0'),
)

/** The members of each bin, in the order of their usernames; aliases are in none. */
export const groupByBin = <T extends { readonly username: string }>(members: readonly T[]) => {
  const groups = new Map(binNames.map((name) => [name, [] as T[]]))
  for (const one of members) groups.get(hash('sha1', one.username.toLowerCase()).slice(0, 2))!.push(one)
  for (const group of groups.values()) group.sort((a, b) => (a.username < b.username ? -1 : 1))
  return [...groups]
}

export type BinSources = {
  /** In the order of their usernames. */
  readonly entries: readonly Entry[]
  readonly site: Site
  readonly slots: readonly Slot[]
  readonly target: StagePlace
  readonly stage: Stage
  /** What the last build made, if it is known. */
  readonly before: Bin | undefined
  /** Whether the members are known to be those of that build, and as they were. */
  readonly isKnown?: boolean
  /** A published body, by its path below the snapshot's root; it must be the one that the entry tells. */
  readonly read: (path: string, entry: Entry) => Uint8Array
}

/** Stages a bin's files where the snapshot doesn't have them. */
export const makeBin = (name: string, sources: BinSources): Bin => {
  const { entries, site, slots, target, stage, before, isKnown, read } = sources
  const from = before && isKnown ? before.from : keyOf(entries)
  const folder = target.empty ? target.stage : target.folder
  const statOf = (bin: Bin): string =>
    fingerprintPaths(folder, { folders: [], files: binSums(bin, site).map(({ path }) => path) })
  if (before?.from === from && !target.empty) {
    const stat = statOf(before)
    if (stat !== '' && stat === before.stat) return before
    if (binSums(before, site).every(({ path, digest }) => isThere(target, path, digest)))
      return { ...before, stat }
  }
  let isStaged = false
  const files = site.schemes.map((variant) => {
    const own = routes.map((route) => slots.find((slot) => isPlain(slot, variant) && slot.route === route)!)
    const parts = entries.flatMap((entry) => {
      const [profile, shots] = own.map((slot) => read(slotPath(slot, entry.username), entry).subarray(0, -1))
      const start = Buffer.from(`{"username":"${entry.username}","profile":`)
      return [start, profile!, beforeShots, shots!, lineEnd]
    })
    const plain = Buffer.concat(parts)
    const sha256 = copiesOf(plain, site).map(({ bytes, suffix }) => {
      if (bytes === undefined) return null
      const path = binPath(name, variant) + suffix
      const digest = hash('sha256', bytes)
      if (!isThere(target, path, digest)) {
        stage(path, bytes)
        isStaged = true
      }
      return digest
    })
    return { variant, bytes: plain.length, sha256 }
  })
  const bin = { name, members: entries.length, from, stat: '', files }
  return { ...bin, stat: target.empty || !isStaged ? statOf(bin) : '' }
}

const beforeShots = Buffer.from(',"shots":')
const lineEnd = Buffer.from('}\n')

/** What a bin is made from, in hex. */
const keyOf = (entries: readonly Entry[]): string =>
  hash('sha1', entries.map(({ username, made }) => `${username} ${made.sha256.join(' ')}\n`).join(''))

const isPlain = (slot: Slot, variant: Variant): boolean =>
  slot.variant === variant && slot.encoding === undefined

/** A file, then its copies in each encoding of the site; without bytes where they would be no smaller. */
const copiesOf = (plain: Uint8Array, { precompress }: Site) => [
  { suffix: '', bytes: plain },
  ...encodings.flatMap(({ name, suffix }) => {
    if (!precompress.includes(name)) return []
    const bytes = compress(plain, name)
    return [{ suffix, bytes: bytes.length < plain.length ? bytes : undefined }]
  }),
]

const binPath = (name: string, variant: Variant): string =>
  siteFile(binsRoute, { variant, request: binsRoute.path.replace('<xx>', name) })

/** The files of a bin, with their digests. */
export const binSums = (bin: Bin, { precompress }: Site): readonly Sum[] => {
  const suffixes = ['', ...encodings.flatMap((one) => (precompress.includes(one.name) ? [one.suffix] : []))]
  return bin.files.flatMap(({ variant, sha256 }) =>
    sha256.flatMap((digest, number) =>
      digest ? [{ path: binPath(bin.name, variant) + suffixes[number], digest }] : [],
    ),
  )
}

/** What the list of members says of one. */
export type Listed = {
  readonly id: string
  readonly name: string
  readonly totalShots: string
  /** Of the newest published shot. */
  readonly date: string
}

/** The lists that a site has: of its members, and of its bins. */
export const renderLists = (
  entries: readonly Entry[],
  { site, bins }: { readonly site: Site; readonly bins: readonly Bin[] },
): readonly FrameFile[] => {
  const texts: readonly FrameFile[] = [
    ...(site.members ? [{ path: siteFile(membersRoute), text: renderMembers(entries) }] : []),
    ...(site.all
      ? site.schemes.map((variant) => ({
          path: siteFile(allRoute, { variant }),
          text: renderIndex(bins, variant),
        }))
      : []),
  ]
  return texts.flatMap(({ path, text }) =>
    copiesOf(Buffer.from(text), site).flatMap(({ bytes, suffix }) =>
      bytes === undefined ? [] : [{ path: path + suffix, text: bytes }],
    ),
  )
}

const renderMembers = (entries: readonly Entry[]): string => {
  const sorted = [...entries].sort((a, b) => (a.username < b.username ? -1 : 1))
  const rows = sorted.map(({ username, listed }) => {
    const { id, name, totalShots, date } = listed!
    return { id, username, name, totalShots, date }
  })
  return `${JSON.stringify({ Members: rows })}\n`
}

const renderIndex = (bins: readonly Bin[], variant: Variant): string => {
  const rows = bins.map(({ name, members, files }) => {
    const { bytes, sha256 } = files.find((file) => file.variant === variant)!
    return { name, members: String(members), bytes: String(bytes), sha256: sha256[0] }
  })
  const members = bins.reduce((sum, bin) => sum + bin.members, 0)
  return `${JSON.stringify({ members: String(members), bins: rows })}\n`
}
