import { hash } from 'node:crypto'
import { keepLatest, type Member } from '../api/records.ts'
import { names } from '../content/layout.ts'
import type { Loaded, Loader, Source } from '../content/load.ts'
import {
  type Profile,
  type ProfileFacts,
  type Shot,
  type SiteFacts,
  salvageProfile,
  salvageShot,
  salvageSite,
} from '../content/member.ts'
import { once } from '../content/once.ts'
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
import { foldUsername, reserves } from '../content/username.ts'
import { type Diagnostic, fileStart, hasErrors, type Related } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import {
  createPictures,
  nothing,
  type PictureOptions,
  type pictureKeys,
  type SeenPictures,
} from './pictures.ts'

export type Tools = {
  readonly content: ContentFolder
  /** Absent if site.yaml is wrong itself. */
  readonly site: Site | undefined
  /** What is known of it, even so. */
  readonly facts: SiteFacts
  /** site.yaml, if it can be read. */
  readonly source: Source | undefined
  readonly read: Reader
  readonly loader: Loader
  readonly isReserved: IsReserved
  /** Where a name that is reserved stands in site.yaml. */
  readonly reservedAt: (name: string) => Related
}

export const createTools = (about: Pick<Tools, 'content' | 'site' | 'source' | 'loader'>): Tools => {
  const facts =
    about.site ?? salvageSite(about.source ? parse(about.source) : { data: undefined, whole: false })
  const { reserved } = facts
  return {
    ...about,
    facts,
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
  /** See {@link claimOf}; with commas between them. Tokens that are made of ids are left out. */
  readonly claims: string
  readonly seen: SeenPictures
  /** UTF-16 units of large files that are wrong. Once it comes to {@link brokenLimit}, those after are not looked at. */
  readonly broken: number
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads and checks all of a member: the profile, then its shots, then what they say of each other. */
export const compileMember = (
  scan: Scan,
  tools: Tools,
  { seen = {}, take = () => {} }: Partial<Pick<PictureOptions, 'seen' | 'take'>> = {},
): Compiled => {
  const { content, site, facts: siteFacts, loader, isReserved, reservedAt } = tools
  const { username } = scan
  const folder = `${content.name}/${names.members}/${username}`
  const pictures = createPictures({ scan, content, baseUrl: site?.baseUrl ?? '', seen, take })
  const diagnostics: Diagnostic[] = [...scan.diagnostics]
  let profile: Profile | undefined
  let aliases: readonly string[] = []
  /** What is compared with the shots and with other members; known even if something else is wrong. */
  let facts: ProfileFacts = {}
  /** The profile with positions, worked out when something is wrong with it, once. */
  let placed: () => Parsed = nothing
  const latest: Shot[] = []
  const claims = [claimOf('name', username)]
  let [published, broken] = [0, 0]
  /** Whether a file can't be read, or isn't where it belongs: then it may name any picture. */
  let isUnread = scan.profile === undefined || hasErrors(scan.diagnostics)

  /** Loads a file, if it can be read, and tells what is wrong with it, also with the pictures that it names. */
  const load = <T>(
    kind: keyof typeof pictureKeys,
    { diagnostic, legible, source = legible }: Read,
    loadSource: (source: Source, site: SiteFacts) => Loaded<T>,
  ) => {
    if (diagnostic !== undefined) {
      isUnread = true
      diagnostics.push(diagnostic)
    }
    if (source === undefined || broken >= brokenLimit) return undefined
    const { value, diagnostics: found, parsed } = loadSource(source, siteFacts)
    for (const one of found) diagnostics.push(one)
    if (parsed !== undefined) {
      broken += brokenSize(source.text)
      if (parsed.problems.length > 0) isUnread = true
      pictures.checkBroken(kind, parsed)
    }
    return { value, parsed: once(() => parsed ?? parse(source)) }
  }

  const addProfile = (read: Read): void => {
    const loaded = load('profile', read, loader.loadProfile)
    if (loaded === undefined) return
    const { value, parsed } = loaded
    facts = value ?? salvageProfile(parsed())
    if (facts.id) claims.push(claimOf('member', facts.id))
    aliases = (facts.aliases ?? []).filter((alias) => alias !== '')
    for (const alias of aliases) claims.push(claimOf('name', alias))
    placed = parsed
    for (const violation of checkAliases(facts, isReserved))
      diagnostics.push(diagnoseIn(parsed(), violation, { elsewhere: reservedAt(violation.args.name) }))
    profile = value && pictures.withAddresses('profile', value, { parsed, isDraft: false })
  }

  const addShot = (read: Read): void => {
    const loaded = load('shot', read, loader.loadShot)
    if (loaded === undefined) return
    const { value, parsed } = loaded
    // a shot with something wrong has an id all the same, so that everything wrong shows at once
    const { id, token_id, id_project, draft } = value ?? salvageShot(parsed())
    if (id) claims.push(claimOf('shot', id))
    if (token_id && (!id || token_id !== shotToken(id))) claims.push(claimOf('token', token_id))
    if (!draft) published++
    const { projects } = facts
    if (projects !== undefined && id_project !== undefined) {
      for (const violation of checkShot({ id_project }, { projects }))
        diagnostics.push(diagnoseIn(parsed(), violation, { elsewhere: projectsAt(placed()) }))
    }
    if (value === undefined) return
    const shot = pictures.withAddresses('shot', value, { parsed, isDraft: draft })
    if (!draft) keepLatest(latest, shot)
  }

  if (isReserved(username)) {
    const related = [reservedAt(username)]
    diagnostics.push(diagnose('reserved-name', { file: folder, ...fileStart }, { name: username }, related))
  }
  const oids = readMember(scan, tools.read, { profile: addProfile, shot: addShot })
  for (const violation of checkCounts(facts, published)) {
    const isOfShots = violation.path[0] === 'totalShots'
    const elsewhere = isOfShots ? shotsAt(`${folder}/${names.shots}`, published) : undefined
    diagnostics.push(diagnoseIn(placed(), violation, { elsewhere }))
  }
  const unused = isUnread || broken >= brokenLimit ? [] : pictures.unused()
  for (const one of [...pictures.diagnostics, ...unused]) diagnostics.push(one)
  const known = pictures.seen()
  const isRight = profile !== undefined && !hasErrors(diagnostics)
  return {
    member: isRight ? { username, profile: profile!, published, latest: latest.map(withToken) } : undefined,
    aliases,
    oids: [...oids, ...Object.values(known).map(({ sha256 }) => sha256)],
    claims: claims.join(','),
    ...{ seen: known, broken, diagnostics },
  }
}

/** What is compared across members. */
export type ClaimKind = 'member' | 'shot' | 'token' | 'name'

/** `shot 42`: what one member has, and nobody else may. */
export const claimOf = (kind: ClaimKind, text: string): string =>
  `${kind} ${kind === 'name' ? foldUsername(text) : text}`

/** The token that a shot has if its file gives none: sha1 of `shot:<id>`, in hex. */
export const shotToken = (id: string): string => hash('sha1', `shot:${id}`)

const withToken = (shot: Shot): Member['latest'][number] => ({
  ...shot,
  token_id: shot.token_id ?? shotToken(shot.id),
})

/** Called with each file of a member as it is read. */
type Takers = { readonly profile?: (read: Read) => void; readonly shot?: (read: Read) => void }

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
const brokenSize = (text: string): number => (text.length > small ? text.length : 0)

/** UTF-16 units. Few people write as much in one file. */
const small = 1 << 14

/** Said of the member with which the limit was reached. */
export const notLookedAt = (content: ContentFolder, username: string): Diagnostic =>
  diagnose(
    'not-looked-at',
    { file: `${content.name}/${names.members}/${username}`, ...fileStart },
    { mebibytes: brokenLimit >> 20 },
  )
