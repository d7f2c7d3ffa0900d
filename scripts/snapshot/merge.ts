import { hash } from 'node:crypto'
import { sumsFile } from '../api/routes.ts'
import { names as layout } from '../content/layout.ts'
import { byPath } from '../content/username.ts'
import { readFile } from '../files/folder.ts'
import { byPlace, fileStart, hasErrors } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import { UserError } from '../problems/user-error.ts'
import type { BuildOptions } from './build.ts'
import { type CheckResult, summarize } from './check.ts'
import { findClashes, findRepeated } from './claims.ts'
import { findOwnFolder, overlap, resolveSnapshot, type SnapshotFolders } from './folders.ts'
import { hashFile, namesOf } from './outputs.ts'
import { checkRemoval, inPlace, preparePlace, publish } from './publish.ts'
import { type Shard, shardOf } from './site.ts'
import { emptyState, readState, type State } from './state.ts'

export type MergeOptions = Pick<BuildOptions, 'out' | 'allowRemoval' | 'hostFiles' | 'onWait'> & {
  /** The snapshots of all shards, and where the state of each is, if it was said. */
  readonly shards: readonly ShardNames[]
}

type ShardNames = { readonly out: string; readonly state: string | undefined }

/** With an error among the diagnostics, nothing was written. */
export type MergeResult = Pick<CheckResult, 'diagnostics' | 'members' | 'shots'> & {
  /** Files that are no member's, the list among them. */
  readonly written: number
  /** What the shards called the content folder. */
  readonly content: string
}

/** Makes one snapshot of all shards: compares what must be unique, and writes what is no member's. */
export const merge = async (options: MergeOptions): Promise<MergeResult> => {
  const folders = resolveSnapshot({ out: options.out })
  const shards = openShards(options.shards.map((shard) => openShard(shard, folders.out)))
  return inPlace(folders, options, () => mergeShards(shards, folders, options))
}

const mergeShards = (
  shards: readonly OpenShard[],
  folders: SnapshotFolders,
  { allowRemoval, hostFiles }: MergeOptions,
): MergeResult => {
  const { site, content } = shards[0]!.state
  const entries = shards
    .flatMap(({ state }) => [...state.entries.values()])
    .sort((a, b) => byPath(a.username, b.username))
  const names = entries.flatMap(namesOf).sort(byPath)
  const at = { file: `${content}/${layout.members}`, ...fileStart }
  const clashes = findClashes(entries, findRepeated(entries), ({ held = [] }) =>
    held.map((one) => ({ ...one, place: { ...one.place, file: `${content}/${one.place.file}` } })),
  )
  const mayRemove = allowRemoval || hasErrors(clashes)
  const diagnostics = [
    ...clashes,
    ...(entries.length === 0 ? [diagnose('no-members', at, undefined)] : []),
    ...(mayRemove ? [] : checkRemoval(folders.out, { content, names, known: [] })),
  ].sort(byPlace)
  const { members, shots } = summarize(entries)
  const result = { diagnostics, members, shots, content }
  if (hasErrors(diagnostics)) return { ...result, written: 0 }
  const unbuilt = shards.find(({ state }) => state.sums === '')
  if (unbuilt !== undefined) throw foreign(unbuilt)
  const { written } = publish({
    ...{ place: preparePlace(folders), site, entries, part: 'merge', last: emptyState, renewed: true },
    hostFiles: hostFiles(site, names),
    read: ({ path, digest }, { username }) => {
      const shard = shards[shardOf(username, shards.length) - 1]!
      const bytes = readFile(shard.folder, path)
      if (bytes === undefined || hash('sha256', bytes) !== digest) throw foreign(shard)
      return bytes
    },
  })
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

/** All shards of one N, in their order; refuses what doesn't belong together, and says which are missing. */
const openShards = (shards: readonly OpenShard[]): readonly OpenShard[] => {
  const opened = shards.toSorted((a, b) => a.state.shard.index - b.state.shard.index)
  const first = opened[0]!
  const { count } = first.state.shard
  const refuse = (message: string, hint: string): never => {
    throw new UserError(message, { hint })
  }
  for (const [at, { name, state }] of opened.entries()) {
    const [before, shard] = [opened[at - 1], nameOf(state.shard)]
    if (state.shard.count !== count)
      refuse(
        `"${first.name}" is shard ${nameOf(first.state.shard)}, and "${name}" is shard ${shard}`,
        'build all with the same number of shards',
      )
    if (before?.state.shard.index === state.shard.index)
      refuse(`"${before.name}" and "${name}" are both shard ${shard}`, 'name each shard once')
    if (state.epoch !== first.state.epoch)
      refuse(
        `"${first.name}" and "${name}" were built from different sites or programs`,
        'build every shard from the same commit',
      )
  }
  const indexes = new Set(opened.map(({ state }) => state.shard.index))
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !indexes.has(index))
  if (missing.length === 0) return opened
  const [some, verb] = [missing.slice(0, 10).join(', '), missing.length === 1 ? 'is' : 'are']
  const shown = missing.length > 10 ? `${some} and ${missing.length - 10} more` : some
  return refuse(
    `of ${count} shards, ${shown} ${verb} missing`,
    `build with --shard ${missing[0]}/${count}, and name its folder`,
  )
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
