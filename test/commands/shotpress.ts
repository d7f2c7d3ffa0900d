import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type Outcome = { readonly status: number | null; readonly stdout: string; readonly stderr: string }

export type Surroundings = {
  /** The working directory; the project's root if absent. */
  readonly cwd?: string
  /** Set besides what the tests have; `undefined` unsets. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Another user, which only root can choose. */
  readonly uid?: number
}

/** Runs one of the commands as a process: `shotpress(['build', '--out', 'x'])`. Its output goes to pipes. */
export const shotpress = (
  [verb, ...args]: readonly string[],
  { cwd = root, env = {}, ...user }: Surroundings = {},
): Outcome => {
  const script = fileURLToPath(new URL(`../../scripts/${verb}.ts`, import.meta.url))
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), script, ...args],
    {
      cwd,
      encoding: 'utf8',
      timeout: 60_000,
      ...user,
      env: { ...process.env, FORCE_COLOR: undefined, ...env },
    },
  )
  return { status, stdout, stderr }
}

const root = fileURLToPath(new URL('../../', import.meta.url))
