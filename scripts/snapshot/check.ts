import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { createLoader } from '../content/load.ts'
import { parse } from '../content/parse/parse.ts'
import { createReader } from '../content/read/read-file.ts'
import { type ContentFolder, findSite, listMembers } from '../content/read/scan.ts'
import { accentProblem } from '../content/values/colour.ts'
import type { HostName } from '../content/values/formats.ts'
import { byPlace, type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { UserError } from '../problems/user-error.ts'
import { findClashes, findHoldings } from './claims.ts'
import { brokenLimit, createTools, notLookedAt, type Tools } from './compile.ts'
import { type FolderNames, resolveFolders } from './folders.ts'
import { compileMembers } from './members.ts'
import type { Place } from './outputs.ts'
import { type Entry, emptyState, epochOf, knownState, type State } from './state.ts'

/** The site as a whole: what is known before any member is looked at. */
export type OpenSite = {
  readonly tools: Tools
  readonly hostNames: readonly HostName[]
  /** The shard whose members these are; absent for all members. */
  readonly shard: Shard | undefined
  /** Of the program and the site; empty if the site is wrong. */
  readonly epoch: string
  /** In the order of the paths. */
  readonly members: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads site.yaml and lists the members. */
export const openSite = (
  content: ContentFolder,
  { hostNames, shard }: Pick<OpenSite, 'hostNames'> & Partial<Pick<OpenSite, 'shard'>>,
): OpenSite => {
  const listed = inShard(listMembers(content), shard)
  const loader = createLoader({ hostNames })
  const { name, diagnostics } = findSite(content, listed.diagnostics)
  const read = name === undefined ? undefined : createReader(content)(name)
  const source = read?.source ?? read?.legible
  const loaded = source && loader.loadSite(source)
  const site = read?.source && loaded?.value
  return {
    tools: createTools({ content, site, source, loader }),
    ...{ hostNames, shard },
    epoch: site === undefined ? '' : epochOf(site),
    members: listed.members,
    diagnostics: [
      ...diagnostics,
      ...(read?.diagnostic ? [read.diagnostic] : []),
      ...(loaded?.diagnostics ?? []),
      ...listed.diagnostics,
    ],
  }
}

/** The members of a shard, which may be none. */
const inShard = (listed: ReturnType<typeof listMembers>, shard: Shard | undefined): typeof listed =>
  shard === undefined
    ? listed
    : {
        members: listed.members.filter((username) => shardOf(username, shard.count) === shard.index),
        diagnostics: listed.diagnostics.filter(({ code }) => code !== 'no-members'),
      }

/** A part of the members: the first of four is `{index: 1, count: 4}`. */
export type Shard = { readonly index: number; readonly count: number }

/** The shard that a member belongs to, from 1 to `count`. Its aliases go where it goes. */
export const shardOf = (username: string, count: number): number =>
  1 + (Number.parseInt(hash('sha1', username.toLowerCase()).slice(0, 8), 16) % count)

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

const mostShards = 1000

export type CheckOptions = FolderNames & {
  readonly hostNames: readonly HostName[]
  /** Look at every member anew, and take nothing from the last build. */
  readonly all?: boolean
  /** Only the members of this shard. */
  readonly shard?: Shard | undefined
  /** What the check before this one found; absent to take what the last build left. */
  readonly last?: State | undefined
  /** Members that may have changed since then, if that is known. */
  readonly touched?: ReadonlySet<string> | undefined
  readonly onProgress: (done: number, total: number) => void
}

/** All members, inspected and compared: what is wrong with them, and what their files come to. */
export type CheckResult = ReturnType<typeof summarize> & {
  /** For the next check or build. Of the members, it has those that were looked at, now or before. */
  readonly state: State
  /** Sorted by place; those of the survey too. */
  readonly diagnostics: readonly Diagnostic[]
  /** Members that were read and checked; the others are as they were when the last build looked at them. */
  readonly compiled: number
  /** Whether the state is not the one that was taken. */
  readonly renewed: boolean
}

/** Checks the content, and writes nothing. */
export const check = async (options: CheckOptions): Promise<CheckResult> => {
  const folders = resolveFolders(options)
  const { last } = options
  const found = openSite(folders.content, options)
  const isLast = last !== undefined && last.epoch === found.epoch && found.epoch !== ''
  const state = isLast ? last : last || options.all ? emptyState : knownState(folders, found)
  return checkMembers(found, { ...options, touched: last && options.touched, state })
}

/** Looks at every member, then compares what must be unique. Without a place, it writes nothing. */
export const checkMembers = async (
  { tools, hostNames, shard, epoch, ...survey }: OpenSite,
  options: Pick<CheckOptions, 'touched' | 'onProgress'> & { state: State; place?: Place | undefined },
): Promise<CheckResult> => {
  const { content, site, source } = tools
  const { state, place, touched, onProgress } = options
  const { entries: known } = state
  const mayDiffer = (username: string): boolean =>
    touched === undefined || touched.has(username) || (known.get(username)?.from.key ?? '') === ''
  const members = survey.members.filter(mayDiffer)
  const task = { content, site, source, hostNames, shard, members, known, place }
  const found = await compileMembers(task, (done) => onProgress(done, members.length))
  const news = new Map(found.map((one) => [one.username, one]))
  const diagnostics = [...survey.diagnostics, ...lookAtGallery(tools)]
  const entries = new Map<string, Entry>()
  let broken = 0
  for (const username of survey.members) {
    const one = news.get(username)
    const entry = one?.entry ?? known.get(username)
    if (broken >= brokenLimit || entry === undefined) break
    entries.set(username, entry)
    for (const diagnostic of [...(one?.diagnostics ?? []), ...entry.warnings]) diagnostics.push(diagnostic)
    broken += one?.broken ?? 0
    if (broken >= brokenLimit) diagnostics.push(notLookedAt(content, username))
  }
  const all = [...entries.values()]
  // nothing in a snapshot clashes, so only what claims something else than before is compared
  const isFresh = ({ username, claims }: Entry) => claims !== known.get(username)?.claims
  const fresh = broken < brokenLimit ? all.filter((entry) => state.sums === '' || isFresh(entry)) : []
  const clashes = findClashes(all, fresh, ({ username }) => findHoldings(username, tools))
  for (const clash of clashes) diagnostics.push(clash)
  const sums = hasErrors(diagnostics) ? '' : epoch
  return {
    ...summarize(all),
    state: { epoch, sums, content: content.name, entries },
    diagnostics: diagnostics.sort(byPlace),
    compiled: found.filter((one) => one.broken !== undefined).length,
    renewed: found.some(({ entry }) => entry) || known.size !== all.length,
  }
}

/** What of the gallery's look will not be seen. No build reads it, so these are warnings. */
const lookAtGallery = ({ content, site, source }: Tools): readonly Diagnostic[] => {
  if (site === undefined) return []
  const { accent, logo } = site.gallery
  const stat = logo && fs.lstatSync(path.join(content.path, logo), { throwIfNoEntry: false })
  const isThere = stat === '' || (stat?.isFile() && stat.size <= mostLogoBytes)
  const settings = [
    {
      key: 'logo',
      why: isThere ? undefined : 'no file of that name, of at most 1 MiB, lies beside site.yaml',
      advice: 'put the file there, or leave logo out',
    },
    {
      key: 'accent',
      why: accent ? accentProblem(accent) : undefined,
      advice: 'write a colour of medium brightness, as "#c2410c"',
    },
  ] as const
  return settings.flatMap(({ key, why, advice }) => {
    if (why === undefined) return []
    const place = parse(source!).place(['gallery', key], 'value')
    return [diagnose('unlikely-value', place, { value: site.gallery[key], why, advice })]
  })
}

export const mostLogoBytes = 1 << 20

/** Figures of a site's members. */
export const summarize = (entries: readonly Entry[]) => ({
  members: entries.length,
  /** Of all members. */
  aliases: entries.flatMap(({ aliases }) => aliases),
  /** Drafts too. */
  shots: entries.reduce((sum, { shots }) => sum + shots, 0),
  /** Bytes of the largest file of a member. */
  largest: entries.reduce((most, { made }) => Math.max(most, made.largest), 0),
})
