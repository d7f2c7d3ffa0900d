import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { worthAThread } from '../../scripts/snapshot/work/threads.ts'
import { sandbox, snapshotOf } from '../commands/sandbox.ts'
import { checkout, prepare, start } from './checkout.ts'

const verbs = fs
  .readdirSync('scripts')
  .filter((name) => name.endsWith('.ts'))
  .map((name) => path.basename(name, '.ts'))

/** Puts another program behind the header of a compiled command, which says so when it runs. */
const mark = (program: string, name: string): void => {
  const file = path.join(program, 'node_modules/.shotpress', `${name}.cjs`)
  const [header] = fs.readFileSync(file, 'utf8').split('\n')
  fs.writeFileSync(file, `${header}\nconsole.log('from the copy')\n`)
}

describe('the compiled copy', () => {
  test('runs as long as every source is as it was, whatever stat says of them', () => {
    const program = checkout()
    prepare(program)
    mark(program, 'check')
    expect(start(program, ['check']).stdout).toBe('from the copy\n')
    const source = path.join(program, 'scripts/check.ts')
    fs.utimesSync(source, 1, 1)
    expect(start(program, ['check']).stdout).toBe('from the copy\n')
  })

  test.each([
    'scripts/check.ts',
    'scripts/text/printable.ts',
    'scripts/snapshot/work/worker.ts',
    'schemas/shot.schema.json',
  ])('does not run once %s has changed, even if its size and time have not', (name) => {
    const program = checkout()
    prepare(program)
    mark(program, 'check')
    const source = path.join(program, name)
    const { atime, mtime } = fs.statSync(source)
    const text = fs.readFileSync(source, 'utf8')
    fs.writeFileSync(source, `${text.slice(0, -1)} `)
    fs.utimesSync(source, atime, mtime)
    expect(start(program, ['check', '--help']).stdout).toMatch(/^npm run check: /)
    fs.writeFileSync(source, text)
    expect(start(program, ['check']).stdout).toBe('from the copy\n')
  })

  test('does not run if it is damaged, and is not needed', () => {
    const program = checkout()
    expect(start(program, ['check', '--help']).stdout).toMatch(/^npm run check: /)
    prepare(program)
    const file = path.join(program, 'node_modules/.shotpress/check.cjs')
    for (const text of ['', '// {}', '// {"digest":"","files":["nothing"]}\nprocess.exit(7)\n']) {
      fs.writeFileSync(file, text)
      expect(start(program, ['check', '--help'])).toMatchObject({ status: 0, stderr: '' })
    }
  })

  test('is the only thing that npm ci leaves, below node_modules, and one version of it', () => {
    const program = checkout()
    const before = fs.readdirSync(program)
    prepare(program)
    fs.appendFileSync(path.join(program, 'scripts/snapshot/work/worker.ts'), '\n')
    prepare(program)
    expect(fs.readdirSync(program)).toEqual(before)
    const files = fs.readdirSync(path.join(program, 'node_modules/.shotpress'))
    expect(files.filter((name) => !name.startsWith('worker-'))).toEqual(
      verbs.map((name) => `${name}.cjs`).sort(),
    )
    expect(files.length).toBe(verbs.length + 1)
  })

  test('says what the sources say: a snapshot, and all that is wrong with a site', () => {
    const program = checkout()
    const told = () =>
      ['content', 'broken'].map((name) => {
        const folder = sandbox()
        fs.cpSync(path.join('test/golden', name), path.join(folder, 'content'), { recursive: true })
        const { status, stdout, stderr } = start(program, ['build'], folder)
        const files = Object.entries(snapshotOf(folder)).map(([file, { text }]) => [file, text])
        const bytes = files.filter(([file]) => !file!.startsWith('.shotpress/'))
        return { status, stdout: stdout.replace(/[0-9.]+ s\n$/, ''), stderr, bytes }
      })
    const fromSources = told()
    prepare(program)
    expect(told()).toEqual(fromSources)
  })

  test('has every command', () => {
    const program = checkout()
    prepare(program)
    fs.rmSync(path.join(program, 'node_modules/tsx'))
    for (const verb of verbs) {
      const { status, stdout, stderr } = start(program, [verb, '--help'])
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(stdout).toMatch(new RegExp(`^npm run ${verb}: `))
    }
  })

  test('starts its own threads for a large site, and finds again what it built', () => {
    const program = checkout()
    prepare(program)
    const site = sandbox({ 'content/site.yaml': 'base_url: https://api.example.com\n' })
    for (let id = 1; id <= worthAThread; id++) {
      const folder = path.join(site, 'content/members', `member-${id}`)
      fs.mkdirSync(folder, { recursive: true })
      fs.writeFileSync(path.join(folder, 'profile.yaml'), `id: ${id}\nname: Member ${id}\n`)
    }
    // what a thread would start in the sources
    fs.rmSync(path.join(program, 'scripts/snapshot/work/start-worker.cjs'))
    expect(start(program, ['build'], site).stdout).toContain(
      `${worthAThread} members (${worthAThread} compiled)`,
    )
    expect(start(program, ['build'], site).stdout).toContain(`${worthAThread} members (0 compiled)`)
  })
})

describe('what cannot run says why, without a stack', () => {
  test.each([['18.20.8'], ['20.18.3'], ['0.10.48']])('on Node %s', (version) => {
    const fake = path.join(
      sandbox({
        'fake.cjs': `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`,
      }),
      'fake.cjs',
    )
    const { status, stderr } = spawnSync(process.execPath, ['--require', fake, 'scripts/run.cjs', 'build'], {
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `error: Shotpress needs Node 20.19 or newer, this is ${version}\n  hint: install a newer Node, then run npm ci\n`,
    })
  })

  test('before npm ci', () => {
    const program = checkout({ packages: false })
    expect(start(program, ['build'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'error: the packages that Shotpress needs are not installed\n  hint: run npm ci\n',
    })
  })

  test('for a command that is none', () => {
    expect(start('.', ['bu\u001bild'])).toMatchObject({
      status: 2,
      stderr: 'error: there is no command "bu?ild"\n  hint: shotpress --help lists the commands\n',
    })
    expect(start('.', ['../bench/bench'])).toMatchObject({ status: 2 })
  })
})

test('the start of every command is written as Node 0.10 can read it', () => {
  const code = fs.readFileSync('scripts/run.cjs', 'utf8').replace(/^(?:#!|\/\/).*$/gm, '')
  expect(code).toContain('var needed')
  expect(code).not.toMatch(/\b(?:const|let|class|async|await|of)\b|=>|`|\?\.|\?\?|\.\.\.|node:|,\s*[)\]}]/)
})

test('shotpress --help and --version are short', () => {
  for (const args of [[], ['--help'], ['-h']]) {
    const { status, stdout } = start('.', args)
    expect(status).toBe(0)
    for (const name of verbs) expect(stdout).toMatch(new RegExp(`^ {2}${name}$`, 'm'))
  }
  expect(start('.', ['--version']).stdout).toBe(
    `${JSON.parse(fs.readFileSync('package.json', 'utf8')).version}\n`,
  )
})
