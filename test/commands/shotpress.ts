import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
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

/** Runs one of the commands as npm does, in any folder: `shotpress(['build', '--out', 'x'])`. Its output goes to pipes. */
export const shotpress = (
  [verb, ...args]: readonly string[],
  { cwd = root, env = {}, ...user }: Surroundings = {},
): Outcome => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...commandOf(verb!), ...args], {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
    ...user,
    env: { ...process.env, FORCE_COLOR: undefined, ...env },
  })
  return { status, stdout, stderr }
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What package.json gives to node for a command, with absolute paths. */
const commandOf = (verb: string): readonly string[] => {
  const { scripts } = JSON.parse(fs.readFileSync(`${root}package.json`, 'utf8'))
  const [node, ...words]: readonly string[] = scripts[verb].split(' ')
  if (node !== 'node') throw new Error(`package.json starts ${verb} with ${node}`)
  return words.map((word) =>
    word === 'tsx' ? import.meta.resolve(word) : word.startsWith('scripts/') ? root + word : word,
  )
}
