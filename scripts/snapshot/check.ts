import { createLoader } from '../advice/loader.ts'
import type { ContentFolder } from '../content/layout.ts'
import { readMember } from '../content/read/open.ts'
import { createReader } from '../content/read/read-file.ts'
import { findSite, listMembers } from '../content/read/scan.ts'
import { usernameHash } from '../content/username.ts'
import { accentProblem } from '../content/values/colour.ts'
import { readFile } from '../files/folder.ts'
import { drawingProblem } from '../pictures/drawing.ts'
import { byPlace, type Diagnostic, UserError } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { findClashes } from './clashes.ts'
import { brokenLimit, createTools, holdingsOf, notLookedAt, type Tools } from './compile.ts'
import { type Destination, openDestination } from './destination.ts'
import { type Entry, emptyState, mostShards, nothingMade, type Shard, type State } from './entry.ts'
import { type FolderNames, resolveFolders, type SnapshotFolders } from './folders.ts'
import { compileMembers } from './members.ts'
import type { Product } from './product.ts'
import { epochOf, knownState } from './state.ts'

/** The site as a whole: what is known before any member is looked at. */
export type OpenSite = ReturnType<typeof openSite>

/** Reads site.yaml and lists the members of a shard, or all, in the order of the paths. */
export const openSite = (content: ContentFolder, { shard }: Pick<CheckOptions, 'shard'> = {}) => {
  const isOwn = (username: string): boolean =>
    shard === undefined || shardOf(username, shard.count) === shard.index
  const loader = createLoader()
  const { name } = findSite(content)
  const read = name === undefined ? undefined : createReader(content)(name)
  const source = read?.source ?? read?.legible
  const loaded = source && loader.loadSite(source)
  const site = read?.source && loaded?.value
  const tools = createTools({ content, site, source, loader })
  const listed = listMembers(tools.content)
  // something else may explain why there is none
  const { diagnostics } = findSite(content, listed.diagnostics)
  return {
    tools,
    shard,
    /** Of the program and the site; empty if the site is wrong. */
    epoch: site === undefined ? '' : epochOf(site),
    members: listed.members.filter(isOwn),
    diagnostics: [
      ...diagnostics,
      ...(read?.diagnostic ? [read.diagnostic] : []),
      ...(loaded?.diagnostics ?? []),
      // a shard may be without members
      ...listed.diagnostics.filter(({ code }) => shard === undefined || code !== 'no-members'),
    ],
  }
}

/** The shard that a member belongs to, from 1 to `count`. Its aliases go where it goes. */
export const shardOf = (username: string, count: number): number =>
  1 + (Number.parseInt(usernameHash(username).slice(0, 8), 16) % count)

/** `1/4`, as on the command line. */
export const parseShard = (text: string | undefined): Shard | undefined => {
  if (text === undefined) return undefined
  const [, index, count] = /^([1-9][0-9]{0,3})\/([1-9][0-9]{0,3})$/.exec(text) ?? []
  const shard = { index: Number(index), count: Number(count) }
  if (shard.index <= shard.count && shard.count <= mostShards) return shard
  throw new UserError(`--shard takes I/N, not "${text.slice(0, 40)}"`, {
    hint: `write --shard 1/4 for the first of four; I goes from 1 to N, N to ${mostShards}`,
  })
}

export type CheckOptions = FolderNames & {
  /** Look at every member anew, and take nothing from the last build. */
  readonly all?: boolean
  /** Only the members of this shard. */
  readonly shard?: Shard | undefined
  /** What the check before this one found; absent to take what the last build left. */
  readonly last?: State | undefined
  /** Members that may have changed since then, if that is known. */
  readonly touched?: ReadonlySet<string> | undefined
  readonly onProgress: (done: number, total: number) => void
  /** What the last build left is not used: gets a line that says why. */
  readonly onDoubt?: (why: string) => void
}

/** All members, inspected and compared: what is wrong with them, and what their files come to. */
export type CheckResult = Awaited<ReturnType<typeof checkMembers>>

/** Checks the content, and writes nothing. */
export const check = async (options: CheckOptions): Promise<CheckResult> => {
  const folders = resolveFolders(options)
  const { last, all, touched } = options
  const found = openSite(folders.content, options)
  const known = last || all ? emptyState : knownState(found, { ...options, folders })
  const state = last && found.epoch !== '' && last.epoch === found.epoch ? last : known
  return checkMembers(found, { ...options, touched: last && touched, last: state })
}

/** A product, and where it goes. */
export type Target = { readonly destination: Destination; readonly product: Product }

type StageOptions = Pick<CheckOptions, 'onProgress' | 'onDoubt' | 'touched'> & {
  readonly folders: SnapshotFolders
  /** Absent where something is wrong already: then members are only checked. */
  readonly target: Target | undefined
  /** Believes nothing of the state. */
  readonly distrust?: boolean | undefined
}

