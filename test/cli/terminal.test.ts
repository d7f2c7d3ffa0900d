import { expect, test } from 'vitest'
import { columnsOf, isInteractive, wantsColor } from '../../scripts/cli/terminal.ts'

const terminal = { isTTY: true }
const pipe = {}

test.each([
  ['a terminal', terminal, {}, true],
  ['a pipe', pipe, {}, false],
  ['a dumb terminal', terminal, { TERM: 'dumb' }, false],
  ['a terminal with NO_COLOR', terminal, { NO_COLOR: '1' }, false],
  ['a terminal with an empty NO_COLOR', terminal, { NO_COLOR: '' }, true],
  ['a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, true],
  ['a pipe with an empty FORCE_COLOR', pipe, { FORCE_COLOR: '' }, true],
  ['a terminal with FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
  ['a pipe with both', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('%s decides about colours', (_, stream, env, colored) => {
  expect(wantsColor(stream, env)).toBe(colored)
})

test.each([
  ['a terminal', terminal, {}, true],
  ['a pipe', pipe, {}, false],
  ['a dumb terminal', terminal, { TERM: 'dumb' }, false],
  ['a terminal in CI', terminal, { CI: 'true' }, false],
  ['a terminal with CI=false', terminal, { CI: 'false' }, true],
])('%s decides about redrawn lines', (_, stream, env, interactive) => {
  expect(isInteractive(stream, env)).toBe(interactive)
})

test('without a known width, 80 columns are assumed', () => {
  expect([columnsOf({ columns: 120 }), columnsOf({ columns: 0 }), columnsOf({})]).toEqual([120, 80, 80])
})
