import { hash } from 'node:crypto'
import { keepLatest, type Member } from '../api/records.ts'
import { type ContentFolder, names, stemOf } from '../content/layout.ts'
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
import type { Scan } from '../content/read/scan.ts'
import * as rules from '../content/rules.ts'
import type { Site } from '../content/site.ts'
import { foldUsername, reserves } from '../content/username.ts'
import { type Diagnostic, fileStart, hasErrors, type Place } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { createPictures, nothing, type PictureOptions, type pictureKeys } from './pictures.ts'

/** What members are compiled with. */
export type Tools = ReturnType<typeof createTools>

type Given = {
  readonly content: ContentFolder
  /** Absent if site.yaml is wrong itself. */
  readonly site: Site | undefined
  /** site.yaml, if it can be read. */
  readonly source: Source | undefined
  readonly loader: Loader
}

export const createTools = (given: Given) => {
  const { site, source } = given
  /** What is known of the site, even if something is wrong. */
  const facts: SiteFacts = site ?? salvageSite(source ? parse(source) : { data: undefined, whole: false })
  return {
    ...given,
    facts,
    read: createReader(given.content),
    isReserved: reserves(facts.reserved),
    // without a source nothing is reserved
    reservedAt: rules.createReservedAt(source!, facts.reserved),
  }
}

/** Something that one member holds, and nobody else may. */
export type Holding = {
  readonly kind: ClaimKind
  /** As it is written. */
  readonly text: string
  /** Of the shot's file, without its ending, or of the member's folder. */
  readonly name: string
  readonly place: Place
  /** Whether it follows from something else: a token from an id, a username from its folder. */
  readonly made: boolean
}

/** Reads and checks all of a member: the profile, then its shots, then what they say of each other. */
export const compileMember = (
  scan: Scan,
  tools: Tools,
  { seen = {}, take = () => {} }: Partial<Pick<PictureOptions, 'seen' | 'take'>> = {},
) => {
  const { content, site, facts: siteFacts, loader, isReserved, reservedAt } = tools
  const { username } = scan
  const folder = `${content.name}/${names.members}/${username}`
  const pictures = createPictures({ scan, content, baseUrl: site?.baseUrl ?? '', seen, take })
  const diagnostics: Diagnostic[] = [...scan.diagnostics]
  let profile: Profile | undefined
  /** What is compared with the shots and with other members; known even if something else is wrong. */
  let facts: ProfileFacts = {}
  /** The profile with positions, worked out when something is wrong with it, once. */
  let placed: () => Parsed = nothing
  const latest: Shot[] = []
  const claims = [claimOf('name', username)]
  const holders: (() => readonly Holding[])[] = []
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
    return { value, source, parsed: once(() => parsed ?? parse(source)) }
  }

  const addProfile = (read: Read): void => {
    const loaded = load('profile', read, loader.loadProfile)
    if (loaded === undefined) return
    const { value, parsed } = loaded
    facts = value ?? salvageProfile(parsed())
    placed = parsed
    const add = (kind: ClaimKind, text: string | undefined, path: rules.Path): void => {
      if (!text) return
      claims.push(claimOf(kind, text))
      holders.push(() => [{ kind, text, name: username, place: parsed().place(path, 'value'), made: false }])
    }
    add('member', facts.id, ['id'])
    for (const [at, alias] of (facts.aliases ?? []).entries()) add('name', alias, ['aliases', at])
    for (const violation of rules.checkAliases(facts, isReserved))
      diagnostics.push(
        rules.diagnoseIn(parsed(), { ...violation, elsewhere: reservedAt(violation.args.name) }),
      )
    profile = value && pictures.withAddresses('profile', value, { parsed, isDraft: false })
  }

  const addShot = (read: Read): void => {
    const loaded = load('shot', read, loader.loadShot)
    if (loaded === undefined) return
    const { value, parsed, source } = loaded
    // a shot with something wrong has an id all the same, so that everything wrong shows at once
    const { id, token_id, id_project, draft } = value ?? salvageShot(parsed())
    if (id) claims.push(claimOf('shot', id))
    if (token_id && (!id || token_id !== shotToken(id))) claims.push(claimOf('token', token_id))
    holders.push(() => {
      const name = stemOf(source.file.slice(source.file.lastIndexOf('/') + 1))
      const place = (value && findPlainId(source)) ?? parsed().place(['id'], 'value')
      const token: Holding = token_id
        ? { kind: 'token', text: token_id, name, place: parsed().place(['token_id'], 'value'), made: false }
        : { kind: 'token', text: shotToken(id!), name, place, made: true }
      return id ? [{ kind: 'shot', text: id, name, place, made: false }, token] : token_id ? [token] : []
    })
    if (!draft) published++
    const { projects } = facts
    if (projects !== undefined && id_project !== undefined) {
      for (const violation of rules.checkShot({ id_project }, { projects }))
        diagnostics.push(rules.diagnoseIn(parsed(), { ...violation, elsewhere: rules.projectsAt(placed()) }))
    }
    if (value === undefined) return
    const shot = pictures.withAddresses('shot', value, { parsed, isDraft: draft })
    if (!draft) keepLatest(latest, shot)
  }

  const place = { file: folder, ...fileStart }
  holders.push(() => [{ kind: 'name', text: username, name: username, place, made: true }])
  if (isReserved(username))
    diagnostics.push(diagnose('reserved-name', place, { name: username }, [reservedAt(username)]))
  const oids = readMember(scan, tools.read, { profile: addProfile, shot: addShot })
  for (const violation of rules.checkCounts(facts, published)) {
    const isOfShots = violation.path[0] === 'totalShots'
    const elsewhere = isOfShots ? rules.shotsAt(`${folder}/${names.shots}`, published) : undefined
    diagnostics.push(rules.diagnoseIn(placed(), { ...violation, elsewhere }))
  }
  const unused = isUnread || broken >= brokenLimit ? [] : pictures.unused()
  for (const one of [...pictures.diagnostics, ...unused]) diagnostics.push(one)
  const known = pictures.seen()
  const isRight = profile !== undefined && !hasErrors(diagnostics)
  const withTokens = latest.map((shot) => ({ ...shot, token_id: shot.token_id ?? shotToken(shot.id) }))
  const member: Member = { username, profile: profile!, published, latest: withTokens }
  return {
    /** Absent if something is wrong. */
    member: isRight ? member : undefined,
    /** Its other names, if they can be read. */
    aliases: (facts.aliases ?? []).filter((alias) => alias !== ''),
    /** Git's names of the profile, then of the shots; the hashes of pictures. */
    oids: [...oids, ...Object.values(known).map(({ digest }) => digest)],
    /** See {@link claimOf}; with commas between them. Tokens that are made of ids are left out. */
    claims: claims.join(','),
    /** In the order of the files. To find their places takes longer than all else. */
    holdings: () => holders.flatMap((find) => find()),
    seen: known,
    /** UTF-16 units of large files that are wrong. Once it comes to {@link brokenLimit}, those after are not looked at. */
    broken,
    diagnostics,
  }
}

