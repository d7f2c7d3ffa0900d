import { expect, test } from 'vitest'
import { summary } from '../../scripts/problems/diagnostic.ts'
import { at, problem } from './example.ts'

const error = problem(at(1, 1, 2))
const warning = problem(at(1, 1, 2, 'content/b.yaml'), { severity: 'warning' })

test.each([
  [[error], '1 error in 1 file'],
  [[error, error], '2 errors in 1 file'],
  [[warning], '1 warning in 1 file'],
  [[error, error, error, warning], '3 errors, 1 warning in 2 files'],
])('counts errors, warnings and files (%#)', (diagnostics, text) => {
  expect(summary(diagnostics)).toBe(text)
})
