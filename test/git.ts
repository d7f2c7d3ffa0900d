import { execFileSync } from 'node:child_process'
import { wordsOf } from './words.ts'

/** Runs a line of git in a folder, without the user's settings; what it printed. */
export const git = (folder: string, line: string, input = '') => {
  const settings = {
    'user.name': 'test',
    'user.email': 'test@example.com',
    'init.defaultBranch': 'main',
    'gc.auto': '0',
    'core.quotePath': 'false',
  }
  const given = Object.entries(settings).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  return execFileSync('git', ['-C', folder, ...given, ...wordsOf(line)], {
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    input,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/**
 * Commits all that a folder holds, also if that is nothing new; the first time it becomes a
 * repository.
 */
export const commitAll = (folder: string, flags = '') => {
  git(folder, 'init -q')
  git(folder, 'add -A')
  git(folder, `commit -qm 'A change' --allow-empty ${flags}`)
}
