import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../scripts/problems/user-error.ts'
import { median } from './table.ts'

/** A process: the program, then its arguments. */
export type Process = { readonly command: readonly string[]; readonly cwd?: string }

/** The project's folder. */
export const project = fileURLToPath(new URL('..', import.meta.url))

/** Milliseconds that a process took as a whole: on the clock, and of all processors. */
export type Taken = { readonly wall: number; readonly cpu: number }

/** Of each kind of time the median. */
export const medianOf = (times: readonly Taken[]): Taken => ({
  wall: median(times.map(({ wall }) => wall)),
  cpu: median(times.map(({ cpu }) => cpu)),
})

/** Runs a process to its end. */
export const time = ({ command, cwd = project }: Process, env: NodeJS.ProcessEnv = {}): Taken => {
  const begin = performance.now()
  const said = run({ command: ['sh', '-c', '"$@" > /dev/null && times', 'times', ...command], cwd }, env)
  return { wall: performance.now() - begin, cpu: cpuIn(said) }
}

/** What the shell's `times` prints last is the user and system time of its children: `0m1.230s 0m0.450s`. */
const cpuIn = (text: string): number =>
  [
    ...text
      .trim()
      .split('\n')
      .at(-1)!
      .matchAll(/(\d+)m([\d.]+)s/g),
  ].reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0)

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

/** The yardstick, started as a build is; see plain.mjs. */
export const plain = (content: string, out: string): Process => ({
  command: ['npm', 'run', '-s', 'bench:plain', '--', content, out],
})

/** The most memory that a build held at once, in bytes: a run of its own, so that measuring costs the times nothing. */
export const peakOfBuild = (content: string, out: string): number =>
  peakOf(['scripts/run.cjs', 'build', '--content', content, '--out', out])

export const peakOfPlain = (content: string, out: string): number => peakOf(['bench/plain.mjs', content, out])

/** The most memory that a program of ours held at once, in bytes. */
const peakOf = (program: readonly string[]): number => timeAndPeakOf(program).peak

/** What a program of ours took, and the most memory that it held at once, in bytes. */
export const timeAndPeakOf = (program: readonly string[]): Taken & { readonly peak: number } => {
  const file = join(tmpdir(), `shotpress-peak-${process.pid}`)
  const command = [process.execPath, '--require', join(project, 'bench/peak.cjs'), ...program]
  const taken = time({ command }, { SHOTPRESS_PEAK_FILE: file })
  const peak = Number(readFileSync(file, 'utf8'))
  rmSync(file)
  return { ...taken, peak }
}

/** Without what `npm run bench` hands down, and without the user's git settings: they change what is measured. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
})
