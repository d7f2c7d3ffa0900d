import {
  type ChildProcess,
  type SpawnOptionsWithoutStdio,
  spawn,
  spawnSync,
} from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { wordsOf } from './words.ts'

export type Outcome = {
  /** The exit status, or the signal that ended it. */
  readonly status: number | NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * What an operator did wrong: status 2, nothing on stdout, a line and a hint on stderr, never
 * a stack.
 */
export const expectRefusal = (
  { status, stdout, stderr }: Outcome,
  message: string | RegExp,
) => {
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/^error: [^\n]+\n(?: {2}hint: [^\n]+\n)?$/)
  expect(stderr).toMatch(message)
}

type Surroundings = {
  /** Set besides what the tests have; `undefined` unsets. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Another user, which only root can choose. */
  readonly uid?: number
  /**
   * A module of the project that Node loads before the program, such as
   * `test/snapshot/kill-at.mjs`.
   */
  readonly preload?: string
  /** The folder of another installation. */
  readonly program?: string
}

/**
 * Runs a line in a folder, as npm does: `runIn(folder, 'build --out x')`. Its output goes to
 * pipes.
 */
export const runIn = (
  cwd: string,
  line: string,
  surroundings: Surroundings = {},
): Outcome => {
  const { words, options } = prepare(line, surroundings)
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    ...options,
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, stdout, stderr }
}

type Started = {
  readonly child: ChildProcess
  /** What it has printed so far. */
  readonly said: { stdout: string; stderr: string }
  readonly ended: Promise<Outcome>
}

/** Starts a line, and lets the test go on meanwhile; killed if it still runs when the test ends. */
export const startIn = (
  cwd: string,
  line: string,
  { stdin = '', ...surroundings }: Surroundings & { readonly stdin?: string } = {},
): Started => {
  const { words, options } = prepare(line, surroundings)
  const child = spawn(process.execPath, words, { ...options, cwd })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text
    })
  }
  child.stdin.end(stdin)
  const ended = new Promise<Awaited<Started['ended']>>((resolve) =>
    child.once('close', (code, signal) => resolve({ status: code ?? signal, ...said })),
  )
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, said, ended }
}

/** The project's, in which all tests run. */
const root = process.cwd()

const prepare = (
  line: string,
  { env = {}, preload, program = root, ...user }: Surroundings,
): { readonly words: string[]; readonly options: SpawnOptionsWithoutStdio } => ({
  words: [
    ...(preload === undefined
      ? []
      : ['--import', pathToFileURL(path.join(root, preload)).href]),
    path.join(program, 'scripts/run.cjs'),
    ...wordsOf(line),
  ],
  options: { ...user, env: { ...process.env, FORCE_COLOR: undefined, ...env } },
})

/** Asks again and again until the answer is the one that is waited for; fails after a minute. */
export const until = async <T>(
  question: () => T | Promise<T>,
  right: (answer: T) => boolean,
): Promise<T> => {
  const deadline = Date.now() + 60_000
  for (;;) {
    const answer = await question()
    if (right(answer)) return answer
    if (Date.now() > deadline)
      throw new Error(`waited for a minute; last: ${JSON.stringify(answer)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
