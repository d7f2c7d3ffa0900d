import path from 'node:path'
import { expect, test } from 'vitest'
import { createFolderStore } from '../../scripts/deploy/store/folder.ts'
import { readTree, sandbox } from '../sandbox.ts'

test('a file of the snapshot that is gone by now is named, and nothing is published', async () => {
  const folder = sandbox({ 'dist/a.json': '{}', list: 'a.json\nb.json\n' })
  const store = createFolderStore(path.join(folder, 'out'))
  const shipment = { from: path.join(folder, 'dist'), list: path.join(folder, 'list'), headers: {} }
  await expect(store.prepare([shipment])).rejects.toThrow('"b.json" is gone from the snapshot')
  store.close()
  expect(readTree(path.join(folder, 'out'))).toEqual({})
})
