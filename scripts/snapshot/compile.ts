import { hash } from 'node:crypto'
import { posix } from 'node:path'
import { exampleLine } from '../advice/written.ts'
import { byNewest, shotsLimit } from '../api/records.ts'
import { type ContentFolder, memberFolder, names, stemOf } from '../content/layout.ts'
import type { Loader } from '../content/load.ts'
import type { Profile, Shot } from '../content/member.ts'
import { once } from '../content/once.ts'
import { isMapping, mappingOf, type Path } from '../content/parse/data.ts'
import { type Parsed, parse, type Source } from '../content/parse/parse.ts'
import {
  type ContentFile,
  filesOf,
  type MemberFiles,
  type MemberKind,
} from '../content/read/open.ts'
import { createReader } from '../content/read/read-file.ts'
import { guessGroups } from '../content/read/scan.ts'
import * as rules from '../content/rules.ts'
import { type ProfileFacts, type SiteFacts, salvageSite } from '../content/salvage.ts'
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
  // without a source nobody asks for a place
  const parsed = once(() => parse(source!))
  /** Where site.yaml says what it does at a path. */
  const siteAt = (path: Path): Place => parsed().place(path, 'value')
  /** What is known of the site, even if something is wrong. */
  const facts: SiteFacts =
    site ?? salvageSite(source ? parsed() : { data: undefined, whole: false })
  return {
    ...given,
    content: { ...content, groups: facts.groups ?? content.groups ?? guessGroups(content) },
    facts,
    siteAt,
    read: createReader(given.content),
    isReserved: reserves(facts.reserved),
    reservedAt: rules.createReservedAt(siteAt, facts.reserved),
  }
}

type CompileOptions = Partial<Pick<PictureOptions, 'seen' | 'take'>> & {
  /** Whether drafts are shown, with their pictures. */
  readonly drafts?: boolean
  /**
   * The only file that may say something new: of the others, what is wrong is known, and so
   * are their pictures.
   */
  readonly only?: ContentFile
}

/** Checks all of a member: the profile, then its shots, then what they say of each other. */
export const compileMember = (
  files: MemberFiles,
  tools: Tools,
  options: CompileOptions = {},
) => {
  const { username, profile: own } = files
  const { only } = options
  const examination = createExamination(files, tools, options)
  const { pictures } = examination
  const said = own && examination.examine(own)
  /**
   * What is compared with the shots and with other members; known even if something else is
   * wrong.
   */
  const facts: ProfileFacts = said ?? own?.facts() ?? {}
  const profile = said && own && pictures.withAddresses(said, own)
  const { shots, latest, published, claims } = compileShots(examination, facts)
  const aliases = (facts.aliases ?? []).filter((alias) => alias !== '')
  const names = [username, ...aliases].map((name) => claimOf('name', name))
  const violations = own ? [...checkProfile(own, { facts, published, ...examination })] : []
  const { broken, isUnread } = examination.found()
  const unused = isUnread || broken >= brokenLimit ? [] : pictures.unused(only === undefined)
  const diagnostics = [
    ...examination.diagnostics,
    ...checkName(username, tools),
    ...violations,
    ...pictures.diagnostics,
    ...unused,
  ]
  const known = pictures.seen()
  const member = (profile: Profile): Whole => ({
    username,
    profile,
    published,
    latest: latest.map(withToken),
    shots,
    looks: pictures.looks(),
  })
  return {
    /** Absent if something is wrong. */
    member: profile && !hasErrors(diagnostics) ? member(profile) : undefined,
    /** Its other names, if they can be read. */
    aliases,
    /** Git's names of the profile, then of the shots; the hashes of pictures. */
    oids: [...oidsOf(files), ...Object.values(known).map(({ digest }) => digest)],
    /** See {@link claimOf}; with commas between them. Tokens that are made of ids are left out. */
    claims: [...names, ...(facts.id ? [claimOf('member', facts.id)] : []), ...claims].join(
      ',',
    ),
    seen: known,
    /**
     * UTF-16 units of large files that are wrong. Once it comes to {@link brokenLimit}, those
     * after are not looked at.
     */
    broken,
    diagnostics,
  }
}

const withToken = (shot: Shot) => ({ ...shot, token_id: shot.token_id ?? shotToken(shot.id) })

