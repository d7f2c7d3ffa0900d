import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { content, profile, startPreview } from './previewing.ts'

type Refusal = { readonly call: string; readonly below: string }

/** Starts the preview while the machine refuses it calls to files below a folder; from the time that a file is there, if `later`. */
const start = ({ call, below }: Refusal, { later }: { readonly later: boolean }) => {
  const preload = pathToFileURL(path.resolve('test/snapshot/refuse-calls.mjs'))
  return startPreview(content, {
    env: (folder) => ({
      CALL: call,
      THREAD: 'main',
      FOLDER: path.join(folder, below),
      MARK: `${folder}/refused`,
      ...(later && { WHEN: `${folder}/later` }),
      NODE_OPTIONS: `--import=${preload} --unhandled-rejections=strict`,
    }),
  })
}

/** Every how many cases one is tried; EVERY=1 for all. */
const every = Number(process.env.EVERY ?? 6)

const calls = {
  'content/members/': 'readFileSync+readSync lstatSync',
  'content/site.yaml': 'readFileSync+readSync lstatSync',
  '.shotpress':
    'mkdirSync openSync writeFileSync renameSync futimesSync rmSync+rmdirSync closeSync+fstatSync',
  'dist/': 'openSync readdirSync lstatSync mkdirSync',
}
const cases: readonly Refusal[] = Object.entries(calls)
  .flatMap(([below, calls]) => calls.split(' ').map((call) => ({ call, below })))
  .filter((_, number) => number % every === 0)

test.each(cases)(
  'the preview ends in words, or shows the site, when $call is refused below $below at its start',
  async (refusal) => {
    const { ended, said, saying, kill } = await start(refusal, { later: false })
    const alive = await Promise.race([ended.then(() => false), saying('Ctrl-C').then(() => true)])
    if (alive) kill('SIGINT')
    expect(await ended).toBe(alive ? 0 : 2)
    if (!alive) expect(said.stderr).toMatch(/^error: .*\n {2}hint: .*\n$/)
    expect(said.stderr).not.toMatch(/^ +at /m)
  },
  120_000,
)

test.each(cases)(
  'the preview stays, and follows again, when $call is refused below $below for a while',
  async (refusal) => {
    const { folder, write, get, saying, ended, said, kill } = await start(refusal, { later: true })
    await saying('Ctrl-C')
    fs.writeFileSync(`${folder}/later`, '')
    write({ [profile('ana')]: 'id: 1\nname: Changed\n' })
    await expect.poll(() => fs.existsSync(`${folder}/refused`), { timeout: 30_000 }).toBe(true)
    expect((await get('http', '/'))?.status).toBeDefined()
    fs.rmSync(`${folder}/later`)
    write({ [profile('bo')]: 'id: 3\nname: Bo\n' })
    await expect
      .poll(async () => (await get('http', '/api/username/bo'))?.status, { timeout: 30_000 })
      .toBe(200)
    kill('SIGINT')
    expect(await ended).toBe(0)
    expect(said.stderr).not.toMatch(/^ +at /m)
  },
  120_000,
)
