import { createRequire } from 'node:module'

/**
 * The text of a script or stylesheet of ours for browsers, named from the project's root. The
 * compiled copy has the text in place of the call, so the name has to be a literal, in single
 * quotes.
 */
export const builtFile = (file: string): string =>
  createRequire(import.meta.url)('../start/browser.cjs').buildForBrowser(file)
