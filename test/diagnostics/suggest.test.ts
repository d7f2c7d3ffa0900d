import { expect, test } from 'vitest'
import { suggest } from '../../scripts/diagnostics/suggest.ts'

const keys = ['id', 'title', 'date', 'image', 'large_image', 'description', 'tags', 'totalFollowers']

test.each([
  ['a changed letter', 'titel', 'title'],
  ['a missing letter', 'desription', 'description'],
  ['an extra letter', 'tagss', 'tags'],
  ['another case', 'TITLE', 'title'],
  ['another joint', 'large-image', 'large_image'],
  ['words run together', 'largeImage', 'large_image'],
  ['swapped neighbours', 'iamge', 'image'],
])('finds the name behind %s', (_, name, found) => {
  expect(suggest(name, keys)).toBe(found)
})

test.each(['colour', 'x'.repeat(5000), 'username'])(
  'suggests nothing for what is like no name: %.10s',
  (name) => {
    expect(suggest(name, keys)).toBeUndefined()
  },
)