/** Looks at all members, and stages what differs from what is published. */
export const stageMembers = (found: OpenSite, options: StageOptions): Promise<CheckResult> => {
  const { target, distrust = false } = options
  // where a folder is gone, or a link stands for it, what is published is not what the state tells of
  const isWhole = target?.product.memberFolders.every(openDestination(target.destination).isFolder)
  const last = isWhole && !distrust ? knownState(found, options) : emptyState
  return checkMembers(found, { ...options, ...target, last })
}

/** Looks at every member, then compares what must be unique. Without a destination, it writes nothing. */
export const checkMembers = async (
  { tools, shard, epoch, ...survey }: OpenSite,
  options: Partial<Target> & Pick<CheckOptions, 'touched' | 'onProgress'> & { last: State },
) => {
  const { content, site, source } = tools
  const { last, destination, product, touched } = options
  const known = last.entries
  const mayDiffer = (username: string): boolean =>
    touched === undefined || touched.has(username) || (known.get(username)?.from.key ?? '') === ''
  const members = survey.members.filter(mayDiffer)
  const task = { content, site, source, shard, members, known, destination }
  const found = await compileMembers(task, product, (done) =>
    options.onProgress(done, members.length),
  )
  const news = new Map(found.map((one) => [one.username, one]))
  const diagnostics = [...survey.diagnostics, ...lookAtGallery(tools)]
  const entries = new Map<string, Entry>()
  let broken = 0
  for (const username of survey.members) {
    const one = news.get(username)
    const entry = one?.entry ?? known.get(username)
    if (broken >= brokenLimit || entry === undefined) break
    entries.set(username, entry)
    for (const diagnostic of [...(one?.diagnostics ?? []), ...entry.diagnostics])
      diagnostics.push(diagnostic)
    broken += one?.broken ?? 0
    if (broken >= brokenLimit) diagnostics.push(notLookedAt(content, username))
  }
  const all = [...entries.values()]
  // nothing in a snapshot clashes, so claims are compared only where one is another than before
  const isFresh = ({ username, claims }: Entry) => claims !== known.get(username)?.claims
  const isPublished = last.frame.files !== ''
  const mayClash = broken < brokenLimit && (!isPublished || all.some(isFresh))
  const held = ({ username }: Entry, wanted: ReadonlySet<string>) =>
    holdingsOf(readMember(username, tools), content, wanted)
  for (const clash of mayClash ? findClashes(all, held) : []) diagnostics.push(clash)
  /** For the next check or build. Of the members, it has those that were looked at, now or before. */
  const next: State = {
    epoch,
    content: content.name,
    frame: nothingMade,
    entries,
    ...(shard && { shard, site: source?.text }),
  }
  return {
    ...summarize(all),
    /** The state that was believed. */
    last,
    state: next,
    diagnostics: diagnostics.sort(byPlace),
    /** Members that were read; the others are as they were when the last build looked at them. */
    compiled: found.filter((one) => one.broken !== undefined).length,
  }
}

/** What of the gallery's look will not be seen; an error where the logo would run or load something. */
const lookAtGallery = (tools: Tools): readonly Diagnostic[] => {
  const { site, siteAt } = tools
  if (site === undefined) return []
  const { accent, logo } = site.gallery
  const { bytes, problem } = readLogo(tools)
  const found: Diagnostic[] = []
  if (problem !== undefined) {
    const advice = 'export it again without that, or as PNG'
    const args = { key: 'logo', value: logo, problem, advice }
    found.push(diagnose('bad-gallery', siteAt(['gallery', 'logo']), args))
  } else if (logo !== '' && bytes === undefined) {
    const why = 'no file of that name, of at most 1 MiB, lies beside site.yaml'
    const args = { value: logo, why, advice: 'put the file there, or leave logo out' }
    found.push(diagnose('unlikely-value', siteAt(['gallery', 'logo']), args))
  }
  const why = accent && accentProblem(accent)
  if (why) {
    const advice = 'write a colour of medium brightness, as "#c2410c"'
    const args = { value: accent, why, advice }
    found.push(diagnose('unlikely-value', siteAt(['gallery', 'accent']), args))
  }
  return found
}

/** The logo of a gallery, if it is there and fit to be published; else, if it is there, why it is not fit. */
export const readLogo = ({
  content,
  site,
}: Pick<Tools, 'site'> & { readonly content: ContentFolder }) => {
  const logo = site?.gallery.logo
  if (!logo) return {}
  const bytes = readFile(content.path, logo.slice('./'.length), { limit: 1 << 20 })
  const problem = bytes && logo.endsWith('.svg') ? drawingProblem(bytes) : undefined
  return problem === undefined ? { bytes } : { problem }
}

/** Figures of a site's members. */
export const summarize = (entries: readonly Entry[]) => ({
  members: entries.length,
  /** Of all members. */
  aliases: entries.flatMap(({ aliases }) => aliases),
  /** Drafts too. */
  shots: entries.reduce((sum, { shots }) => sum + shots, 0),
})
