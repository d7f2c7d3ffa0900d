import type { Member } from '../../api/derive.ts'
import { keepLatest } from '../../api/latest.ts'
import { names } from '../../content/layout.ts'
import type { Loader } from '../../content/load.ts'
import type { Profile, Shot } from '../../content/member.ts'
import { type Parsed, parse } from '../../content/parse/parse.ts'
import type { Reader } from '../../content/read.ts'
import { diagnoseIn } from '../../content/rules/locate.ts'
import { checkAliases, checkCounts, checkShot } from '../../content/rules/member-rules.ts'
import { type ProfileFacts, salvageProfile, salvageShot } from '../../content/salvage.ts'
import type { ContentFolder, Scan } from '../../content/scan.ts'
import type { Site } from '../../content/site.ts'
import type { Source } from '../../content/source.ts'
import { reserves } from '../../content/username.ts'
import { type Diagnostic, fileStart, hasErrors } from '../../diagnostics/diagnostic.ts'
import { diagnose } from '../../diagnostics/messages.ts'
import { claimIn, memberClaim, nameClaim, shotToken } from './claims.ts'

/** The part of a scan that other threads are told. */
export type Listing = Omit<Scan, 'stats'>

export type Tools = {
  readonly content: ContentFolder
  /** Absent if site.yaml is wrong itself. */
  readonly site: Site | undefined
  readonly reader: Reader
  readonly loader: Loader
}

export type Compiled = {
  /** Absent if something is wrong. */
  readonly member: Member | undefined
  /** Git's names of the profile, then of the shots; 20 bytes each. */
  readonly oids: readonly Uint8Array[]
  /** See claims.ts. */
  readonly claims: Uint8Array
  readonly published: number
  readonly diagnostics: readonly Diagnostic[]
}

export type ProfilePart = {
  readonly profile: Profile | undefined
  readonly source: Source | undefined
  /** What was read of it with positions, if that was needed. */
  readonly parsed?: Parsed | undefined
  /** What is held against the shots and other members; known also where something else is wrong. */
  readonly facts: ProfileFacts
  readonly oid: Uint8Array
  readonly claims: Uint8Array
  readonly diagnostics: readonly Diagnostic[]
}

/** What some of a member's shots come to: of all that were read, only what the member's files need is kept. */
export type ShotsPart = {
  readonly published: number
  /** The newest of them. */
  readonly latest: readonly Shot[]
  readonly oids: Uint8Array
  readonly claims: Uint8Array
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads and checks all of a member. */
export const compileMember = (scan: Scan, tools: Tools): Compiled => {
  const profile = compileProfile(scan, tools)
  return combine(scan, profile, [compileShots(scan, { from: 0, to: scan.shots.length }, profile, tools)])
}

/** Reads and checks a member's profile. */
export const compileProfile = (scan: Listing, { content, site, reader, loader }: Tools): ProfilePart => {
  const isReserved = reserves(site?.reserved ?? [])
  const place = { file: `${content.name}/${names.members}/${scan.username}`, ...fileStart }
  const own = isReserved(scan.username) ? [diagnose('reserved-name', place, { name: scan.username })] : []
  const nothing = { profile: undefined, source: undefined, facts: {}, claims: nameClaim(scan.username) }
  if (scan.profile === undefined) return { ...nothing, oid: new Uint8Array(), diagnostics: own }
  const path = `${names.members}/${scan.username}/${scan.profile}`
  const { oid, source, diagnostic } = reader(`${content.path}/${path}`, `${content.name}/${path}`)
  if (source === undefined) return { ...nothing, oid, diagnostics: [...own, diagnostic] }
  const { value, diagnostics, parsed } = loader.loadProfile(source, site)
  const facts = value ?? salvageProfile(parsed)
  const reserved = checkAliases(facts, isReserved).map((violation) => diagnoseIn(parse(source), violation))
  return {
    profile: value,
    source,
    parsed,
    facts,
    oid,
    claims: Buffer.concat([
      ...(facts.id === undefined ? [] : [memberClaim(facts.id)]),
      ...[scan.username, ...(facts.aliases ?? [])].filter((name) => name !== '').map(nameClaim),
    ]),
    diagnostics: [...own, ...diagnostics, ...reserved],
  }
}

/** Reads and checks a stretch of a member's shots. */
export const compileShots = (
  scan: Listing,
  { from, to }: { readonly from: number; readonly to: number },
  { facts: { projects } }: ProfilePart,
  { content, site, reader, loader }: Tools,
): ShotsPart => {
  const folder = `${names.members}/${scan.username}/${names.shots}`
  const latest: Shot[] = []
  const oids: Uint8Array[] = []
  const diagnostics: Diagnostic[] = []
  let claims = ''
  let published = 0
  for (const name of scan.shots.slice(from, to)) {
    const { oid, source, diagnostic } = reader(
      `${content.path}/${folder}/${name}`,
      `${content.name}/${folder}/${name}`,
    )
    oids.push(oid)
    if (source === undefined) {
      diagnostics.push(diagnostic)
      continue
    }
    const loaded = loader.loadShot(source, site)
    // a shot with something wrong has an id all the same, so that everything wrong shows at once
    const { id, token_id, id_project, draft } = loaded.value ?? salvageShot(loaded.parsed)
    const made = id === undefined ? undefined : shotToken(id)
    if (made !== undefined) claims += claimIn(made)
    if (token_id !== undefined && token_id !== made) claims += claimIn(token_id)
    if (!draft) published++
    if (projects !== undefined && id_project !== undefined) {
      for (const violation of checkShot({ id_project }, { projects }))
        diagnostics.push(diagnoseIn(loaded.parsed ?? parse(source), violation))
    }
    if (loaded.value !== undefined && !draft) keepLatest(latest, loaded.value)
    for (const diagnostic of loaded.diagnostics) diagnostics.push(diagnostic)
  }
  return {
    published,
    latest,
    oids: Buffer.concat(oids),
    claims: Buffer.from(claims, 'hex'),
    diagnostics,
  }
}

/** Puts a member together from its parts, which are in the order of the files. */
export const combine = (scan: Listing, part: ProfilePart, shots: readonly ShotsPart[]): Compiled => {
  const { profile, source, parsed, facts } = part
  const published = shots.reduce((sum, { published }) => sum + published, 0)
  const latest: Shot[] = []
  for (const { latest: some } of shots) for (const shot of some) keepLatest(latest, shot)
  const diagnostics = [
    ...scan.diagnostics,
    ...part.diagnostics,
    ...checkCounts(facts, published).map((violation) => diagnoseIn(parsed ?? parse(source!), violation)),
    ...shots.flatMap((some) => some.diagnostics),
  ]
  return {
    member:
      profile === undefined || hasErrors(diagnostics)
        ? undefined
        : {
            username: scan.username,
            profile,
            published,
            latest: latest.map((shot) => ({ ...shot, token_id: shot.token_id ?? shotToken(shot.id) })),
          },
    oids: [part.oid, ...shots.map(({ oids }) => oids)],
    claims: Buffer.concat([part.claims, ...shots.map(({ claims }) => claims)]),
    published,
    diagnostics,
  }
}
