import { expect, it } from 'vitest'
import { kindOfText } from '../../scripts/content/read/kind.ts'
import { runIn } from '../processes.ts'
import { isThere, sandbox } from '../sandbox.ts'
import { anaAlone, profileYaml, shotYaml } from '../site.ts'
import { times } from '../times.ts'
import { buildIn, linesOf } from './building.ts'

it('a large file under another name is known for content if nothing is wrong with it', () => {
  const filling = 'x'.repeat(100_000)
  expect(kindOfText(`id: 1\ntitle: One\ndescription: ${filling}\n`)).toBe('shot')
  expect(kindOfText(`{"id": 1, "name": "Ana", "bio": "${filling}"}`)).toBe('profile')
  expect(kindOfText(`{"a": {"id": 1, "name": "Ana"}, "bio": "${filling}"}`)).toBeUndefined()
  expect(kindOfText(`id: 1\ntitle: One\n${'x: [\n'.repeat(20_000)}`)).toBeUndefined()
})

/** Broken, and as large as a file may be. */
const broken = `#${'x'.repeat((1 << 20) - 6)}\n- a\n`

const brokenShots = (username: string, count: number) =>
  Object.fromEntries(
    times(count, (number) => [
      `content/members/${username}/shots/${100 + number}.yaml`,
      broken,
    ]),
  )

it('a build ends with 16 MiB of broken files, and says after which member', async () => {
  const folder = sandbox({
    ...anaAlone,
    ...brokenShots('ana', 10),
    'content/members/bo/profile.yaml': profileYaml(1),
    ...brokenShots('bo', 10),
    'content/members/cy/profile.yaml': 'id: x\n',
  })
  const { diagnostics } = await buildIn(folder)
  const told = linesOf(folder, diagnostics)
  expect(told.filter((one) => one.endsWith(' wrong-type'))).toHaveLength(20)
  expect(told.filter((one) => !one.endsWith(' wrong-type'))).toEqual([
    'content/members/bo:1:1-1:1 not-looked-at',
  ])
  expect(isThere(folder, 'dist')).toBe(false)
})

it('small broken files are all told', async () => {
  const small = `${shotYaml(1)}${'#'.repeat(16_000)}\nx: y\n`
  const shots = times(1200, (number) => [`content/members/ana/shots/${number}.yaml`, small])
  const folder = sandbox({
    ...anaAlone,
    ...Object.fromEntries(shots),
  })
  const { diagnostics } = await buildIn(folder)
  expect(diagnostics.filter(({ code }) => code === 'unknown-key')).toHaveLength(1200)
})

it('many small files with hundreds of problems each are not all looked at', async () => {
  const keys = times(500, (number) => `x${number}: y\n`).join('')
  const members = times(250, (number) => [`content/members/m${number}/profile.yaml`, keys])
  const folder = sandbox({ ...anaAlone, ...Object.fromEntries(members) })
  const { diagnostics } = await buildIn(folder)
  expect(diagnostics.length).toBeLessThan(115_000)
  expect(diagnostics.some(({ code }) => code === 'not-looked-at')).toBe(true)
})

it('a check of some files fails if it ended before them', () => {
  const folder = sandbox({
    ...anaAlone,
    ...brokenShots('ana', 17),
    'content/members/bo/profile.yaml': 'id: x\n',
  })
  const { status, stdout } = runIn(folder, 'check content/members/bo --format lines')
  expect([status, stdout]).toEqual([1, expect.stringContaining('[not-looked-at]')])
})
