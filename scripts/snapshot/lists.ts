import { hash } from 'node:crypto'
import { siteFiles } from '../api/document/openapi.ts'
import { allRoute, binsRoute, membersRoute, siteFile, type Variant } from '../api/routes.ts'
import type { Site } from '../content/site.ts'
import type { Sum } from '../files/sums.ts'
import { copiesOf, type Snapshot, slotPath, slotsOf } from './outputs.ts'
import { errorFiles, type FrameFile } from './publish.ts'
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
  /** For each scheme, and with the copies in the encodings of the site. */
  readonly files: readonly (Sum & { readonly bytes: number })[]
}

/** The names of all bins, in their order. */
const binNames: readonly string[] = Array.from({ length: 256 }, (_, number) =>
  number.toString(16).padStart(2, '0'),
)

export type BinSources = {
  readonly site: Site
  readonly snapshot: Snapshot
  /** Those of the last build, as far as they are known. */
  readonly before: readonly Bin[]
  /** A published body of a member. */
  readonly read: (file: Sum, entry: Entry) => Uint8Array
}

/** All bins, none if the site has none. Stages their files where the snapshot doesn't have them. */
export const makeBins = (entries: readonly Entry[], sources: BinSources): readonly Bin[] => {
  if (!sources.site.all) return []
  const groups = new Map(binNames.map((name) => [name, [] as Entry[]]))
  for (const one of entries) groups.get(hash('sha1', one.username.toLowerCase()).slice(0, 2))!.push(one)
  const known = new Map(sources.before.map((bin) => [bin.name, bin]))
  return [...groups].map(([name, group]) =>
    makeBin(name, group.sort(byUsername), { ...sources, before: known.get(name) }),
  )
}

/** Aliases are in no bin and in no list. */
const byUsername = (a: Entry, b: Entry): number => (a.username < b.username ? -1 : 1)

const makeBin = (
  name: string,
  entries: readonly Entry[],
  { site, snapshot, before, read }: Omit<BinSources, 'before'> & { readonly before: Bin | undefined },
): Bin => {
  const from = hash('sha1', entries.map(({ username, made }) => `${username} ${made.sha256}\n`).join(''))
  const statOf = (files: Bin['files'], { isStaged = false } = {}): string =>
    snapshot.fingerprint({ files: files.map(({ path }) => path) }, { isStaged })
  if (before?.from === from) {
    const stat = statOf(before.files)
    if (stat !== '' && stat === before.stat) return before
    if (before.files.every(({ path, digest }) => snapshot.has(path, digest))) return { ...before, stat }
  }
  const slots = slotsOf(site)
  const made = site.schemes.flatMap((variant) => {
    const parts = entries.flatMap((entry) => {
      const [profile, shots] = slots.flatMap((slot, number) => {
        if (slot.variant !== variant || slot.suffix !== '') return []
        const file = { path: slotPath(slot, entry.username), digest: entry.made.sha256[number]! }
        return [read(file, entry).subarray(0, -1)]
      })
      const start = Buffer.from(`{"username":"${entry.username}","profile":`)
      return [start, profile!, beforeShots, shots!, lineEnd]
    })
    return filesOf(binPath(name, variant), Buffer.concat(parts), site)
  })
  const isStaged = made.map((file) => snapshot.renew(file.path, file)).includes(true)
  const files = made.map(({ path, digest, bytes }) => ({ path, digest, bytes: bytes.length }))
  return { name, members: entries.length, from, stat: statOf(files, { isStaged }), files }
}

/** A file and its copies. */
const filesOf = (path: string, plain: Uint8Array, site: Site) =>
  copiesOf(plain, site).flatMap((copy) => (copy ? [{ ...copy, path: path + copy.suffix }] : []))

const beforeShots = Buffer.from(',"shots":')
const lineEnd = Buffer.from('}\n')

const binPath = (name: string, variant: Variant): string =>
  siteFile(binsRoute, { variant, request: binsRoute.path.replace('<xx>', name) })

/** What the list of members says of one. */
export type Listed = {
  readonly id: string
  readonly name: string
  readonly totalShots: string
  /** Of the newest published shot. */
  readonly date: string
}

export type FrameSources = {
  readonly entries: readonly Entry[]
  readonly bins: readonly Bin[]
  /** What the site's hosts read from the snapshot. */
  readonly hostFiles: readonly FrameFile[]
}

/** Every file of a snapshot that is no member's, but for bins: error bodies, description, lists, and files of hosts. */
export const frameOf = (site: Site, { entries, bins, hostFiles }: FrameSources): readonly FrameFile[] => {
  const ofMembers = site.members ? [{ path: siteFile(membersRoute), text: renderMembers(entries) }] : []
  const ofBins = (site.all ? site.schemes : []).map((variant) => ({
    path: siteFile(allRoute, { variant }),
    text: renderIndex(bins, variant),
  }))
  const lists = [...ofMembers, ...ofBins].flatMap(({ path, text }) =>
    filesOf(path, Buffer.from(text), site).map((file) => ({ path: file.path, text: file.bytes })),
  )
  return [...errorFiles, ...siteFiles(site), ...lists, ...hostFiles]
}

const renderMembers = (entries: readonly Entry[]): string => {
  const rows = entries.toSorted(byUsername).map(({ username, listed }) => {
    const { id, name, totalShots, date } = listed!
    return { id, username, name, totalShots, date }
  })
  return `${JSON.stringify({ Members: rows })}\n`
}

const renderIndex = (bins: readonly Bin[], variant: Variant): string => {
  const rows = bins.map(({ name, members, files }) => {
    const { bytes, digest } = files.find(({ path }) => path === binPath(name, variant))!
    return { name, members: String(members), bytes: String(bytes), sha256: digest }
  })
  const members = bins.reduce((sum, bin) => sum + bin.members, 0)
  return `${JSON.stringify({ members: String(members), bins: rows })}\n`
}
