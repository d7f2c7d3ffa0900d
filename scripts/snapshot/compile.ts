import { hash } from 'node:crypto'
import { keepLatest } from '../api/records.ts'
import { type ContentFolder, memberFolder, names, stemOf } from '../content/layout.ts'
import type { Loader } from '../content/load.ts'
import type { Profile, Shot } from '../content/member.ts'
import type { Path } from '../content/parse/data.ts'
import type { Source } from '../content/parse/parse.ts'
import { parse } from '../content/parse/parse.ts'
import {
  type ContentFile,
  filesOf,
  type MemberFiles,
  type MemberKind,
} from '../content/read/open.ts'
import { createReader } from '../content/read/read-file.ts'
import { guessGroups } from '../content/read/scan.ts'
import * as rules from '../content/rules.ts'
import {
  type ProfileFacts,
  type ShotFacts,
  type SiteFacts,
  salvageSite,
} from '../content/salvage.ts'
import type { Site } from '../content/site.ts'
import { foldUsername, reserves } from '../content/username.ts'
import { type Diagnostic, fileStart, hasErrors, type Place } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import type { ClaimKind, Holding } from './entry.ts'
import { createPictures, type PictureOptions } from './pictures.ts'
import type { Whole } from './product.ts'

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
  const { content, site, source } = given
  /** What is known of the site, even if something is wrong. */
  const facts: SiteFacts =
    site ?? salvageSite(source ? parse(source) : { data: undefined, whole: false })
  return {
    ...given,
    content: { ...content, groups: facts.groups ?? content.groups ?? guessGroups(content) },
    facts,
    read: createReader(given.content),
    isReserved: reserves(facts.reserved),
    // without a source nothing is reserved
    reservedAt: rules.createReservedAt(source!, facts.reserved),
  }
}

type CompileOptions = Partial<Pick<PictureOptions, 'seen' | 'take'>> & {
  /** Whether drafts are shown, with their pictures. */
  readonly drafts?: boolean
}

