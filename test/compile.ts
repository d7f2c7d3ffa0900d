import { execFileSync } from 'node:child_process'

/** Has the commands that tests start run from compiled copies of the sources as they are, as after `npm ci`. */
export const setup = (): void => {
  execFileSync(process.execPath, ['scripts/start/compile.cjs'])
}
