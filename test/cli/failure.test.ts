import { afterEach, expect, test, vi } from 'vitest'
import { reportFailure } from '../../scripts/cli/failure.ts'
import { UserError } from '../../scripts/problems/user-error.ts'

/** What is written to stderr about an error. */
const report = (error: unknown): string => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  reportFailure(error, 'npm run build')
  return write.mock.calls.map(([text]) => text).join('')
}

afterEach(() => {
  vi.restoreAllMocks()
})

test("a user's error is its message and its hint", () => {
  const error = new UserError('the folder "x" is not there', { hint: 'name another with --content' })
  expect(report(error)).toBe('error: the folder "x" is not there\n  hint: name another with --content\n')
})

test("a user's error without a hint is one line, also with a cause", () => {
  expect(report(new UserError('the disk is full', { cause: new Error('ENOSPC') }))).toBe(
    'error: the disk is full\n',
  )
})

test('a defect shows what was thrown, whatever it is, line by line without control characters', () => {
  expect(report('thrown \u001b\ntext')).toMatch(
    /please report it with the lines below\nthrown \\u\{1b\}\ntext\n$/,
  )
})
