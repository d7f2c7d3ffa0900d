import { expect, test } from 'vitest'
import { createChanges, many, merge, nothing, touchedBy } from '../../scripts/preview/touched.ts'

test.each([
  ['members/ana', 'ana'],
  ['members/ana/profile.yaml', 'ana'],
  ['members/ana/shots/one.yaml', 'ana'],
  ['members\\ana\\shots\\one.yaml', 'ana'],
])('%s touches its member alone', (file, username) => {
  expect(touchedBy(file)).toEqual(new Set([username]))
})

test.each(['site.yaml', 'members', '', 'README.md', 'old/members/ana'])('%j may touch anything', (file) => {
  expect(touchedBy(file)).toBe('all')
})

test('members add up, to all when they are many', () => {
  expect(merge(new Set(['a']), new Set(['b', 'a']))).toEqual(new Set(['a', 'b']))
  expect(merge(nothing, 'all')).toBe('all')
  expect(merge('all', new Set(['a']))).toBe('all')
  const crowd = new Set(Array.from({ length: many }, (_, number) => `m${number}`))
  expect(merge(crowd, nothing)).toEqual(crowd)
  expect(merge(crowd, new Set(['another']))).toBe('all')
})

test('changes of one burst come together, and once', async () => {
  const changes = createChanges()
  changes.add(new Set(['a']))
  const first = changes.next()
  changes.add(new Set(['b']))
  expect(await first).toEqual(new Set(['a', 'b']))
  const second = changes.next()
  changes.add(new Set(['c']))
  expect(await second).toEqual(new Set(['c']))
})
