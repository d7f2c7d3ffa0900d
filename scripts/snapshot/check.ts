import type { HostName } from '../content/values/formats.ts'
import { byPlace, type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { type Claiming, findClashes, findHoldings, findRepeated } from './claims.ts'
import { lastLookedAt, notLookedAt } from './compile.ts'
import { type FolderNames, resolveFolders } from './folders.ts'
import { groupByBin } from './lists.ts'
import { type Part, sharedNumbers } from './members.ts'
import type { Target } from './publish.ts'
import { type OpenSite, openSite, type Shard } from './site.ts'
import { type Entry, emptyState, knownState, type State } from './state.ts'
import { compileMembers } from './threads.ts'

export type CheckOptions = FolderNames & {
  readonly hostNames: readonly HostName[]
  /** Look at every member anew, and take nothing from the last build. */
  readonly all?: boolean
  /** Only the members of this shard. */
  readonly shard?: Shard | undefined
  /** What the check before this one found; absent to take what the last build left. */
  readonly last?: LastCheck | undefined
  /** Members that may have changed since then, if that is known. */
  readonly touched?: ReadonlySet<string> | undefined
  readonly onProgress: (done: number, total: number) => void
}

/** What one check leaves for the next in the same process. */
export type LastCheck = { readonly state: State; readonly wrong: boolean }

export type CheckResult = Summary & {
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[]
  /** Members that were read and checked; the others are as they were when the last build looked at them. */
  readonly compiled: number
  /** Whether the state to keep is not the one that was taken. */
  readonly renewed: boolean
  /** It takes memory, so call it only to check again. */
  readonly keep: () => LastCheck
}

/** Checks the content, and writes nothing. */
export const check = async (options: CheckOptions): Promise<CheckResult> => {
  const folders = resolveFolders(options)
  const { last } = options
  const found = openSite(folders.content, options)
  const { epoch, tools } = found
  const state = last
    ? last.state.epoch === epoch && epoch !== ''
      ? last.state
      : emptyState
    : options.all
      ? emptyState
      : knownState(folders, { epoch, content: tools.content })
  const touched = last && options.touched
  const checked = await checkMembers(found, { ...options, touched, state, mayClash: last?.wrong === true })
  const { diagnostics, compiled, renewed, entries } = checked
  return {
    ...{ ...summarize(entries), diagnostics, compiled, renewed },
    keep: () => ({
      state: {
        ...{ epoch, sums: '', content: tools.content.name },
        entries: new Map(entries.map((entry) => [entry.username, entry])),
      },
      wrong: hasErrors(diagnostics),
    }),
  }
}

export type CheckMembersOptions = {
  readonly state: State
  /** Absent to check only. */
  readonly target?: Target | undefined
  /** Members that may have changed, if that is known: the others are not looked at. */
  readonly touched?: ReadonlySet<string> | undefined
  /** Whether members of the state may clash: not if it is that of a snapshot. */
  readonly mayClash?: boolean
  /** Whether entries are for a merge. */
  readonly forMerge?: boolean
  readonly onProgress: (done: number, total: number) => void
}

/** All members, inspected and compared: what is wrong with them, and what their files come to. */
export type CheckedMembers = Pick<Part, 'compiled' | 'changes' | 'bins'> & {
  /** One for each member, in the order of the paths. */
  readonly entries: readonly Entry[]
  /** Whether some are not those of the state. */
  readonly renewed: boolean
  /** Sorted by place; those of the survey too. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Looks at every member, then compares what must be unique. */
export const checkMembers = async (
  found: OpenSite,
  options: CheckMembersOptions,
): Promise<CheckedMembers> => {
  const { tools, members, hostNames } = found
  const { content, site, source } = tools
  const { state, target, onProgress, forMerge = false, mayClash = false } = options
  const broken = sharedNumbers(members.length)
  // where the snapshot is not what the state tells of, nothing is kept
  const known = target?.empty || target?.blocked.length ? new Map<string, Entry>() : state.entries
  const parts = await compileMembers(
    {
      ...{ content, site, source, hostNames, members, forMerge, target, broken },
      groups: groupsOf(members),
      bins: site?.all && target && !forMerge ? (state.bins ?? []) : undefined,
      touched: options.touched,
      known,
      control: sharedNumbers(4),
    },
    (done) => onProgress(done, members.length),
  )
  const made = new Map(parts.flatMap((part) => part.made.map(({ index, entry }) => [index, entry])))
  const entries = members.map((username, index) => made.get(index) ?? state.entries.get(username)!)
  const last = lastLookedAt(broken)
  const diagnostics = [
    ...found.diagnostics,
    ...parts.flatMap(({ problems }) =>
      problems.flatMap(({ index, diagnostics }) => (last === -1 || index <= last ? diagnostics : [])),
    ),
  ]
  if (last !== -1) diagnostics.push(notLookedAt(content, members[last]!))
  else {
    // nothing in a snapshot clashes, so only what claims something else than before is compared
    const fresh = mayClash ? entries : [...made.values()].filter((entry) => isNewClaim(entry, state))
    const repeated = fresh.length === 0 ? new Set<string>() : findRepeated(entries, fresh)
    const clashes = findClashes(entries, repeated, ({ username }) => findHoldings(username, tools))
    for (const clash of clashes) diagnostics.push(clash)
  }
  return {
    ...gather(parts),
    ...{ entries, renewed: made.size > 0 || state.entries.size !== entries.length },
    diagnostics: diagnostics.sort(byPlace),
  }
}

/** The members of each bin, by their positions. Where a site has no bins, they are batches as good as any. */
const groupsOf = (members: readonly string[]): readonly (readonly number[])[] =>
  groupByBin(members.map((username, index) => ({ username, index }))).map(([, group]) =>
    group.map(({ index }) => index),
  )

const isNewClaim = (entry: Entry, { entries }: State): boolean => {
  const textOf = ({ aliases, claims }: Claiming): string => JSON.stringify([aliases, claims])
  const before = entries.get(entry.username)
  return before === undefined || textOf(before) !== textOf(entry)
}

const gather = (parts: readonly Part[]): Pick<CheckedMembers, 'compiled' | 'changes' | 'bins'> => ({
  changes: {
    remove: parts.flatMap(({ changes }) => changes.remove),
    clear: parts.flatMap(({ changes }) => changes.clear),
  },
  bins: parts.flatMap(({ bins }) => bins).sort((a, b) => (a.name < b.name ? -1 : 1)),
  compiled: parts.reduce((total, { compiled }) => total + compiled, 0),
})

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
