import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from '../../../scripts/content/parse/parse.ts'
import { tidy } from '../../../scripts/edit/yaml/tidy.ts'
import { readCases } from '../../cases.ts'
import { texts } from '../../tables.ts'
import { anyFile, commentsIn } from './any-file.ts'

test.each(readCases('test/edit/yaml/tidied.txt'))('%s', (_, before, after) =>
  expect(tidy(before.text, 'profile').text).toBe(after.text),
)

test('an alias that would come before its anchor is refused, and said', () => {
  expect(tidy('name: &n A\nid: 1\nlocation: *n\n', 'profile').text).toBeDefined()
  expect(tidy('bio: &b A\nname: *b\nid: 1\n', 'profile').refused).toBe(
    'an alias would come before its anchor',
  )
})

const values = {
  id: ['1', '"2" # c', '3   '],
  title: texts(`A¦'A' # c¦|-\n  a\n\n  # b¦>\n  a\n  b`),
  date: ['2014-03-02', '2014-03-02 18:30:00 # c'],
  image: ['a.png', '\n  a.png', '"a.png"'],
  description: texts('|\n  one\n\n  two¦"one\n  two" # c¦|+\n  one\n¦>-\n  one¦ # c¦&d x'),
  tags: texts('[a, b]¦\n  - a # c\n  # d\n  - b¦\n- a¦[\n  a, # c\n  b\n  ]¦[]'),
  draft: ['true', 'false # c'],
  other: ['x'],
}

test('any order of any file says the same when tidied, has its comments, and is tidy then', () => {
  let refused = 0
  fc.assert(
    fc.property(anyFile(values), (before) => {
      const { text } = tidy(before, 'shot')
      if (text === undefined) {
        refused++
        return
      }
      expect(parse({ file: '', text }).data).toEqual(parse({ file: '', text: before }).data)
      expect(commentsIn(text)).toEqual(commentsIn(before))
      expect(tidy(text, 'shot').text).toBe(text)
    }),
    { numRuns: Number(process.env.TIDY_RUNS ?? 300) },
  )
  expect(refused).toBeLessThan(60)
})
