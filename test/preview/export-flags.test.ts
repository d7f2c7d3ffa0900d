import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseHosts, resolveExport } from '../../scripts/preview/pages/export-pages.ts'
import { sandbox } from '../sandbox.ts'

test('--images takes hosts in any letter case, and none', () => {
  expect([...parseHosts('')]).toEqual([])
  expect([...parseHosts('CDN.example.com,images.example.org')]).toEqual([
    'cdn.example.com',
    'images.example.org',
  ])
})

test.each(['https://cdn.example.com', 'a b', 'cdn.example.com,', '*', "x;script-src 'self'", 'a/b'])(
  '--images refuses %j',
  (text) => {
    expect(() => parseHosts(text)).toThrow('--images takes names of hosts')
  },
)

test('--export takes a new folder, and an empty one', () => {
  const folder = sandbox()
  expect(resolveExport(path.join(folder, 'new'), [])).toBe(path.join(folder, 'new'))
  expect(resolveExport(folder, [])).toBe(folder)
})

test('--export refuses what holds something, is a file, or belongs to others', () => {
  const folder = sandbox()
  fs.writeFileSync(path.join(folder, 'file'), '')
  const refused = (name: string, others: readonly string[] = []) =>
    expect(() => resolveExport(path.join(folder, name), others))
  refused('.').toThrow('is there already')
  refused('file').toThrow('is there already')
  const others = [path.join(folder, 'content')]
  refused('content', others).toThrow('have their own folders')
  refused('content/pages', others).toThrow('have their own folders')
  expect(resolveExport(path.join(folder, 'content-pages'), others)).toBe(path.join(folder, 'content-pages'))
})
