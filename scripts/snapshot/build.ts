import path from 'node:path'
import { siteFiles } from '../api/document/site-files.ts'
import { sumsFile } from '../api/routes.ts'
import type { Source } from '../content/load.ts'
import type { Site } from '../content/site.ts'
import { byPath } from '../content/username.ts'
import { findEntry } from '../files/folder.ts'
import { removeLeftBehind } from '../files/remove.ts'
import { byPlace, type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { checkMembers, type Summary, summarize } from './check-members.ts'
import { commit, discardStage, recover } from './dist/commit.ts'
import { completeStage } from './dist/complete-stage.ts'
import { lock } from './dist/lock.ts'
import { type FrameFile, frameFiles } from './dist/look/frame.ts'
import { prepareTarget } from './dist/target.ts'
import { leaveForMerge } from './leave-for-merge.ts'
import { findMassRemoval } from './mass-removal.ts'
import { holdingCodes } from './member/holdings.ts'
import { type OpenSite, openSite } from './open-site.ts'
import { removeShardFile } from './shard-file.ts'
import { type FolderNames, type Folders, findOwnFolder, resolveFolders } from './state/folders.ts'
import type { Shard } from './state/shard.ts'
import { emptyState, readState, writeState } from './state/state.ts'

export type BuildOptions = FolderNames & {
  readonly hostNames: readonly string[]
  /** What the site's hosts read from the snapshot. */
  readonly hostFiles: (site: Site, names: readonly string[]) => readonly FrameFile[]
  /** Only members that may have changed, if that is known: the others are not looked at. */
  readonly touched?: ReadonlySet<string> | undefined
  /** Compiles every member anew and reads every file of the snapshot: nothing in the state is believed. */
  readonly distrust?: boolean
  /** Lets a build remove most of the members. */
  readonly allowRemoval?: boolean
  /** Only the members of this shard, for a merge. */
  readonly shard?: Shard | undefined
  readonly onProgress: (done: number, total: number) => void
  /** Another build has the snapshot, and this one waits for it. */
  readonly onWait: () => void
}

export type BuildResult = Summary & {
  /** Sorted by place. With an error among them, the snapshot is as it was. */
  readonly diagnostics: readonly Diagnostic[]
  readonly site: Site | undefined
  /** Of all members, in the order of the paths; names of folders that can be none too. */
  readonly usernames: readonly string[]
  /** site.yaml, if it can be read. */
  readonly source: Source | undefined
  /** Members that were compiled; the others were taken from the state. */
  readonly compiled: number
  /** Files of the snapshot. */
  readonly written: number
  readonly unchanged: number
  readonly removed: number
  /** Whether a file was written that nobody but this user may read, so that most servers can't. */
  readonly isPrivate: boolean
}

/** Checks the content and makes the snapshot match it. */
export const build = async (options: BuildOptions): Promise<BuildResult> => {
  const folders = resolveFolders(options)
  const unlock = await lock(folders.out, options)
  try {
    recover(folders)
    removeLeftBehind(folders.own.root, path.posix.dirname(folders.own.below))
    return await buildLocked(folders, options)
  } finally {
    unlock()
  }
}

const buildLocked = async (folders: Folders, options: BuildOptions): Promise<BuildResult> => {
  const site = openSite(folders.content, options)
  try {
    return await buildSite(site, folders, options)
  } finally {
    discardStage(folders)
  }
}

const buildSite = async (found: OpenSite, folders: Folders, options: BuildOptions): Promise<BuildResult> => {
  const { site } = found.tools
  const { members } = found
  const { shard } = options
  const own = findOwnFolder(folders)
  const state = options.distrust ? emptyState : readState(own)
  const frameFor = (names: readonly string[]) =>
    site === undefined || shard !== undefined
      ? []
      : frameFiles([...siteFiles(site), ...options.hostFiles(site, names)])
  const frame = frameFor(members)
  const target = hasErrors(found.diagnostics) ? undefined : prepareTarget(folders, { frame, members, state })
  const checked = await checkMembers(found, { ...options, state, target })
  const { diagnostics, compiled, entries } = checked
  const facts = {
    ...summarize(checked),
    diagnostics,
    site,
    usernames: members,
    source: found.tools.source,
    compiled,
  }
  const leave = (sums: string): void => {
    if (target === undefined || site === undefined) return
    if (shard === undefined) removeShardFile(target.own)
    else leaveForMerge(target.own, { shard, epoch: found.epoch, sums, site, tools: found.tools, entries })
  }
  if (target === undefined || hasErrors(diagnostics)) {
    // so that the merge can say all that clashes at once
    if (shard !== undefined && diagnostics.every(isClashOrWarning)) leave('')
    return { ...nothingDone, ...facts }
  }
  const { aliases } = facts
  const answered = aliases.length === 0 ? members : [...members, ...aliases].sort(byPath)
  const stop =
    options.allowRemoval || shard !== undefined ? [] : findMassRemoval(folders, { state, names: answered })
  if (stop.length > 0)
    return { ...nothingDone, ...facts, diagnostics: [...diagnostics, ...stop].sort(byPlace) }
  const complete = aliases.length === 0 ? frame : frameFor(answered)
  const { changes, counts, sums } = completeStage({
    ...{ folders, frame: complete, target, names: answered, checked, state },
  })
  const changed = target.empty || Object.values(changes).some((list) => list.length > 0)
  if (changed) commit(target, changes)
  if (changed || checked.renewed || state.epoch !== found.epoch || state.sums !== sums) {
    writeState(target.own, { epoch: found.epoch, sums, entries })
  }
  leave(sums)
  return { ...facts, ...counts, isPrivate: changed && isPrivate(folders.out) }
}

const isClashOrWarning = ({ code, severity }: Diagnostic): boolean =>
  severity === 'warning' || holdingCodes.some((one) => one === code)

const nothingDone = { written: 0, unchanged: 0, removed: 0, isPrivate: false }

/** Whether nobody but this user may read the snapshot, going by SHA256SUMS, which is written with every change. */
const isPrivate = (out: string): boolean =>
  process.platform !== 'win32' && ((findEntry(out, sumsFile)?.mode ?? 0o044) & 0o044) === 0
