import { hash } from 'node:crypto'
import type { Output } from '../api/output.ts'
import { byPath } from '../content/username.ts'
import { byPlace, type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { type CheckOptions, checkMembers, isClash, type OpenSite, openSite } from './check.ts'
import { emptyState, type State } from './entry.ts'
import { type Folders, findOwnFolder, makeOwnFolder, resolveFolders } from './folders.ts'
import { openPlace } from './place.ts'
import { inPlace, prepareSnapshot } from './prepare.ts'
import { snapshotOf } from './product.ts'
import { type Publication, tellPublication } from './publication.ts'
import { checkRemoval, publish } from './publish.ts'
import { countDiffering, knownState, readState, writeState } from './state.ts'

export type BuildOptions = Omit<CheckOptions, 'all' | 'last'> & {
  /** Outputs besides those of the table, such as the files that hosts read from the snapshot. */
  readonly outputs: readonly Output[]
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
  const place = hasErrors(found.diagnostics) ? undefined : prepareSnapshot(folders)
  const product = site && snapshotOf(site, options.outputs)
  const before = readState(findOwnFolder(folders))
  // where a folder is gone, or a link stands for it, the snapshot is not what the state tells of
  const isWhole = place && product?.memberFolders.every(openPlace(place).isFolder)
  const last =
    isWhole && !options.distrust
      ? knownState(found, { folders, before, onDoubt: options.onDoubt })
      : emptyState
  const { state, renewed, wasAsLeft, ...checked } = await checkMembers(found, {
    ...options,
    state: last,
    place,
    product,
  })
  const names = [...usernames, ...checked.aliases].sort(byPath)
  const mayRemove =
    options.allowRemoval || shard || place?.empty !== false || hasErrors(checked.diagnostics)
  const removal = { content: content.name, names, known: [...last.entries.keys()] }
  const stop = mayRemove ? [] : checkRemoval(folders.out, removal)
  const diagnostics = [...checked.diagnostics, ...stop].sort(byPlace)
  /** `differing` are members' files that have other bytes than in the last build though their content is the same. */
  const nothing = { written: 0, unchanged: 0, removed: 0, differing: 0, largest: 0 }
  /** By member: see `Entry`. */
  const claims = new Map([...state.entries].map(([username, entry]) => [username, entry.claims]))
  const result = { ...checked, ...nothing, diagnostics, site, source, usernames, claims }
  // what clashes in a shard is kept, so that the merge can say all that clashes at once
  const isWrong = ({ code, severity }: Diagnostic) =>
    severity === 'error' && !(shard && isClash(code))
  if (!place || !site || !product || !source || diagnostics.some(isWrong)) return result
  const siteText = hash('sha256', source.text)
  const checkedState: State = { ...state, siteText, ...(shard && { shard, site: source.text }) }
  if (hasErrors(diagnostics)) {
    writeState(makeOwnFolder(folders), { ...checkedState, sums: '' })
    return result
  }
  const part = shard && 'shard'
  const entries = [...state.entries.values()]
  const published = publish({ place, product, site, entries, last, renewed, wasAsLeft, part })
  const { written, unchanged, removed, renewed: isToKeep, ...kept } = published
  const now = { ...checkedState, ...kept }
  tellPublication(folders.out, { publication: options.publication, sums: kept.sums })
  if (isToKeep) writeState(makeOwnFolder(folders), now)
  const largest = Math.max(0, ...[...now.entries.values()].map(({ made }) => made.largest))
  return { ...result, written, unchanged, removed, largest, differing: countDiffering(before, now) }
}
