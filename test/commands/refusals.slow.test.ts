import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { isPosix, onPosix } from '../posix.ts'
import { expectRefusal, runIn } from '../processes.ts'
import { sandbox, type Tree, withTimes } from '../sandbox.ts'
import { site } from '../site.ts'

/**
 * Somebody to whom a file can be closed: not root. `undefined` if there is none who could run
 * the project, as on Windows.
 */
const user = ((): { uid?: number } | undefined => {
  if (!isPosix) return undefined
  if (process.getuid?.() !== 0) return {}
  const nobody = { uid: 65_534, cwd: os.tmpdir() }
  const program = path.resolve('package.json')
  const reads = spawnSync(
    process.execPath,
    ['-p', 'require(process.argv[1]).name', program],
    nobody,
  )
  return reads.status === 0 ? { uid: nobody.uid } : undefined
})()

describe.each(['build', 'check'])('%s', (verb) => {
  test.each([
    ['extra', verb === 'check' ? '"extra" names nothing' : 'unexpected "extra"'],
    ['--content nowhere', 'there is no folder "nowhere"'],
  ])('refuses %j', (rest, message) => expectRefusal(runIn('.', `${verb} ${rest}`), message))

  test('names files as the content folder was given', () => {
    const folder = sandbox({
      ...site,
      'content/members/bo/profile.yaml': 'id: x\nname: Bo\n',
    })
    for (const [given, named] of [
      ['./content', './content'],
      ['content/', 'content'],
      [path.join(folder, 'content'), path.join(folder, 'content').replaceAll(path.sep, '/')],
    ]) {
      const { stdout } = runIn(folder, `${verb} --content '${given}' --format json`)
      expect(JSON.parse(stdout)).toMatchObject([{ file: `${named}/members/bo/profile.yaml` }])
    }
  })

  test('tells a file that cannot be read without a stack', (context) => {
    if (user === undefined)
      context.skip('nobody to whom a file can be closed can run this project')
    const folder = sandbox(site)
    fs.chmodSync(folder, 0o777)
    fs.chmodSync(path.join(folder, 'content/members/bo/profile.yaml'), 0)
    const outcome = runIn(folder, verb, user)
    expectRefusal(outcome, /can't read .*content\/members\/bo\/profile\.yaml/)
  })
})

test('check has status 0 for warnings, which stand on stderr, in colours where they are asked for', () => {
  const folder = sandbox({
    ...site,
    'content/site.yaml': 'base_url: https://api.example.com:8443\n',
  })
  const told = (env = {}) => runIn(folder, 'check', { env })
  expect(told()).toMatchObject({ status: 0, stdout: expect.stringContaining('all is well') })
  expect(told().stderr).toContain('[port-in-base-url]')
  expect(told().stderr).not.toContain('\u001b')
  expect(told({ FORCE_COLOR: '1' }).stderr).toContain('\u001b[')
  expect(told({ FORCE_COLOR: '1', NO_COLOR: '1' }).stderr).not.toContain('\u001b')
})

describe.runIf(isPosix)(onPosix('a reader of the output'), () => {
  const check = (output: string, line = 'check --format json') => {
    const script = `{ "$0" "$1" ${line}; echo "status $?" >&2; } ${output}`
    const { stderr } = spawnSync(
      'sh',
      ['-c', script, process.execPath, path.resolve('scripts/run.cjs')],
      {
        cwd: sandbox({ 'content/site.yaml': 'base: x\n' }),
        encoding: 'utf8',
      },
    )
    return stderr
  }

  test('may leave before the end', () => {
    expect(check('| :')).toBe('status 1\n')
    expect(check('| :', 'help')).toBe('status 0\n')
  })

  test('that can take no more ends the command', (context) => {
    if (!fs.existsSync('/dev/full')) context.skip('only Linux has such a file')
    expect(check('> /dev/full')).toMatch(/^error: the disk is full\n.*\nstatus 2\n$/)
    expect(check('> /dev/full', 'help')).toMatch(/^error: .*ENOSPC.*\n.*\nstatus 2\n$/)
  })
})

test.each<[string, string, Tree, string]>([
  ['around the content', '.', {}, 'the content folder overlap'],
  ['below the content', 'content/members/ana', {}, 'the content folder overlap'],
  ['through a link into the content', 'link', {}, 'the content folder overlap'],
  [
    "into a folder of a stranger's files",
    'home',
    { 'home/thesis.txt': 'years' },
    '"thesis.txt" is there',
  ],
  ['where a file is', 'dist', { dist: 'a file' }, 'a file stands where a folder should be'],
  ['where builds keep what is their own', '.shotpress', {}, '.shotpress'],
])('build refuses to write %s, and changes nothing', (_, out, tree, message) => {
  const folder = sandbox({ ...site, ...tree })
  fs.symlinkSync('content/members', path.join(folder, 'link'), 'junction')
  const before = withTimes(folder)
  expectRefusal(runIn(folder, `build --out ${out}`), message)
  expect(withTimes(folder)).toEqual(before)
})

// only Linux has such a place
test
  .runIf(process.platform === 'linux')
  .each([
    'build --out /proc/sites/dist',
    'init /proc/sites --base-url https://a.example --host nginx --name Ana',
  ])('where no folder can be made, it is refused to write: %s', (line) =>
  expectRefusal(runIn(sandbox(site), line), '/proc/sites'),
)

test('what writes no snapshot can be run inside the content folder', () => {
  const inside = path.join(sandbox(site), 'content')
  for (const line of ['check', 'report --base ./'])
    expect(runIn(inside, `${line} --content .`)).toMatchObject({ status: 0 })
})

test.runIf(isPosix)(
  onPosix('host does not wait for a pipe that stands where site.yaml should'),
  () => {
    const folder = sandbox({ 'content/members/ana/profile.yaml': 'id: 1\n' })
    execFileSync('mkfifo', [path.join(folder, 'content/site.yaml')])
    expectRefusal(runIn(folder, 'host nginx'), 'there is no name to serve under')
  },
)
