import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { resolveContent } from './folders.ts'
import { inspect, type Summary, summarize, survey } from './inspect.ts'
import { emptyState } from './state.ts'

export type CheckOptions = {
  /** As on the command line. */
  readonly content: string
  readonly hostNames: readonly string[]
  readonly onProgress: (done: number, total: number) => void
}

/** Checks the content, and writes nothing. */
export const check = async (
  options: CheckOptions,
): Promise<Summary & { readonly diagnostics: readonly Diagnostic[] }> => {
  const found = survey(resolveContent(options.content), options.hostNames)
  const inspection = await inspect(found, { ...options, state: emptyState })
  return { ...summarize(inspection), diagnostics: inspection.diagnostics }
}
