import { expect, test } from 'vitest'
import { shotpress } from '../processes.ts'
import { sandbox } from '../sandbox.ts'
import { site } from '../site.ts'

test('tidy, new and rename look at so much of large broken files, and pass over the others', () => {
  const broken = 'a\n'.repeat(1 << 18)
  const shots = Array.from({ length: 6 }, (_, at) => [
    `content/members/ana/shots/s${at}.yaml`,
    `id: ${at + 50}\n${broken}`,
  ])
  const folder = sandbox({ ...site, ...Object.fromEntries(shots) })
  const { status, stderr } = shotpress(['tidy', '--check'], { cwd: folder })
  expect(status).toBe(1)
  expect(stderr).toContain('is left as it is: it is broken')
  expect(stderr).toContain('is left as it is: too much is broken to look at it, too')
  expect(shotpress(['new', 'shot', 'bo', '--title', 'X'], { cwd: folder }).status).toBe(0)
  expect(shotpress(['rename', 'bo', 'bob'], { cwd: folder }).status).toBe(0)
})
