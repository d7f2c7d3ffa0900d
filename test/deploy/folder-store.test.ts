import { expect, test } from 'vitest'
import { createFolderStore, createRcloneStore } from '../../scripts/deploy/store.ts'
import { readTree, sandbox } from '../sandbox.ts'

test('a file of the snapshot that is gone by now is named, and nothing is published', async () => {
  const folder = sandbox({ 'dist/a.json': '{}' })
  const store = createFolderStore(`${folder}/out`)
  const batch = { paths: ['a.json', 'b.json'], headers: {} }
  await expect(store.upload(`${folder}/dist`, [batch])).rejects.toThrow(
    '"b.json" is gone from the snapshot',
  )
  store.close()
  expect(readTree(folder, 'out')).toEqual({})
})

test('a folder of the name that a list gives to a file stays', async () => {
  const folder = sandbox({ 'out/404.json/mine.txt': 'x', 'out/405.json': '{}' })
  const store = createFolderStore(`${folder}/out`)
  await store.remove(['404.json', '405.json'])
  store.close()
  expect(readTree(folder, 'out')).toEqual({ '404.json/mine.txt': 'x' })
})

test.each([
  [':local:/srv/www', {}],
  ['disk:/srv/www', { RCLONE_CONFIG_DISK_TYPE: 'local' }],
])(
  'a remote of rclone that is a folder here is refused, as it would follow links: %s',
  (remote, env) =>
    expect(() => createRcloneStore(remote, { own: '/tmp', env })).toThrow(
      'is a folder of this machine',
    ),
)
