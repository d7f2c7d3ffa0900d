import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { recoverUnlessBusy } from './dist/recover.ts'
import { inspect, type Summary, summarize, survey } from './inspect.ts'
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
  const found = survey(folders.content, options)
  try {
    const inspection = await inspect(found, { ...options, state: emptyState })
    return { ...summarize(inspection), diagnostics: inspection.diagnostics }
  } finally {
    await found.threads.end()
  }
}
