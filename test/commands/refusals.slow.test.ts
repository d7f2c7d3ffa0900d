import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { isPosix, onPosix } from '../posix.ts'
import { type Outcome, shotpress } from '../processes.ts'
import { sandbox, withTimes } from '../sandbox.ts'
import { site } from '../site.ts'

/** What an operator did wrong: status 2, nothing on stdout, a line and a hint on stderr, never a stack. */
const expectRefusal = ({ status, stdout, stderr }: Outcome, message: string | RegExp) => {
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/^error: [^\n]+\n(?: {2}hint: [^\n]+\n)?$/)
  expect(stderr).toMatch(message)
}

/** Somebody to whom a file can be closed: not root. `undefined` if there is none who could run the project, as on Windows. */
const user = ((): { uid?: number } | undefined => {
  if (!isPosix) return undefined
  if (process.getuid?.() !== 0) return {}
  const nobody = { uid: 65_534, cwd: os.tmpdir() }
  const program = path.resolve('package.json')
  const reads = spawnSync(process.execPath, ['-p', 'require(process.argv[1]).name', program], nobody)
  return reads.status === 0 ? { uid: nobody.uid } : undefined
})()

describe.each(['build', 'check'])('%s', (verb) => {
  test('fits its --help into 80 columns and exits with 0', () => {
    const { status, stdout, stderr } = shotpress([verb, '--help'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const option of ['--content DIR', '--out DIR', '--format FORMAT', '--help', 'Exit status']) {
      expect(stdout).toContain(option)
    }
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  test.each([
    [['--contnet', 'x'], 'did you mean --content?'],
    [['--format', 'jsno'], 'did you mean json?'],
    [['--out'], '--out needs a value'],
    [['extra'], verb === 'check' ? '"extra" names nothing' : 'unexpected "extra"'],
    [['--content', 'nowhere'], 'there is no folder "nowhere"'],
    [['--content', 'package.json'], '"package.json" is not a folder'],
  ])('refuses %j', (args, message) => {
    expectRefusal(shotpress([verb, ...args]), message)
  })

  test('cannot run without the content folder', () => {
    expectRefusal(shotpress([verb], { cwd: sandbox() }), 'there is no folder "content"')
  })

  test('names files as the content folder was given', () => {
    const folder = sandbox({ ...site, 'content/members/bo/profile.yaml': 'id: x\nname: Bo\n' })
    for (const [given, named] of [
      ['./content', './content'],
      ['content/', 'content'],
      [path.join(folder, 'content'), path.join(folder, 'content').replaceAll(path.sep, '/')],
    ]) {
      const { stdout } = shotpress([verb, '--content', given!, '--format', 'json'], { cwd: folder })
      expect(JSON.parse(stdout)).toMatchObject([{ file: `${named}/members/bo/profile.yaml` }])
    }
  })

  test('tells a file that cannot be read without a stack', (context) => {
    if (user === undefined) context.skip('nobody to whom a file can be closed can run this project')
    const folder = sandbox(site)
    fs.chmodSync(folder, 0o777)
    fs.chmodSync(path.join(folder, 'content/members/bo/profile.yaml'), 0)
    expectRefusal(
      shotpress([verb], { cwd: folder, ...user }),
      /can't read .*content\/members\/bo\/profile\.yaml/,
    )
  })
})

describe('check', () => {
  test('says on stdout that all is well, and writes nothing', () => {
    const folder = sandbox(site)
    const { status, stdout, stderr } = shotpress(['check'], { cwd: folder })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^2 members, 3 shots: all is well \([0-9.]+ s\)\n$/)
    expect(fs.readdirSync(folder)).toEqual(['content'])
  })

  test('tells of a thousand broken files in one run, in the order of their places', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `${index + 1}.yaml`)
    const shots = names.map((name, index) => [
      `content/members/bo/shots/${name}`,
      `id: ${index + 1}\ntitle: Broken\ndate: 2014-03-02\nimage: ../up.png\n`,
    ])
    const folder = sandbox({ ...site, ...Object.fromEntries(shots) })
    fs.rmSync(path.join(folder, 'content/members/bo/shots/one.yaml'))
    fs.rmSync(path.join(folder, 'content/members/ana'), { recursive: true })
    const { status, stdout } = shotpress(['check', '--format', 'json'], { cwd: folder })
    expect(status).toBe(1)
    expect(JSON.parse(stdout).map(({ file, code }: { file: string; code: string }) => [file, code])).toEqual(
      names.toSorted().map((name) => [`content/members/bo/shots/${name}`, 'bad-asset']),
    )
  })

  test('has status 0 for warnings, which stand on stderr', () => {
    const folder = sandbox({ ...site, 'content/site.yaml': 'base_url: https://api.example.com:8443\n' })
    const { status, stdout, stderr } = shotpress(['check'], { cwd: folder })
    expect(status).toBe(0)
    expect(stdout).toContain('all is well')
    expect(stderr).toContain('[port-in-base-url]')
  })

  test('shows colours where FORCE_COLOR asks for them, unless NO_COLOR forbids it', () => {
    const folder = sandbox({ 'content/site.yaml': 'base: x\n' })
    const told = (env: Record<string, string>) => shotpress(['check'], { cwd: folder, env }).stderr
    expect(told({ FORCE_COLOR: '1' })).toContain('\u001b[')
    expect(told({ FORCE_COLOR: '1', NO_COLOR: '1' })).not.toContain('\u001b')
    expect(told({})).not.toContain('\u001b')
  })
})

