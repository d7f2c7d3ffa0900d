import { hash } from 'node:crypto'
import type { Output } from '../api/output.ts'
import { byPath } from '../content/username.ts'
import { byPlace, type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { type CheckOptions, isClash, type OpenSite, openSite } from './check.ts'
import type { State } from './entry.ts'
import { type Folders, findOwnFolder, makeOwnFolder, resolveFolders } from './folders.ts'
import type { Place } from './place.ts'
import { inPlace, prepareSnapshot } from './prepare.ts'
import { snapshotOf } from './product.ts'
import { type Publication, tellPublication } from './publication.ts'
import { checkRemoval, publish } from './publish.ts'
import { stageMembers } from './stage.ts'
import { countDiffering, readState, writeState } from './state.ts'

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
  const { site, source } = found.tools
  const { outputs, shard, publication } = options
  const isRight = site && source && !hasErrors(found.diagnostics)
  const target = isRight
    ? { place: prepareSnapshot(folders), product: snapshotOf(site, outputs), site }
    : undefined
  const before = readState(findOwnFolder(folders))
  const staged = await stageMembers(found, { ...options, folders, before, target })
  const stop = target && !options.allowRemoval && !shard ? removalIn(staged, found, target) : []
  const diagnostics = [...staged.diagnostics, ...stop].sort(byPlace)
  const result = resultOf(found, { ...staged, diagnostics })
  // what clashes in a shard is kept, so that the merge can say all that clashes at once
  const isWrong = ({ code, severity }: Diagnostic) =>
    severity === 'error' && !(shard && isClash(code))
  if (!target || !source || diagnostics.some(isWrong)) return result
  const siteText = hash('sha256', source.text)
  const state: State = { ...staged.state, siteText, ...(shard && { shard, site: source.text }) }
  if (hasErrors(diagnostics)) {
    writeState(makeOwnFolder(folders), { ...state, sums: '' })
    return result
  }
  const entries = [...state.entries.values()]
  const part = shard && 'shard'
  const { renewed, written, unchanged, removed, ...kept } = publish({
    ...staged,
    ...target,
    entries,
    part,
  })
  const now = { ...state, ...kept }
  tellPublication(folders.out, { publication, sums: kept.sums })
  if (renewed) writeState(makeOwnFolder(folders), now)
  const largest = mostIn([...now.entries.values()].map(({ made }) => made.largest))
  return { ...result, written, unchanged, removed, largest, differing: countDiffering(before, now) }
}

type Staged = Awaited<ReturnType<typeof stageMembers>>

/** An error if so many members are to go that somebody should say that they may. */
const removalIn = (
  { last, aliases, diagnostics }: Staged,
  { tools, members }: OpenSite,
  { place }: { readonly place: Place },
): readonly Diagnostic[] => {
  if (place.empty || hasErrors(diagnostics)) return []
  const names = [...members, ...aliases].sort(byPath)
  const known = [...last.entries.keys()]
  return checkRemoval(place.folder, { content: tools.content.name, names, known })
}

/** What is told of a build that wrote nothing. */
const resultOf = (
  { tools, members }: OpenSite,
  { last, wasAsLeft, renewed, ...checked }: Staged,
) => ({
  ...checked,
  site: tools.site,
  source: tools.source,
  usernames: members,
  entries: checked.state.entries,
  written: 0,
  unchanged: 0,
  removed: 0,
  /** Bytes of the largest file of a member. */
  largest: 0,
  /** Members' files that have other bytes than in the last build though their content is the same. */
  differing: 0,
})

const mostIn = (numbers: readonly number[]): number =>
  numbers.reduce((most, one) => Math.max(most, one), 0)
