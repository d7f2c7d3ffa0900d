import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Copy } from '../scripts/snapshot/state.ts'

type Finder = { readonly besideSources: string; readonly findCopy: (name: string) => string | undefined }

// A build in the test's own process does as a command does: its threads start from a compiled file, and it need not
// hash the sources, which takes as long as all else that a small build does. Not if the sources have changed since.
const { besideSources, findCopy }: Finder = createRequire(import.meta.url)('../scripts/start/copy.cjs')
if (findCopy('build') !== undefined) {
  const program = fs.readdirSync(besideSources).find((name) => name.startsWith('worker-'))!
  const copy: Copy = { program, worker: path.join(besideSources, program) }
  Object.assign(globalThis, { compiledCopy: copy })
}
