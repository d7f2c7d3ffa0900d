import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { checkMembers, type Summary, summarize } from './check-members.ts'
import { recoverUnlessBusy } from './dist/recover.ts'
import { openSite } from './open-site.ts'
import { resolveFolders } from './state/folders.ts'
import { emptyState } from './state/state.ts'

export type CheckOptions = {
  /** As on the command line. */
  readonly content: string
  /** A build of this snapshot that died half-way is finished first. */
  readonly out: string
  readonly hostNames: readonly string[]
  readonly onProgress: (done: number, total: number) => void
}

/** Checks the content. */
export const check = async (
  options: CheckOptions,
): Promise<Summary & { readonly diagnostics: readonly Diagnostic[] }> => {
  const folders = resolveFolders(options)
  await recoverUnlessBusy(folders)
  const found = openSite(folders.content, options)
  try {
    const checked = await checkMembers(found, { ...options, state: emptyState })
    return { ...summarize(checked), diagnostics: checked.diagnostics }
  } finally {
    await found.threads.end()
  }
}
