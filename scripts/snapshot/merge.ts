import { hash } from 'node:crypto'
import { createLoader } from '../advice/loader.ts'
import { outputsOf } from '../api/outputs.ts'
import { filePath } from '../api/route.ts'
import { routes, servedAt, sumsFile } from '../api/routes.ts'
import { names as layout } from '../content/layout.ts'
import type { Site } from '../content/site.ts'
import { byPath } from '../content/username.ts'
import { readFile } from '../files/folder.ts'
import { byPlace, fileStart, hasErrors, UserError } from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import type { BuildOptions } from './build.ts'
import { summarize } from './check.ts'
import { findClashes } from './clashes.ts'
import { hashFile } from './destination.ts'
import { digestIn, type Entry, emptyState, marksIn, namesOf } from './entry.ts'
import { findOwnFolder, overlap, resolveSnapshot, type SnapshotFolders } from './folders.ts'
import { prepareSnapshot, whileLocked } from './prepare.ts'
import { snapshotOf } from './product.ts'
import { tellPublication } from './publication.ts'
import { checkRemoval, publish } from './publish.ts'
import { shardOf } from './shard.ts'
import { readState } from './state.ts'

export type MergeOptions = Pick<
  BuildOptions,
  'out' | 'allowRemoval' | 'publication' | 'onWait'
> & {
  /** The snapshots of all shards, and where the state of each is, if it was said. */
  readonly shards: readonly { readonly out: string; readonly state: string | undefined }[]
}

/**
 * Makes one snapshot of all shards: compares what must be unique, and writes what is no
 * member's, the list too. With an error among the diagnostics, nothing was written. `content`
 * is what the shards called the content folder.
 */
export const merge = async (options: MergeOptions) => {
  const folders = resolveSnapshot({ out: options.out })
  const shards = inOrder(options.shards.map((shard) => openShard(shard, folders.out)))
  return whileLocked(folders, options, () => mergeShards(shards, folders, options))
}

const mergeShards = (
  shards: readonly OpenShard[],
  folders: SnapshotFolders,
  { allowRemoval, publication }: MergeOptions,
) => {
  // the command line takes no fewer than one
  const { site, content } = shards[0]!
  const entries = shards
    .flatMap((shard) => [...shard.entries.values()])
    .sort((a, b) => byPath(a.username, b.username))
  const at = { file: `${content}/${layout.members}`, ...fileStart }
  const diagnostics = [...findClashes(entries, ({ held = [] }) => held)]
  if (entries.length === 0) diagnostics.push(diagnose('no-members', at, undefined))
  const names = entries.flatMap(namesOf)
  const mayRemove = allowRemoval || hasErrors(diagnostics)
  const stop = mayRemove ? [] : checkRemoval(folders.out, { content, names })
  const { members, shots } = summarize(entries)
  const result = {
    diagnostics: [...diagnostics, ...stop].sort(byPlace),
    members,
    shots,
    content,
  }
  if (hasErrors(result.diagnostics)) return { ...result, written: 0 }
  const unbuilt = shards.find((shard) => !isBuilt(shard))
  if (unbuilt) throw foreign(unbuilt)
  const { written } = publish({
    destination: prepareSnapshot(folders),
    product: snapshotOf(site),
    entries,
    last: emptyState,
    read: ({ path, digest }, username) => {
      const shard = shards[shardOf(username, shards.length) - 1]!
      const bytes = readFile(shard.folder, path)
      if (bytes === undefined || hash('sha256', bytes) !== digest) throw foreign(shard)
      return bytes
    },
  })
  tellPublication(folders.out, publication)
  return { ...result, written }
}

/**
 * The state of a shard that was built, what the command line calls its snapshot, and where
 * that is.
 */
type OpenShard = ReturnType<typeof openShard>

const openShard = ({ out: name, state }: MergeOptions['shards'][number], apart: string) => {
  const folders = resolveSnapshot({ out: name, state })
  if (overlap(folders.out, apart)) {
    throw new UserError(
      `"${name}" is a shard, and --out is the same folder or overlaps with it`,
      {
        hint: 'give --out a folder of its own, such as dist',
      },
    )
  }
  const { shard, site: text = '', ...found } = readState(findOwnFolder(folders))
  const site = createLoader().loadSite({ file: 'site.yaml', text }).value
  if (shard === undefined || site === undefined) {
    throw new UserError(`there is no state of a shard for "${name}"`, {
      hint: 'build it with --shard I/N; --state DIR says where its state is, once for each shard',
    })
  }
  return { ...found, shard, site, name, folder: folders.out }
}

/**
 * All shards of one N, in their order; refuses what doesn't belong together, and says which
 * are missing.
 */
const inOrder = (shards: readonly OpenShard[]): readonly OpenShard[] => {
  const opened = shards.toSorted((a, b) => a.shard.index - b.shard.index)
  // the command line takes no fewer than one
  const first = opened[0]!
  const { count } = first.shard
  for (const [at, one] of opened.entries()) {
    const before = opened[at - 1] ?? first
    if (one.shard.count !== count) {
      const both = `"${first.name}" is shard ${nameOf(first)}, and "${one.name}" is ${nameOf(one)}`
      throw new UserError(both, { hint: 'build all with the same number of shards' })
    }
    if (at > 0 && before.shard.index === one.shard.index) {
      const both = `"${before.name}" and "${one.name}" are both shard ${nameOf(one)}`
      throw new UserError(both, { hint: 'name each shard once' })
    }
    if (one.epoch !== first.epoch) {
      const both = `"${first.name}" and "${one.name}" were built from different sites or programs`
      throw new UserError(both, { hint: 'build every shard from the same commit' })
    }
  }
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter(
    (index) => !opened.some(({ shard }) => shard.index === index),
  )
  if (missing.length === 0) return opened
  const some = missing.slice(0, 10).join(', ')
  throw new UserError(`of ${count} shards, there is none of these: ${some}`, {
    hint: `build the one that is missing with --shard ${missing[0]}/${count}, and name its folder`,
  })
}

const foreign = (one: OpenShard): UserError =>
  new UserError(`"${one.name}" and its state don't belong together`, {
    hint: `build it again with --shard ${nameOf(one)}`,
  })

const nameOf = ({ shard: { index, count } }: OpenShard): string => `${index}/${count}`

/**
 * Whether the snapshot is what the state tells, and that is all that a site publishes of the
 * shard's members.
 */
const isBuilt = ({ folder, frame, entries, shard, site }: OpenShard): boolean =>
  hashFile(folder, sumsFile) === digestIn(marksIn(frame).get(sumsFile)) &&
  [...entries.values()].every(
    (one) => shardOf(one.username, shard.count) === shard.index && isWhole(one, site),
  )

/** Whether an entry tells of all that a site publishes of a member, and of nothing else. */
const isWhole = (entry: Entry, site: Site): boolean => {
  const { username, kept } = entry
  const names = namesOf(entry)
  const files = marksIn(entry)
  const isThere = site.schemes.every((variant) =>
    routes.every((route) => files.has(filePath(route, variant, username))),
  )
  const isOwn = (file: string): boolean => names.includes(servedAt(file)?.username ?? '')
  const isKept = outputsOf(site).every(
    ({ name, keeps }) => keeps === undefined || name in kept,
  )
  return isThere && isKept && [...files.keys()].every(isOwn)
}
