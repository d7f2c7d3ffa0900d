import { hash } from 'node:crypto'
import type { Member } from '../api/derive.ts'
import { keepLatest } from '../api/latest.ts'
import { names } from '../content/layout.ts'
import type { Loader, Source } from '../content/load.ts'
import { type Profile, type ProfileFacts, type Shot, salvageProfile, salvageShot } from '../content/member.ts'
import { type Parsed, parse } from '../content/parse/parse.ts'
import { createReader, type Read, type Reader } from '../content/read/read-file.ts'
import type { ContentFolder, Scan } from '../content/read/scan.ts'
import {
  checkAliases,
  checkCounts,
  checkShot,
  createReservedAt,
  diagnoseIn,
  type IsReserved,
  projectsAt,
  shotsAt,
} from '../content/rules.ts'
import type { Site } from '../content/site.ts'
import { reserves } from '../content/username.ts'
import { type Diagnostic, fileStart, hasErrors, type Related } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import type { Claims } from './claims.ts'
import { createPictures, type Pictures, pictureKeys, type Seen, type TakePicture } from './pictures.ts'

export type Tools = {
  readonly content: ContentFolder
  /** Absent if site.yaml is wrong itself. */
  readonly site: Site | undefined
  /** site.yaml, if it can be read. */
  readonly source: Source | undefined
  readonly read: Reader
  readonly loader: Loader
  readonly isReserved: IsReserved
  /** Where a name that is reserved stands in site.yaml. */
  readonly reservedAt: (name: string) => Related
}

export const createTools = (about: Pick<Tools, 'content' | 'site' | 'source' | 'loader'>): Tools => {
  const reserved = about.site?.reserved ?? []
  return {
    ...about,
    read: createReader(about.content),
    isReserved: reserves(reserved),
    // without a source nothing is reserved
    reservedAt: createReservedAt(about.source!, reserved),
  }
}

export type Compiled = {
  /** Absent if something is wrong. */
  readonly member: Member | undefined
  /** Its other names, if they can be read. */
  readonly aliases: readonly string[]
  /** Git's names of the profile, then of the shots; the hashes of pictures. */
  readonly oids: readonly string[]
  readonly claims: Claims
  readonly published: number
  /** What is known of its pictures that are right, by path below its folder. */
  readonly seen: Readonly<Record<string, Seen>>
  /** sha256 of what is published of them, by path below the snapshot's root. */
  readonly pictures: Readonly<Record<string, string>>
  /** UTF-16 units of large files that are wrong. Once it comes to {@link brokenLimit}, those after are not looked at. */
  readonly broken: number
  readonly diagnostics: readonly Diagnostic[]
}

export type CompileOptions = {
  /** What is known of pictures, which are not read again if they are as they were. */
  readonly seen?: Readonly<Record<string, Seen>>
  /** Called with what is published of each picture that is read. */
  readonly take?: TakePicture
}

