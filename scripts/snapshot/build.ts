import { hash } from 'node:crypto'
import { createLoader } from '../advice/loader.ts'
import { sumsFile } from '../api/routes.ts'
import { names as layout } from '../content/layout.ts'
import type { Site } from '../content/site.ts'
import { byPath } from '../content/username.ts'
import { readFile } from '../files/folder.ts'
import {
  byPlace,
  type Diagnostic,
  fileStart,
  hasErrors,
  UserError,
} from '../problems/diagnostic.ts'
import { diagnose } from '../problems/messages.ts'
import {
  type CheckOptions,
  checkMembers,
  findClashes,
  isClash,
  mostShards,
  type OpenSite,
  openSite,
  shardOf,
  summarize,
} from './check.ts'
import type { Holding } from './compile.ts'
import {
  type Folders,
  findOwnFolder,
  makeOwnFolder,
  memberFolders,
  overlap,
  resolveFolders,
  resolveSnapshot,
  type SnapshotFolders,
} from './folders.ts'
import { type FrameFile, hashFile, isWhole, namesOf, openSnapshot } from './outputs.ts'
import { type Publication, tellPublication } from './publication.ts'
import { checkRemoval, inPlace, preparePlace, publish } from './publish.ts'
import {
  countDiffering,
  type Entry,
  emptyState,
  knownState,
  readState,
  type State,
  writeState,
} from './state.ts'

export type BuildOptions = Omit<CheckOptions, 'all' | 'last'> & {
  /** What the site's hosts read from the snapshot. */
  readonly hostFiles: (site: Site, names: readonly string[]) => readonly FrameFile[]
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
  return inPlace(folders, options, () =>
    buildSite(openSite(folders.content, options), folders, options),
  )
}

const buildSite = async (found: OpenSite, folders: Folders, options: BuildOptions) => {
  const { tools, members: usernames } = found
  const { content, site, source } = tools
  const { shard } = options
  const place = hasErrors(found.diagnostics) ? undefined : preparePlace(folders)
  const before = readState(findOwnFolder(folders))
  // where a folder is gone, or a link stands for it, the snapshot is not what the state tells of
  const isWhole = place && memberFolders(site!.schemes).every(openSnapshot(place).isFolder)
  const last =
    isWhole && !options.distrust
      ? knownState(found, { folders, before, onDoubt: options.onDoubt })
      : emptyState
  const { state, renewed, ...checked } = await checkMembers(found, {
    ...options,
    state: last,
    place,
  })
  const names = [...usernames, ...checked.aliases].sort(byPath)
  const mayRemove =
    options.allowRemoval || shard || place?.empty !== false || hasErrors(checked.diagnostics)
  const removal = { content: content.name, names, known: [...last.entries.keys()] }
  const stop = mayRemove ? [] : checkRemoval(folders.out, removal)
  const diagnostics = [...checked.diagnostics, ...stop].sort(byPlace)
  /** `differing` are members' files that have other bytes than in the last build though their content is the same. */
  const nothing = { written: 0, unchanged: 0, removed: 0, differing: 0 }
  /** By member: see `Entry`. */
  const claims = new Map([...state.entries].map(([username, entry]) => [username, entry.claims]))
  const result = { ...checked, ...nothing, diagnostics, site, source, usernames, claims }
  // what clashes in a shard is kept, so that the merge can say all that clashes at once
  const isWrong = ({ code, severity }: Diagnostic) =>
    severity === 'error' && !(shard && isClash(code))
  if (!place || !site || !source || diagnostics.some(isWrong)) return result
  const entries = [...state.entries.values()]
  const siteText = hash('sha256', source.text)
  const checkedState: State = { ...state, siteText, ...(shard && { shard, site: source.text }) }
  if (hasErrors(diagnostics)) {
    writeState(makeOwnFolder(folders), { ...checkedState, sums: '' })
    return result
  }
  const hostFiles = options.hostFiles(site, names)
  const part = shard && 'shard'
  const published = publish({ place, site, entries, last, renewed, hostFiles, part })
  const { sums, bins, renewed: isToKeep, ...files } = published
  const now = { ...checkedState, sums, ...(bins.length > 0 && { bins }) }
  tellPublication(folders.out, { publication: options.publication, sums })
  if (isToKeep) writeState(makeOwnFolder(folders), now)
  return { ...result, ...files, differing: countDiffering(before, now) }
}

export type MergeOptions = Pick<
  BuildOptions,
  'out' | 'allowRemoval' | 'hostFiles' | 'hostNames' | 'publication' | 'onWait'
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
  const { site, content } = shards[0]!
  const entries = shards
    .flatMap((shard) => [...shard.entries.values()])
    .sort((a, b) => byPath(a.username, b.username))
  const names = entries.flatMap(namesOf).sort(byPath)
  const at = { file: `${content}/${layout.members}`, ...fileStart }
  const clashes = findClashes(entries, ({ username, held = [] }) => {
    // each shard may have called the content folder otherwise
    const { length } = shards[shardOf(username, shards.length) - 1]!.content
    const told = ({ place }: Holding) => ({ ...place, file: content + place.file.slice(length) })
    return held.map((one) => ({ ...one, place: told(one) }))
  })
  const mayRemove = options.allowRemoval || hasErrors(clashes)
  const diagnostics = [
    ...clashes,
    ...(entries.length === 0 ? [diagnose('no-members', at, undefined)] : []),
    ...(mayRemove ? [] : checkRemoval(folders.out, { content, names, known: [] })),
  ].sort(byPlace)
  const { members, shots } = summarize(entries)
  const result = { diagnostics, members, shots, content }
  if (hasErrors(diagnostics)) return { ...result, written: 0 }
  const unbuilt = shards.find(({ sums }) => sums === '')
  if (unbuilt !== undefined) throw foreign(unbuilt)
  const { written, sums } = publish({
    place: preparePlace(folders),
    site,
    entries,
    part: 'merge',
    last: emptyState,
    renewed: true,
    hostFiles: options.hostFiles(site, names),
    read: ({ path, digest }, { username }) => {
      const shard = shards[shardOf(username, shards.length) - 1]!
      const bytes = readFile(shard.folder, path)
      if (bytes === undefined || hash('sha256', bytes) !== digest) throw foreign(shard)
      return bytes
    },
  })
  tellPublication(folders.out, { publication: options.publication, sums })
  return { ...result, written }
}

/** The state of a shard that was built, what the command line calls its snapshot, and where that is. */
type OpenShard = Omit<State, 'site'> &
  Required<Pick<State, 'shard'>> &
  Record<'name' | 'folder', string> & { readonly site: Site }

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
  const opened = { ...found, shard, site, name, folder }
  const isSnapshot = found.sums === '' || hashFile(folder, sumsFile) === found.sums
  const isOwn = (entry: Entry): boolean =>
    shardOf(entry.username, shard.count) === shard.index &&
    (found.sums === '' || isWhole(entry, site))
  const isShard = shard.index >= 1 && shard.index <= shard.count && shard.count <= mostShards
  if (!isSnapshot || !isShard || ![...found.entries.values()].every(isOwn)) throw foreign(opened)
  return opened
}

/** All shards of one N, in their order; refuses what doesn't belong together, and says which are missing. */
const inOrder = (shards: readonly OpenShard[]): readonly OpenShard[] => {
  const opened = shards.toSorted((a, b) => a.shard.index - b.shard.index)
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
