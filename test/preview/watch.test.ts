import fs from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { merge, type Touched, watchContent } from '../../scripts/preview/watch.ts'
import { isLinux, onLinux } from '../posix.ts'
import { sandbox, type Tree, writeTree } from '../sandbox.ts'
import { content, profile } from './previewing.ts'

const watch = () => {
  const folder = sandbox(content)
  const watcher = watchContent(`${folder}/content`)
  onTestFinished(() => watcher.close())
  watcher.renew(undefined)
  let heard: Touched = new Set()
  return {
    folder,
    watcher,
    write: (tree: Tree) => writeTree(folder, tree),
    /** What was touched, once it is what is waited for; all is forgotten then. */
    hearing: async (what: Touched) => {
      do heard = merge(heard, await watcher.next())
      while (heard && !(what && [...what].every((name) => heard?.has(name))))
      expect(heard).toEqual(what)
      heard = new Set()
    },
  }
}

test('changes of one burst come together, and once', async () => {
  const { watcher, write } = watch()
  write({ [profile('ana')]: 'id: 1\nname: A\n', [profile('b.c')]: 'id: 2\nname: B\n' })
  expect(await watcher.next()).toEqual(new Set(['ana', 'b.c']))
  write({ [profile('b.c')]: 'id: 2\nname: C\n' })
  expect(await watcher.next()).toEqual(new Set(['b.c']))
}, 90_000)

test('a folder that comes later is watched from its renewal on', async () => {
  const { write, hearing, watcher } = watch()
  write({ 'content/members/ana/shots/old/one.yaml': '' })
  await hearing(new Set(['ana']))
  watcher.renew(new Set(['ana']))
  write({ 'content/members/ana/shots/old/one.yaml': 'id: 1' })
  await hearing(new Set(['ana']))
}, 90_000)

test.runIf(isLinux)(
  onLinux('all is looked at again and again where watches are used up', 'a limit of watches'),
  async () => {
    const spy = vi.spyOn(fs, 'watch').mockImplementation(() => {
      throw Object.assign(new Error('no space left on device'), {
        code: 'ENOSPC',
        syscall: 'watch',
      })
    })
    onTestFinished(() => spy.mockRestore())
    const { hearing } = watch()
    await hearing(undefined)
    await hearing(undefined)
  },
  90_000,
)
