import { createLoader } from '../content/load.ts'
import { createReader } from '../content/read.ts'
import { type ContentFolder, findSite, listMembers } from '../content/scan.ts'
import type { Site } from '../content/site.ts'
import type { Source } from '../content/source.ts'
import { byPlace, type Diagnostic } from '../diagnostics/diagnostic.ts'
import { fingerprintOutput } from './dist/audit.ts'
import type { Output } from './dist/changes.ts'
import type { Tools } from './member/compile.ts'
import { findConflicts } from './member/conflicts.ts'
import { epochOf } from './state/epoch.ts'
import { sameBytes } from './state/fingerprint.ts'
import { StoredRecord } from './state/record.ts'
import { gatherRecords, type Records } from './state/records.ts'
import type { State } from './state/state.ts'
import { type Outcome, processMembers } from './work/process-members.ts'
import { startThreads, type Threads, threadCount } from './work/threads.ts'

/** The site as a whole: what is known before any member is looked at. */
export type Survey = {
  readonly tools: Tools
  /** Ended once the members are inspected; if it doesn't come to that, by whoever had the site surveyed. */
  readonly threads: Threads
  readonly hostNames: readonly string[]
  /** site.yaml, if it can be read. */
  readonly source: Source | undefined
  /** Of the program and the site; empty if the site is wrong. */
  readonly epoch: string
  /** In the order of the paths. */
  readonly members: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads site.yaml and lists the members. Threads that are worth their start for so many begin to start. */
export const survey = (
  content: ContentFolder,
  {
    hostNames,
    touched,
  }: { readonly hostNames: readonly string[]; readonly touched?: ReadonlySet<string> | undefined },
): Survey => {
  const listed = listMembers(content)
  const threads = startThreads(touched === undefined ? threadCount(listed.members.length) : 0)
  const [reader, loader] = [createReader(), createLoader({ hostNames })]
  const { name, diagnostics } = findSite(content)
  const read = name === undefined ? undefined : reader(`${content.path}/${name}`, `${content.name}/${name}`)
  const loaded = read?.source && loader.loadSite(read.source)
  const site: Site | undefined = loaded?.value
  return {
    tools: { content, site, reader, loader },
    threads,
    hostNames,
    source: read?.source,
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

export type InspectOptions = {
  readonly state: State
  /** Absent to check only. */
  readonly output?: Output | undefined
  /** Members that may have changed, if that is known: the others are not looked at. */
  readonly touched?: ReadonlySet<string> | undefined
  readonly onProgress: (done: number, total: number) => void
}

/** All members, inspected and compared: what is wrong with them, and what their files come to. */
export type Inspection = Omit<Outcome, 'made'> & {
  readonly records: Records
  /** Whether some are not those of the state. */
  readonly renewed: boolean
  /** Sorted by place; those of the survey too. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Takes on every member, then holds them against each other. */
export const inspect = async (found: Survey, options: InspectOptions): Promise<Inspection> => {
  const { tools, members, hostNames, epoch } = found
  const { state, output, onProgress } = options
  const offsets = new Int32Array(new SharedArrayBuffer(members.length * 4))
  members.forEach((username, index) => {
    offsets[index] = state.offsets.get(username) ?? -1
  })
  const sameEpoch = epoch !== '' && epoch === state.epoch
  // unseen is good enough only of what this same site and program made, and where a snapshot is
  const intact = output?.empty !== true && (output?.blocked.length ?? 0) === 0
  const touched = sameEpoch && intact ? options.touched : undefined
  const outcome = await processMembers(
    {
      content: tools.content,
      site: tools.site,
      hostNames,
      members,
      touched,
      records: state.memory.bytes,
      offsets,
      sameEpoch,
      output,
      outputLooksNew: output !== undefined && outputLooksNew(found, state, output),
      control: new Int32Array(new SharedArrayBuffer(12)),
    },
    found.threads,
    (done) => onProgress(done, members.length),
  )
  // what they hold would stand beside all that follows
  await found.threads.end()
  const { made } = outcome
  const records = gatherRecords({ old: state.memory, offsets, made })
  const renewed = made.some(({ indexes }) => indexes.length > 0)
  // what the state holds was published once, so there is no conflict in it
  const conflicts = outcome.compiled > 0 ? findConflicts(records, tools) : []
  const diagnostics = [...found.diagnostics, ...outcome.diagnostics, ...conflicts].sort(byPlace)
  return { ...outcome, records, renewed, diagnostics }
}

/** Figures of a site's members, from their records. */
export const summarize = ({ records }: Inspection): Summary => {
  let [shots, largest] = [0, 0]
  for (const record of records) {
    shots += record.shots
    largest = Math.max(largest, record.largest)
  }
  return { members: records.length, shots, largest }
}

export type Summary = {
  readonly members: number
  /** Drafts too. */
  readonly shots: number
  /** Bytes of the largest file of a member. */
  readonly largest: number
}

/** Whether most files of the snapshot have other stats than the state knows, as after it was restored from a cache. */
const outputLooksNew = ({ members }: Survey, state: State, { folder, empty, blocked }: Output): boolean =>
  !empty &&
  blocked.length === 0 &&
  areMostly(
    sampleOf(members, state),
    ({ username, digests, outputStat }) =>
      !sameBytes(outputStat, fingerprintOutput(folder, username, digests)),
  )

/** Some of the records that are in the state, from all over the site. */
const sampleOf = (members: readonly string[], { memory, offsets }: State): readonly StoredRecord[] => {
  const step = Math.max(1, Math.floor(members.length / sampleSize))
  return members
    .filter((username, index) => index % step === 0 && offsets.has(username))
    .map((username) => new StoredRecord(memory, offsets.get(username)!))
}

const sampleSize = 16

const areMostly = <T>(sample: readonly T[], test: (item: T) => boolean): boolean =>
  sample.filter(test).length * 2 > sample.length
