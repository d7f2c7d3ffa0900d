import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { wrap } from '../../scripts/text/cells.ts'

test('breaks between words, and inside one that is longer than a line', () =>
  expect(wrap('go see https://example.com now', 10)).toEqual([
    'go see',
    'https://ex',
    'ample.com',
    'now',
  ]))

test('counts columns, not characters, and never parts a character', () => {
  expect(wrap('日本語日本語', 5)).toEqual(['日本', '語日', '本語'])
  expect(wrap('👩‍👩‍👧👩‍👩‍👧', 3)).toEqual(['👩‍👩‍👧', '👩‍👩‍👧'])
})

test('keeps every word, in lines that fit', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'é', '日', '🎨', '.'),
    minLength: 1,
    maxLength: 30,
  })
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1 }),
      fc.integer({ min: 10, max: 40 }),
      (words, room) => {
        const lines = wrap(words.join(' '), room)
        expect(lines.join('').replaceAll(' ', '')).toBe(words.join(''))
        expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(room)
      },
    ),
  )
})
