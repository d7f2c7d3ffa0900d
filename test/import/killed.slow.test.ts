import { expect, test } from 'vitest'
import { killedAt } from '../edit/killing.ts'
import { sandbox } from '../sandbox.ts'
import { contentOf, importFrom } from './importing.ts'
import { type Legacy, legacyMember, legacyShot, shotsOf } from './legacy.ts'

/** At every how many steps an import is killed; EVERY=1 for all. */
const every = Number(process.env.EVERY ?? 4)

const site = (ana: readonly number[], bo: readonly number[], title = 'Shot 3') => ({
  ana: legacyMember('ana', 1, {
    shots: ana.map((id) => legacyShot(id, 1, id === 3 ? { title } : {})).reverse(),
  }),
  bo: legacyMember('bo', 2, { shots: shotsOf(2, bo) }),
})

const before = site([1, 2, 3, 4, 5], [11, 12])
// a draft, a new title, a new shot, a shot that moves
const after = site([1, 3, 4, 6], [5, 11, 12], 'New')

/** Imports each in turn; the last is killed at a step, and run again. */
const endOf = async (legacies: readonly Legacy[], last: number) => {
  const folder = sandbox()
  const run = (legacy: Legacy) => importFrom(legacy, folder, { names: ['ana', 'bo'] })
  for (const legacy of legacies.slice(0, -1)) await run(legacy)
  const died = await killedAt(last, () => run(legacies.at(-1)!))
  await run(legacies.at(-1)!)
  // who made a draft may be forgotten
  const files = Object.entries(contentOf(folder)).filter(
    ([file]) => !file.endsWith('import.json'),
  )
  return { died, content: Object.fromEntries(files) }
}

test.each([
  ['the first import', [before]],
  ['one that makes a draft and moves a shot', [before, after]],
])(
  'killed before any step on the disk, %s comes to the same end',
  { timeout: 120_000 },
  async (_, legacies) => {
    const { died: __, ...whole } = await endOf(legacies, Number.POSITIVE_INFINITY)
    expect(whole.content['members/ana/shots/shot-2.yaml']?.includes('draft: true')).toBe(
      legacies.length === 2,
    )
    let last = 0
    for (let died = true; died; last += every) {
      const { died: now, ...end } = await endOf(legacies, last)
      expect(end, `killed at step ${last}`).toEqual(whole)
      died = now
    }
    expect(last).toBeGreaterThan(20)
  },
)
