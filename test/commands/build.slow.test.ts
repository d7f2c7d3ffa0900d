import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inCi, isPosix } from '../posix.ts'
import { runIn } from '../processes.ts'
import {
  namesIn,
  readText,
  readTree,
  removeFrom,
  sandbox,
  type Tree,
  withTimes,
  writeTree,
} from '../sandbox.ts'
import { site } from '../site.ts'

const build = (cwd: string, flags = '') => runIn(cwd, `build ${flags}`)

/** A folder that was built, and its snapshot with times. */
const built = () => {
  const folder = sandbox(site)
  build(folder)
  return { folder, before: withTimes(`${folder}/dist`) }
}

test('a build writes SHA256SUMS, which lists every other file by path, as sha256sum wants it', (context) => {
  const folder = sandbox(site)
  build(folder)
  const cwd = `${folder}/dist`
  const { SHA256SUMS, ...others } = readTree(cwd)
  const lines = Object.entries(others).map(
    ([file, text]) => `${hash('sha256', text)}  ${file}\n`,
  )
  expect(SHA256SUMS).toBe(lines.join(''))
  const { error, status } = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
    cwd,
  })
  if (error !== undefined && !inCi) context.skip('sha256sum of coreutils is missing')
  expect(status).toBe(0)
})

test('a build touches only the files that change, and removes what no longer belongs', () => {
  const { folder, before } = built()
  writeTree(folder, { 'content/members/bo/profile.yaml': 'id: 2\nname: Bo Changed\n' })
  expect(build(folder).stdout).toContain('3 files written, 8 unchanged, 0 removed')
  const after = withTimes(`${folder}/dist`)
  const changed = Object.keys(after).filter(
    (file) => after[file]!.changed !== before[file]!.changed,
  )
  expect(changed).toEqual([
    'SHA256SUMS',
    'api/username/bo/index.json',
    'http/api/username/bo/index.json',
  ])
  removeFrom(folder, 'content/members/bo')
  expect(build(folder).stdout).toContain('1 file written, 6 unchanged, 4 removed')
  expect(namesIn(folder, 'dist/api/username')).toEqual(['ana'])
})

test.skipIf(!isPosix)(
  'a build tells of a snapshot that no server may read, and of no other',
  () => {
    const folder = sandbox(site)
    const run = (mask: string) => {
      const line = `umask ${mask} && exec "$0" "$1" build`
      const program = path.resolve('scripts/run.cjs')
      return spawnSync('sh', ['-c', line, process.execPath, program], {
        cwd: folder,
        encoding: 'utf8',
      }).stderr
    }
    expect(run('077')).toContain("nobody but you may read dist, so a server can't")
    expect(run('077')).toBe('')
    removeFrom(folder, 'dist')
    expect(run('022')).toBe('')
  },
)

test('a build with wrong content has status 1 and leaves every byte and time of the snapshot', () => {
  const { folder, before } = built()
  writeTree(folder, {
    'content/members/ana/profile.yaml': 'id: 1\nname: Changed, and right\n',
    'content/members/bo/shots/one.yaml': 'id: 21\ntitel: Wrong\n',
  })
  const { status, stdout, stderr } = build(folder)
  expect({ status, stdout }).toEqual({
    status: 1,
    stdout: 'nothing was written: dist is as it was\n',
  })
  expect(stderr).toContain('content/members/bo/shots/one.yaml:2:1')
  expect(withTimes(`${folder}/dist`)).toEqual(before)
  expect(fs.readdirSync(folder).sort()).toEqual(['.shotpress', 'content', 'dist'])
})

test.each<[string, Tree, string]>([
  ['with wrong content', { ...site, 'content/site.yaml': 'base: x\n' }, '[unknown-key]'],
  ['without members', { 'content/site.yaml': site['content/site.yaml'] }, '[no-members]'],
])('a build of a site %s makes no snapshot', (_, tree, code) => {
  const folder = sandbox(tree)
  expect(build(folder)).toMatchObject({ status: 1, stderr: expect.stringContaining(code) })
  expect(fs.readdirSync(folder)).toEqual(['content'])
})

test('a build prints an array alone on stdout with --format json, right or wrong', () => {
  const folder = sandbox(site)
  const right = build(folder, '--format json')
  expect(right).toMatchObject({ stdout: '[]\n', stderr: expect.stringMatching(/^2 members/) })
  writeTree(folder, { 'content/members/bo/profile.yaml': 'id: 0\nname: Bo\n' })
  const wrong = build(folder, '--format json')
  expect(JSON.parse(wrong.stdout)).toMatchObject([
    {
      severity: 'error',
      code: 'bad-id',
      file: 'content/members/bo/profile.yaml',
      line: 1,
      column: 5,
    },
  ])
  expect(wrong.status).toBe(1)
})

test('a build is the same in another folder, of files made in another order, under another TZ and LANG', () => {
  const sums = (files: readonly string[], env = {}) => {
    const texts = files.map((file) => [file, fs.readFileSync(`test/example/${file}`)])
    const folder = sandbox(Object.fromEntries(texts))
    runIn(folder, 'build', { env })
    return readText(`${folder}/dist/SHA256SUMS`)
  }
  const files = Object.keys(readTree('test/example'))
  const expected = sums(files)
  expect(expected.split('\n').length).toBeGreaterThan(40)
  for (const [TZ, LANG] of [
    ['Pacific/Kiritimati', 'tr_TR.UTF-8'],
    ['America/Caracas', 'C'],
  ]) {
    expect(sums(files.toReversed(), { TZ, LANG, LC_ALL: LANG })).toBe(expected)
  }
})
