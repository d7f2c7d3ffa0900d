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
import { mostShards, shardOf, summarize } from './check.ts'
import { findClashes } from './clashes.ts'
import { digestIn, type Entry, emptyState, type Holding, namesOf, type State } from './entry.ts'
import { findOwnFolder, overlap, resolveSnapshot, type SnapshotFolders } from './folders.ts'
import { hashFile } from './place.ts'
import { inPlace, prepareSnapshot } from './prepare.ts'
import { snapshotOf } from './product.ts'
import { tellPublication } from './publication.ts'
import { checkRemoval, publish } from './publish.ts'
import { readState } from './state.ts'

export type MergeOptions = Pick<
  BuildOptions,
  'out' | 'allowRemoval' | 'outputs' | 'hostNames' | 'publication' | 'onWait'
> & {
  /** The snapshots of all shards, and where the state of each is, if it was said. */
  readonly shards: readonly { readonly out: string; readonly state: string | undefined }[]
}

/**
 * Makes one snapshot of all shards: compares what must be unique, and writes what is no member's, the list too. With an
 * error among the diagnostics, nothing was written. `content` is what the shards called the content folder.
 */
export const merge = async (options: MergeOptions) => {
  const folders = resolveSnapshot({ out: options.out })
  const shards = inOrder(
    options.shards.map((shard) => openShard(shard, { ...options, apart: folders.out })),
  )
  return inPlace(folders, options, () => mergeShards(shards, folders, options))
}

const mergeShards = (
  shards: readonly OpenShard[],
  folders: SnapshotFolders,
  options: MergeOptions,
) => {
  const [first] = shards
  // all shards of one N are there, and no N is 0
  const { site, content } = first!
  const shardWith = (username: string) => shards[shardOf(username, shards.length) - 1]!
  const entries = shards
    .flatMap((shard) => [...shard.entries.values()])
    .sort((a, b) => byPath(a.username, b.username))
  const names = entries.flatMap(namesOf)
  const at = { file: `${content}/${layout.members}`, ...fileStart }
  const clashes = findClashes(entries, ({ username, held = [] }) => {
    // each shard may have called the content folder otherwise
    const { length } = shardWith(username).content
    const told = ({ place }: Holding) => ({ ...place, file: content + place.file.slice(length) })
    return held.map((one) => ({ ...one, place: told(one) }))
  })
  const mayRemove = options.allowRemoval || hasErrors(clashes)
  const diagnostics = [
    ...clashes,
    ...(entries.length === 0 ? [diagnose('no-members', at, undefined)] : []),
    ...(mayRemove ? [] : checkRemoval(folders.out, { content, names })),
  ].sort(byPlace)
  const { members, shots } = summarize(entries)
  const result = { diagnostics, members, shots, content }
  if (hasErrors(diagnostics)) return { ...result, written: 0 }
  const unbuilt = shards.find(({ list }) => list === '')
  if (unbuilt !== undefined) throw foreign(unbuilt)
  const { written, frame } = publish({
    place: prepareSnapshot(folders),
    product: snapshotOf(site, options.outputs),
    site,
    entries,
    last: emptyState,
    renewed: true,
    wasAsLeft: () => false,
    read: ({ path, digest }, username) => {
      const shard = shardWith(username)
      const bytes = readFile(shard.folder, path)
      if (bytes === undefined || hash('sha256', bytes) !== digest) throw foreign(shard)
      return bytes
    },
  })
  const sums = digestIn(frame.files[sumsFile])
  tellPublication(folders.out, { publication: options.publication, sums })
  return { ...result, written }
}

/** The state of a shard that was built, what the command line calls its snapshot, and where that is. */
type OpenShard = Omit<State, 'site'> &
  Required<Pick<State, 'shard'>> &
  Record<'name' | 'folder' | 'list', string> & { readonly site: Site }

type OpenOptions = Pick<MergeOptions, 'hostNames'> & {
  /** No shard may lie there. */
  readonly apart: string
}

