import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { inCi } from '../posix.ts'
import { startShotpress } from '../processes.ts'
import { sandbox, type Tree } from '../sandbox.ts'
import { createRandom } from '../snapshot/random.ts'
import { settingsFor, startPlainStore } from './plain-store.ts'
import { filesOf, published, snapshot } from './snapshots.ts'

/** Kills of a real deployment to each remote; DEPLOY_KILLS=100 for the full measure. */
const kills = Number(process.env.DEPLOY_KILLS ?? 2)
const seed = Number(process.env.SEED ?? 1)

vi.setConfig({ testTimeout: 120_000 + kills * 30_000 })

const hasRclone = inCi || fs.existsSync('/usr/bin/rclone')

const members = (from: number, to: number, text: string) =>
  Object.fromEntries(
    Array.from({ length: to - from }, (_, at) => [`m${100 + from + at}`, text.repeat(500)]),
  )

/** Each adds members, changes some and removes some. */
const snapshots = [
  filesOf({ ...members(0, 30, 'one '), ...members(30, 50, 'same ') }),
  filesOf({ ...members(10, 30, 'two '), ...members(30, 50, 'same '), ...members(50, 70, 'new ') }),
  filesOf({ ...members(10, 40, 'three '), ...members(40, 60, 'same ') }),
].map(published)

/** Every body that one of the snapshots has at a path. */
const bodies = new Map<string, Set<Tree[string]>>()
for (const files of snapshots) {
  for (const [file, text] of Object.entries(files))
    bodies.set(file, (bodies.get(file) ?? new Set()).add(text))
}

/** A remote as its readers see it. */
type Readable = {
  readonly name: string
  readonly read: (file: string) => string | undefined
  /** Every file that is there. */
  readonly list: () => readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Reads over and over until it is told to stop, and keeps what no client may ever see. */
const startReader = ({ read }: Readable) => {
  const wrong: string[] = []
  let going = true
  let rounds = 0
  const look = (file: string): void => {
    const body = read(file)
    if (body === undefined) return
    if (!bodies.get(file)!.has(body))
      wrong.push(`${file}: a torn or foreign body of ${body.length} bytes`)
  }
  const reading = (async () => {
    for (; going; rounds++) {
      for (const file of bodies.keys()) look(file)
      await sleep(2)
    }
  })()
  return async (): Promise<{ readonly wrong: readonly string[]; readonly rounds: number }> => {
    going = false
    await reading
    return { wrong, rounds }
  }
}

const expectPublished = ({ read, list }: Readable, at: number): void => {
  const held = Object.fromEntries(list().map((file) => [file, read(file)]))
  expect(held).toEqual(snapshots[at])
}

/** Deployments of random snapshots, each killed at a random moment, each followed by one of any snapshot. */
const killAndComplete = async (remote: Readable): Promise<void> => {
  const random = createRandom(seed)
  const outs = snapshots.map(({ SHA256SUMS: _, ...files }) => snapshot(files))
  const any = (): number => random.below(outs.length)
  const deploy = (at: number) =>
    startShotpress(['deploy', remote.name, '--out', outs[at]!], { env: remote.env ?? {} })
  const complete = async (at: number): Promise<number> => {
    const start = performance.now()
    const { status, stderr } = await deploy(at).ended
    expect([status, stderr], `after ${count} kills`).toEqual([0, ''])
    expectPublished(remote, at)
    return performance.now() - start
  }
  let count = 0
  let longest = await complete(0)
  const stop = startReader(remote)
  for (; count < kills; count++) {
    const { child, ended } = deploy(any())
    await Promise.race([sleep(random.below(Math.ceil(longest))), ended])
    child.kill('SIGKILL')
    await ended
    // what is under way in rclone ends soon after
    if (remote.env !== undefined) await sleep(300)
    longest = Math.min(longest, await complete(any()))
  }
  const { wrong, rounds } = await stop()
  expect(wrong).toEqual([])
  expect(rounds).toBeGreaterThan(0)
}

test('killed at any moment, a deployment to a folder shows no client a torn body, and the next one completes it', async () => {
  const folder = sandbox({})
  const read = (file: string): string | undefined => {
    try {
      return fs.readFileSync(path.join(folder, file), 'utf8')
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
        return undefined
      throw error
    }
  }
  const list = (): readonly string[] =>
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => fs.statSync(path.join(folder, file)).isFile())
      .map((file) => file.replaceAll(path.sep, '/'))
  await killAndComplete({ name: folder, read, list })
})

test.skipIf(!hasRclone)(
  `the same of a store that rclone writes to${hasRclone ? '' : ' (skipped: apt-get install rclone)'}`,
  async () => {
    const store = await startPlainStore()
    try {
      const key = (file: string): string => `bucket/${file}`
      await killAndComplete({
        name: 'store:bucket',
        read: (file) => store.objects.get(key(file)),
        list: () => [...store.objects.keys()].map((name) => name.slice(key('').length)),
        env: settingsFor(store, path.join(sandbox({ 'rclone.conf': '' }), 'rclone.conf')),
      })
    } finally {
      await store.close()
    }
  },
)
