import { byPlace, type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import {
  type CheckOptions,
  type CheckResult,
  type OpenSite,
  openSite,
  stageMembers,
  type Target,
} from './check.ts'
import { isClash } from './clashes.ts'
import type { State } from './entry.ts'
import { type Folders, resolveFolders } from './folders.ts'
import { prepareSnapshot, whileLocked } from './prepare.ts'
import { snapshotOf } from './product.ts'
import { type Publication, tellPublication } from './publication.ts'
import { checkRemoval, publish } from './publish.ts'
import { writeState } from './state.ts'

export type BuildOptions = Omit<CheckOptions, 'all' | 'last'> & {
  /** Compiles every member anew and reads every file of the snapshot: nothing in the state is believed. */
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

const buildSite = async (folders: Folders, options: BuildOptions) => {
  const { shard, publication } = options
  const found = openSite(folders.content, options)
  const target = targetOf(found, folders, options)
  const checked = await stageMembers(found, { ...options, folders, target })
  const diagnostics = [...checked.diagnostics, ...removalIn(checked, { found, target, options })]
  const { entries } = checked.state
  const { site, source } = found.tools
  const result = { ...checked, diagnostics, site, source, usernames: found.members, entries }
  const wrong = diagnostics.sort(byPlace).filter(({ severity }) => severity === 'error')
  // what clashes in a shard is kept, so that the merge can say all that clashes at once
  const mayBeKept = shard !== undefined && wrong.every(({ code }) => isClash(code))
  if (!target || (wrong.length > 0 && !mayBeKept)) return { ...result, ...nothingWritten }
  const state: State = { ...checked.state, ...(shard && { shard, site: target.source.text }) }
  if (wrong.length > 0) {
    writeState(target.destination.own, state)
    return { ...result, ...nothingWritten }
  }
  const figures = publish({ ...checked, ...target, entries: [...entries.values()], state })
  tellPublication(folders.out, publication)
  return { ...result, ...figures }
}

/** What is to be made, and where; nothing if the site itself is wrong. */
const targetOf = ({ tools, diagnostics }: OpenSite, folders: Folders, options: BuildOptions) => {
  const { site, source } = tools
  if (site === undefined || source === undefined || hasErrors(diagnostics)) return undefined
  const product = snapshotOf(site, { isShard: options.shard !== undefined })
  return { destination: prepareSnapshot(folders), product, site, source }
}

const nothingWritten = { written: 0, unchanged: 0, removed: 0, largest: 0 }

type Building = {
  readonly found: OpenSite
  readonly target: Target | undefined
  readonly options: BuildOptions
}

/** An error if so many members are to go that somebody should say that they may. */
const removalIn = (
  { last, aliases, diagnostics }: CheckResult,
  { found, target, options }: Building,
): readonly Diagnostic[] => {
  if (target === undefined || options.allowRemoval || options.shard) return []
  const { destination } = target
  const { tools, members } = found
  const names = [...members, ...aliases]
  const there = new Set(names)
  const known = [...last.entries.keys()]
  const mayLack = known.length === 0 || known.some((username) => !there.has(username))
  return destination.empty || hasErrors(diagnostics) || !mayLack
    ? []
    : checkRemoval(destination.folder, { content: tools.content.name, names })
}
