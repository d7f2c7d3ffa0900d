import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { startIn } from '../processes.ts'
import { readText, readTree, sandbox, type Tree } from '../sandbox.ts'
import { createRandom } from '../snapshot/random.ts'
import { times } from '../times.ts'
import { filesOf, published, snapshot } from './snapshots.ts'

/** Kills of a real deployment; DEPLOY_KILLS=100 for the full measure. */
const kills = Number(process.env.DEPLOY_KILLS ?? 2)
const seed = Number(process.env.SEED ?? 1)

vi.setConfig({ testTimeout: 120_000 + kills * 30_000 })

const members = (from: number, to: number, text: string) =>
  Object.fromEntries(times(to - from, (at) => [`m${100 + from + at}`, text.repeat(500)]))

/** Each adds members, changes some and removes some. */
const snapshots = [
  filesOf({ ...members(0, 30, 'one '), ...members(30, 50, 'same ') }),
  filesOf({
    ...members(10, 30, 'two '),
    ...members(30, 50, 'same '),
    ...members(50, 70, 'new '),
  }),
  filesOf({ ...members(10, 40, 'three '), ...members(40, 60, 'same ') }),
].map(published)

/** Every body that one of the snapshots has at a path. */
const bodies = new Map<string, Set<Tree[string]>>()
for (const files of snapshots) {
  for (const [file, text] of Object.entries(files))
    bodies.set(file, (bodies.get(file) ?? new Set()).add(text))
}

/** What a client of a folder gets at a path. */
const read = (file: string) => {
  try {
    return readText(file)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return
    throw error
  }
}

/** Reads over and over until it is told to stop, and keeps what no client may ever see. */
const startReader = (folder: string) => {
  const wrong: string[] = []
  let going = true
  let rounds = 0
  const reading = (async () => {
    for (; going; rounds++) {
      for (const [file, right] of bodies) {
        const body = read(`${folder}/${file}`)
        if (body !== undefined && !right.has(body))
          wrong.push(`${file}: a torn or foreign body of ${body.length} bytes`)
      }
      await sleep(2)
    }
  })()
  return async () => {
    going = false
    await reading
    return { wrong, rounds }
  }
}

test('killed at any moment, a deployment to a folder shows no client a torn body, and the next one completes it', async () => {
  const folder = sandbox({})
  const random = createRandom(seed)
  const outs = snapshots.map(({ SHA256SUMS: _, ...files }) => snapshot(files))
  const any = () => random.below(outs.length)
  const deploy = (at: number) => startIn('.', `deploy '${folder}' --out '${outs[at]}'`)
  const complete = async (at: number) => {
    const start = performance.now()
    const { status, stderr } = await deploy(at).ended
    expect([status, stderr], `after ${count} kills`).toEqual([0, ''])
    expect(readTree(folder)).toEqual(snapshots[at])
    return performance.now() - start
  }
  let count = 0
  let longest = await complete(0)
  const stop = startReader(folder)
  for (; count < kills; count++) {
    const { child, ended } = deploy(any())
    await Promise.race([sleep(random.below(Math.ceil(longest))), ended])
    child.kill('SIGKILL')
    await ended
    longest = Math.min(longest, await complete(any()))
  }
  const { wrong, rounds } = await stop()
  expect(wrong).toEqual([])
  expect(rounds).toBeGreaterThan(0)
})