describe.runIf(isPosix)(onPosix('a reader of the output'), () => {
  const check = (output: string) => {
    const script = `{ "$0" "$1" check --format json; echo "status $?" >&2; } ${output}`
    const { stderr } = spawnSync('sh', ['-c', script, process.execPath, path.resolve('scripts/run.cjs')], {
      cwd: sandbox({ 'content/site.yaml': 'base: x\n' }),
      encoding: 'utf8',
    })
    return stderr
  }

  test('may leave before the end', () => {
    expect(check('| :')).toBe('status 1\n')
  })

  test('that can take no more ends the command', (context) => {
    if (!fs.existsSync('/dev/full')) context.skip('only Linux has such a file')
    expect(check('> /dev/full')).toMatch(/^error: the disk is full\n.*\nstatus 2\n$/)
  })
})

describe('build refuses to write', () => {
  test.each([['content'], ['content/members/ana'], ['.']])('into, below or around the content: %s', (out) => {
    const folder = sandbox(site)
    const before = withTimes(folder)
    expectRefusal(shotpress(['build', '--out', out], { cwd: folder }), 'the content folder overlap')
    expect(withTimes(folder)).toEqual(before)
  })

  test('through a link into the content', () => {
    const folder = sandbox(site)
    fs.symlinkSync('content/members', path.join(folder, 'dist'), 'junction')
    expectRefusal(shotpress(['build'], { cwd: folder }), 'the content folder overlap')
  })

  test("into a folder that holds a stranger's files", () => {
    const folder = sandbox({ ...site, 'home/thesis.txt': 'years of work' })
    expectRefusal(shotpress(['build', '--out', 'home'], { cwd: folder }), '"thesis.txt" is there')
    expect(fs.readdirSync(path.join(folder, 'home'))).toEqual(['thesis.txt'])
  })

  test('where a file is', () => {
    const folder = sandbox({ ...site, dist: 'a file' })
    expectRefusal(shotpress(['build'], { cwd: folder }), 'a file stands where a folder should be')
    expect(fs.readFileSync(path.join(folder, 'dist'), 'utf8')).toBe('a file')
  })

  test('below a file', () => {
    const folder = sandbox({ ...site, file: '' })
    expectRefusal(shotpress(['build', '--out', 'file/dist'], { cwd: folder }), 'file/dist')
  })

  test('where no folder can be made', (context) => {
    if (process.platform !== 'linux') context.skip('only Linux has such a place')
    expectRefusal(
      shotpress(['build', '--out', '/proc/sites/dist'], { cwd: sandbox(site) }),
      'no folder can be made where --out is',
    )
  })

  test('where builds keep what is their own', () => {
    const folder = sandbox(site)
    expectRefusal(shotpress(['build', '--out', '.shotpress'], { cwd: folder }), '.shotpress')
    expect(fs.readdirSync(folder)).toEqual(['content'])
  })
})

test.runIf(isPosix)(onPosix('host does not wait for a pipe that stands where site.yaml should'), () => {
  const folder = sandbox({ 'content/members/ana/profile.yaml': 'id: 1\n' })
  execFileSync('mkfifo', [path.join(folder, 'content/site.yaml')])
  expectRefusal(shotpress(['host', 'nginx'], { cwd: folder }), 'there is no name to serve under')
})
