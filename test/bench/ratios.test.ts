import { expect, test } from 'vitest'
import { ratios } from '../../bench/ratios.ts'
import { median, table } from '../../bench/table.ts'

const walls = {
  'read in, copy out': 1000,
  'plain script': 2000,
  cold: 1500,
  'node -e 0': 50,
  'start without npm': 75,
  'start-up': 300,
  'git status': 50,
  'nothing changed': 400,
  'one shot edited': 410,
  'fresh clone': 600,
  'npx tsx -e 0': 400,
  'example site': 500,
}

const medians = Object.fromEntries(
  Object.entries(walls).map(([name, wall]) => [name, { wall, cpu: wall * (name === 'cold' ? 2 : 1) }]),
)

test('small changes are held against their floors without the start-up', () => {
  const values = ratios(medians, { members: 1000, corpus: false }).map(({ name, value }) => [name, value])
  expect(values).toEqual([
    ['cold', 1.5],
    ['cold', 0.75],
    ['cold', 1.5],
    ['start without npm', 1.5],
    ['nothing changed', 2],
    ['one shot edited', 1.1],
    ['fresh clone', 1.5],
    ['example site', 1.25],
  ])
})

test.each([
  [999, false, [undefined, 0.7, 0.95, 1.6, undefined, undefined, 2, 3]],
  [1000, false, [2, 0.7, 0.95, 1.6, undefined, undefined, 2, 3]],
  [10_000, false, [1.2, 0.45, 0.65, 1.6, 2, 1.2, 2, 3]],
  [1000, true, [1.5, 0.6, 0.95, 1.6, undefined, undefined, 2, 3]],
])('the limits depend on the size: %d members, corpus %s', (members, corpus, limits) => {
  expect(ratios(medians, { members, corpus }).map(({ limit }) => limit)).toEqual(limits)
})

test('a median is the middle one, or between the middle two', () => {
  expect([median([3, 10, 1]), median([4, 1, 2, 3]), median([7])]).toEqual([3, 2.5, 7])
})

test('a table sets columns right but for those named', () => {
  expect(
    table(
      ['', 'time'],
      [
        ['cold', '10 s'],
        ['a', '1 s'],
      ],
      [0],
    ),
  ).toBe('      time\ncold  10 s\na      1 s\n')
})
