import { createRequire } from 'node:module'

/**
 * The text of a script or stylesheet of ours for browsers, named from the project's root. The compiled copy has the
 * text in place of the call, so write the name as it is: `builtFile('scripts/gallery/script.ts')`.
 */
export const builtFile = (file: string): string =>
  createRequire(import.meta.url)('../start/browser.cjs').buildForBrowser(file)