const openShard = (
  { out: name, state }: MergeOptions['shards'][number],
  { hostNames, apart }: OpenOptions,
): OpenShard => {
  const folders = resolveSnapshot({ out: name, state })
  const folder = folders.out
  if (overlap(folder, apart)) {
    throw new UserError(`"${name}" is a shard, and --out is the same folder or overlaps with it`, {
      hint: 'give --out a folder of its own, such as dist',
    })
  }
  const { shard, site: text, ...found } = readState(findOwnFolder(folders))
  const source = { file: 'site.yaml', text: text ?? '' }
  const site = createLoader({ hostNames }).loadSite(source).value
  if (shard === undefined || site === undefined) {
    throw new UserError(`there is no state of a shard for "${name}"`, {
      hint: 'build it with --shard I/N; --state DIR says where its state is, once for each shard',
    })
  }
  const list = digestIn(found.frame.files[sumsFile])
  const opened = { ...found, shard, site, name, folder, list }
  const isSnapshot = list === '' || hashFile(folder, sumsFile) === list
  const isOwn = (entry: Entry): boolean =>
    shardOf(entry.username, shard.count) === shard.index && (list === '' || isWhole(entry, site))
  const isShard = shard.index >= 1 && shard.index <= shard.count && shard.count <= mostShards
  if (!isSnapshot || !isShard || ![...found.entries.values()].every(isOwn)) throw foreign(opened)
  return opened
}

/** All shards of one N, in their order; refuses what doesn't belong together, and says which are missing. */
const inOrder = (shards: readonly OpenShard[]): readonly OpenShard[] => {
  const opened = shards.toSorted((a, b) => a.shard.index - b.shard.index)
  // the command line takes no fewer than one
  const first = opened[0]!
  const { count } = first.shard
  const refuse = (message: string, hint: string): never => {
    throw new UserError(message, { hint })
  }
  for (const [at, { name, shard, epoch }] of opened.entries()) {
    const before = opened[at - 1]
    if (shard.count !== count)
      refuse(
        `"${first.name}" is shard ${nameOf(first)}, and "${name}" is shard ${shard.index}/${shard.count}`,
        'build all with the same number of shards',
      )
    if (before?.shard.index === shard.index)
      refuse(
        `"${before.name}" and "${name}" are both shard ${nameOf(before)}`,
        'name each shard once',
      )
    if (epoch !== first.epoch)
      refuse(
        `"${first.name}" and "${name}" were built from different sites or programs`,
        'build every shard from the same commit',
      )
  }
  const indexes = new Set(opened.map(({ shard }) => shard.index))
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter(
    (index) => !indexes.has(index),
  )
  if (missing.length === 0) return opened
  const more = missing.length > 10 ? ` and ${missing.length - 10} more` : ''
  const verb = missing.length === 1 ? 'is' : 'are'
  return refuse(
    `of ${count} shards, ${missing.slice(0, 10).join(', ')}${more} ${verb} missing`,
    `build with --shard ${missing[0]}/${count}, and name its folder`,
  )
}

const foreign = (one: OpenShard): UserError =>
  new UserError(`"${one.name}" and its state don't belong together`, {
    hint: `build it again with --shard ${nameOf(one)}`,
  })

const nameOf = ({ shard: { index, count } }: OpenShard): string => `${index}/${count}`

/** Whether an entry tells of all that a site publishes of a member, and of nothing else. */
const isWhole = ({ username, made, kept = {}, ...entry }: Entry, site: Site): boolean => {
  const names = namesOf({ username, ...entry })
  const isThere = site.schemes.every((variant) =>
    routes.every((route) => filePath(route, variant, username) in made.files),
  )
  const isOwn = (file: string): boolean => names.includes(servedAt(file)?.username ?? '')
  const isKept = outputsOf(site).every(({ name, keeps }) => keeps === undefined || name in kept)
  return isThere && isKept && Object.keys(made.files).every(isOwn)
}
