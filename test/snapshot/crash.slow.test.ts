import fs from 'node:fs'
import { expect, it, vi } from 'vitest'
import type { Shard } from '../../scripts/snapshot/shard.ts'
import { isPosix } from '../posix.ts'
import { startIn } from '../processes.ts'
import { namesIn, readTree, removeFrom, sandbox, type Tree, writeTree } from '../sandbox.ts'
import { manyMembers, profileYaml, shotYaml, site, siteWith } from '../site.ts'
import { buildIn, built, cleanBuild } from './building.ts'
import { canMount, mount, needsMount } from './mount.ts'
import { createRandom } from './random.ts'

/** Kills at random moments; KILLS=200 for the full measure. */
const kills = Number(process.env.KILLS ?? 5)
/** Every how many calls a build is killed; EVERY=1 for all. */
const every = Number(process.env.EVERY ?? 8)

vi.setConfig({ testTimeout: 300_000 + kills * 10_000 + 1_200_000 / every })

/** What the second build of the site has to do: add, change and remove. */
const change = (folder: string) => {
  writeTree(folder, {
    'content/members/ana/profile.yaml': profileYaml(1, 'Changed'),
    'content/members/ana/shots/three.yaml': shotYaml(13, 'Third', 3),
    'content/members/cy/profile.yaml': profileYaml(3),
  })
  removeFrom(folder, 'content/members/bo')
}

/**
 * Every file is wholly the old or the new one; an empty list says whose folder it is, and a
 * part comes from another disk.
 */
const expectWhole = (tree: Tree, old: Tree, next: Tree) => {
  for (const [file, text] of Object.entries(tree)) {
    const isWhole = text !== '' && !/(?:\/|\.part)$/.test(file)
    if (isWhole) expect([old[file], next[file]], file).toContain(text)
  }
}

const expectClean = (folder: string) =>
  expect(namesIn(folder, '.shotpress/dist')).toEqual(['state'])

const inPlaceOfAnEmptyDisk = `the first build of a shard, at an empty disk${needsMount}`

/** A site that is to be built for the first time, or once more. */
const prepare = async (what: string) => {
  if (what === 'the first build') return sandbox(site)
  if (what === inPlaceOfAnEmptyDisk) {
    const folder = sandbox(site)
    // it can't be replaced as a whole
    mount(`${folder}/dist`)
    return folder
  }
  const folder = await built()
  change(folder)
  return folder
}

const run = async (folder: string, killAt: number, shard: Shard | undefined) => {
  const { ended } = startIn(folder, shard ? 'build --shard 1/1' : 'build', {
    preload: 'test/snapshot/kill-at.mjs',
    env: { KILL_AT: String(killAt) },
  })
  const { status, stderr } = await ended
  return { signal: status, calls: Number(stderr) }
}

it.each(['the first build', 'a later build', ...(canMount ? [inPlaceOfAnEmptyDisk] : [])])(
  'a build that dies at any step leaves what the next command makes whole: %s',
  async (what) => {
    const shard = what === inPlaceOfAnEmptyDisk ? { index: 1, count: 1 } : undefined
    const { calls } = await run(await prepare(what), -1, shard)
    expect(calls).toBeGreaterThan(20)
    for (let killAt = 0; killAt < calls; killAt += every) {
      const folder = await prepare(what)
      const old = readTree(folder, 'dist')
      const next = await cleanBuild(folder, { shard })
      expect((await run(folder, killAt, shard)).signal).toBe(isPosix ? 'SIGKILL' : 1)
      expectWhole(readTree(folder, 'dist'), old, next)
      await buildIn(folder, { shard })
      expect(readTree(folder, 'dist'), `killed at call ${killAt}`).toEqual(next)
      expectClean(folder)
    }
  },
)

it('a build that dies at a random moment, with threads, leaves what the next command makes whole', async () => {
  const folder = sandbox(siteWith(manyMembers))
  const random = createRandom(1)
  let died = 0
  /** Milliseconds that a build takes: a kill comes within them. */
  let length = 2000
  for (let count = 0; count < kills; count++) {
    if (random.below(4) === 0)
      fs.rmSync(`${folder}/${random.pick(['dist', '.shotpress'])}`, {
        recursive: true,
        force: true,
      })
    for (let edits = random.below(60); edits >= 0; edits--) {
      const member = 1 + random.below(manyMembers)
      writeTree(folder, {
        [`content/members/m${member}/profile.yaml`]: profileYaml(
          member,
          `Name ${random.below(1e9)}`,
        ),
      })
    }
    const old = readTree(folder, 'dist')
    const next = await cleanBuild(folder)
    const { child, ended } = startIn(folder, 'build')
    const start = performance.now()
    const timer = setTimeout(() => child.kill('SIGKILL'), random.below(length))
    const { status } = await ended
    clearTimeout(timer)
    if (status === 'SIGKILL') died++
    else length = Math.ceil(performance.now() - start)
    expectWhole(readTree(folder, 'dist'), old, next)
    await buildIn(folder)
    expect(readTree(folder, 'dist'), `kill ${count}`).toEqual(next)
    expectClean(folder)
  }
  expect(died).toBeGreaterThan(0)
})
