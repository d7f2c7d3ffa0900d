import type { HostName } from '../content/values/formats.ts'
import { byPlace, type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { type Claiming, findClashes, findHoldings, findRepeated } from './claims.ts'
import { brokenLimit, notLookedAt } from './compile.ts'
import { type FolderNames, resolveFolders } from './folders.ts'
import { createControl } from './members.ts'
import type { Place } from './outputs.ts'
import { type OpenSite, openSite, type Shard } from './site.ts'
import { byUsername, type Entry, emptyState, knownState, type State } from './state.ts'
import { compileMembers } from './threads.ts'

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

export type CheckResult = Summary & {
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[]
  /** Members that were read and checked; the others are as they were when the last build looked at them. */
  readonly compiled: number
  /** Whether the state to keep is not the one that was taken. */
  readonly renewed: boolean
  /** For the next check. It takes memory, so call it only to check again. */
  readonly keep: () => State
}

/** Checks the content, and writes nothing. */
export const check = async (options: CheckOptions): Promise<CheckResult> => {
  const folders = resolveFolders(options)
  const { last } = options
  const found = openSite(folders.content, options)
  const { epoch, tools } = found
  const isLast = last !== undefined && last.epoch === epoch && epoch !== ''
  const state = isLast ? last : last || options.all ? emptyState : knownState(folders, found)
  const checked = await checkMembers(found, { ...options, touched: last && options.touched, state })
  const { diagnostics, compiled, renewed, entries } = checked
  const sums = hasErrors(diagnostics) ? '' : epoch
  return {
    ...{ ...summarize(entries), diagnostics, compiled, renewed },
    keep: () => ({ epoch, sums, content: tools.content.name, entries: byUsername(entries) }),
  }
}

export type CheckMembersOptions = {
  readonly state: State
  /** Absent to check only. */
  readonly place?: Place | undefined
  /** Members that may have changed, if that is known: the others are not looked at. */
  readonly touched?: ReadonlySet<string> | undefined
  readonly onProgress: (done: number, total: number) => void
}

/** All members, inspected and compared: what is wrong with them, and what their files come to. */
export type CheckedMembers = {
  /** One for each member, in the order of the paths; fewer if not all were looked at. */
  readonly entries: readonly Entry[]
  /** Whether they are not those of the state. */
  readonly renewed: boolean
  /** How many members were read and checked. */
  readonly compiled: number
  /** Sorted by place; those of the survey too. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Looks at every member, then compares what must be unique. */
export const checkMembers = async (
  found: OpenSite,
  { state, place, touched, onProgress }: CheckMembersOptions,
): Promise<CheckedMembers> => {
  const { tools, hostNames } = found
  const { content, site, source } = tools
  const mayDiffer = (username: string): boolean =>
    touched === undefined || touched.has(username) || (state.entries.get(username)?.from.key ?? '') === ''
  const members = found.members.filter(mayDiffer)
  const parts = await compileMembers(
    {
      ...{ content, site, source, hostNames, members, known: state.entries, place },
      control: createControl(),
    },
    (done) => onProgress(done, members.length),
  )
  const news = new Map(parts.flatMap((part) => part.found.map((one) => [one.username, one])))
  const diagnostics: Diagnostic[] = [...found.diagnostics]
  const entries: Entry[] = []
  let [broken, isWhole] = [0, true]
  for (const username of found.members) {
    const one = news.get(username)
    const entry = one?.entry ?? state.entries.get(username)
    if (!isWhole || entry === undefined) break
    entries.push(entry)
    for (const diagnostic of [...(one?.diagnostics ?? []), ...entry.warnings]) diagnostics.push(diagnostic)
    broken += one?.broken ?? 0
    isWhole = broken < brokenLimit
    if (!isWhole) diagnostics.push(notLookedAt(content, username))
  }
  // nothing in a snapshot clashes, so only what claims something else than before is compared
  const fresh = entries.filter((entry) => state.sums === '' || isNewClaim(entry, state))
  if (isWhole && fresh.length > 0) {
    const repeated = findRepeated(entries, fresh)
    const clashes = findClashes(entries, repeated, ({ username }) => findHoldings(username, tools))
    for (const clash of clashes) diagnostics.push(clash)
  }
  return {
    entries,
    renewed:
      parts.some((part) => part.found.some(({ entry }) => entry)) || state.entries.size !== entries.length,
    compiled: parts.reduce((total, { compiled }) => total + compiled, 0),
    diagnostics: diagnostics.sort(byPlace),
  }
}

const isNewClaim = (entry: Entry, { entries }: State): boolean => {
  const textOf = ({ aliases, claims }: Claiming): string => JSON.stringify([aliases, claims])
  const before = entries.get(entry.username)
  return before !== entry && (before === undefined || textOf(before) !== textOf(entry))
}

export type Summary = {
  readonly members: number
  /** Of all members. */
  readonly aliases: readonly string[]
  /** Drafts too. */
  readonly shots: number
  /** Bytes of the largest file of a member. */
  readonly largest: number
}

/** Figures of a site's members. */
export const summarize = (entries: readonly Entry[]): Summary => ({
  members: entries.length,
  aliases: entries.flatMap(({ aliases }) => aliases),
  shots: entries.reduce((sum, { shots }) => sum + shots, 0),
  largest: entries.reduce((most, { made }) => Math.max(most, made.largest), 0),
})
