import { siteFiles } from '../api/document/site-files.ts'
import { names as layout } from '../content/layout.ts'
import type { Site } from '../content/site.ts'
import { byPath } from '../content/username.ts'
import { byPlace, type Diagnostic, fileStart, hasErrors } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { isMassRemoval, type MemberCount } from '../sums/member-count.ts'
import { commit, discardStage, recover } from './dist/commit.ts'
import { completeStage } from './dist/complete-stage.ts'
import { lock } from './dist/lock.ts'
import { type FrameFile, frameFiles } from './dist/look/frame.ts'
import { prepareTarget } from './dist/target.ts'
import { findClashes } from './find-clashes.ts'
import { countListed } from './mass-removal.ts'
import { type OpenShard, openShards } from './open-shards.ts'
import { StoredEntry } from './state/entry.ts'
import { resolveSnapshot, type SnapshotFolders } from './state/folders.ts'
import { emptyState } from './state/state.ts'

export type MergeOptions = {
  /** The snapshots of all shards, and where the state of each is, if it was said. */
  readonly shards: readonly { readonly out: string; readonly state: string | undefined }[]
  readonly out: string
  readonly allowRemoval: boolean
  readonly hostFiles: (site: Site, names: readonly string[]) => readonly FrameFile[]
  readonly onWait: () => void
}

export type MergeResult = {
  /** Sorted by place. With an error among them, nothing was written. */
  readonly diagnostics: readonly Diagnostic[]
  readonly members: number
  readonly shots: number
  /** Files that are no member's, the list among them. */
  readonly written: number
  /** What the shards called the content folder. */
  readonly content: string
}

/** Makes one snapshot of all shards: compares what must be unique, and writes what is no member's. */
export const merge = async (options: MergeOptions): Promise<MergeResult> => {
  const folders = resolveSnapshot({ out: options.out })
  const shards = openShards(options.shards, { apart: folders.out })
  const unlock = await lock(folders.out, options)
  try {
    recover(folders)
    return mergeLocked(shards, folders, options)
  } finally {
    discardStage(folders)
    unlock()
  }
}

const mergeLocked = (
  shards: readonly OpenShard[],
  folders: SnapshotFolders,
  { allowRemoval, hostFiles }: MergeOptions,
): MergeResult => {
  const { site, content } = shards[0]!.facts
  const entries = entriesOf(shards)
  const names = entries.flatMap(({ username, aliases }) => [username, ...aliases]).sort(byPath)
  const place = { file: `${content}/${layout.members}`, ...fileStart }
  const clashes = findClashes(shards)
  const isEmpty = shards.every(({ hasMembers }) => !hasMembers)
  const removal = allowRemoval || hasErrors(clashes) ? undefined : removalFrom(folders.out, names)
  const diagnostics = [
    ...clashes,
    ...(isEmpty ? [diagnose('no-members', place, undefined)] : []),
    ...(removal === undefined ? [] : [diagnose('mass-removal', place, removal)]),
  ].sort(byPlace)
  const shots = entries.reduce((sum, entry) => sum + entry.shots, 0)
  const result = { diagnostics, members: entries.length, shots, content }
  if (hasErrors(diagnostics)) return { ...result, written: 0 }
  const frame = frameFiles([...siteFiles(site), ...hostFiles(site, names)])
  const target = prepareTarget(folders, { frame, members: [], state: emptyState })
  const checked = { ...nothingOfMembers, entries: Object.assign(entries, { fresh: entries }), compiled: 1 }
  const complete = completeStage({ folders, frame, target, names: [], checked, state: emptyState })
  const { changes, counts } = complete
  if (target.empty || Object.values(changes).some((list) => list.length > 0)) commit(target, changes)
  return { ...result, written: counts.written }
}

/** The files of members are in the shards' own snapshots, and stay there. */
const nothingOfMembers = {
  changes: { clear: [], write: [], remove: [] },
  counts: { written: 0, unchanged: 0, removed: 0 },
}

/** All entries, in the order of the members' paths. */
const entriesOf = (shards: readonly OpenShard[]): readonly StoredEntry[] =>
  shards
    .flatMap(({ state }) =>
      [...state.offsets].map(([username, at]) => ({ username, entry: new StoredEntry(state.memory, at) })),
    )
    .sort((a, b) => byPath(a.username, b.username))
    .map(({ entry }) => entry)

/** How many members of the list that was merged last are to go, if they are too many. */
const removalFrom = (out: string, names: readonly string[]): MemberCount | undefined => {
  const members = countListed(out, new Set(names))
  return isMassRemoval(members) ? members : undefined
}
