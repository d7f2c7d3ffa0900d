import { expect, test, vi } from 'vitest'
import { sandbox } from '../sandbox.ts'
import { site } from '../site.ts'
import { buildIn } from './building.ts'

// a folder that is a link for a moment leads elsewhere, where something is gone when the link is
vi.mock('../../scripts/content/read/read-file.ts', async (original) => ({
  ...(await original<typeof import('../../scripts/content/read/read-file.ts')>()),
  enterUnproved: () => {
    throw Object.assign(new Error('secret'), {
      code: 'ENOENT',
      syscall: 'scandir',
      path: '/elsewhere/secret',
    })
  },
}))

test('a listing that is not proved and fails is made again with proof, and tells nothing', async () => {
  const folder = sandbox(site)
  await buildIn(folder)
  expect(await buildIn(folder)).toMatchObject({ diagnostics: [], compiled: 2, written: 0, removed: 0 })
})
