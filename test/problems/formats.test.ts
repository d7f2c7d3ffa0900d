import { expect, test } from 'vitest'
import { formats } from '../../scripts/problems/formats.ts'
import { at, problem } from './example.ts'

const surroundings = { source: () => undefined, color: false, columns: 80 }

test.each([
  ['pretty', ''],
  ['github', ''],
  ['lines', ''],
  ['json', '[]\n'],
] as const)('%s says of nothing what its readers expect', async (name, text) => {
  expect(await formats[name]([], surroundings)).toBe(text)
})

test.each([
  ['pretty', /^error: something is wrong \[blank\]\n/],
  ['github', /^::error file=content\/a\.yaml,/],
  ['lines', /^content\/a\.yaml:1:1: error: something is wrong \[blank\]\n$/],
  ['json', /^\[\n\{"severity":"error",/],
] as const)('%s shows a problem in its own way', async (name, pattern) => {
  expect(await formats[name]([problem(at(1, 1, 2))], surroundings)).toMatch(pattern)
})
