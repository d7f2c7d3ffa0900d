import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { checkMembers, type Summary, summarize } from './check-members.ts'
import { openSite } from './open-site.ts'
import { type FolderNames, resolveFolders } from './state/folders.ts'
import { emptyState } from './state/state.ts'

export type CheckOptions = FolderNames & {
  readonly hostNames: readonly string[]
  readonly onProgress: (done: number, total: number) => void
}

/** Checks the content, and writes nothing. */
export const check = async (
  options: CheckOptions,
): Promise<Summary & { readonly diagnostics: readonly Diagnostic[] }> => {
  const folders = resolveFolders(options)
  const found = openSite(folders.content, options)
  try {
    const checked = await checkMembers(found, { ...options, state: emptyState })
    return { ...summarize(checked), diagnostics: checked.diagnostics }
  } finally {
    await found.threads.end()
  }
}
