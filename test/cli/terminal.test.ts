import { expect, test } from 'vitest'
import { columnsOf, createProgress, isInteractive, wantsColor } from '../../scripts/cli/terminal.ts'

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

const clear = '\r\u001b[K'

/** A progress on a pretended terminal whose clock is set by hand. */
const staged = ({ isTTY = true, columns = 80, env = {} } = {}) => {
  const written: string[] = []
  let time = 0
  const stream = { isTTY, columns, write: (text: string) => written.push(text) }
  const progress = createProgress('members', { stream, env, now: () => time })
  return {
    written,
    end: progress.end,
    at: (moment: number, done: number, total = 1000) => {
      time = moment
      progress.update(done, total)
    },
  }
}

test('work of less than half a second shows nothing, not even at its end', () => {
  const { at, end, written } = staged()
  for (let time = 0; time < 500; time += 10) at(time, time)
  end()
  expect(written).toEqual([])
})

test('longer work shows one line, which goes away at the end', () => {
  const { at, end, written } = staged()
  at(500, 250)
  end()
  end()
  expect(written).toEqual([`${clear}━━━━━───────────────  25%  250 of 1,000 members`, clear])
})

test('the line is drawn at most ten times a second', () => {
  const { at, written } = staged()
  for (let time = 0; time < 2500; time++) at(time, time)
  expect(written).toHaveLength(20)
})

test('the line never wraps on a narrow terminal', () => {
  const { at, written } = staged({ columns: 29 })
  at(1000, 1)
  expect(written).toEqual([`${clear}────────────────────   0%  1`])
})

test.each([
  ['a total of nothing', 0, 0, '   0%  0 of 0'],
  ['more than there should be', 7, 5, ' 100%  7 of 5'],
])('%s shows a sensible share', (_, done, total, text) => {
  const { at, written } = staged()
  at(1000, done, total)
  expect(written[0]).toContain(text)
})

test.each([
  ['a pipe', { isTTY: false }],
  ['CI', { env: { CI: 'true' } }],
])('%s sees nothing', (_, options) => {
  const { at, end, written } = staged(options)
  at(1000, 1)
  end()
  expect(written).toEqual([])
})