/** Reads and checks all of a member. */
export const compileMember = (
  scan: Scan,
  tools: Tools,
  { seen = {}, take = () => {} }: CompileOptions = {},
): Compiled => {
  const { content, site } = tools
  const pictures = createPictures({ scan, content, baseUrl: site?.baseUrl ?? '', seen, take })
  let part = beforeProfile(scan, tools)
  const shots: Shots = {
    ...{ published: 0, latest: [], ids: [], tokens: [], broken: 0, unread: 0, diagnostics: [] },
  }
  const oids = readMember(scan, tools.read, {
    profile: (read) => {
      part = compileProfile(read, part, { ...tools, pictures })
      if (part.profile === undefined) shots.broken += brokenSize(part.source?.text ?? '')
    },
    shot: (read) => addShot(shots, read, { part, tools, pictures }),
  })
  const { profile, facts } = part
  const { published, latest } = shots
  const { username } = scan
  const diagnostics = [...scan.diagnostics, ...part.diagnostics]
  for (const violation of checkCounts(facts, published)) {
    const folder = `${tools.content.name}/${names.members}/${username}/${names.shots}`
    const elsewhere = violation.path[0] === 'totalShots' ? shotsAt(folder, published) : undefined
    diagnostics.push(diagnoseIn(part.places!().parsed, violation, { elsewhere }))
  }
  for (const one of shots.diagnostics) diagnostics.push(one)
  for (const one of pictures.diagnostics) diagnostics.push(one)
  // a file that can't be read may name any of them
  const all = profile !== undefined && shots.unread === 0 && shots.broken < brokenLimit
  for (const one of all ? pictures.unused() : []) diagnostics.push(one)
  const known = pictures.seen()
  return {
    member:
      profile === undefined || hasErrors(diagnostics)
        ? undefined
        : { username, profile, published, latest: latest.map(withToken) },
    aliases: (facts.aliases ?? []).filter((alias) => alias !== ''),
    oids: [...oids, ...Object.values(known).map(({ sha256 }) => sha256)],
    claims: { id: facts.id ?? '', shots: shots.ids.join(' '), tokens: shots.tokens.join(' ') },
    published,
    seen: known,
    pictures: pictures.made(),
    broken: shots.broken,
    diagnostics,
  }
}

type ProfilePart = {
  readonly profile: Profile | undefined
  readonly source: Source | undefined
  /** Absent like the source. */
  readonly places: (() => Places) | undefined
  /** What is compared with the shots and with other members; known even if something else is wrong. */
  readonly facts: ProfileFacts
  readonly diagnostics: readonly Diagnostic[]
}

/** What is known of a member whose profile wasn't read. */
const beforeProfile = ({ username }: Scan, { content, isReserved, reservedAt }: Tools): ProfilePart => {
  const place = { file: `${content.name}/${names.members}/${username}`, ...fileStart }
  const diagnostics = isReserved(username)
    ? [diagnose('reserved-name', place, { name: username }, [reservedAt(username)])]
    : []
  return { profile: undefined, source: undefined, places: undefined, facts: {}, diagnostics }
}

const compileProfile = (
  { source, diagnostic }: Read,
  before: ProfilePart,
  { site, loader, isReserved, reservedAt, pictures }: Tools & { readonly pictures: Pictures },
): ProfilePart => {
  if (source === undefined) return { ...before, diagnostics: [...before.diagnostics, diagnostic] }
  const { value, diagnostics, parsed } = loader.loadProfile(source, site)
  const facts = value ?? salvageProfile(parsed)
  const places = createPlaces(source, parsed)
  const all = [...before.diagnostics, ...diagnostics]
  for (const violation of checkAliases(facts, isReserved)) {
    all.push(diagnoseIn(places().parsed, violation, { elsewhere: reservedAt(violation.args.name) }))
  }
  const file = { source, parsed, below: '', isDraft: false }
  const profile = value && pictures.withAddresses(value, pictureKeys.profile, file)
  return { profile, source, places, facts, diagnostics: all }
}

/** A profile with positions, and where it lists its projects. */
type Places = { readonly parsed: Parsed; readonly projects: Related }

/** They are worked out when they are asked for, once. */
const createPlaces = (source: Source, read: Parsed | undefined): (() => Places) => {
  let places: Places | undefined
  return () => {
    if (places === undefined) {
      const parsed = read ?? parse(source)
      places = { parsed, projects: projectsAt(parsed) }
    }
    return places
  }
}

/** What a member's shots come to: of all that were read, only what the member's files need is kept. */
type Shots = {
  published: number
  /** The newest of them. */
  readonly latest: Shot[]
  readonly ids: string[]
  /** Those that files give. */
  readonly tokens: string[]
  /** Of the profile, too. */
  broken: number
  /** Files in which something is wrong. */
  unread: number
  readonly diagnostics: Diagnostic[]
}

/** The token that a shot has if its file gives none: sha1 of `shot:<id>`, in hex. */
export const shotToken = (id: string): string => hash('sha1', `shot:${id}`)