type Examination = ReturnType<typeof createExamination>

/** Reads one file after another, and gathers what is wrong with each. */
const createExamination = (
  files: MemberFiles,
  tools: Tools,
  { seen = {}, take = () => {}, drafts = false, only }: CompileOptions,
) => {
  const { content, site } = tools
  const pictures = createPictures({
    files,
    content,
    baseUrl: site?.baseUrl ?? '',
    seen,
    take,
  })
  const diagnostics: Diagnostic[] = [...files.diagnostics]
  let broken = 0
  /** Whether something can't be read, or isn't where it belongs: then it may name any picture. */
  let isUnread = files.profile === undefined || hasErrors(files.diagnostics)
  const mayBeNew = (file: ContentFile) => only === undefined || only === file
  return {
    files,
    tools,
    drafts,
    diagnostics,
    pictures,
    mayBeNew,
    /** What a file says; tells what is wrong with it, also with the pictures that it names. */
    examine: <K extends MemberKind>(file: ContentFile<K>) => {
      const { value, diagnostics: found, parsed } = file.loaded()
      if (!mayBeNew(file)) return value
      for (const one of found)
        diagnostics.push(parsed ? withProject(one, parsed, files) : one)
      if (parsed !== undefined) {
        const { source, legible } = file.read()
        broken += brokenSize((source ?? legible)?.text ?? '', found.length)
        const isRead = source !== undefined && parsed.problems.length === 0
        // `![Tea](tea.png)` is no address, and names one all the same
        const mayNameOne = found.some(({ code }) => code === 'bad-asset')
        if (!isRead || mayNameOne || !isMapping(parsed.data ?? '')) isUnread = true
        pictures.checkBroken(file, parsed)
      }
      return value
    },
    found: () => ({ broken, isUnread }),
  }
}

/** A problem with the line that names a shot's project by its title: the hint gives its id. */
const withProject = (
  told: Diagnostic,
  parsed: Parsed,
  { profile }: MemberFiles,
): Diagnostic => {
  if (told.code !== 'bad-id' && told.code !== 'unknown-key') return told
  const { id_project, project: other } = mappingOf(parsed.data)
  const title = id_project ?? other
  if (title === undefined) return told
  const { line } = parsed.place([id_project === undefined ? 'project' : 'id_project'], 'key')
  const { projects = '' } = mappingOf(profile?.parsed().data)
  const all = Array.isArray(projects) && line === told.line ? projects.map(mappingOf) : []
  const [named, another] = all.filter((one) => one.title === title)
  const id = another === undefined ? String(named?.id) : ''
  return /^[1-9]\d*$/.test(id)
    ? { ...told, hint: `write ${exampleLine('id_project', id)}` }
    : told
}

/**
 * The shots that are shown, the newest ones that are published, how many these are, and what
 * all of them claim.
 */
const compileShots = (examination: Examination, facts: ProfileFacts) => {
  const { files, drafts, diagnostics, pictures, mayBeNew } = examination
  const claims: string[] = []
  const shots: Shot[] = []
  let published = 0
  for (const file of files.shots) {
    if (examination.found().broken >= brokenLimit) break
    const value = examination.examine(file)
    // a shot with something wrong has an id all the same, so that everything wrong shows at once
    const { id, token_id, id_project, draft } = value ?? file.facts()
    if (id) claims.push(claimOf('shot', id))
    if (token_id && (!id || token_id !== shotToken(id)))
      claims.push(claimOf('token', token_id))
    if (!draft) published++
    if (id_project !== undefined && facts.projects !== undefined)
      for (const violation of rules.checkShot({ id_project }, facts.projects)) {
        const elsewhere = files.profile && rules.projectsAt(files.profile.parsed())
        diagnostics.push(rules.diagnoseIn(file.parsed(), { ...violation, elsewhere }))
      }
    if (value === undefined || !mayBeNew(file)) continue
    const isHidden = value.draft && !drafts
    const whole = pictures.withAddresses(value, file, isHidden)
    if (!isHidden) shots.push({ oid: file.read().oid, ...whole })
  }
  const latest = shots
    .filter(({ draft }) => !draft)
    .sort(byNewest)
    .slice(0, shotsLimit)
  return { shots, latest, published, claims }
}

