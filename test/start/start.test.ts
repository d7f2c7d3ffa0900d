import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { grouped } from '../../scripts/text/amounts.ts'
import {
  namesIn,
  readJson,
  readText,
  removeFrom,
  sandbox,
  withTimes,
  writeTree,
} from '../sandbox.ts'
import { manyMembers, siteWith } from '../site.ts'
import { checkout, prepare, start, verbs } from './checkout.ts'

describe('the compiled copy', () => {
  const program = sandbox({}, afterAll)
  beforeAll(() => prepare(checkout({ folder: program })))

  /** The copy that would be run. */
  const found = () =>
    createRequire(import.meta.url)(`${program}/scripts/start/start.cjs`).findCopy('check')

  /** Writes another text to a file of the program until the test ends. */
  const change = (name: string, edit: (text: string) => string) => {
    const file = `${program}/${name}`
    const text = readText(file)
    onTestFinished(() => fs.writeFileSync(file, text))
    fs.writeFileSync(file, edit(text))
  }

  /** Puts a file or folder aside until the test ends, or what this returns is called. */
  const without = (name: string) => {
    const file = `${program}/${name}`
    const aside = `${program}/aside`
    fs.renameSync(file, aside)
    const restore = () => {
      if (fs.existsSync(aside)) fs.renameSync(aside, file)
    }
    onTestFinished(restore)
    return restore
  }
  const copies = 'node_modules/.shotpress'
  /** Without it nothing runs from the sources. */
  const tsx = 'node_modules/tsx'

  test('runs as long as every source is as it was, whatever stat says of them', () => {
    change(
      path.relative(program, found()!),
      () => "exports.check = () => console.log('the copy')\n",
    )
    expect(start(program, 'check').stdout).toBe('the copy\n')
    fs.utimesSync(`${program}/scripts/check.ts`, 1, 1)
    expect(start(program, 'check').stdout).toBe('the copy\n')
    change('scripts/check.ts', (text) => `${text}\n`)
    expect(start(program, 'check --help').stdout).toMatch(/^npx shotpress check: /)
  })

  test.each([
    'scripts/preview/preview.css',
    'scripts/start/compile.cjs',
    'schemas/shot.schema.json',
    'package.json',
  ])('does not count once %s has changed, even if its size and time have not', (name) => {
    expect(found()).toBeDefined()
    const { atime, mtime } = fs.statSync(`${program}/${name}`)
    change(name, (text) => `${text.slice(0, -1)} `)
    fs.utimesSync(`${program}/${name}`, atime, mtime)
    expect(found()).toBe(undefined)
  })

  test('does not count once npm has installed other packages, or a source is new', () => {
    for (const name of ['node_modules/.package-lock.json', 'scripts/text/more.ts']) {
      writeTree(program, { [name]: '{}' })
      expect(found()).toBe(undefined)
      removeFrom(program, name)
    }
    expect(found()).toBeDefined()
  })

  test('is the only thing that npm ci leaves, below node_modules, and one version of it', () => {
    const before = fs.readdirSync(program)
    expect(before).not.toContain('compiled')
    // the last one is the first to run
    onTestFinished(() => prepare(program))
    change('scripts/start/worker.ts', (text) => `${text}\n`)
    prepare(program)
    expect(fs.readdirSync(program)).toEqual(before)
    expect(namesIn(program, copies)).toEqual([path.basename(path.dirname(found()!))])
  })

  test('says what the sources say: a snapshot, and all that is wrong with a site', () => {
    const told = () =>
      ['content', 'broken'].map((name) => {
        const folder = sandbox()
        fs.cpSync(path.join('test/golden', name), `${folder}/content`, {
          recursive: true,
        })
        const { status, stdout, stderr } = start(program, 'build', folder)
        const files = Object.entries(withTimes(folder)).map(([file, { text }]) => [
          file,
          text,
        ])
        const bytes = files.filter(([file]) => !file!.startsWith('.shotpress/'))
        return { status, stdout: stdout.replace(/[0-9.]+ s\n$/, ''), stderr, bytes }
      })
    const fromCopy = told()
    without(copies)
    expect(told()).toEqual(fromCopy)
  })

  test('has every command, and each script of package.json starts one', () => {
    const { scripts } = readJson('package.json')
    without(tsx)
    for (const verb of verbs) {
      expect(scripts[verb]).toBe(`node scripts/run.cjs ${verb}`)
      const { status, stdout, stderr } = start(program, `${verb} --help`)
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(stdout).toMatch(new RegExp(`^npx shotpress ${verb}: `))
      if (stdout.includes('--format ')) expect(stdout).toContain('--output FILE')
    }
  })

  test('starts its own threads for a large site, and finds again what it built, as the sources do', () => {
    const site = sandbox(siteWith(manyMembers))
    const buildTwice = (out: string) => {
      for (const compiled of [manyMembers, 0]) {
        const { stdout, stderr } = start(program, `build --out '${out}'`, site)
        expect(stderr).toBe('')
        expect(stdout).toContain(
          `${grouped(manyMembers)} members (${grouped(compiled)} compiled)`,
        )
      }
      return readText(`${site}/${out}/SHA256SUMS`)
    }
    const restore = without(copies)
    const fromSources = buildTwice('sources')
    restore()
    without(tsx)
    expect(buildTwice('copy')).toBe(fromSources)
  })
})

test.each(['18.20.8', '20.18.3', '0.10.48'])(
  'on Node %s the start says why it cannot run, without a stack',
  (version) => {
    const fake = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
    const file = `${sandbox({ 'fake.cjs': fake })}/fake.cjs`
    const args = ['--require', file, 'scripts/run.cjs', 'build']
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `error: Shotpress needs Node 20.19 or newer, this is ${version}\n  hint: install a newer Node, then run npm ci\n`,
    })
  },
)

test('before npm ci the start says why it cannot run, without a stack', () => {
  const program = checkout({ packages: false })
  expect(start(program, 'build')).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'error: the packages that Shotpress needs are not installed\n  hint: run npm ci\n',
  })
})

test('a command that is none is told so, without a stack', () => {
  expect(start('.', '\u001bx')).toMatchObject({
    status: 2,
    stderr:
      'error: there is no command "?x"\n  hint: npx shotpress help lists the commands\n',
  })
  expect(start('.', '../bench/bench')).toMatchObject({ status: 2 })
})

test('the start of every command is written as Node 0.10 can read it', () => {
  const code = readText('scripts/run.cjs').replace(/^(?:#!|\/\/).*$/gm, '')
  expect(code).toContain('var needed')
  expect(code).not.toMatch(/\b(?:const|let|class|async|await|of)\b/)
  expect(code).not.toMatch(/=>|`|\?\.|\?\?|\.\.\.|node:|,\s*[)\]}]/)
})

test('shotpress --help and --version are short', () => {
  for (const line of ['', '--help', '-h', 'help']) {
    const { status, stdout } = start('.', line)
    expect(status).toBe(0)
    for (const name of verbs)
      expect(stdout).toMatch(new RegExp(`^ {2}${name} +[a-z].{10,55}$`, 'm'))
  }
  expect(start('.', 'help check')).toEqual(start('.', 'check --help'))
  expect(start('.', '--version').stdout).toBe(`${readJson('package.json').version}\n`)
})
