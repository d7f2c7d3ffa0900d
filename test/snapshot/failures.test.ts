import { describe, expect, it } from 'vitest'
import { isPosix, onPosix } from '../posix.ts'
import { expectRefusal, runIn, startIn } from '../processes.ts'
import { namesIn, readTree, removeFrom, sandbox, writeTree } from '../sandbox.ts'
import { profileYaml, shotYaml, site } from '../site.ts'
import { buildIn, built, cleanBuild, expectClean } from './building.ts'
import { canMount, mount, needsMount } from './mount.ts'

describe.runIf(isPosix)(onPosix('a build that is told to end'), () => {
  const run = async (folder: string, at: number, signal: string) => {
    const { ended } = startIn(folder, 'build', {
      preload: 'test/snapshot/signal-at.mjs',
      env: { AT: String(at), SIGNAL: signal },
    })
    return (await ended).status
  }

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ])('in its commit (%s) finishes that first', async (signal, status) => {
    const folder = await built()
    writeTree(folder, { 'content/members/ana/profile.yaml': profileYaml(1, 'Changed') })
    expect(await run(folder, 1, signal)).toBe(status)
    await expectClean(folder)
    expect(namesIn(folder, '.shotpress/dist')).toEqual(['state'])
  })
})

it.runIf(canMount)(
  `a disk that is full leaves the old snapshot, and what the next build completes${needsMount}`,
  async () => {
    const folder = sandbox(site)
    mount(`${folder}/disk`, '1m')
    const out = `${folder}/disk/dist`
    await buildIn(folder, { out })
    const before = readTree(out)
    const large = `${shotYaml(31)}description: ${'x'.repeat(600_000)}\n`
    writeTree(folder, {
      'content/members/ana/shots/large.yaml': large,
      'content/members/bo/profile.yaml': profileYaml(2, 'Changed'),
    })
    await expect(buildIn(folder, { out })).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(readTree(out)).toEqual(before)
    removeFrom(folder, 'content/members/ana/shots/large.yaml')
    await buildIn(folder, { out })
    expect(readTree(out)).toEqual(await cleanBuild(folder))
  },
)

it.runIf(canMount)(
  `a full disk is named, not the one with what comes there${needsMount}`,
  () => {
    const folder = sandbox(site)
    mount(`${folder}/disk`, '40k')
    expectRefusal(runIn(folder, 'build --out disk'), `is full: ${folder}/disk/`)
  },
)
