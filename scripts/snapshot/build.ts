import { hash } from 'node:crypto'
import { sumsFile } from '../api/routes.ts'
import { names as layout } from '../content/layout.ts'
import type { Source } from '../content/load.ts'
import type { Site } from '../content/site.ts'
import { byPath } from '../content/username.ts'
import type { HostName } from '../content/values/formats.ts'
import { findEntry } from '../files/folder.ts'
import type { Sum } from '../files/sums.ts'
import { byPlace, type Diagnostic, fileStart, hasErrors } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { checkMembers, type Summary, summarize } from './check.ts'
import { isClash, withHoldings } from './claims.ts'
import {
  type FolderNames,
  type Folders,
  findOwnFolder,
  makeOwnFolder,
  memberFolders,
  resolveFolders,
} from './folders.ts'
import { type Bin, frameOf, makeBins } from './lists.ts'
import { lock } from './lock.ts'
import { openSnapshot } from './outputs.ts'
import { discardStage, type FrameFile, findMassRemoval, preparePlace, publish } from './publish.ts'
import { type OpenSite, openSite, type Shard } from './site.ts'
import {
  byUsername,
  countDiffering,
  emptyState,
  knownState,
  readState,
  type State,
  writeState,
} from './state.ts'

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
  const { content, site, source } = tools
  const { shard } = options
  const place = hasErrors(found.diagnostics) ? undefined : preparePlace(folders)
  const snapshot = place && openSnapshot(place)
  const last = readState(findOwnFolder(folders))
  // where a folder is gone, or a link stands for it, the snapshot is not what the state tells of
  const isWhole = snapshot && memberFolders(site!.schemes).every(snapshot.isFolder)
  const state = isWhole && !options.distrust ? knownState(folders, found, last) : emptyState
  const checked = await checkMembers(found, { ...options, state, place })
  const { entries, compiled } = checked
  const summary = summarize(entries)
  const names = [...members, ...summary.aliases].sort(byPath)
  const mayRemove = hasErrors(checked.diagnostics) || options.allowRemoval || shard || place?.empty !== false
  const known = [...state.entries.keys()]
  const removal = mayRemove ? undefined : findMassRemoval(folders.out, { names, known })
  const at = { file: `${content.name}/${layout.members}`, ...fileStart }
  const stop = removal === undefined ? [] : [diagnose('mass-removal', at, removal)]
  const diagnostics = [...checked.diagnostics, ...stop].sort(byPlace)
  const result = { ...summary, diagnostics, site, usernames: members, source, compiled }
  const stateWith = (sums: string, bins: readonly Bin[] = []): State => ({
    ...{ epoch, sums, content: content.name, ...(source && { siteText: hash('sha256', source.text) }) },
    ...{ ...(bins.length > 0 && { bins }), ...(shard && { shard, site: site! }) },
    entries: byUsername(shard ? entries.map((entry) => withHoldings(entry, tools)) : entries),
  })
  if (!place || !snapshot || !site || hasErrors(diagnostics)) {
    // so that the merge can say all that clashes at once
    const onlyClashes = diagnostics.every(({ code, severity }) => severity === 'warning' || isClash(code))
    if (shard && place && onlyClashes) writeState(makeOwnFolder(folders), stateWith(''))
    return { ...result, written: 0, unchanged: 0, removed: 0, differing: 0, isPrivate: false }
  }
  const read = ({ path }: Sum) => snapshot.read(path)!
  const bins = shard ? [] : makeBins(entries, { site, snapshot, before: state.bins ?? [], read })
  const hostFiles = options.hostFiles(site, names)
  const isRenewed = checked.renewed || bins.some((bin, number) => bin !== state.bins?.[number])
  const { sums, ...counts } = publish({
    ...{ place, site, entries, bins, isMerge: false, known: isRenewed ? '' : state.sums },
    frame: shard ? [] : frameOf(site, { entries, bins, hostFiles }),
    isUntouched: ({ username, made }) =>
      made.stat !== '' && made.stat === state.entries.get(username)?.made.stat,
  })
  const now = stateWith(sums, bins)
  if (isRenewed || state.sums !== sums) writeState(makeOwnFolder(folders), now)
  const isHidden = counts.written > 0 && isPrivate(folders.out)
  return { ...result, ...counts, differing: countDiffering(last, now), isPrivate: isHidden }
}

/** Whether nobody but this user may read the snapshot, going by SHA256SUMS, which is written with every change. */
const isPrivate = (out: string): boolean =>
  process.platform !== 'win32' && ((findEntry(out, sumsFile)?.mode ?? 0o044) & 0o044) === 0
