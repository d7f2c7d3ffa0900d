import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { shotpress } from '../processes.ts'
import { sandbox } from '../sandbox.ts'
import { site } from '../site.ts'

test.each([
  ['./dist', 'the snapshot itself'],
  ['./dist/public', 'the snapshot itself'],
  ['./content', 'the content'],
  ['./content/members', 'the content'],
  ['./.shotpress/public', 'what builds keep'],
  ['.', 'the snapshot itself'],
])('refuses to publish into %s', (remote, what) => {
  const folder = sandbox(site)
  expect(shotpress(['build'], { cwd: folder }).status).toBe(0)
  const before = fs.readdirSync(folder, { recursive: true }).sort()
  const { status, stderr } = shotpress(['deploy', remote], { cwd: folder })
  expect(status).toBe(2)
  expect(stderr).toContain(`overlaps with ${what}`)
  expect(fs.readdirSync(folder, { recursive: true }).sort()).toEqual(before)
})

test('publishes into a folder beside them', () => {
  const folder = sandbox(site)
  shotpress(['build'], { cwd: folder })
  expect(shotpress(['deploy', './public'], { cwd: folder }).status).toBe(0)
  const sums = (name: string) => fs.readFileSync(path.join(folder, name, 'SHA256SUMS'), 'utf8')
  expect(sums('public')).toBe(sums('dist'))
})
