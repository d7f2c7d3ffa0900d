import { expect, test } from 'vitest'
import { type OnProgress, wantsColor, withProgress } from '../../scripts/cli/output.ts'
import { rowsOf } from '../tables.ts'
import { times } from '../times.ts'

test.each(
  rowsOf(`
    terminal → {} → true
    pipe → {} → false
    terminal → { "NO_COLOR": "1" } → false
    pipe → { "FORCE_COLOR": "1" } → true
    terminal → { "FORCE_COLOR": "0" } → false
    pipe → { "FORCE_COLOR": "1", "NO_COLOR": "1" } → false
  `),
)('a %s with %s decides about colours: %s', (stream, env, colored) => {
  const isTTY = stream === 'terminal' || undefined
  expect(`${wantsColor({ isTTY }, JSON.parse(env))}`).toBe(colored)
})

const clear = '\r\u001b[K'

/** What work that tells of itself at these milliseconds writes to a pretended terminal. */
const written = async (
  told: readonly (readonly [ms: number, done: number, total?: number])[],
  { isTTY = true, columns = 80, env = {} } = {},
) => {
  const texts: string[] = []
  let time = 0
  const stream = { isTTY, columns, write: (text: string) => texts.push(text) }
  const work = async (onProgress: OnProgress) => {
    for (const [ms, done, total = 1000] of told) {
      time = ms
      onProgress(done, total)
    }
  }
  await withProgress('members', work, { stream, env, now: () => time })
  return texts
}

const eachMs = (count: number) => times(count, (ms) => [ms, ms] as const)

test('work of less than half a second shows nothing, longer work a line that is drawn ten times a second', async () => {
  expect(await written(eachMs(500))).toEqual([])
  expect(await written(eachMs(2500))).toHaveLength(20 + 1)
  expect(await written([[500, 250]])).toEqual([
    `${clear}━━━━━───────────────  25%  250 of 1,000 members`,
    clear,
  ])
})

test.each(
  rowsOf(`
    a total of nothing → 0 → 0 → 80 → ────────────────────   0%  0 of 0 members
    more than there should be → 7 → 5 → 80 → ━━━━━━━━━━━━━━━━━━━━ 100%  7 of 5 members
    a narrow terminal → 1 → 1000 → 29 → ────────────────────   0%  1
  `),
)(
  'the line shows a sensible share, and never wraps: %s',
  async (_, done, total, columns, line) => {
    const told = [[1000, Number(done), Number(total)]] as const
    const [shown] = await written(told, { columns: Number(columns) })
    expect(shown).toBe(clear + line)
  },
)

test.each([
  ['a pipe', { isTTY: false }, 0],
  ['a dumb terminal', { env: { TERM: 'dumb' } }, 0],
  ['CI', { env: { CI: 'true' } }, 0],
  ['a terminal with CI=false', { env: { CI: 'false' } }, 2],
])('%s sees the line or nothing', async (_, options, count) =>
  expect(await written([[1000, 1]], options)).toHaveLength(count),
)
