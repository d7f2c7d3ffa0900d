import { hash } from 'node:crypto'
import { siteFiles } from '../api/document/site-files.ts'
import { sumsFile } from '../api/routes.ts'
import { names as layout } from '../content/layout.ts'
import type { Source } from '../content/load.ts'
import type { Site } from '../content/site.ts'
import { byPath } from '../content/username.ts'
import type { HostName } from '../content/values/formats.ts'
import { findEntry } from '../files/folder.ts'
import { byPlace, type Diagnostic, fileStart, hasErrors } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { checkMembers, type Summary, summarize } from './check.ts'
import { isClash } from './claims.ts'
import { type FolderNames, type Folders, findOwnFolder, resolveFolders } from './folders.ts'
import { binSums, renderLists } from './lists.ts'
import { lock } from './lock.ts'
import { slotsOf } from './outputs.ts'
import {
  discardStage,
  type FrameFile,
  findMassRemoval,
  frameFiles,
  prepareTarget,
  publish,
} from './publish.ts'
import { type OpenSite, openSite, type Shard } from './site.ts'
import { countDiffering, emptyState, knownState, readState, writeState } from './state.ts'

export type BuildOptions = FolderNames & {
  readonly hostNames: readonly HostName[]
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
  /** Members' files that have other bytes than in the last build though their content is the same. */
  readonly differing: number
  /** Whether a file was written that nobody but this user may read, so that most servers can't. */
  readonly isPrivate: boolean
}

/** Checks the content and makes the snapshot match it. */
export const build = async (options: BuildOptions): Promise<BuildResult> => {
  const folders = resolveFolders(options)
  const unlock = await lock(folders.out, { ...options, own: folders.own })
  try {
    return await buildSite(openSite(folders.content, options), folders, options)
  } finally {
    discardStage(folders)
    unlock()
  }
}

const buildSite = async (found: OpenSite, folders: Folders, options: BuildOptions): Promise<BuildResult> => {
  const { tools, members, epoch } = found
  const { content, site } = tools
  const { shard } = options
  const last = readState(findOwnFolder(folders))
  const state = options.distrust ? emptyState : knownState(folders, { epoch, content, last })
  const siteText = tools.source && hash('sha256', tools.source.text)
  const frameFor = (names: readonly string[], lists: readonly FrameFile[] = []) =>
    site === undefined || shard !== undefined
      ? []
      : frameFiles([...siteFiles(site), ...lists, ...options.hostFiles(site, names)])
  const target = hasErrors(found.diagnostics)
    ? undefined
    : prepareTarget(folders, { frame: frameFor(members), names: members, state, schemes: site!.schemes })
  const forMerge = shard !== undefined
  const mayClash = state.sums === ''
  const checked = await checkMembers(found, { ...options, state, target, forMerge, mayClash })
  const { compiled, entries, bins } = checked
  const summary = summarize(entries)
  const names = [...members, ...summary.aliases].sort(byPath)
  const facts = { ...summary, site, usernames: members, source: tools.source, compiled }
  const keep = (sums: string): void => {
    const ofSite = { ...(bins.length > 0 && { bins }), ...(shard && { shard, site: site! }) }
    const made = { epoch, sums, content: content.name, ...(siteText && { siteText }) }
    writeState(target!.own, { ...made, ...ofSite, entries })
  }
  const isWrong = hasErrors(checked.diagnostics)
  const mayRemove = isWrong || options.allowRemoval || shard !== undefined || target?.empty !== false
  const removal = mayRemove
    ? undefined
    : findMassRemoval(folders.out, { names, known: [...state.entries.keys()] })
  const place = { file: `${content.name}/${layout.members}`, ...fileStart }
  const stop = removal === undefined ? [] : [diagnose('mass-removal', place, removal)]
  const diagnostics = [...checked.diagnostics, ...stop].sort(byPlace)
  if (target === undefined || site === undefined || isWrong || stop.length > 0) {
    // so that the merge can say all that clashes at once
    const onlyClashes = diagnostics.every(({ code, severity }) => severity === 'warning' || isClash(code))
    if (forMerge && target !== undefined && onlyClashes) keep('')
    return { ...facts, diagnostics, written: 0, unchanged: 0, removed: 0, differing: 0, isPrivate: false }
  }
  const isRenewed = checked.renewed || JSON.stringify(bins) !== JSON.stringify(state.bins ?? [])
  const { sums, ...counts } = publish({
    ...{ folders, target, names, entries, slots: slotsOf(site), changes: checked.changes },
    frame: frameFor(names, forMerge ? [] : renderLists(entries, { site, bins })),
    bins: bins.flatMap((bin) => binSums(bin, site)),
    known: isRenewed ? '' : state.sums,
  })
  if (isRenewed || state.sums !== sums || state.shard?.index !== shard?.index) keep(sums)
  const differing = countDiffering(last, { epoch, ...(siteText && { siteText }), entries })
  const isHidden = counts.written > 0 && isPrivate(folders.out)
  return { ...facts, diagnostics, ...counts, differing, isPrivate: isHidden }
}

/** Whether nobody but this user may read the snapshot, going by SHA256SUMS, which is written with every change. */
const isPrivate = (out: string): boolean =>
  process.platform !== 'win32' && ((findEntry(out, sumsFile)?.mode ?? 0o044) & 0o044) === 0
