import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { startShotpress } from '../processes.ts'
import { readTree, sandbox } from '../sandbox.ts'
import { manyMembers, membersTree, siteYaml } from '../site.ts'

/** So many members that another thread takes part. */
const makeSite = () => sandbox({ 'content/site.yaml': siteYaml, ...membersTree(manyMembers) })

type Refusal = { readonly call: string; readonly thread: 'main' | 'other'; readonly below: string }

/** Runs a command while the machine refuses it calls to files below a folder. */
const run = async (
  verb: string,
  folder: string,
  { call, thread, below }: Refusal,
): Promise<string> => {
  const preload = pathToFileURL(path.resolve('test/snapshot/refuse-calls.mjs'))
  const { ended } = startShotpress([verb], {
    cwd: folder,
    env: {
      CALL: call,
      THREAD: thread,
      FOLDER: path.join(folder, below),
      MARK: `${folder}/refused`,
      // for the threads too
      NODE_OPTIONS: `--import=${preload} --unhandled-rejections=strict`,
    },
  })
  const { status, stderr } = await ended
  return `${stderr}exit ${status}`
}

const inBoth = (call: string, below: string): Refusal[] => [
  { call, thread: 'main', below },
  { call, thread: 'other', below },
]
const reading = [
  { call: 'readFileSync+readSync', thread: 'main', below: 'content/site.yaml' },
  ...['readFileSync+readSync', 'readdirSync', 'lstatSync'].flatMap((call) =>
    inBoth(call, 'content/members/'),
  ),
] as const
const writing = [
  ...['openSync', 'writeFileSync'].flatMap((call) => inBoth(call, '.shotpress/dist/stage')),
  ...['mkdirSync', 'renameSync'].map(
    (call) => ({ call, thread: 'main', below: '.shotpress' }) as const,
  ),
] as const

/** One line that says what happened, and a hint. */
const inTwoLines = /^error: .*permission denied.*\n {2}hint: .*\nexit 2$/

/** Every how many cases one is tried; EVERY=1 for all. */
const every = Number(process.env.EVERY ?? 4)

const cases = [
  ...[...reading, ...writing].map((refusal) => ({ verb: 'build', ...refusal })),
  ...reading.map((refusal) => ({ verb: 'check', ...refusal })),
]

/** The first case that is tried: by default what another thread may not read. */
const first = Math.min(2, every - 1)

it.each(cases.filter((_, number) => number % every === first))(
  '$verb ends in words when $call is refused below $below in the $thread thread',
  async ({ verb, ...refusal }) => {
    const folder = makeSite()
    expect(await run(verb, folder, refusal)).toMatch(inTwoLines)
    expect(fs.existsSync(`${folder}/refused`)).toBe(true)
    // an empty list may say whose folder it is
    const published = Object.entries(readTree(path.join(folder, 'dist'))).filter(
      ([, text]) => text.length > 0,
    )
    expect(published).toEqual([])
  },
  120_000,
)
