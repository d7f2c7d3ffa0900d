import type { Member } from '../../api/derive.ts'
import { keepLatest } from '../../api/latest.ts'
import { names } from '../../content/layout.ts'
import type { Loader, Source } from '../../content/load.ts'
import type { Profile } from '../../content/member.ts'
import { type ProfileFacts, salvageProfile, salvageShot } from '../../content/member.ts'
import { type Parsed, parse } from '../../content/parse/parse.ts'
import type { Read } from '../../content/read/read-file.ts'
import { createReader, type Reader } from '../../content/read/read-file.ts'
import type { ContentFolder, Scan } from '../../content/read/scan.ts'
import {
  checkAliases,
  checkCounts,
  checkShot,
  createReservedAt,
  diagnoseIn,
  type IsReserved,
  projectsAt,
  shotsAt,
} from '../../content/rules.ts'
import type { Site } from '../../content/site.ts'
import { reserves } from '../../content/username.ts'
import { type Diagnostic, fileStart, hasErrors, type Related } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import { brokenLimit, brokenSize } from './broken.ts'
import { claimIn, memberClaim, nameClaim, shotToken } from './claims.ts'
import { readMember } from './read-member.ts'

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
  /** Git's names of the profile, then of the shots. */
  readonly oids: readonly string[]
  /** See claims.ts. */
  readonly claims: Uint8Array
  readonly published: number
  /** See broken.ts. Once it comes to the limit, the files after that are not looked at. */
  readonly broken: number
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads and checks all of a member. */
export const compileMember = (scan: Scan, tools: Tools): Compiled => {
  let part = beforeProfile(scan, tools)
  const shots: Shots = { published: 0, latest: [], claims: '', broken: 0, diagnostics: [] }
  const oids = readMember(scan, tools.read, {
    profile: (read) => {
      part = compileProfile(read, part, tools)
      if (part.profile === undefined) shots.broken += brokenSize(part.source?.text ?? '')
    },
    shot: (read) => addShot(shots, read, { part, tools }),
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
  const claims = facts.id === undefined ? [] : [memberClaim(facts.id)]
  for (const name of [username, ...(facts.aliases ?? [])]) if (name !== '') claims.push(nameClaim(name))
  claims.push(Buffer.from(shots.claims, 'hex'))
  return {
    member:
      profile === undefined || hasErrors(diagnostics) ? undefined : { username, profile, published, latest },
    oids,
    claims: Buffer.concat(claims),
    published,
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
  { site, loader, isReserved, reservedAt }: Tools,
): ProfilePart => {
  if (source === undefined) return { ...before, diagnostics: [...before.diagnostics, diagnostic] }
  const { value, diagnostics, parsed } = loader.loadProfile(source, site)
  const facts = value ?? salvageProfile(parsed)
  const places = createPlaces(source, parsed)
  const all = [...before.diagnostics, ...diagnostics]
  for (const violation of checkAliases(facts, isReserved)) {
    all.push(diagnoseIn(places().parsed, violation, { elsewhere: reservedAt(violation.args.name) }))
  }
  return { profile: value, source, places, facts, diagnostics: all }
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
  readonly latest: Member['latest'][number][]
  /** In hex. */
  claims: string
  /** Of the profile, too. */
  broken: number
  readonly diagnostics: Diagnostic[]
}

type Around = { readonly part: ProfilePart; readonly tools: Tools }

const addShot = (shots: Shots, { source, diagnostic }: Read, { part, tools }: Around): void => {
  if (source === undefined) {
    shots.diagnostics.push(diagnostic)
    return
  }
  if (shots.broken >= brokenLimit) return
  const loaded = tools.loader.loadShot(source, tools.site)
  const { value } = loaded
  if (value === undefined) shots.broken += brokenSize(source.text)
  // a shot with something wrong has an id all the same, so that everything wrong shows at once
  const { id, token_id, id_project, draft } = value ?? salvageShot(loaded.parsed)
  const made = id === undefined ? undefined : shotToken(id)
  if (made !== undefined) shots.claims += claimIn(made)
  if (token_id !== undefined && token_id !== made) shots.claims += claimIn(token_id)
  if (!draft) shots.published++
  const { projects } = part.facts
  if (projects !== undefined && id_project !== undefined) {
    for (const violation of checkShot({ id_project }, { projects })) {
      const elsewhere = part.places!().projects
      shots.diagnostics.push(diagnoseIn(loaded.parsed ?? parse(source), violation, { elsewhere }))
    }
  }
  if (value !== undefined && !draft) keepLatest(shots.latest, { ...value, token_id: token_id ?? made! })
  for (const one of loaded.diagnostics) shots.diagnostics.push(one)
}