/** Checks all of a member: the profile, then its shots, then what they say of each other. */
export const compileMember = (
  files: MemberFiles,
  { content, site, isReserved, reservedAt }: Tools,
  { seen = {}, take = () => {}, drafts = false }: CompileOptions = {},
) => {
  const { username } = files
  const folder = `${content.name}/${memberFolder(username, content)}`
  const pictures = createPictures({ files, content, baseUrl: site?.baseUrl ?? '', seen, take })
  const diagnostics: Diagnostic[] = [...files.diagnostics]
  let profile: Profile | undefined
  /** What is compared with the shots and with other members; known even if something else is wrong. */
  let facts: ProfileFacts = {}
  const latest: Shot[] = []
  const shots: Shot[] = []
  const claims = [claimOf('name', username)]
  const holders: (() => readonly Holding[])[] = []
  let published = 0
  let broken = 0
  /** Whether a file can't be read, or isn't where it belongs: then it may name any picture. */
  let isUnread = files.profile === undefined || hasErrors(files.diagnostics)

  /** What a file says, if it is looked at, and tells what is wrong with it, also with the pictures that it names. */
  const look = <K extends MemberKind>(file: ContentFile<K>) => {
    const { diagnostic, source, legible } = file.read()
    if (diagnostic !== undefined) isUnread = true
    if (broken >= brokenLimit) {
      if (diagnostic !== undefined) diagnostics.push(diagnostic)
      return undefined
    }
    const { value, diagnostics: found, parsed } = file.loaded()
    for (const one of found) diagnostics.push(one)
    if (parsed !== undefined) {
      broken += brokenSize((source ?? legible)?.text ?? '')
      if (parsed.problems.length > 0) isUnread = true
      pictures.checkBroken(file.kind, parsed)
    }
    return { value }
  }

  const addProfile = (file: ContentFile<'profile'>): void => {
    const looked = look(file)
    if (looked === undefined) return
    const { value } = looked
    facts = value ?? file.facts()
    const add = (kind: ClaimKind, text: string | undefined, path: Path): void => {
      if (!text) return
      claims.push(claimOf(kind, text))
      const place = () => file.parsed().place(path, 'value')
      holders.push(() => [{ kind, text, name: username, place: place(), made: false }])
    }
    add('member', facts.id, ['id'])
    for (const [at, alias] of (facts.aliases ?? []).entries()) add('name', alias, ['aliases', at])
    for (const violation of rules.checkAliases(facts, isReserved)) {
      const elsewhere = reservedAt(violation.args.name)
      diagnostics.push(rules.diagnoseIn(file.parsed(), { ...violation, elsewhere }))
    }
    const { parsed } = file
    profile = value && pictures.withAddresses('profile', value, { parsed, isDraft: false })
  }

  const addShot = (file: ContentFile<'shot'>): void => {
    const looked = look(file)
    if (looked === undefined) return
    const { value } = looked
    // a shot with something wrong has an id all the same, so that everything wrong shows at once
    const { id, token_id, id_project, draft } = value ?? file.facts()
    if (id) claims.push(claimOf('shot', id))
    if (token_id && (!id || token_id !== shotToken(id))) claims.push(claimOf('token', token_id))
    holders.push(() => holdingsOf(file, { id, token_id }))
    if (!draft) published++
    const { projects } = facts
    if (projects !== undefined && id_project !== undefined) {
      for (const violation of rules.checkShot({ id_project }, projects)) {
        const elsewhere = files.profile && rules.projectsAt(files.profile.parsed())
        diagnostics.push(rules.diagnoseIn(file.parsed(), { ...violation, elsewhere }))
      }
    }
    if (value === undefined) return
    const { parsed } = file
    const isHidden = draft && !drafts
    const shot = pictures.withAddresses('shot', value, { parsed, isDraft: isHidden })
    if (!isHidden) shots.push(shot)
    if (!draft) keepLatest(latest, shot)
  }

  const place = { file: folder, ...fileStart }
  holders.push(() => [{ kind: 'name', text: username, name: username, place, made: true }])
  if (isReserved(username))
    diagnostics.push(diagnose('reserved-name', place, { name: username }, [reservedAt(username)]))
  if (files.profile !== undefined) addProfile(files.profile)
  for (const shot of files.shots) addShot(shot)
  for (const violation of rules.checkCounts(facts, published)) {
    const isOfShots = violation.path[0] === 'totalShots'
    const elsewhere = isOfShots ? rules.shotsAt(`${folder}/${names.shots}`, published) : undefined
    // counts are facts of a profile
    diagnostics.push(rules.diagnoseIn(files.profile!.parsed(), { ...violation, elsewhere }))
  }
  const unused = isUnread || broken >= brokenLimit ? [] : pictures.unused()
  for (const one of [...pictures.diagnostics, ...unused]) diagnostics.push(one)
  const known = pictures.seen()
  const withTokens = latest.map((shot) => ({
    ...shot,
    token_id: shot.token_id ?? shotToken(shot.id),
  }))
  const member = (profile: Profile): Whole => ({
    username,
    profile,
    published,
    latest: withTokens,
    shots,
    looks: pictures.looks(),
  })
  return {
    /** Absent if something is wrong. */
    member: profile && !hasErrors(diagnostics) ? member(profile) : undefined,
    /** Its other names, if they can be read. */
    aliases: (facts.aliases ?? []).filter((alias) => alias !== ''),
    /** Git's names of the profile, then of the shots; the hashes of pictures. */
    oids: [...oidsOf(files), ...Object.values(known).map(({ digest }) => digest)],
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

/** What a shot holds. */
const holdingsOf = (
  shot: ContentFile<'shot'>,
  { id, token_id }: Pick<ShotFacts, 'id' | 'token_id'>,
): readonly Holding[] => {
  const name = stemOf(shot.below.slice(shot.below.lastIndexOf('/') + 1))
  const placeOf = (key: string): Place => shot.parsed().place([key], 'value')
  const given: Holding[] = token_id
    ? [{ kind: 'token', text: token_id, name, place: placeOf('token_id'), made: false }]
    : []
  if (!id) return given
  const place = placeOf('id')
  const made: Holding = { kind: 'token', text: shotToken(id), name, place, made: true }
  return [{ kind: 'shot', text: id, name, place, made: false }, ...(token_id ? given : [made])]
}

/** Git's names of a member's YAML files. */
export const oidsOf = (files: MemberFiles): readonly string[] =>
  filesOf(files).map((file) => file.read().oid)

/** `shot 42`: what one member has, and nobody else may. */
export const claimOf = (kind: ClaimKind, text: string): string =>
  `${kind} ${kind === 'name' ? foldUsername(text) : text}`

/** The token that a shot has if its file gives none: sha1 of `shot:<id>`, in hex. */
export const shotToken = (id: string): string => hash('sha1', `shot:${id}`)

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
    { file: `${content.name}/${memberFolder(username, content)}`, ...fileStart },
    { mebibytes: brokenLimit >> 20 },
  )
