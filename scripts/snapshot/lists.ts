import { hash } from 'node:crypto'
import fs from 'node:fs'
import { noTimestamp } from '../api/records.ts'
import { allRoute, binsRoute, membersRoute, routes, siteFile, type Variant } from '../api/routes.ts'
import type { Site } from '../content/site.ts'
import { compress, type Digests, type FileKind, fingerprintStats, type Slot, slotPath } from './outputs.ts'
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

/** The bin that a member is in; aliases are in none. */
export const binOf = (username: string): string => hash('sha1', username.toLowerCase()).slice(0, 2)

/** What a bin of these members is made from. */
export const binKey = (entries: readonly Entry[]): string =>
  hash('sha1', entries.map(({ username, made }) => `${username} ${made.sha256.join(' ')}\n`).join(''))

export type BinSources = {
  /** In the order of their usernames. */
  readonly entries: readonly Entry[]
  readonly site: Site
  readonly slots: readonly Slot[]
  /** A published body, by its path below the snapshot's root; it must be the one that the entry tells. */
  readonly read: (path: string, entry: Entry) => Uint8Array
  /** Takes each file. */
  readonly write: (path: string, bytes: Uint8Array, about: FileKind & { readonly sha256: string }) => void
}

/** Makes a bin's files. */
export const makeBin = (name: string, { entries, site, slots, read, write }: BinSources): Bin => {
  const files = site.schemes.map((variant) => {
    const own = routes.map((route) => slots.find((slot) => isPlain(slot, variant) && slot.route === route)!)
    const parts = entries.flatMap((entry) => {
      const [profile, shots] = own.map((slot) => read(slotPath(slot, entry.username), entry).subarray(0, -1))
      const { username } = entry
      return [`{"username":"${username}","profile":`, profile!, ',"shots":', shots!, '}\n'].map((part) =>
        typeof part === 'string' ? Buffer.from(part) : part,
      )
    })
    const plain = Buffer.concat(parts)
    const path = binPath(name, variant)
    const sha256 = copiesOf(plain, site).map(({ bytes, suffix, encoding }) => {
      if (bytes === undefined) return null
      const digest = hash('sha256', bytes)
      write(path + suffix, bytes, { variant, encoding, sha256: digest })
      return digest
    })
    return { variant, bytes: plain.length, sha256 }
  })
  return { name, members: entries.length, from: binKey(entries), stat: '', files }
}

const isPlain = (slot: Slot, variant: Variant): boolean =>
  slot.variant === variant && slot.encoding === undefined

/** A file, then its copies in each encoding of the site; without bytes where they would be no smaller. */
const copiesOf = (plain: Uint8Array, site: Site) => [
  { suffix: '', encoding: undefined, bytes: plain },
  ...site.precompress.map((encoding) => {
    const bytes = compress(plain, encoding)
    const suffix = suffixes[encoding]
    return { suffix, encoding, bytes: bytes.length < plain.length ? bytes : undefined }
  }),
]

const suffixes = { br: '.br', gzip: '.gz' } as const

const binPath = (name: string, variant: Variant): string =>
  siteFile(binsRoute, { variant, request: binsRoute.path.replace('<xx>', name) })

/** The files of a bin, with their digests. */
export const binSums = (
  bin: Bin,
  site: Site,
): readonly { readonly path: string; readonly digest: string }[] =>
  bin.files.flatMap(({ variant, sha256 }) =>
    ['', ...site.precompress.map((encoding) => suffixes[encoding])].flatMap((suffix, number) => {
      const digest = sha256[number]
      return digest ? [{ path: binPath(bin.name, variant) + suffix, digest }] : []
    }),
  )

/** Fingerprint of the stats of a bin's files below a folder; empty if one is no plain file. */
export const fingerprintBin = (folder: string, bin: Bin, site: Site): string => {
  const stats: fs.Stats[] = []
  for (const { path } of binSums(bin, site)) {
    const stat = fs.lstatSync(`${folder}/${path}`, { throwIfNoEntry: false })
    if (!stat?.isFile()) return ''
    stats.push(stat)
  }
  return fingerprintStats([], stats)
}

/** What a list says of a member. */
export type Listed = {
  readonly id: string
  readonly name: string
  readonly totalShots: string
  /** Of the newest published shot. */
  readonly date: string
}

/** The lists that a site has: of its members, and of its bins. */
export const listFiles = (
  entries: readonly Entry[],
  { site, bins }: { readonly site: Site; readonly bins: readonly Bin[] },
): readonly FrameFile[] => [
  ...(site.members ? withCopies(siteFile(membersRoute), { text: renderMembers(entries), site }) : []),
  ...(site.all
    ? site.schemes.flatMap((variant) =>
        withCopies(siteFile(allRoute, { variant }), { text: renderIndex(bins, variant), site, variant }),
      )
    : []),
]

const withCopies = (
  path: string,
  { text, site, variant = 'https' }: { text: string; site: Site; variant?: Variant },
): readonly FrameFile[] =>
  copiesOf(Buffer.from(text), site).flatMap(({ bytes, suffix, encoding }) =>
    bytes === undefined ? [] : [{ path: path + suffix, text: bytes, kind: { variant, encoding } }],
  )

const renderMembers = (entries: readonly Entry[]): string => {
  const sorted = [...entries].sort((a, b) => (a.username < b.username ? -1 : 1))
  const rows = sorted.map(({ username, listed }) => {
    const { id, name, totalShots, date } = listed ?? noListed
    return { id, username, name, totalShots, date }
  })
  return `${JSON.stringify({ Members: rows })}\n`
}

const noListed: Listed = { id: '', name: '', totalShots: '0', date: noTimestamp }

const renderIndex = (bins: readonly Bin[], variant: Variant): string => {
  const rows = bins.map(({ name, members, files }) => {
    const { bytes, sha256 } = files.find((file) => file.variant === variant)!
    return { name, members: String(members), bytes: String(bytes), sha256: sha256[0] }
  })
  const members = bins.reduce((sum, bin) => sum + bin.members, 0)
  return `${JSON.stringify({ members: String(members), bins: rows })}\n`
}
