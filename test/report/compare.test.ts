import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Served, View } from '../../scripts/report/compare.ts'
import { compare } from '../../scripts/report/compare.ts'
import { outline } from '../../scripts/report/outline.ts'

/** A member as the API serves it; only some fields, which is enough to compare. */
const served = (id: string, shots: readonly string[] = [], more: Record<string, string> = {}): Served => ({
  user: { id, name: 'Example', ...more } as unknown as Served['user'],
  shots: shots.map((shot) => {
    const [shotId, title = 'One', date = '2014'] = shot.split(':')
    return { id: shotId, title, date } as unknown as Served['shots'][number]
  }),
  aliases: [],
})

const view = (members: Readonly<Record<string, Served>>): View => new Map(Object.entries(members))

const windowChange = (before: readonly string[], after: readonly string[]) =>
  compare(view({ ana: served('1', before) }), view({ ana: served('1', after) })).members.changed[0]?.shots

describe('members', () => {
  test('that are the same on both sides are not told', () => {
    const side = view({ ana: served('1', ['7']) })
    expect(compare(side, side)).toEqual({
      members: { added: [], removed: [], renamed: [], changed: [] },
      addresses: { added: [], removed: [] },
    })
  })

  test('the paths of the site itself come and go, too', () => {
    const sites = {
      base: { openapi: true, members: true },
      head: { openapi: false, members: true, all: true },
    }
    const difference = compare(view({}), view({}), sites)
    expect(difference.addresses).toEqual({ added: ['/api/all'], removed: ['/openapi.json'] })
    const { summary } = outline({ base: 'main', head: 'content', ...difference, warnings: [] })
    expect(summary).toBe('no member changes, but addresses do')
  })

  test('come and go, with their addresses, sorted by code unit', () => {
    const { members, addresses } = compare(
      view({ b: served('1'), a: served('2') }),
      view({ Z: served('3'), _: served('4') }),
    )
    expect(members).toMatchObject({ added: ['Z', '_'], removed: ['a', 'b'], renamed: [] })
    expect(addresses).toEqual({
      added: ['/api/username/Z', '/api/username/_'],
      removed: ['/api/username/a', '/api/username/b'],
    })
  })

  test('with the same id under another name are renamed, neither added nor removed', () => {
    const { members } = compare(view({ old: served('1') }), view({ new: served('1') }))
    expect(members).toEqual({ added: [], removed: [], renamed: [{ from: 'old', to: 'new' }], changed: [] })
  })

  test('who take the name of somebody who was renamed are new', () => {
    const { members } = compare(view({ ana: served('1') }), view({ ana: served('2'), lena: served('1') }))
    expect(members).toMatchObject({ added: ['ana'], removed: [], renamed: [{ from: 'ana', to: 'lena' }] })
  })

  test('who keep their name and change their id are changed', () => {
    const { members } = compare(view({ ana: served('1') }), view({ ana: served('2') }))
    expect(members).toMatchObject({ added: [], removed: [], renamed: [] })
    expect(members.changed[0]!.profile).toEqual({ id: { before: '1', after: '2' } })
  })

  test('answer at their aliases too', () => {
    const after = view({ ana: { ...served('1'), aliases: ['old'] } })
    expect(compare(view({ ana: served('1') }), after).addresses.added).toEqual(['/api/username/old'])
  })
})

describe('a window', () => {
  test('tells what enters and leaves, by id as a number', () => {
    expect(windowChange(['9', '10', '8'], ['11', '100', '8'])).toMatchObject({
      entered: ['11', '100'],
      left: ['9', '10'],
      moved: [],
      changed: [],
    })
  })

  test('tells the one shot that moves, not those that make room', () => {
    expect(windowChange(['1', '2', '3', '4'], ['4', '1', '2', '3'])).toMatchObject({ moved: ['4'] })
  })

  test('tells the shot whose date changes, where any of two may have moved', () => {
    expect(windowChange(['1', '2'], ['2::2015', '1'])).toMatchObject({ moved: ['2'] })
    expect(windowChange(['1', '2'], ['2', '1::2013'])).toMatchObject({ moved: ['1'] })
    expect(windowChange(['1', '2'], ['2::2016', '1::2015'])).toMatchObject({ moved: ['1'] })
  })

  test('tells changed fields of shots that stay', () => {
    expect(windowChange(['1:One'], ['1:Two'])!.changed).toEqual([
      { id: '1', fields: { title: { before: 'One', after: 'Two' } } },
    ])
  })
})

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
