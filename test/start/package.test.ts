import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import glob from 'fast-glob'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandbox } from '../sandbox.ts'
import { checkout, linkPackages, start } from './checkout.ts'

const verbs = glob
  .sync('*.ts', { cwd: 'scripts' })
  .map((name) => path.basename(name, '.ts'))
  .sort()

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-'))
const tarball = path.join(folder, 'shotpress.tgz')
let names: readonly string[]

beforeAll(() => {
  const program = checkout({ folder: path.join(folder, 'program') })
  const packed = spawnSync('npm', ['pack', '--json', '--loglevel', 'error'], {
    cwd: program,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const [{ filename, files }] = JSON.parse(packed.stdout)
  names = files.map(({ path }: { path: string }) => path)
  fs.renameSync(path.join(program, filename), tarball)
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** Installs the package in a site, with a command for npm; says where. */
const install = (site: string): string => {
  const installed = path.join(site, 'node_modules/shotpress')
  fs.mkdirSync(installed, { recursive: true })
  spawnSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1'])
  linkPackages(site)
  const bin = path.join(site, 'node_modules/.bin')
  fs.mkdirSync(bin)
  fs.writeFileSync(path.join(bin, 'shotpress.cmd'), '@node "%~dp0\\..\\shotpress\\scripts\\run.cjs" %*\r\n')
  fs.writeFileSync(
    path.join(bin, 'shotpress'),
    '#!/bin/sh\nexec node node_modules/shotpress/scripts/run.cjs "$@"\n',
    {
      mode: 0o755,
    },
  )
  return installed
}

test('a package holds all that the commands need and name, and no sources', () => {
  expect(names.filter((name) => name.endsWith('.ts'))).toEqual([])
  expect(names).toEqual(expect.arrayContaining(verbs.map((name) => `compiled/${name}.cjs`)))
  expect(names).toEqual(expect.arrayContaining(glob.sync('docs/**')))
})

test('a package builds the same bytes as a checkout', () => {
  const site = sandbox()
  const installed = install(site)
  fs.cpSync('test/golden/content', path.join(site, 'content'), { recursive: true })
  expect(start(installed, ['--version'], site).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(start(installed, ['build'], site)).toMatchObject({ status: 0 })
  expect(fs.readFileSync(path.join(site, 'dist/SHA256SUMS'), 'utf8')).toBe(
    fs.readFileSync('test/golden/dist/SHA256SUMS', 'utf8'),
  )
  expect(start(installed, ['host', 'nginx'], site)).toMatchObject({ status: 0 })
  expect(fs.readdirSync(site).sort()).toEqual(['.shotpress', 'content', 'dist', 'node_modules'])
})

describe('examples/own-site', () => {
  const example = (): string => {
    const site = sandbox()
    fs.cpSync('examples/own-site', site, { recursive: true })
    install(site)
    return site
  }
  const npm = (line: string, cwd: string) => {
    const { status, stdout, stderr } = spawnSync(line, { cwd, shell: true, encoding: 'utf8' })
    return { status, stdout, stderr }
  }

  test('has a script for every command', () => {
    const { scripts } = JSON.parse(fs.readFileSync('examples/own-site/package.json', 'utf8'))
    const own = verbs.filter((verb) => verb !== 'init')
    expect(scripts).toEqual(
      Object.fromEntries([...own, 'gallery'].map((verb) => [verb, `shotpress ${verb}`])),
    )
  })

  test('checks and builds with the package installed, by npm and by npx', () => {
    const site = example()
    expect(npm('npm run -s check', site)).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^1 member, 0 shots\b/),
      stderr: '',
    })
    expect(npm('npx --no -- shotpress build', site)).toMatchObject({ status: 0 })
    expect(fs.readFileSync(path.join(site, 'dist/api/username/example-member/index.json'), 'utf8')).toContain(
      '"name":"Example Member"',
    )
  })

  test('tells editors where the schemas are, and so does a new file', () => {
    const site = example()
    const line = 'npm run -s new -- shot example-member --title Second --image second.png'
    expect(npm(line, site)).toMatchObject({
      status: 0,
      stdout: 'content/members/example-member/shots/second.yaml\n',
    })
    for (const file of glob.sync('content/**/*.yaml', { cwd: site, absolute: true })) {
      const [, schema] = /^# yaml-language-server: \$schema=(.*)\n/.exec(fs.readFileSync(file, 'utf8'))!
      expect(fs.existsSync(path.join(path.dirname(file), schema!)), schema).toBe(true)
    }
    const settings = JSON.parse(fs.readFileSync(path.join(site, '.vscode/settings.json'), 'utf8'))
    for (const schema of Object.keys(settings['yaml.schemas'])) {
      expect(fs.existsSync(path.join(site, schema)), schema).toBe(true)
    }
  })

  test('has workflows that name scripts of its own', () => {
    const { scripts } = JSON.parse(fs.readFileSync('examples/own-site/package.json', 'utf8'))
    for (const file of glob.sync('examples/own-site/.github/workflows/*.yml', { dot: true })) {
      for (const [, name] of fs.readFileSync(file, 'utf8').matchAll(/npm run (?:-s )?([a-z]+)/g)) {
        expect(Object.keys(scripts)).toContain(name)
      }
    }
  })
})
