import { byPlace, type Diagnostic, errorsIn, hasErrors } from '../problems/diagnostic.ts'
import { type CheckOptions, type CheckResult, stageMembers, type Target } from './check.ts'
import { isClash } from './clashes.ts'
import { type Folders, resolveFolders } from './folders.ts'
import { type OpenSite, openSite } from './open-site.ts'
import { prepareSnapshot, whileLocked } from './prepare.ts'
import { snapshotOf } from './product.ts'
import { type Publication, tellPublication } from './publication.ts'
import { checkRemoval, publish } from './publish.ts'
import { writeState } from './state.ts'

export type BuildOptions = Omit<CheckOptions, 'all' | 'last'> & {
  /**
   * Compiles every member anew and reads every file of the snapshot: nothing in the state is
   * believed.
   */
  readonly distrust?: boolean
  /** Lets a build remove most of the members. */
  readonly allowRemoval?: boolean
  /** When the snapshot is published, if it is to say so. */
  readonly publication?: Publication | undefined
  /** Another build has the snapshot, and this one waits for it. */
  readonly onWait: () => void
}

/** With an error among the diagnostics, the snapshot is as it was. */
export type BuildResult = Awaited<ReturnType<typeof build>>

/** Checks the content and makes the snapshot match it. */
export const build = async (options: BuildOptions) => {
  const folders = resolveFolders(options)
  return whileLocked(folders, options, () => buildSite(folders, options))
}

/**
 * Opens the site, stages what each member publishes, finds what clashes; then the rest is
 * rendered and all is committed.
 */
const buildSite = async (folders: Folders, options: BuildOptions) => {
  const opened = openSite(folders.content, options)
  const target = targetOf(opened, folders, options)
  const staged = await stageMembers(opened, { ...options, folders, target })
  const removal = target ? removalIn(staged, { opened, target, options }) : []
  const diagnostics = [...staged.diagnostics, ...removal].sort(byPlace)
  const { tools, members: usernames } = opened
  const { entries } = staged.state
  const result = { ...staged, diagnostics, tools, usernames, entries }
  if (target === undefined || hasErrors(diagnostics)) {
    // what clashes in a shard is kept, so that the merge can say all that clashes at once
    const isClashing = errorsIn(diagnostics).every(({ code }) => isClash(code))
    if (target && options.shard && isClashing)
      writeState(target.destination.own, staged.state)
    return { ...result, ...nothingWritten }
  }
  const figures = publish({ ...staged, ...target, entries: [...entries.values()] })
  tellPublication(folders.out, options.publication)
  return { ...result, ...figures }
}

/** What is to be made, and where; nothing if the site itself is wrong. */
const targetOf = (
  { tools, diagnostics }: OpenSite,
  folders: Folders,
  options: BuildOptions,
) => {
  if (tools.site === undefined || hasErrors(diagnostics)) return undefined
  const product = snapshotOf(tools.site, { isShard: options.shard !== undefined })
  return { destination: prepareSnapshot(folders), product }
}

const nothingWritten = { written: 0, unchanged: 0, removed: 0, largest: 0 }

type Building = {
  readonly opened: OpenSite
  readonly target: Target
  readonly options: BuildOptions
}

/** An error if so many members are to go that somebody should say that they may. */
const removalIn = (
  { last, aliases, diagnostics }: CheckResult,
  { opened: { tools, members }, target: { destination }, options }: Building,
): readonly Diagnostic[] => {
  if (options.allowRemoval || options.shard || destination.empty) return []
  const names = [...members, ...aliases]
  const there = new Set(names)
  const known = [...last.entries.keys()]
  const mayLack = known.length === 0 || known.some((username) => !there.has(username))
  return hasErrors(diagnostics) || !mayLack
    ? []
    : checkRemoval(destination.folder, { content: tools.content.name, names })
}