/** What is compared across members. */
export type ClaimKind = 'member' | 'shot' | 'token' | 'name'

/** `shot 42`: what one member has, and nobody else may. */
export const claimOf = (kind: ClaimKind, text: string): string =>
  `${kind} ${kind === 'name' ? foldUsername(text) : text}`

/** The token that a shot has if its file gives none: sha1 of `shot:<id>`, in hex. */
export const shotToken = (id: string): string => hash('sha1', `shot:${id}`)

/** The place of a shot's id where it is on a line of its own, as nearly always: parsing takes ten times as long. */
const findPlainId = ({ file, text }: Source): Place | undefined => {
  const [found, another] = [...text.matchAll(/^id:[ \t]+([1-9][0-9]*)[ \t]*(?:[ \t]#.*)?\r?$/gm)]
  if (found === undefined || another !== undefined) return undefined
  const column = found[0].indexOf(found[1]!) + 1
  const line = text.slice(0, found.index).split('\n').length
  return { file, line, column, endLine: line, endColumn: column + found[1]!.length }
}

/** Reads a member's profile, then the shots, and calls the taker with each; returns git's names of their bytes. */
export const readMember = (
  { username, profile, shots, stats }: Scan,
  read: Reader,
  takers: { readonly profile?: (read: Read) => void; readonly shot?: (read: Read) => void } = {},
): readonly string[] => {
  const oids: string[] = []
  const take = (below: string, taker: typeof takers.shot): void => {
    const file = read(`${names.members}/${username}/${below}`, stats[oids.length]!.size)
    oids.push(file.oid)
    taker?.(file)
  }
  if (profile !== undefined) take(profile, takers.profile)
  for (const name of shots) take(`${names.shots}/${name}`, takers.shot)
  return oids
}

/**
 * How much of large broken files (UTF-16 units) one run looks at. To say what is wrong with a file takes up to a hundred
 * times as long as to find it right, and a pull request may bring a thousand files of 1 MiB.
 */
export const brokenLimit = 16 << 20

/** What a broken file counts: a small one nothing, so that a mistake in every file of a site shows in one run. */
const brokenSize = ({ length }: string): number => (length > 1 << 14 ? length : 0)

/** Said of the member with which the limit was reached. */
export const notLookedAt = (content: ContentFolder, username: string): Diagnostic =>
  diagnose(
    'not-looked-at',
    { file: `${content.name}/${names.members}/${username}`, ...fileStart },
    { mebibytes: brokenLimit >> 20 },
  )
