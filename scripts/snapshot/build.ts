import { hash } from 'node:crypto'
import { sumsFile } from '../api/routes.ts'
import type { Source } from '../content/load.ts'
import type { Site } from '../content/site.ts'
import { byPath } from '../content/username.ts'
import { findEntry } from '../files/folder.ts'
import { byPlace, hasErrors } from '../problems/diagnostic.ts'
import { type CheckOptions, type CheckResult, checkMembers } from './check.ts'
import { isClash, withHoldings } from './claims.ts'
import { type Folders, findOwnFolder, makeOwnFolder, memberFolders, resolveFolders } from './folders.ts'
import type { FrameFile } from './lists.ts'
import { openSnapshot } from './outputs.ts'
import { checkRemoval, inPlace, preparePlace, publish } from './publish.ts'
import { type OpenSite, openSite } from './site.ts'
import { countDiffering, emptyState, knownState, readState, type State, writeState } from './state.ts'

export type BuildOptions = Omit<CheckOptions, 'all' | 'last'> & {
  /** What the site's hosts read from the snapshot. */
  readonly hostFiles: (site: Site, names: readonly string[]) => readonly FrameFile[]
  /** Compiles every member anew and reads every file of the snapshot: nothing in the state is believed. */
  readonly distrust?: boolean
  /** Lets a build remove most of the members. */
  readonly allowRemoval?: boolean
  /** Another build has the snapshot, and this one waits for it. */
  readonly onWait: () => void
}

/** With an error among the diagnostics, the snapshot is as it was. */
export type BuildResult = Omit<CheckResult, 'entries' | 'renewed' | 'keep'> &
  Pick<ReturnType<typeof publish>, 'written' | 'unchanged' | 'removed'> & {
    readonly site: Site | undefined
    /** Of all members, in the order of the paths; names of folders that can be none too. */
    readonly usernames: readonly string[]
    /** site.yaml, if it can be read. */
    readonly source: Source | undefined
    /** Members' files that have other bytes than in the last build though their content is the same. */
    readonly differing: number
    /** Whether a file was written that nobody but this user may read, so that most servers can't. */
    readonly isPrivate: boolean
  }

/** Checks the content and makes the snapshot match it. */
export const build = async (options: BuildOptions): Promise<BuildResult> => {
  const folders = resolveFolders(options)
  return inPlace(folders, options, () => buildSite(openSite(folders.content, options), folders, options))
}

const buildSite = async (found: OpenSite, folders: Folders, options: BuildOptions): Promise<BuildResult> => {
  const { tools, members } = found
  const { content, site, source } = tools
  const { shard } = options
  const place = hasErrors(found.diagnostics) ? undefined : preparePlace(folders)
  const before = readState(findOwnFolder(folders))
  // where a folder is gone, or a link stands for it, the snapshot is not what the state tells of
  const isWhole = place && memberFolders(site!.schemes).every(openSnapshot(place).isFolder)
  const last = isWhole && !options.distrust ? knownState(folders, found, before) : emptyState
  const { entries, renewed, keep, ...checked } = await checkMembers(found, { ...options, state: last, place })
  const names = [...members, ...checked.aliases].sort(byPath)
  const mayRemove = hasErrors(checked.diagnostics) || options.allowRemoval || shard || place?.empty !== false
  const removal = { content: content.name, names, known: [...last.entries.keys()] }
  const stop = mayRemove ? [] : checkRemoval(folders.out, removal)
  const diagnostics = [...checked.diagnostics, ...stop].sort(byPlace)
  const result = { ...checked, diagnostics, site, usernames: members, source }
  const state = (): State => ({
    ...{ ...keep(), ...(source && { siteText: hash('sha256', source.text) }) },
    ...(shard && {
      ...{ shard, site: site! },
      entries: new Map(entries.map((entry) => [entry.username, withHoldings(entry, tools)])),
    }),
  })
  if (!place || !site || hasErrors(diagnostics)) {
    // so that the merge can say all that clashes at once
    const onlyClashes = diagnostics.every(({ code, severity }) => severity === 'warning' || isClash(code))
    if (shard && place && onlyClashes) writeState(makeOwnFolder(folders), { ...state(), sums: '' })
    return { ...result, written: 0, unchanged: 0, removed: 0, differing: 0, isPrivate: false }
  }
  const published = publish({
    ...{ place, site, entries, last, renewed, part: shard && 'shard' },
    hostFiles: options.hostFiles(site, names),
  })
  const { sums, bins, written, unchanged, removed } = published
  const now = { ...state(), sums, ...(bins.length > 0 && { bins }) }
  if (published.renewed) writeState(makeOwnFolder(folders), now)
  const isHidden = written > 0 && isPrivate(folders.out)
  const differing = countDiffering(before, now)
  return { ...result, written, unchanged, removed, differing, isPrivate: isHidden }
}

/** Whether nobody but this user may read the snapshot, going by SHA256SUMS, which is written with every change. */
const isPrivate = (out: string): boolean =>
  process.platform !== 'win32' && ((findEntry(out, sumsFile)?.mode ?? 0o044) & 0o044) === 0
