import { expect, test } from 'vitest'
import { equality, type FieldFacts } from '../../scripts/import/prove/compare-field.ts'
import type { Said } from '../../scripts/import/read/said.ts'

const facts = (kind: FieldFacts['kind'], over: Partial<FieldFacts> = {}): FieldFacts => ({
  kind,
  fallback: '',
  counted: false,
  isAlias: false,
  ...over,
})
const text = (value: string): Said => ({ kind: 'text', text: value })

test.each<[string, Said, string, FieldFacts]>([
  ['number-for-string', { kind: 'number', text: '42' }, '42', facts('count')],
  ['null-as-empty', { kind: 'null' }, '', facts('text')],
  ['null-as-empty', { kind: 'null' }, '0', facts('count')],
  ['null-as-empty', { kind: 'null' }, '0000-00-00 00:00:00', facts('derived')],
  ['missing-as-default', { kind: 'missing' }, '2', facts('count', { fallback: '2' })],
  ['empty-as-zero', text(''), '0', facts('count')],
  ['asset-scheme', text('http://a.example.com/x'), 'https://a.example.com/x', facts('asset')],
  ['timestamp-form', text('2014-01-02T03:04:05Z'), '2014-01-02 03:04:05', facts('timestamp')],
  ['timestamp-form', text('2014-01-02'), '2014-01-02 00:00:00', facts('derived')],
  ['total-below-content', text('9'), '10', facts('total', { counted: true })],
  ['renamed-here', text('ana'), 'lima', facts('derived', { isAlias: true })],
])('%s explains %j, which becomes %j', (rule, said, ours, given) => {
  expect(equality(said, ours, given)).toBe(rule)
})

test.each<[Said, string, FieldFacts]>([
  [{ kind: 'null' }, '0', facts('text')],
  [{ kind: 'missing' }, '0', facts('text')],
  [{ kind: 'missing' }, '0', facts('count', { fallback: '2' })],
  [text(''), '0', facts('text')],
  [text('2014-01-02'), '2014-01-02 00:00:00', facts('name')],
  [text('https://a.example.com/x'), 'https://b.example.com/x', facts('asset')],
  [text(''), 'https://a.example.com/x', facts('asset')],
  [text('11'), '10', facts('total', { counted: true })],
  [text('-1'), '10', facts('total', { counted: true })],
  [text('9'), '10', facts('total')],
  [{ kind: 'other', json: 'true' }, '', facts('text')],
])('nothing explains %j, which becomes %j', (said, ours, given) => {
  expect(equality(said, ours, given)).toBeUndefined()
})
