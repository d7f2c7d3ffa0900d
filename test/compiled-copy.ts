import { createRequire } from 'node:module'
import path from 'node:path'
import type { Copy } from '../scripts/snapshot/state.ts'

type Finder = { readonly findCopy: (name: string) => string | undefined }

// A build in the test's own process does as a command does: its threads start from a compiled
// file, and it need not hash the sources, which takes as long as all else that a small build
// does. Not if the sources have changed since.
const { findCopy }: Finder = createRequire(import.meta.url)('../scripts/start/start.cjs')
const worker = findCopy('worker')
if (worker !== undefined) {
  const copy: Copy = { program: path.basename(path.dirname(worker)), worker }
  Object.assign(globalThis, { compiledCopy: copy })
}
