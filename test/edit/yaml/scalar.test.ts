import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse as parseCore } from 'yaml'
import { parse } from '../../../scripts/content/parse/parse.ts'
import { writeScalar } from '../../../scripts/edit/write.ts'

const read = (text: string): unknown => parse({ file: 'a.yaml', text }).data

const pieces = [...'aÜ \n#:-"\'|[,\t\r\\1.', 'null']
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !text.includes('\0')),
  fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('')),
)
const styles = ['PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL'] as const

test('any text in any style reads as this text, here and in an editor', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(...styles), (text, style) => {
      const yaml = `a: ${writeScalar(text, { style })}\nb: end\n`
      expect(read(yaml)).toEqual({ a: text, b: 'end' })
      expect(parseCore(yaml)).toEqual({ a: text, b: 'end' })
    }),
    { numRuns: 300 },
  )
})

test('any text between brackets reads as this text, here and in an editor', () => {
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1 }), (texts) => {
      const yaml = `a: [${texts.map((text) => writeScalar(text, { flow: true })).join(', ')}]\n`
      expect(read(yaml)).toEqual({ a: texts })
      expect(parseCore(yaml)).toEqual({ a: texts })
    }),
    { numRuns: 150 },
  )
})

test.each([
  ['Poster for a jazz night', 'Poster for a jazz night'],
  ['Poster #1', 'Poster #1', '"Poster #1"'],
  ['Jazz: the sketch', 'Jazz: the sketch', '"Jazz: the sketch"'],
  ['https://a.example/#x', 'https://a.example/#x'],
  ['2014-03-02 18:30:00', '2014-03-02 18:30:00'],
  ['1.50', '1.50', '"1.50"'],
  ['yes', 'yes', '"yes"'],
  ['007', '007', '"007"'],
  ['@ana', '@ana', '"@ana"'],
  ['', '', '""'],
  ['a\u200bb', 'a\u200bb', '"a\\u200Bb"'],
])('%j is written as people write it', (text, _, written = text) => {
  expect(writeScalar(text)).toBe(written)
})

test('a number stays plain where the schema knows numbers', () => {
  expect(writeScalar('42', { schema: { type: ['string', 'integer'] } })).toBe('42')
  expect(writeScalar('42')).toBe('"42"')
  expect(writeScalar('true', { schema: { type: ['boolean', 'string'] } })).toBe('true')
})

test('text of several lines goes below a bar', () => {
  expect(writeScalar('one\n\ntwo\n')).toBe('|\n  one\n\n  two')
  expect(writeScalar('one\ntwo')).toBe('|-\n  one\n  two')
})

test('a style is kept where it can say the new text', () => {
  expect(writeScalar("it's", { style: 'QUOTE_SINGLE' })).toBe("'it''s'")
  expect(writeScalar('one\ntwo', { style: 'QUOTE_DOUBLE' })).toBe('"one\\ntwo"')
  expect(writeScalar('one', { style: 'BLOCK_FOLDED' })).toBe('|-\n  one')
})
