import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filePath, type Route, siteFile, type Variant, variants } from '../../scripts/api/routes.ts'
import { run } from '../../scripts/verify/run.ts'
import { openSnapshot } from '../../scripts/verify/snapshot.ts'
import { siteRequests } from '../hosts/managed.ts'
import { sandbox, writeTree } from '../sandbox.ts'
import { profileYaml, site } from '../site.ts'
import { buildIn } from '../snapshot/building.ts'
import { addresses, sendTo } from './in-process.ts'
import { referenceHandler } from './reference-host.ts'

test('a body under an alias names the member, and is no wrong file', async () => {
  const folder = sandbox()
  const ana = 'content/members/ana/profile.yaml'
  writeTree(folder, { ...site, [ana]: `${profileYaml(1)}aliases: [old-ana]\n` })
  await buildIn(folder)
  const dist = path.join(folder, 'dist')
  // what the reference host serves besides members
  for (const { route, path: request, text } of siteRequests)
    for (const variant of variants)
      writeTree(dist, { [siteFile(route, { variant, request })]: text(variant) })
  const served = (under: (username: string) => string) => {
    const bytes = (route: Route, variant: Variant, username: string) =>
      fs.readFileSync(path.join(dist, filePath(route, variant, under(username))), 'utf8')
    return sendTo(referenceHandler({ compress: false, usernames: ['ana', 'bo', 'old-ana'], bytes }))
  }
  const verify = async ({ sender }: ReturnType<typeof served>) =>
    run({
      ...{ addresses, sender, snapshot: await openSnapshot(dist), size: Number.POSITIVE_INFINITY },
      ...{ concurrency: 1, onProgress: () => {} },
    })
  const right = served((username) => username)
  expect(await verify(right)).toMatchObject({ members: 2, total: 2, problems: [] })
  expect(right.requests.some(({ path }) => path === '/api/username/old-ana')).toBe(true)
  const wrong = await verify(served((username) => (username === 'old-ana' ? 'bo' : username)))
  expect(wrong.problems.length).toBeGreaterThan(0)
})
