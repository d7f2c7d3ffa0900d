import { spawnSync } from 'node:child_process'
import { findProgram } from '../files/program.ts'
import { UserError } from '../problems/user-error.ts'

/** What git wrote to stdout; `undefined` if it said no. `input` goes to stdin. */
export const runGit = (folder: string, args: readonly string[], input?: string): Buffer | undefined => {
  const git = findProgram('git')
  if (git === undefined) {
    throw new UserError('git is not installed', {
      hint: 'name a folder of content instead, such as ../main/content',
    })
  }
  const { status, stdout, error } = spawnSync(git, [...safely, '-C', folder, ...args], {
    env: environment(),
    input,
    maxBuffer: Number.MAX_SAFE_INTEGER,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  if (error !== undefined) throw error
  return status === 0 ? stdout : undefined
}

/** A partial clone would fetch what is missing, and so run what its config names. */
const safely = ['--no-replace-objects', '-c', 'protocol.allow=never', '-c', 'core.fsmonitor=false']

/** What the user set for git in general, but not another repository. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_') || name.startsWith('GIT_CONFIG')),
  ),
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
})
