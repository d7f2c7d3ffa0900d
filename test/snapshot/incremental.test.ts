import fs from 'node:fs'
import { expect, it } from 'vitest'
import { isLinux } from '../posix.ts'
import { namesIn, readTree, sandbox, withTimes } from '../sandbox.ts'
import { site, siteYaml } from '../site.ts'
import { times } from '../times.ts'
import { buildIn, built, expectBuild, expectClean } from './building.ts'
import { edits } from './edits.ts'
import { createRandom } from './random.ts'

/** Sequences of edits; SEQUENCES=200 for the full measure. */
const sequences = Number(process.env.SEQUENCES ?? 12)

it.each(times(sequences, (seed) => seed))(
  'an incremental build equals a clean one after every edit of sequence %i',
  async (seed) => {
    const folder = sandbox({
      ...site,
      ...(seed % 2 === 0 && { 'content/site.yaml': `${siteYaml}members: true\nall: true\n` }),
      'elsewhere/mine.txt': 'not yours',
    })
    const random = createRandom(seed)
    const log: string[] = []
    for (let step = 0; step < 12; step++) {
      for (let count = random.below(3); count >= 0; count--) {
        const edit = random.pick(edits)
        log.push(edit.name)
        edit.apply(folder, random)
      }
      log.push('build')
      const result = await buildIn(folder)
      expect(result.diagnostics, log.join(', ')).toEqual([])
      await expectClean(folder, log.join(', '))
      expect(readTree(folder, 'elsewhere'), log.join(', ')).toEqual({
        'mine.txt': 'not yours',
      })
      expect(namesIn(folder, '.shotpress/dist')).toEqual(['state'])
    }
  },
)

it('an incremental build compiles nothing, and touches nothing, when nothing changed', async () => {
  const folder = await built()
  const dist = `${folder}/dist`
  const before = withTimes(dist)
  await expectBuild(folder, {
    compiled: 0,
    written: 0,
    unchanged: 11,
    removed: 0,
  })
  expect(withTimes(dist)).toEqual(before)
  if (isLinux)
    fs.writeFileSync(Buffer.from(`${folder}/dist/\xff`, 'latin1'), 'its name is no UTF-8')
  await expectBuild(folder, { written: 0, removed: 0 })
})
