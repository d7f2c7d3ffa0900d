import fs from 'node:fs'
import { expect, test } from 'vitest'
import { realPath } from '../../scripts/files/folder.ts'
import { lock } from '../../scripts/snapshot/folders.ts'
import { expectRefusal, runIn, startIn, until } from '../processes.ts'
import { isThere, removeFrom, sandbox, type Tree } from '../sandbox.ts'
import { site } from '../site.ts'
import { rowsOf } from '../tables.ts'

/** A site that was built. */
const built = (tree: Tree = site) => {
  const folder = sandbox(tree)
  expect(runIn(folder, 'build').status).toBe(0)
  return folder
}

test('refuses to publish into the snapshot, the content or the state', () => {
  const folder = built()
  fs.symlinkSync(`${folder}/dist`, `${folder}/link`, 'junction')
  const before = fs.readdirSync(folder, { recursive: true }).sort()
  for (const [remote, what] of rowsOf(`
    ./dist → the snapshot itself
    ./content → the content
    ./.shotpress/public → what builds keep
    . → the snapshot itself
    ./link/public → the snapshot itself
  `)) {
    expectRefusal(runIn(folder, `deploy ${remote}`), `overlaps with ${what}`)
    expect(fs.readdirSync(folder, { recursive: true }).sort()).toEqual(before)
  }
})

test('a deployment waits for another one to the same folder, whatever that one publishes', async () => {
  const folder = built()
  const unlock = await lock(`${realPath(folder)}/public`, { onWait: () => {} })
  const { said, ended } = startIn(folder, 'deploy ./public')
  await until(
    () => said.stderr,
    (stderr) => stderr === 'waiting for another deployment to ./public\n',
  )
  expect(isThere(folder, 'public')).toBe(false)
  unlock()
  expect((await ended).status).toBe(0)
})

test.each(['.shotpress-deploy', 'api/username/ana/index.json'])(
  'a folder at the place of %s is told, and nothing is published',
  (name) => {
    const folder = built({ ...site, [`public/${name}/file`]: '' })
    const refused = runIn(folder, 'deploy ./public')
    expectRefusal(refused, '" is a folder, and a file of that name has to go there')
    expect(isThere(folder, 'public/404.json')).toBe(false)
  },
)

test('--purge into a folder that is not there is told before anything is published', () => {
  const folder = built()
  const refused = runIn(folder, 'deploy ./public --purge no/purge.txt')
  expectRefusal(refused, 'there is no folder "no"')
  expect(isThere(folder, 'public/404.json')).toBe(false)
})

test('a dry run needs no content, makes nothing, and leaves what a deployment has staged', () => {
  const folder = built({ ...site, 'public/.shotpress-deploy.d/stage/404.json': 'staged' })
  removeFrom(folder, 'content')
  const told = runIn(folder, 'deploy ./new --dry-run')
  expect(told).toMatchObject({ status: 0, stdout: expect.not.stringContaining('write') }) // a folder takes no requests
  expect(isThere(folder, 'new')).toBe(false)
  expect(runIn(folder, 'deploy ./public --dry-run').status).toBe(0)
  expect(fs.readdirSync(`${folder}/public`, { recursive: true })).toHaveLength(3)
})
