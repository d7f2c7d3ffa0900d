import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { checkMembers, type Summary, summarize } from './check-members.ts'
import { openSite } from './open-site.ts'
import { type FolderNames, findOwnFolder, resolveFolders } from './state/folders.ts'
import type { Shard } from './state/shard.ts'
import { emptyState, readState } from './state/state.ts'

export type CheckOptions = FolderNames & {
  readonly hostNames: readonly string[]
  /** Look at every member anew, and take nothing from the last build. */
  readonly all?: boolean
  /** Only the members of this shard. */
  readonly shard?: Shard | undefined
  readonly onProgress: (done: number, total: number) => void
}

export type CheckResult = Summary & {
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[]
  /** Members that were read and checked; of the others the last build found nothing to say, and they are unchanged. */
  readonly compiled: number
}

/** Checks the content, and writes nothing. */
export const check = async (options: CheckOptions): Promise<CheckResult> => {
  const folders = resolveFolders(options)
  const found = openSite(folders.content, options)
  try {
    const state = options.all ? emptyState : readState(findOwnFolder(folders))
    const checked = await checkMembers(found, { ...options, state })
    return { ...summarize(checked), diagnostics: checked.diagnostics, compiled: checked.compiled }
  } finally {
    await found.threads.end()
  }
}
