import { hash } from 'node:crypto'
import { sumsFile } from '../api/routes.ts'
import { names as layout } from '../content/layout.ts'
import type { Site } from '../content/site.ts'
import { byPath } from '../content/username.ts'
import { readFile } from '../files/open.ts'
import type { Sum } from '../files/sums.ts'
import { byPlace, type Diagnostic, fileStart, hasErrors } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { UserError } from '../problems/user-error.ts'
import { summarize } from './check.ts'
import { findClashes, findRepeated } from './claims.ts'
import { findOwnFolder, overlap, resolveSnapshot, type SnapshotFolders } from './folders.ts'
import { frameOf, makeBins } from './lists.ts'
import { lock } from './lock.ts'
import { hashFile, largestFile, namesOf, openSnapshot } from './outputs.ts'
import { discardStage, type FrameFile, findMassRemoval, preparePlace, publish } from './publish.ts'
import { type Shard, shardOf } from './site.ts'
import { type Entry, readState, type State } from './state.ts'

export type MergeOptions = {
  /** The snapshots of all shards, and where the state of each is, if it was said. */
  readonly shards: readonly ShardNames[]
  readonly out: string
  readonly allowRemoval: boolean
  readonly hostFiles: (site: Site, names: readonly string[]) => readonly FrameFile[]
  readonly onWait: () => void
}

type ShardNames = { readonly out: string; readonly state: string | undefined }

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
  const unlock = await lock(folders.out, { ...options, own: folders.own })
  try {
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
  const { site, content } = shards[0]!.state
  const shardOfEntry = new Map(
    shards.flatMap((shard) => [...shard.state.entries.values()].map((entry) => [entry, shard] as const)),
  )
  const entries = [...shardOfEntry.keys()].sort((a, b) => byPath(a.username, b.username))
  const names = entries.flatMap(namesOf).sort(byPath)
  const at = { file: `${content}/${layout.members}`, ...fileStart }
  const clashes = findClashes(entries, findRepeated(entries), ({ held = [] }) =>
    held.map((one) => ({ ...one, place: { ...one.place, file: `${content}/${one.place.file}` } })),
  )
  const removal = allowRemoval || hasErrors(clashes) ? undefined : findMassRemoval(folders.out, { names })
  const diagnostics = [
    ...clashes,
    ...(entries.length === 0 ? [diagnose('no-members', at, undefined)] : []),
    ...(removal === undefined ? [] : [diagnose('mass-removal', at, removal)]),
  ].sort(byPlace)
  const { members, shots } = summarize(entries)
  const result = { diagnostics, members, shots, content }
  if (hasErrors(diagnostics)) return { ...result, written: 0 }
  const unbuilt = shards.find(({ state }) => state.sums === '')
  if (unbuilt !== undefined) throw foreign(unbuilt)
  const place = preparePlace(folders)
  const read = ({ path, digest }: Sum, entry: Entry): Uint8Array => {
    const shard = shardOfEntry.get(entry)!
    const bytes = readFile(shard.folder, path, { limit: largestFile })
    if (bytes === undefined || hash('sha256', bytes) !== digest) throw foreign(shard)
    return bytes
  }
  const bins = makeBins(entries, { site, snapshot: openSnapshot(place), before: [], read })
  const frame = frameOf(site, { entries, bins, hostFiles: hostFiles(site, names) })
  const { written } = publish({ place, site, entries, bins, frame, isMerge: true, known: '' })
  return { ...result, written }
}

/** A shard that was built, as a merge finds it. */
type OpenShard = {
  /** As on the command line. */
  readonly name: string
  /** The snapshot of the shard. */
  readonly folder: string
  readonly state: State & Required<Pick<State, 'shard' | 'site'>>
}

/** Opens all shards of one N, in their order; refuses what is none, and says which are missing. */
const openShards = (
  shards: readonly ShardNames[],
  { apart }: { readonly apart: string },
): readonly OpenShard[] => {
  const opened = shards
    .map((shard) => openShard(shard, apart))
    .sort((a, b) => a.state.shard.index - b.state.shard.index)
  const first = opened[0]!
  const { count } = first.state.shard
  for (const [at, { name, state }] of opened.entries()) {
    const before = opened[at - 1]
    const shard = nameOf(state.shard)
    if (state.shard.count !== count)
      throw new UserError(
        `"${first.name}" is shard ${nameOf(first.state.shard)}, and "${name}" is shard ${shard}`,
        {
          hint: 'build all with the same number of shards',
        },
      )
    if (before?.state.shard.index === state.shard.index)
      throw new UserError(`"${before.name}" and "${name}" are both shard ${shard}`, {
        hint: 'name each shard once',
      })
    if (state.epoch !== first.state.epoch)
      throw new UserError(`"${first.name}" and "${name}" were built from different sites or programs`, {
        hint: 'build every shard from the same commit',
      })
  }
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter(
    (index) => !opened.some(({ state }) => state.shard.index === index),
  )
  if (missing.length === 0) return opened
  const [some, verb] = [missing.slice(0, 10).join(', '), missing.length === 1 ? 'is' : 'are']
  const shown = missing.length > 10 ? `${some} and ${missing.length - 10} more` : some
  throw new UserError(`of ${count} shards, ${shown} ${verb} missing`, {
    hint: `build with --shard ${missing[0]}/${count}, and name its folder`,
  })
}

const openShard = ({ out, state: stateName }: ShardNames, apart: string): OpenShard => {
  const folders = resolveSnapshot({ out, state: stateName })
  if (overlap(folders.out, apart)) {
    throw new UserError(`"${out}" is a shard, and --out is the same folder or overlaps with it`, {
      hint: 'give --out a folder of its own, such as dist',
    })
  }
  const { shard, site, ...state } = readState(findOwnFolder(folders))
  if (shard === undefined || site === undefined) {
    throw new UserError(`there is no state of a shard for "${out}"`, {
      hint: 'build it with --shard I/N; --state DIR says where its state is, once for each shard',
    })
  }
  const opened = { name: out, folder: folders.out, state: { ...state, shard, site } }
  const isSnapshot = state.sums === '' || hashFile(folders.out, sumsFile) === state.sums
  const isShard = [...state.entries.keys()].every((name) => shardOf(name, shard.count) === shard.index)
  if (!isSnapshot || !isShard) throw foreign(opened)
  return opened
}

const foreign = ({ name, state }: OpenShard): UserError =>
  new UserError(`"${name}" and its state don't belong together`, {
    hint: `build it again with --shard ${nameOf(state.shard)}`,
  })

const nameOf = ({ index, count }: Shard): string => `${index}/${count}`
