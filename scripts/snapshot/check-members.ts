import { byPlace, type Diagnostic } from '../problems/diagnostic.ts'
import type { Target } from './dist/changes.ts'
import { fingerprintOutput } from './dist/look/audit.ts'
import { lastLookedAt, notLookedAt } from './member/broken.ts'
import { findConflicts } from './member/conflicts.ts'
import type { OpenSite } from './open-site.ts'
import { type Entries, fewFresh, gatherEntries } from './state/entries.ts'
import { namesOf, StoredEntry } from './state/entry.ts'
import { sameBytes } from './state/fingerprint.ts'
import type { State } from './state/state.ts'
import { compileMembers, type Outcome } from './work/compile-members.ts'
import { createControl } from './work/task.ts'

export type CheckMembersOptions = {
  readonly state: State
  /** Absent to check only. */
  readonly target?: Target | undefined
  /** Members that may have changed, if that is known: the others are not looked at. */
  readonly touched?: ReadonlySet<string> | undefined
  /** Whether members of the state may clash: not if it is that of a snapshot. */
  readonly mayClash?: boolean
  readonly onProgress: (done: number, total: number) => void
}

/** All members, inspected and compared: what is wrong with them, and what their files come to. */
export type CheckedMembers = Omit<Outcome, 'made' | 'problems'> & {
  readonly entries: Entries
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
  const { tools, members, hostNames, epoch } = found
  const { state, target, onProgress } = options
  const offsets = new Int32Array(new SharedArrayBuffer(members.length * 4))
  members.forEach((username, index) => {
    offsets[index] = state.offsets.get(username) ?? -1
  })
  const sameEpoch = epoch !== '' && epoch === state.epoch
  // members are skipped only if this site and program made their entries, and the snapshot is where it should be
  const intact = target?.empty !== true && (target?.blocked.length ?? 0) === 0
  const touched = sameEpoch && intact ? options.touched : undefined
  const broken = new Int32Array(new SharedArrayBuffer(members.length * 4))
  const outcome = await compileMembers(
    {
      content: tools.content,
      site: tools.site,
      source: tools.source,
      hostNames,
      members,
      touched,
      entries: state.memory.bytes,
      offsets,
      sameEpoch,
      target,
      targetLooksNew: target !== undefined && targetLooksNew(found, state, target),
      control: createControl(),
      broken,
    },
    (done) => onProgress(done, members.length),
  )
  const { made, problems } = outcome
  const entries = gatherEntries({ old: state.memory, offsets, made })
  // the state of a snapshot was published, so there is no conflict in it; if most are fresh, sorting all takes less time
  const { fresh } = entries
  const onlyFresh = !options.mayClash && fresh.length <= fewFresh && fresh.length <= entries.length / 2
  const last = lastLookedAt(broken)
  const across =
    last !== -1
      ? [notLookedAt(tools.content, members[last]!)]
      : outcome.compiled > 0 || options.mayClash
        ? findConflicts(entries, tools, { fresh: onlyFresh ? fresh : undefined })
        : []
  const own = problems.filter(({ index }) => last === -1 || index <= last)
  const diagnostics = [
    ...found.diagnostics,
    ...own.flatMap(({ diagnostics }) => diagnostics),
    ...across,
  ].sort(byPlace)
  return { ...outcome, entries, renewed: fresh.length > 0, diagnostics }
}

/** Figures of a site's members, from their entries. */
export const summarize = ({ entries }: CheckedMembers): Summary => {
  let [shots, largest] = [0, 0]
  const aliases: string[] = []
  for (const entry of entries) {
    for (const alias of entry.aliases) aliases.push(alias)
    shots += entry.shots
    largest = Math.max(largest, entry.largest)
  }
  return { members: entries.length, aliases, shots, largest }
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

/** Whether most files of the snapshot have other stats than the state knows, as after it was restored from a cache. */
const targetLooksNew = ({ members }: OpenSite, state: State, { folder, empty, blocked }: Target): boolean =>
  !empty &&
  blocked.length === 0 &&
  areMostly(
    sampleOf(members, state),
    (entry) => !sameBytes(entry.outputStat, fingerprintOutput(folder, namesOf(entry), entry.digests)),
  )

/** Some of the entries that are in the state, from all over the site. */
const sampleOf = (members: readonly string[], { memory, offsets }: State): readonly StoredEntry[] => {
  const step = Math.max(1, Math.floor(members.length / sampleSize))
  return members
    .filter((username, index) => index % step === 0 && offsets.has(username))
    .map((username) => new StoredEntry(memory, offsets.get(username)!))
}

const sampleSize = 16

const areMostly = <T>(sample: readonly T[], test: (item: T) => boolean): boolean =>
  sample.filter(test).length * 2 > sample.length
