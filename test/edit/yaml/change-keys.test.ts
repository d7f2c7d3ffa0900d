import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Data } from '../../../scripts/content/parse/data.ts'
import { parse } from '../../../scripts/content/parse/parse.ts'
import { changeKeys, type NewValues } from '../../../scripts/edit/yaml/change.ts'
import { readCases } from '../../cases.ts'
import { rowsOf, texts } from '../../tables.ts'
import { anyFile, commentsIn } from './any-file.ts'

const change = (text: string, changes: NewValues, name: 'shot' | 'profile' = 'shot') =>
  changeKeys(text, changes, name)

test.each(readCases('test/edit/yaml/changes.txt'))('%s', (_, before, after) => {
  // null takes a key out
  const changes = Object.entries(JSON.parse(after.label) as Record<string, Data | null>)
  const values = Object.fromEntries(changes.map(([key, value]) => [key, value ?? undefined]))
  expect(change(before.text, values, before.label as 'shot').text).toBe(after.text)
})

test.each(
  rowsOf(`
    a value that others refer to → id: 1⏎name: &n A⏎bio: *n⏎
    a broken file → id: 1⏎name: [
    a file with a key twice → id: 1⏎id: 2⏎name: A⏎
  `),
)('%s is refused', (_, text) =>
  expect(change(text, { name: 'B' }, 'profile').refused).toBeDefined(),
)

const text = fc.oneof(
  fc.constantFrom(...texts('¦A¦no¦1.0¦a # b¦one\ntwo\n¦one\n\n¦ x¦"¦ü: é¦- a¦a\r\nb')),
  fc
    .string({ unit: 'grapheme', maxLength: 8 })
    .filter((one) => one.isWellFormed() && !one.includes('\0')),
)
const list = fc.array(text, { maxLength: 4 })
const written = texts(
  'A¦\'A\' # c¦"A"¦¦ # c¦[a, b] # c¦\n  - a # c\n  # d\n  - b¦\n- a¦|\n  one\n\n  two¦>- # c\n  one\n  two',
  '|+\n  one\n\n¦\n  A\n  B # c¦|2\n   one¦[]¦[\n  a, # c\n  b\n  ]¦&x A¦!!str A',
)
const keys = texts('id¦name¦location¦bio¦skills¦avatar¦projects')

test('what was asked for changes, all else stays, or it is refused', () => {
  const file = anyFile(Object.fromEntries(keys.map((key) => [key, written])))
  const changes = fc.dictionary(
    fc.constantFrom(...keys),
    fc.option(fc.oneof(text, list), { nil: undefined }),
    { maxKeys: 3 },
  )
  let refused = 0
  fc.assert(
    fc.property(file, changes, (before, wanted) => {
      const data = parse({ file: '', text: before }).data as Record<string, Data>
      const edited = change(before, wanted, 'profile')
      if (edited.refused !== undefined) {
        refused++
        return
      }
      const after = parse({ file: '', text: edited.text })
      const expected = Object.entries({ ...data, ...wanted }).filter(
        ([, value]) => value !== undefined,
      )
      expect(after.problems).toEqual([])
      expect({ ...(after.data as object) }).toEqual(Object.fromEntries(expected))
      expect(commentsIn(edited.text)).toEqual(commentsIn(before))
    }),
    { numRuns: 300 },
  )
  expect(refused).toBeLessThan(30)
})
