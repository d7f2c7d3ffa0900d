import { type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { checkMembers, type Summary, summarize } from './check-members.ts'
import { openSite } from './open-site.ts'
import { type FolderNames, findOwnFolder, resolveFolders } from './state/folders.ts'
import type { Shard } from './state/shard.ts'
import { emptyState, readState, type State, stateOf } from './state/state.ts'

export type CheckOptions = FolderNames & {
  readonly hostNames: readonly string[]
  /** Look at every member anew, and take nothing from the last build. */
  readonly all?: boolean
  /** Only the members of this shard. */
  readonly shard?: Shard | undefined
  /** What the check before this one found; absent to take what the last build left. */
  readonly last?: LastCheck | undefined
  /** Members that may have changed since then, if that is known. */
  readonly touched?: ReadonlySet<string> | undefined
  readonly onProgress: (done: number, total: number) => void
}

/** What one check leaves for the next in the same process. */
export type LastCheck = { readonly state: State; readonly wrong: boolean }

export type CheckResult = Summary & {
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[]
  /** Members that were read and checked; of the others the last build found nothing to say, and they are unchanged. */
  readonly compiled: number
  /** It takes memory, so call it only to check again. */
  readonly keep: () => LastCheck
}

/** Checks the content, and writes nothing. */
export const check = async (options: CheckOptions): Promise<CheckResult> => {
  const folders = resolveFolders(options)
  const touched = options.last && options.touched
  const found = openSite(folders.content, options)
  const { last } = options
  const state = last?.state ?? (options.all ? emptyState : readState(findOwnFolder(folders)))
  const checked = await checkMembers(found, { ...options, touched, state, mayClash: last?.wrong === true })
  const { diagnostics, compiled, entries } = checked
  return {
    ...{ ...summarize(checked), diagnostics, compiled },
    keep: () => ({ state: stateOf(found.epoch, entries), wrong: hasErrors(diagnostics) }),
  }
}
