import fc from 'fast-check'
import { expect, test } from 'vitest'
import { json } from '../../scripts/problems/json.ts'
import { at, problem } from './example.ts'

test('problems are sorted by file, line and column', () => {
  const places = [at(1, 1, 2, 'b'), at(10, 1, 2, 'a'), at(9, 2, 3, 'a'), at(9, 1, 3, 'a')]
  const sorted = JSON.parse(json(places.map((place) => problem(place)))) as (typeof places)[number][]
  expect(sorted.map((one) => `${one.file}:${one.line}:${one.column}`)).toEqual([
    'a:9:1',
    'a:9:2',
    'a:10:1',
    'b:1:1',
  ])
})

test('whatever the text, it reads back the same, and nothing in it acts on a terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (message) => {
      const output = json([problem(at(1, 1, 2, message), { message, hint: message })])
      expect(JSON.parse(output)).toMatchObject([{ message, file: message, hint: message }])
      expect(output.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u)
    }),
  )
})
