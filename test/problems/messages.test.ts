import { expect, test } from 'vitest'
import { diagnose } from '../../scripts/problems/messages.ts'
import { at } from './example.ts'

test('a diagnostic takes the place, and no more of what it is given', () => {
  const node = { ...at(1, 2, 3), text: 'not a part of a place' }
  expect(diagnose('bad-id', node, { value: '007', advice: 'write id: 7' })).toEqual({
    severity: 'error',
    code: 'bad-id',
    message: '"007" is not an id',
    ...at(1, 2, 3),
    hint: 'write id: 7',
  })
})

test('a message has no related places where there are none', () => {
  expect(Object.keys(diagnose('merge-key', at(1, 1, 2), undefined))).not.toContain('related')
})

test('a value is shown printable', () => {
  const { message } = diagnose('bad-url', at(1, 1, 2), { value: '\u001b]0;owned\u0007', advice: '' })
  expect(message).toBe('"\\u{1b}]0;owned\\u{7}" is not a web address')
})
