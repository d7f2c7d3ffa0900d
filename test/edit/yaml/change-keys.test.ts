import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Data } from '../../../scripts/content/parse/data.ts'
import { parse } from '../../../scripts/content/parse/parse.ts'
import { changeKeys, type NewValues } from '../../../scripts/edit/change.ts'
import { texts } from '../../content/parse/mutate.ts'
import { anyFile, commentsIn } from './any-file.ts'

const change = (text: string, changes: NewValues, name: 'shot' | 'profile' = 'shot') =>
  changeKeys(text, changes, name)

const poster = [
  '# yaml-language-server: $schema=../../../../schemas/shot.schema.json',
  'id: 7   # the first',
  '',
  "title: 'Old title' # quoted",
  '# a day later than planned',
  'date: 2014-03-02',
  'image: a.png',
  'description: | # as told',
  '  One.',
  '',
  '  Two.',
  'tags:',
  '  - poster # best',
  '  # - print',
  'draft: true # for now',
  '# the end',
  '',
].join('\n')

test('a scalar is exchanged in its place, in its style', () => {
  expect(change(poster, { title: "Ana's", id: '8' }).text).toBe(
    poster.replace('Old title', "Ana''s").replace('id: 7', 'id: 8'),
  )
})

test('a key goes with its line, and leaves its comment', () => {
  expect(change(poster, { draft: undefined }).text).toBe(
    poster.replace('draft: true # for now', '# for now'),
  )
})

test('a new key comes where the schema has it', () => {
  expect(change(poster, { large_image: 'b.png', status: '1' }).text).toBe(
    poster
      .replace('image: a.png\n', 'image: a.png\nlarge_image: b.png\n')
      .replace('  # - print\n', '  # - print\nstatus: 1\n'),
  )
})

test('a list grows at its end, and keeps its comments', () => {
  expect(change(poster, { tags: ['poster', 'print'] }).text).toBe(
    poster.replace('# best\n', '# best\n  - print\n'),
  )
  expect(change('id: 1\ntags: [ a, b ] # two\n', { tags: ['a', 'b', 'c'] }).text).toBe(
    'id: 1\ntags: [ a, b, c ] # two\n',
  )
})

test('a value of several lines is written anew, its comments go above', () => {
  expect(change(poster, { description: 'Three.\n' }).text).toBe(
    poster.replace(
      'description: | # as told\n  One.\n\n  Two.\n',
      '# as told\ndescription: |\n  Three.\n',
    ),
  )
  expect(change(poster, { tags: ['print'] }).text).toBe(
    poster.replace(
      'tags:\n  - poster # best\n  # - print\n',
      '# best\ntags: [print]\n  # - print\n',
    ),
  )
})

test('a project is added as the others are written', () => {
  const text = 'id: 1\nname: A\nprojects:\n- id: 7\n  created: 2014-03-01\n'
  const projects = [
    { id: '7', created: '2014-03-01' },
    { id: '8', created: '2015-03-01 10:00:00' },
  ]
  expect(change(text, { projects }, 'profile').text).toBe(
    `${text}- id: 8\n  created: 2015-03-01 10:00:00\n`,
  )
  expect(change('id: 1\nname: A\n', { projects }, 'profile').text).toBe(
    'id: 1\nname: A\nprojects:\n  - id: 7\n    created: 2014-03-01\n  - id: 8\n    created: 2015-03-01 10:00:00\n',
  )
})

test('an empty value is filled in before its comment', () => {
  expect(change('id: 1\nbio: # later\nname: A\n', { bio: 'b' }, 'profile').text).toBe(
    'id: 1\nbio: b # later\nname: A\n',
  )
})

test('line ends and a missing last line end stay', () => {
  expect(change('id: 1\r\nname: A', { name: 'B', bio: 'one\ntwo' }, 'profile').text).toBe(
    'id: 1\r\nname: B\r\nbio: |-\r\n  one\r\n  two',
  )
})

test('a file in braces is changed as it is written', () => {
  const text = '{ name: A, # c\n  skills: [a], id: 1 }\n'
  expect(
    change(text, { name: 'B, C', skills: undefined, bio: 'x', location: 'z' }, 'profile').text,
  ).toBe('{ name: "B, C", # c\n  id: 1, location: z, bio: x }\n')
  expect(change('{ name: A, id: 2 }', { name: undefined, id: '1' }, 'profile').text).toBe(
    '{ id: 1 }',
  )
  const none = { name: undefined, bio: undefined }
  expect(change('{ id: 1, name: A, bio: b }', none, 'profile').text).toBe('{ id: 1 }')
  expect(change('{}', { name: 'A' }, 'profile').text).toBe('{name: A}')
})

test.each([
  ['a value that others refer to', 'id: 1\nname: &n A\nbio: *n\n', { name: 'B' }],
  ['a broken file', 'id: 1\nname: [', { name: 'B' }],
  ['a file with a key twice', 'id: 1\nid: 2\nname: A\n', { name: 'B' }],
])('%s is refused', (_, text, changes) => {
  expect(change(text, changes, 'profile').refused).toBeDefined()
})

const text = fc.oneof(
  fc.constantFrom(
    '',
    'A',
    'no',
    '1.0',
    'a # b',
    'one\ntwo\n',
    'one\n\n',
    ' x',
    '"',
    'ü: é',
    '- a',
    'a\r\nb',
  ),
  fc
    .string({ unit: 'grapheme', maxLength: 8 })
    .filter((one) => one.isWellFormed() && !one.includes('\0')),
)
const list = fc.array(text, { maxLength: 4 })
const written = texts(
  'A¦\'A\' # c¦"A"¦¦ # c¦[a, b] # c¦\n  - a # c\n  # d\n  - b¦\n- a¦|\n  one\n\n  two¦>- # c\n  one\n  two',
  '|+\n  one\n\n¦\n  A\n  B # c¦|2\n   one¦[]¦[\n  a, # c\n  b\n  ]¦&x A¦!!str A',
)
const keys = ['id', 'name', 'location', 'bio', 'skills', 'avatar', 'projects']

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
