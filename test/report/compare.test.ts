import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSite } from '../../scripts/content/site.ts'
import { compare, type Served, type View } from '../../scripts/report/compare.ts'
import { review } from '../../scripts/report/review.ts'
import { rowsOf } from '../tables.ts'

/** A member as the API serves it; only some fields, which is enough to compare. */
const served = (shots: readonly string[]) => ({
  user: { id: '1', name: 'Example' } as unknown as Served['user'],
  shots: shots.map((shot) => {
    const [shotId, title = 'One', date = '2014'] = shot.split(':')
    return { id: shotId, title, date } as unknown as Served['shots'][number]
  }),
  aliases: [],
})

const view = (members: Readonly<Record<string, Served>>): View =>
  new Map(Object.entries(members))

const windowChange = (before: readonly string[], after: readonly string[]) =>
  compare(view({ ana: served(before) }), view({ ana: served(after) })).members.changed[0]
    ?.shots

test('the paths of the site itself come and go, too', () => {
  const sites = {
    base: toSite({ base_url: 'https://a.example', openapi: 'true', members: 'true' }),
    head: toSite({ base_url: 'https://a.example', members: 'true', all: 'true' }),
  }
  const { addresses } = compare(view({}), view({}), sites)
  expect(addresses).toEqual({ added: ['/api/all'], removed: ['/openapi.json'] })
})

test.each([
  ['di', 'add "aliases: [cy]" to the profile of di'],
  ['Cy', undefined],
])('an old name may be an alias of %s, unless they fold alike', (to, hint) => {
  const before = view({ cy: served([]) })
  const after = view({ [to]: served([]) })
  const found = review(
    { ...compare(before, after), before, after },
    { folderOf: String, now: '', newcomers: new Map() },
  )
  expect(found.map((one) => [one.code, one.hint])).toEqual([['address-gone', hint]])
})

test('a window tells what enters and leaves, by id as a number', () =>
  expect(windowChange(['9', '10', '8'], ['11', '100', '8'])).toMatchObject({
    entered: ['11', '100'],
    left: ['9', '10'],
    moved: [],
    changed: [],
  }))

test.each(
  rowsOf(`
    that moves, not those that make room → 1 2 3 4 → 4 1 2 3 → 4
    whose date changes, where any of two may have moved → 1 2 → 2::2015 1 → 2
    whose date changes, where any of two may have moved → 1 2 → 2 1::2013 → 1
    whose date changes, where any of two may have moved → 1 2 → 2::2016 1::2015 → 1
  `),
)('a window tells the one shot %s: %s, then %s', (_, before, after, moved) =>
  expect(windowChange(before.split(' '), after.split(' '))).toMatchObject({ moved: [moved] }),
)

test('applying what is told to the ids before gives the ids after', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 30 }).map(String), { maxLength: 15 })
  fc.assert(
    fc.property(ids, ids, (before, after) => {
      const told = windowChange(before, after)
      const { entered = [], left = [], moved = [] } = told ?? {}
      expect([...entered].sort()).toEqual(after.filter((id) => !before.includes(id)).sort())
      expect([...left].sort()).toEqual(before.filter((id) => !after.includes(id)).sort())
      const stay = (list: readonly string[]) =>
        list.filter((id) => before.includes(id) && after.includes(id) && !moved.includes(id))
      expect(stay(before)).toEqual(stay(after))
    }),
  )
})
