import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../scripts/diagnostics/user-error.ts'

/** A process: the program, then its arguments. */
export type Process = { readonly command: readonly string[]; readonly cwd?: string }

/** The project's folder. */
export const project = fileURLToPath(new URL('..', import.meta.url))

/** Runs a process to its end; the milliseconds that it took as a whole. */
export const time = ({ command, cwd = project }: Process): number => {
  const begin = performance.now()
  run({ command, cwd })
  return performance.now() - begin
}

/** Runs a process to its end; what it printed. */
export const run = ({ command, cwd = project }: Process, env: NodeJS.ProcessEnv = {}): string => {
  const [program, ...args] = command
  const { status, signal, stdout, stderr, error } = spawnSync(program!, args, {
    cwd,
    env: { ...environment(), ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  if (error !== undefined || status !== 0) {
    if (signal !== null) throw new UserError(`"${command.join(' ')}" was ended by ${signal}`)
    const said = (error?.message ?? (stderr.trim() || stdout.trim())).split('\n').slice(-5)
    throw new UserError(`"${command.join(' ')}" failed`, { hint: `it said: ${said.join(' / ')}` })
  }
  return stdout
}

/** Waits until the disk has what was written, so that nothing measured pays for what came before. */
export const settle = (): void => {
  run({ command: ['sync'] })
}

/** A build as people start it. */
export const build = (content: string, out: string): Process => ({
  command: ['npm', 'run', '-s', 'build', '--', '--content', content, '--out', out],
})

/** The most memory that a build held at once, in bytes: a run of its own, so that measuring costs the times nothing. */
export const peakOfBuild = (content: string, out: string): number => {
  const file = join(tmpdir(), `shotpress-peak-${process.pid}`)
  const required = ['--require', 'tsx/cjs', '--require', join(project, 'bench/peak.ts')]
  const options = ['--content', content, '--out', out]
  const command = [process.execPath, ...required, 'scripts/run.cjs', 'build', ...options]
  run({ command }, { SHOTPRESS_PEAK_FILE: file })
  const bytes = Number(readFileSync(file, 'utf8'))
  rmSync(file)
  return bytes
}

/** Without what `npm run bench` hands down, and without the user's git settings: they change what is measured. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
})
