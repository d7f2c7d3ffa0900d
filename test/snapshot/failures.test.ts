import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isPosix, onPosix } from '../posix.ts'
import { startShotpress } from '../processes.ts'
import { readTree, sandbox, writeTree } from '../sandbox.ts'
import { manyMembers, membersTree, profileYaml, siteYaml } from '../site.ts'
import { buildIn, built, cleanBuild } from './building.ts'

afterEach(() => vi.restoreAllMocks())

/** So many members that threads are worth their start. */
const largeSite = () => sandbox({ 'content/site.yaml': siteYaml, ...membersTree(manyMembers) })

it('a failure in this thread alone ends the others', async () => {
  const folder = largeSite()
  const open = fs.openSync
  vi.spyOn(fs, 'openSync').mockImplementation(((file: fs.PathLike, ...rest: [never, never]) => {
    if (/[\\/]stage[\\/]/.test(String(file))) {
      throw Object.assign(new Error('ENOSPC: refused'), { code: 'ENOSPC', syscall: 'open' })
    }
    return open(file, ...rest)
  }) as never)
  await expect(buildIn(folder)).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(fs.readdirSync(folder)).toEqual(['content'])
})

it('a failure to read site.yaml leaves no thread behind', async () => {
  const folder = largeSite()
  const read = fs.readFileSync
  vi.spyOn(fs, 'readFileSync').mockImplementation(((file: fs.PathLike, ...rest: [never]) => {
    if (String(file).endsWith('site.yaml'))
      throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
    return read(file, ...rest)
  }) as never)
  await expect(buildIn(folder)).rejects.toMatchObject({ name: 'UserError' })
})

describe.runIf(isPosix)(onPosix('a build that is told to end'), () => {
  const run = async (folder: string, at: number, signal: string) => {
    const { ended } = startShotpress(['build'], {
      cwd: folder,
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
    expect(readTree(path.join(folder, 'dist'))).toEqual(await cleanBuild(folder))
    expect(fs.readdirSync(path.join(folder, '.shotpress/dist'))).toEqual(['state'])
  })
})
