import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { lock, resolveSnapshot } from '../../scripts/snapshot/folders.ts'
import { whileLocked } from '../../scripts/snapshot/prepare.ts'
import { isThere, makeFolder, namesIn, readText, sandbox, writeTree } from '../sandbox.ts'
import { site } from '../site.ts'
import { times } from '../times.ts'
import { buildIn, expectClean } from './building.ts'

/** How many processes take the lock and are killed; LOCKS=200 for the full measure. */
const processes = Number(process.env.LOCKS ?? 6)

vi.setConfig({ testTimeout: 60_000 + processes * 5_000 })

const onWait = () => {}

const hold = (out: string) =>
  lock(out, {
    onWait: () => {
      throw new Error('it waits')
    },
  })

/** The name of the lock file of a process on this machine, by that of one that holds the lock. */
const nameFor = async (folder: string, pid: number) => {
  const unlock = await hold(`${folder}/dist`)
  const [name] = namesIn(folder, '.shotpress/dist')
  unlock()
  return name!.replace(`-${process.pid}-`, `-${pid}-`)
}

/** The exit code of a script that stands beside this file; `null` if it was killed. */
const runScript = async (name: string, ...words: string[]) => {
  const command = ['--import', 'tsx', `test/snapshot/${name}`, ...words]
  const [code] = await once(spawn(process.execPath, command, { stdio: 'inherit' }), 'close')
  return code
}

it('never do two processes hold it, and none waits for a dead one', async () => {
  const folder = sandbox()
  const log = `${folder}/log`
  const run = () => runScript('hold-lock.mts', `${folder}/dist`, log, '30', '20')
  for (let done = 0; done < processes; done += 6) await Promise.all(times(6, run))
  let holder = ''
  const seen = new Set<string>()
  const killed = new Set<string>()
  for (const line of readText(log).trim().split('\n')) {
    const [name, does] = line.split(' ') as [string, string]
    if (does === 'leaves') expect(name, line).toBe(holder)
    // one that was killed while it held the lock says no more
    else if (holder !== '') killed.add(holder)
    expect(killed.has(name), line).toBe(false)
    seen.add(name)
    holder = does === 'holds' ? name : ''
  }
  expect(seen.size).toBe(Math.ceil(processes / 6) * 6)
  ;(await hold(`${folder}/dist`))()
  expect(fs.readdirSync(folder)).toEqual(['log'])
})

it('a build that removes the folder they share hinders none of another snapshot', async () => {
  const folder = sandbox()
  const outs = ['dist', 'other'].map((name) => `${folder}/${name}`)
  const codes = await Promise.all(outs.map((out) => runScript('lock-again.mts', out, '1000')))
  expect(codes).toEqual([0, 0])
  expect(fs.readdirSync(folder)).toEqual([])
})

it('a file of a dead process, of an earlier one with this number, or of another machine holds up nobody', async () => {
  const folder = sandbox()
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const own = `${folder}/.shotpress/dist`
  const names = [
    await nameFor(folder, pid),
    await nameFor(folder, process.pid),
    `lock-00000000-1-0badcafe`,
  ]
  fs.mkdirSync(own, { recursive: true })
  for (const name of names) writeTree(own, { [name]: '' })
  ;(await hold(`${folder}/dist`))()
  expect(fs.readdirSync(folder)).toEqual([])
})

it('builds with their state at different places wait for each other', async () => {
  const folder = sandbox(site)
  const unlock = await hold(`${folder}/dist`)
  const waiting = vi.fn()
  const states = [undefined, `${folder}/one`, `${folder}/other`]
  const builds = states.map((state) => buildIn(folder, { state, onWait: waiting }))
  await vi.waitFor(() => expect(waiting).toHaveBeenCalledTimes(3), 30_000)
  expect(isThere(folder, 'dist')).toBe(false)
  unlock()
  const results = await Promise.all(builds)
  expect(results.map(({ written }) => written).sort((a, b) => a - b)).toEqual([0, 0, 11])
  await expectClean(folder)
})

/** Two snapshots of one name, whose builds keep what they need in one place. */
const twoOfOneName = (folder: string) =>
  ['one', 'other'].map((name) => {
    makeFolder(folder, name)
    const at = { out: `${folder}/${name}/dist`, state: `${folder}/state` }
    return resolveSnapshot(at)
  })

it('builds of snapshots of one name wait for each other where their state is at one place', async () => {
  const steps: string[] = []
  const work = async () => {
    steps.push('begins')
    await setImmediate()
    steps.push('ends')
  }
  const both = twoOfOneName(sandbox()).map((folders) =>
    whileLocked(folders, { onWait }, work),
  )
  await Promise.all(both)
  expect(steps).toEqual(['begins', 'ends', 'begins', 'ends'])
})

it('a build that can’t remove what it staged keeps nobody waiting', async () => {
  const folder = sandbox()
  const [folders] = twoOfOneName(folder)
  const own = `${folder}/state/dist`
  const replace = () => {
    fs.rmSync(own, { recursive: true, force: true })
    makeFolder(folder, 'state')
    fs.symlinkSync(folder, own)
  }
  await expect(whileLocked(folders!, { onWait }, replace)).rejects.toThrow('is a link')
  ;(await hold(folders!.out))()
})
