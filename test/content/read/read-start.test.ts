import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readStart } from '../../../scripts/content/read/read-file.ts'
import { sandbox } from '../../sandbox.ts'

test('of what is gone, or another thing by now, there is no beginning', () => {
  const root = sandbox({ 'file.yaml': 'id: 1\n' })
  fs.mkdirSync(path.join(root, 'folder'))
  const start = (below: string) => readStart(path.join(root, below), root, { length: 3 })?.toString()
  expect(start('file.yaml')).toBe('id:')
  for (const below of ['gone.yaml', 'file.yaml/below.yaml', 'folder'])
    expect(start(below), below).toBe(undefined)
})