const withToken = (shot: Shot): Member['latest'][number] => ({
  ...shot,
  token_id: shot.token_id ?? shotToken(shot.id),
})

type Around = { readonly part: ProfilePart; readonly tools: Tools; readonly pictures: Pictures }

const addShot = (shots: Shots, { source, diagnostic }: Read, { part, tools, pictures }: Around): void => {
  if (source === undefined) {
    shots.unread++
    shots.diagnostics.push(diagnostic)
    return
  }
  if (shots.broken >= brokenLimit) return
  const loaded = tools.loader.loadShot(source, tools.site)
  const { value } = loaded
  if (value === undefined) {
    shots.broken += brokenSize(source.text)
    shots.unread++
  }
  // a shot with something wrong has an id all the same, so that everything wrong shows at once
  const { id, token_id, id_project, draft } = value ?? salvageShot(loaded.parsed)
  if (id !== undefined) shots.ids.push(id)
  if (token_id !== undefined && (id === undefined || token_id !== shotToken(id))) shots.tokens.push(token_id)
  if (!draft) shots.published++
  const { projects } = part.facts
  if (projects !== undefined && id_project !== undefined) {
    for (const violation of checkShot({ id_project }, { projects })) {
      const elsewhere = part.places!().projects
      shots.diagnostics.push(diagnoseIn(loaded.parsed ?? parse(source), violation, { elsewhere }))
    }
  }
  if (value !== undefined) {
    const file = { source, parsed: loaded.parsed, below: names.shots, isDraft: draft }
    const shot = pictures.withAddresses(value, pictureKeys.shot, file)
    if (!draft) keepLatest(shots.latest, shot)
  }
  for (const one of loaded.diagnostics) shots.diagnostics.push(one)
}

/** Called with each file of a member as it is read. */
export type Takers = { readonly profile?: (read: Read) => void; readonly shot?: (read: Read) => void }

/** Reads a member's profile, then the shots; returns git's names of their bytes. */
export const readMember = (
  { username, profile, shots, stats }: Scan,
  read: Reader,
  takers: Takers = {},
): readonly string[] => {
  const oids: string[] = []
  const readAll = (below: string, files: readonly string[], taker: Takers['shot']): void => {
    for (const name of files) {
      const file = read(`${below}/${name}`, stats[oids.length]!.size)
      oids.push(file.oid)
      taker?.(file)
    }
  }
  const folder = `${names.members}/${username}`
  readAll(folder, profile === undefined ? [] : [profile], takers.profile)
  readAll(`${folder}/${names.shots}`, shots, takers.shot)
  return oids
}

/**
 * How much of large broken files (UTF-16 units) one run looks at. To say what is wrong with a file takes up to a hundred
 * times as long as to find it right, and a pull request may bring a thousand files of 1 MiB.
 */
export const brokenLimit = 16 << 20

/** What a broken file counts: a small one nothing, so that a mistake in every file of a site shows in one run. */
export const brokenSize = (text: string): number => (text.length > small ? text.length : 0)

/** UTF-16 units. Few people write as much in one file. */
const small = 1 << 14

/** Said of the member with which the limit was reached. */
export const notLookedAt = (content: ContentFolder, username: string): Diagnostic =>
  diagnose(
    'not-looked-at',
    { file: `${content.name}/${names.members}/${username}`, ...fileStart },
    { mebibytes: brokenLimit >> 20 },
  )

/** How much was broken of each member, at its position; threads share it. */
export type Broken = Int32Array<ArrayBufferLike>

/**
 * The position of the member with which the limit was reached; -1 if it wasn't. It doesn't depend on the order in which
 * threads process members, as long as only members after it are passed over.
 */
export const lastLookedAt = (broken: Broken): number => {
  let sum = 0
  return broken.findIndex((size) => {
    sum += size
    return sum >= brokenLimit
  })
}
