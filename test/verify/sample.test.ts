import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sample } from '../../scripts/verify/snapshot.ts'
import { times } from '../times.ts'

const usernames = fc
  .uniqueArray(fc.stringMatching(/^[a-z][a-z.]{0,8}[a-z]$/), { minLength: 1 })
  .map((names) => names.sort())

test('a sample holds the extremes, keeps the order, and has the size that was asked for', () =>
  fc.assert(
    fc.property(usernames, fc.integer({ min: 5, max: 60 }), fc.nat(), (names, size, at) => {
      const withoutShots = names[at % names.length]!
      const chosen = sample(names, { size, withoutShots })
      const longest = Math.max(...names.map((name) => name.length))
      expect(chosen).toEqual(names.filter((name) => chosen.includes(name)))
      expect(chosen).toHaveLength(Math.min(size, names.length))
      expect(chosen).toContain(names[0])
      expect(chosen).toContain(names.at(-1))
      expect(chosen).toContain(withoutShots)
      expect(chosen.some((name) => name.length === longest)).toBe(true)
      expect(chosen.some((name) => name.includes('.'))).toBe(
        names.some((name) => name.includes('.')),
      )
    }),
  ))

test('a small sample is the extremes alone', () => {
  const names = times(100, (i) => `m${100 + i}`)
  expect(sample(names, { size: 1, withoutShots: 'm150' })).toEqual(['m100', 'm150', 'm199'])
})
