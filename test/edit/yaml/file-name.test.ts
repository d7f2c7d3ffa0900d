import { expect, test } from 'vitest'
import { shotFileName, slug, takenBy } from '../../../scripts/edit/write.ts'

test.each([
  ['Poster for a jazz night', 'poster-for-a-jazz-night'],
  ['  Crème brûlée!  ', 'creme-brulee'],
  ['ﬁne №5', 'fine-no5'],
  ['日本', ''],
  ['--', ''],
  [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
  ['İstanbul', 'istanbul'],
])('the slug of %j is %j', (title, wanted) => {
  expect(slug(title)).toBe(wanted)
})

test.each([
  ['Poster', [], 'poster.yaml'],
  ['Poster', ['poster.yaml'], 'poster-7.yaml'],
  ['Poster', ['Poster.YAML'], 'poster-7.yaml'],
  ['Poster', ['poster.yml', 'poster-7.yaml'], 'poster-7-2.yaml'],
  ['日本', [], '7.yaml'],
  ['Nul', [], 'nul-7.yaml'],
  ['com1', [], 'com1-7.yaml'],
] as const)('a shot %j beside %j is %j', (title, present, wanted) => {
  expect(shotFileName({ id: '7', title }, new Set(present.map(takenBy)))).toBe(wanted)
})
