import { expect, test } from 'vitest'
import { createProgress } from '../../scripts/cli/progress.ts'

const clear = '\r\u001b[K'

/** A progress on a pretended terminal whose clock is set by hand. */
const staged = ({ isTTY = true, columns = 80, env = {} } = {}) => {
  const written: string[] = []
  let time = 0
  const stream = { isTTY, columns, write: (text: string) => written.push(text) }
  const progress = createProgress(stream, { env, now: () => time })
  return {
    written,
    end: progress.end,
    at: (moment: number, done: number, total = 1000) => {
      time = moment
      progress.update(done, total, 'members')
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

test('ending twice clears once', () => {
  const { at, end, written } = staged()
  at(1000, 1)
  end()
  end()
  expect(written).toHaveLength(2)
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
