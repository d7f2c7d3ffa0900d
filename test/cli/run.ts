import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type Outcome = { readonly status: number | null; readonly stdout: string; readonly stderr: string }

/** Runs a TypeScript file of this folder as a process, as npm does. */
export const run = (file: string, ...args: readonly string[]): Outcome => {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', path, ...args], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}