const checkName = (
  username: string,
  { content, isReserved, reservedAt }: Tools,
): readonly Diagnostic[] => {
  if (!isReserved(username)) return []
  const place = folderOf(username, content)
  return [diagnose('reserved-name', place, { name: username }, [reservedAt(username)])]
}

type ProfileOptions = Pick<Examination, 'files' | 'tools'> & {
  readonly facts: ProfileFacts
  readonly published: number
}

/** What is wrong with a profile next to the site and the shots. */
function* checkProfile(
  file: ContentFile<'profile'>,
  { facts, published, files, tools }: ProfileOptions,
): Generator<Diagnostic> {
  const { content, isReserved, reservedAt } = tools
  for (const violation of rules.checkAliases(facts, isReserved)) {
    const elsewhere = reservedAt(violation.args.name)
    yield rules.diagnoseIn(file.parsed(), { ...violation, elsewhere })
  }
  const folder = `${content.name}/${memberFolder(files.username, content)}/${names.shots}`
  for (const violation of rules.checkCounts(facts, published)) {
    const isOfShots = violation.path[0] === 'totalShots'
    const elsewhere = isOfShots ? rules.shotsAt(folder, published) : undefined
    yield rules.diagnoseIn(file.parsed(), { ...violation, elsewhere })
  }
}

/** What a member claims, and where it says so. */
type Held = Pick<Holding, 'kind' | 'text' | 'made'> & {
  /** Absent of the member's own name, which is that of the folder. */
  readonly file?: ContentFile
  readonly path: Path
}

/**
 * All that a member claims, as far as the files can be read, in their order; with the tokens
 * that are made of ids.
 */
export function* heldIn({ username, profile, shots }: MemberFiles): Generator<Held> {
  yield { kind: 'name', text: username, path: [], made: true }
  const { id, aliases = [] } = profile?.facts() ?? {}
  if (profile) {
    if (id) yield { kind: 'member', text: id, file: profile, path: ['id'], made: false }
    for (const [at, text] of aliases.entries())
      if (text)
        yield { kind: 'name', text, file: profile, path: ['aliases', at], made: false }
  }
  for (const file of shots) {
    const { id, token_id } = file.facts()
    if (id) yield { kind: 'shot', text: id, file, path: ['id'], made: false }
    if (token_id)
      yield { kind: 'token', text: token_id, file, path: ['token_id'], made: false }
    else if (id) yield { kind: 'token', text: shotToken(id), file, path: ['id'], made: true }
  }
}

/**
 * The same with places: all, or what is one of these claims. To find the places takes longer
 * than all else.
 */
export const holdingsOf = (
  files: MemberFiles,
  content: ContentFolder,
  wanted?: ReadonlySet<string>,
): readonly Holding[] => {
  const { username } = files
  const folder = folderOf(username, content)
  return [...heldIn(files)]
    .filter(({ kind, text }) => wanted?.has(claimOf(kind, text)) !== false)
    .map(({ file, path, ...held }) => ({
      ...held,
      name: file?.kind === 'shot' ? stemOf(posix.basename(file.below)) : username,
      place: file?.parsed().place(path, 'value') ?? folder,
    }))
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
 * How much of large broken files (UTF-16 units) one run looks at. To say what is wrong with a
 * file takes up to a hundred times as long as to find it right, and a pull request may bring
 * a thousand files of 1 MiB.
 */
export const brokenLimit = 16 << 20

/**
 * What a broken file counts: its length, or as much for its problems. A small one with few
 * counts nothing, so that a mistake in every file of a site shows in one run.
 */
const brokenSize = ({ length }: string, problems: number): number => {
  const size = Math.max(length, 160 * problems)
  return size > 1 << 14 ? size : 0
}

/** Said of the member with which the limit was reached. */
export const notLookedAt = (content: ContentFolder, username: string): Diagnostic =>
  diagnose('not-looked-at', folderOf(username, content), { mebibytes: brokenLimit >> 20 })

/** The place of what a member's files don't say themselves. */
const folderOf = (username: string, content: ContentFolder): Place => ({
  file: `${content.name}/${memberFolder(username, content)}`,
  ...fileStart,
})
