import { readMember } from '../content/read/open.ts'
import { byPlace } from '../problems/diagnostic.ts'
import { findClashes } from './clashes.ts'
import { brokenLimit, holdingsOf, notLookedAt } from './compile.ts'
import { type Destination, openDestination } from './destination.ts'
import { type Entry, emptyState, nothingMade, type State } from './entry.ts'
import { type FolderNames, findFolders, type SnapshotFolders } from './folders.ts'
import { lookAtGallery } from './look.ts'
import { compileMembers } from './members.ts'
import { type OpenSite, openSite } from './open-site.ts'
import type { Product } from './product.ts'
import type { Shard } from './shard.ts'
import { knownState } from './state.ts'

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
  const folders = findFolders(options)
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
export const stageMembers = (
  found: OpenSite,
  options: StageOptions,
): Promise<CheckResult> => {
  const { target, distrust = false } = options
  // where a folder is gone, or a link stands for it, what is published is not what the state
  // tells of
  const isWhole = target?.product.memberFolders.every(
    openDestination(target.destination).isFolder,
  )
  const last = isWhole && !distrust ? knownState(found, options) : emptyState
  return checkMembers(found, { ...options, ...target, last })
}

/**
 * Looks at every member, then compares what must be unique. Without a destination, it writes
 * nothing.
 */
export const checkMembers = async (
  { tools, shard, epoch, ...survey }: OpenSite,
  options: Partial<Target> & Pick<CheckOptions, 'touched' | 'onProgress'> & { last: State },
) => {
  const { content, site, source } = tools
  const { last, destination, product, touched } = options
  const known = last.entries
  const mayDiffer = (username: string): boolean =>
    touched?.has(username) !== false || !known.get(username)?.from.key
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
  /**
   * For the next check or build. Of the members, it has those that were looked at, now or
   * before.
   */
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
    /** Members whose files are as it says, and those that it doesn't know. */
    asLeft: new Set(survey.members.filter((name) => news.get(name)?.wasAsLeft !== false)),
    state: next,
    diagnostics: diagnostics.sort(byPlace),
    /** Members that were read; the others are as they were when the last build looked at them. */
    compiled: found.filter((one) => one.broken !== undefined).length,
  }
}

/** Figures of a site's members. */
export const summarize = (entries: readonly Entry[]) => ({
  members: entries.length,
  /** Of all members. */
  aliases: entries.flatMap(({ aliases }) => aliases),
  /** Drafts too. */
  shots: entries.reduce((sum, { shots }) => sum + shots, 0),
})
