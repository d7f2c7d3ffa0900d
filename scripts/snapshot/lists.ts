import { hash } from 'node:crypto'
import { siteFiles } from '../api/document/openapi.ts'
import {
  allRoute,
  binsRoute,
  errors,
  filePath,
  membersRoute,
  routes,
  siteFile,
  type Variant,
} from '../api/routes.ts'
import type { Site } from '../content/site.ts'
import type { Sum } from '../files/sums.ts'
import { copiesOf, filesOf, type Snapshot } from './outputs.ts'
import type { Entry } from './state.ts'

/** A file of the snapshot that is no member's. */
export type FrameFile = { readonly path: string; readonly text: string | Uint8Array }

/** The error bodies, which every snapshot has. */
export const errorFiles: readonly FrameFile[] = Object.values(errors).map(({ file, body }) => ({
  path: file,
  text: body,
}))

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
    const [profile, shots] = routes.map((route) => {
      const wanted = filePath(route, variant, entry.username)
      return read(files.find(({ path }) => path === wanted)!, entry).subarray(0, -1)
    })
    const start = Buffer.from(`{"username":"${entry.username}","profile":`)
    return [start, profile!, beforeShots, shots!, lineEnd]
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
    const isStaged = made.map((file) => snapshot.renew(file.path, file)).includes(true)
    const files = made.map(({ path, digest, bytes }) => ({ path, digest, bytes: bytes.length }))
    return { members: members.length, from, stat: snapshot.fingerprint(files, { isStaged }), files }
  })
}

/** Aliases are in no bin and in no list. */
const byUsername = (a: Entry, b: Entry): number => (a.username < b.username ? -1 : 1)

const beforeShots = Buffer.from(',"shots":')
const lineEnd = Buffer.from('}\n')

/** A file and its copies. */
const withCopies = (path: string, plain: Uint8Array, site: Site) =>
  copiesOf(plain, site).flatMap((copy) => (copy ? [{ ...copy, path: path + copy.suffix }] : []))

/** Two hex digits. */
const nameOf = (number: number): string => number.toString(16).padStart(2, '0')

const binPath = (number: number, variant: Variant): string =>
  siteFile(binsRoute, { variant, request: binsRoute.path.replace('<xx>', nameOf(number)) })

/** What the list of members says of one. */
export type Listed = {
  readonly id: string
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
): readonly FrameFile[] => {
  const ofMembers = site.members ? [{ path: siteFile(membersRoute), text: renderMembers(entries) }] : []
  const ofBins = (site.all ? site.schemes : []).map((variant) => ({
    path: siteFile(allRoute, { variant }),
    text: renderIndex(bins, variant),
  }))
  const lists = [...ofMembers, ...ofBins].flatMap(({ path, text }) =>
    withCopies(path, Buffer.from(text), site).map((file) => ({ path: file.path, text: file.bytes })),
  )
  return [...errorFiles, ...siteFiles(site), ...lists]
}

const renderMembers = (entries: readonly Entry[]): string => {
  const rows = entries.toSorted(byUsername).map(({ username, listed }) => {
    const { id, name, totalShots, date } = listed!
    return { id, username, name, totalShots, date }
  })
  return `${JSON.stringify({ Members: rows })}\n`
}

const renderIndex = (bins: readonly Bin[], variant: Variant): string => {
  const rows = bins.map(({ members, files }, number) => {
    const { bytes, digest } = files.find(({ path }) => path === binPath(number, variant))!
    return { name: nameOf(number), members: String(members), bytes: String(bytes), sha256: digest }
  })
  const members = bins.reduce((sum, bin) => sum + bin.members, 0)
  return `${JSON.stringify({ members: String(members), bins: rows })}\n`
}
