import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import glob from 'fast-glob'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Outcome } from '../processes.ts'
import { sandbox } from '../sandbox.ts'
import { checkout } from './checkout.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))

const verbs = glob
  .sync('*.ts', { cwd: 'scripts' })
  .map((name) => path.basename(name, '.ts'))
  .sort()

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shotpress-'))
let tarball: string
/** The files of the package, by path, with their texts. */
const files = new Map<string, string>()

beforeAll(() => {
  const program = checkout({ folder: path.join(folder, 'program') })
  for (const name of ['clients', 'examples', 'action.yml']) {
    fs.cpSync(path.join(project, name), path.join(program, name), { recursive: true })
  }
  run('npm pack --loglevel error --pack-destination ..', program)
  tarball = path.join(folder, fs.readdirSync(folder).find((name) => name.endsWith('.tgz'))!)
  run(`tar -xzf ${path.basename(tarball)}`, folder)
  const root = path.join(folder, 'package')
  for (const name of glob.sync('**', { cwd: root, dot: true })) {
    files.set(name, fs.readFileSync(path.join(root, name), 'latin1'))
  }
  expect(fs.readFileSync(path.join(program, 'package.json'), 'utf8')).toBe(
    fs.readFileSync('package.json', 'utf8'),
  )
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** Runs a line as people type it. */
const run = (line: string, cwd: string): Outcome => {
  const { status, stdout, stderr } = spawnSync(line, {
    cwd,
    shell: true,
    encoding: 'utf8',
    env: { ...process.env, npm_config_update_notifier: 'false', CI: undefined },
  })
  if (status !== 0 && !line.startsWith('npm run')) throw new Error(`${line}: ${stdout}${stderr}`)
  return { status, stdout, stderr }
}

/** A site as a newcomer makes it: the package in an empty folder, init, install. Nothing is fetched. */
const newSite = (flags = '--host cloudflare --name "Ana Example"'): string => {
  const begin = sandbox({ 'package.json': '{}' })
  run(`npm install --offline --loglevel error ${tarball}`, begin)
  run(`npx --no -- shotpress init site --base-url https://api.example.com ${flags}`, begin)
  run('npm install --offline --loglevel error --prefix site', begin)
  return path.join(begin, 'site')
}

test('a package holds what the commands need and name, no sources, and nothing to install', () => {
  const names = [...files.keys()]
  expect(names.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([])
  expect(names).toEqual(expect.arrayContaining(verbs.map((name) => `compiled/${name}.cjs`)))
  const { dependencies, devDependencies, scripts } = JSON.parse(files.get('package.json')!)
  expect({ dependencies, devDependencies, scripts }).toEqual({})
  expect(files.get('compiled/packages/LICENSES.txt')).toMatch(/^yaml \d/m)
  expect(fs.statSync(tarball).size).toBeLessThan(1_500_000)
})

test('a package has no dead link in its pages', () => {
  const dead = [...files].flatMap(([page, text]) =>
    page.endsWith('.md')
      ? [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
          .map(([, link]) => path.posix.join(path.posix.dirname(page), link!))
          .filter(
            (target) =>
              ![...files.keys()].some(
                (name) => name === target || name.startsWith(`${target.replace(/\/$/, '')}/`),
              ),
          )
          .map((target) => `${page} → ${target}`)
      : [],
  )
  expect(dead).toEqual([])
})

test('a package builds the same bytes as a checkout', () => {
  const site = newSite()
  fs.rmSync(path.join(site, 'content'), { recursive: true })
  fs.cpSync('test/golden/content', path.join(site, 'content'), { recursive: true })
  run('npx --no -- shotpress build', site)
  expect(fs.readFileSync(path.join(site, 'dist/SHA256SUMS'), 'utf8')).toBe(
    fs.readFileSync('test/golden/dist/SHA256SUMS', 'utf8'),
  )
})

describe('a site that init writes', () => {
  test('has a script for every command', () => {
    const { scripts } = JSON.parse(fs.readFileSync('examples/own-site/package.json', 'utf8'))
    const own = [...new Set([...verbs, 'gallery'])].filter((verb) => verb !== 'init')
    expect(scripts).toEqual(Object.fromEntries(own.map((verb) => [verb, `shotpress ${verb}`])))
  })

  test('checks, builds, publishes to a folder and takes a new shot, with one package installed', () => {
    const site = newSite()
    const installed = fs.readdirSync(path.join(site, 'node_modules')).filter((name) => !name.startsWith('.'))
    expect(installed).toEqual(['shotpress'])
    expect(run('npm run -s check', site)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^1 member, 0 shots\b/),
    })
    const added = run('npm run -s new -- shot ana-example --title Second --image second.png', site)
    expect(added).toMatchObject({ status: 0, stdout: 'content/members/ana-example/shots/second.yaml\n' })
    expect(run('npm run -s build', site)).toMatchObject({ status: 0 })
    expect(run('npm run -s deploy -- ./public', site)).toMatchObject({ status: 0 })
    expect(fs.readFileSync(path.join(site, 'public/api/username/ana-example/index.json'), 'utf8')).toContain(
      '"name":"Ana Example"',
    )
    for (const line of ['host -- nginx', 'check -- --help', 'tidy', 'verify -- --help', 'import -- --help']) {
      expect(run(`npm run -s ${line}`, site), line).toMatchObject({ status: 0 })
    }
    // each schema that a file or the settings name is there
    for (const file of glob.sync('content/**/*.yaml', { cwd: site, absolute: true })) {
      const [, schema] = /^# yaml-language-server: \$schema=(.*)\n/.exec(fs.readFileSync(file, 'utf8'))!
      expect(fs.existsSync(path.join(path.dirname(file), schema!)), schema).toBe(true)
    }
    const settings = JSON.parse(fs.readFileSync(path.join(site, '.vscode/settings.json'), 'utf8'))
    for (const schema of Object.keys(settings['yaml.schemas'])) {
      expect(fs.existsSync(path.join(site, schema)), schema).toBe(true)
    }
  })

  test('has workflows whose steps name what is there', () => {
    const { scripts } = JSON.parse(fs.readFileSync('examples/own-site/package.json', 'utf8'))
    const workflows = glob.sync(['examples/own-site/.github/workflows/*.yml', 'examples/publish/*.yml'], {
      dot: true,
    })
    for (const file of workflows) {
      const text = fs.readFileSync(file, 'utf8')
      for (const [, name] of text.matchAll(/npm run (?:-s )?([a-z]+)/g))
        expect(Object.keys(scripts)).toContain(name)
      for (const [, action] of text.matchAll(/uses: \.\/node_modules\/shotpress(.*)/g)) {
        expect(files.has(path.posix.join(action!, 'action.yml'))).toBe(true)
      }
    }
  })
})
