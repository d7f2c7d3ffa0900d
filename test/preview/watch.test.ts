import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { merge, nothing, type Touched, watchContent } from '../../scripts/preview/watch.ts'
import { isLinux, onLinux } from '../posix.ts'
import { sandbox, type Tree, writeTree } from '../sandbox.ts'
import { content, profile } from './previewing.ts'

const watch = () => {
  const folder = sandbox(content)
  const watcher = watchContent(path.join(folder, 'content'))
  onTestFinished(() => watcher.close())
  watcher.renew('all')
  let heard: Touched = nothing
  return {
    folder,
    watcher,
    write: (tree: Tree) => writeTree(folder, tree),
    /** What was touched, once it is what is waited for; all is forgotten then. */
    hearing: async (what: Touched) => {
      do heard = merge(heard, await watcher.next())
      while (
        what === 'all' ? heard !== 'all' : heard !== 'all' && ![...what].every((name) => has(heard, name))
      )
      expect(heard).toEqual(what)
      heard = nothing
    },
  }
}

const has = (touched: Touched, name: string): boolean => touched === 'all' || touched.has(name)

test('members add up, to all when they are many', () => {
  expect(merge(new Set(['a']), new Set(['b', 'a']))).toEqual(new Set(['a', 'b']))
  expect(merge(nothing, 'all')).toBe('all')
  const crowd = new Set(Array.from({ length: 200 }, (_, number) => `m${number}`))
  expect(merge(crowd, nothing)).toEqual(crowd)
  expect(merge(crowd, new Set(['another']))).toBe('all')
})

test('changes of one burst come together, and once', async () => {
  const { watcher } = watch()
  watcher.add(new Set(['a']))
  const first = watcher.next()
  watcher.add(new Set(['b']))
  expect(await first).toEqual(new Set(['a', 'b']))
  const second = watcher.next()
  watcher.add(new Set(['c']))
  expect(await second).toEqual(new Set(['c']))
})

test('a folder that comes later is watched from its renewal on', async () => {
  const { write, hearing, watcher } = watch()
  write({ 'content/members/ana/shots/old/one.yaml': '' })
  await hearing(new Set(['ana']))
  watcher.renew(new Set(['ana']))
  write({ 'content/members/ana/shots/old/one.yaml': 'id: 1' })
  await hearing(new Set(['ana']))
}, 90_000)

test('no link is followed', async () => {
  const { folder, write, hearing, watcher } = watch()
  const elsewhere = path.join(folder, 'elsewhere')
  fs.mkdirSync(elsewhere)
  fs.symlinkSync(elsewhere, path.join(folder, 'content/members/link'), 'junction')
  await hearing(new Set(['link']))
  watcher.renew(new Set(['link']))
  write({ 'elsewhere/file.yaml': 'id: 1\n' })
  write({ [profile('ana')]: 'id: 1\nname: Anna\n' })
  await hearing(new Set(['ana']))
}, 90_000)

test.runIf(isLinux)(
  onLinux('all is looked at again and again where watches are used up', 'a limit of watches'),
  async () => {
    const spy = vi.spyOn(fs, 'watch').mockImplementation(() => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'watch' })
    })
    onTestFinished(() => spy.mockRestore())
    const { hearing } = watch()
    await hearing('all')
    await hearing('all')
  },
  90_000,
)
