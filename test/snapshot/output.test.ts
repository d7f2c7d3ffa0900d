import fs from 'node:fs'
import { expect, it, test } from 'vitest'
import { nextBaseTime, timeOf } from '../../scripts/snapshot/destination.ts'
import { isLinux, isPosix, onLinux, onPosix } from '../posix.ts'
import { makeFolder, readTree, sandbox, type Tree, writeTree } from '../sandbox.ts'
import { shotYaml, site } from '../site.ts'
import { buildIn, built, expectBuild, expectClean } from './building.ts'

it.each<[string, Tree]>([
  [
    'sums of something else',
    { SHA256SUMS: `${'0'.repeat(64)}  disk.iso\n`, 'disk.iso': 'mine' },
  ],
  ['a folder with the name of one of ours', { 'api/lib/server.js': 'mine' }],
  ['a body of somebody else', { '404.json': '{}', 'page.html': 'mine' }],
  ['a repository', { '.git/config': '', '404.json': '{"error":"not_found"}\n' }],
])('a folder that is no snapshot is refused, and stays as it is: %s', async (_, tree) => {
  const folder = sandbox(site)
  writeTree(`${folder}/dist`, tree)
  await expect(buildIn(folder)).rejects.toMatchObject({ name: 'UserError' })
  expect(readTree(folder, 'dist')).toEqual(tree)
})

it.each(['404.json', '405.json', 'SHA256SUMS'])(
  'a snapshot is known by %s alone',
  async (mark) => {
    const folder = await built()
    for (const name of ['404.json', '405.json', 'SHA256SUMS'].filter(
      (other) => other !== mark,
    )) {
      fs.rmSync(`${folder}/dist/${name}`)
      fs.mkdirSync(`${folder}/dist/${name}/inside`, { recursive: true })
    }
    await buildIn(folder)
    await expectClean(folder)
  },
)

it.each(['404.json', 'SHA256SUMS'])(
  'a build goes on after a first one that was killed while %s came from another disk',
  async (name) => {
    const folder = sandbox(site)
    writeTree(`${folder}/dist`, { SHA256SUMS: '', [`${name}.part`]: 'half of it' })
    await buildIn(folder)
    await expectClean(folder)
  },
)

it.runIf(isPosix)(onPosix('an empty folder that was prepared keeps its rights'), async () => {
  const folder = sandbox(site)
  makeFolder(folder, 'dist')
  fs.chmodSync(`${folder}/dist`, 0o750)
  await buildIn(folder)
  expect(fs.statSync(`${folder}/dist`).mode & 0o777).toBe(0o750)
})

it('a file that is changed while a build runs is repaired by the next one', async () => {
  const folder = await built()
  const unchanged = `${folder}/dist/api/username/ana/index.json`
  writeTree(folder, { 'content/members/ana/shots/one.yaml': shotYaml(11, 'Changed') })
  const onProgress = () => fs.writeFileSync(unchanged, 'changed by somebody')
  await expectBuild(folder, { compiled: 1 }, { onProgress })
  await buildIn(folder)
  await expectClean(folder)
})

test.runIf(isLinux)(
  onLinux(
    'a file whose name is no text, in a folder that does not belong, goes with it',
    'such names',
  ),
  async () => {
    const folder = await built()
    makeFolder(folder, 'dist/mine')
    fs.writeFileSync(
      Buffer.concat([Buffer.from(`${folder}/dist/mine/bad`), Buffer.from([0xff])]),
      '',
    )
    await buildIn(folder)
    await expectClean(folder)
  },
)

test('every kind of file has a second of its own, which no other build uses', () => {
  const plain = 'api/username/ana/index.json'
  const paths = ['', 'http/'].flatMap((folder) =>
    ['', '.br', '.gz'].map((ending) => folder + plain + ending),
  )
  const first = nextBaseTime(1e9, 0)
  const second = nextBaseTime(1e9, timeOf(first, 'SHA256SUMS'))
  const times = [first, second].flatMap((base) =>
    [...paths, 'SHA256SUMS'].map((file) => timeOf(base, file)),
  )
  expect(new Set(times).size).toBe(14)
  expect(Math.max(...times.slice(0, 6))).toBeLessThan(times[6]!)
  expect(Math.min(...times.slice(7))).toBeGreaterThan(times[6]!)
})
