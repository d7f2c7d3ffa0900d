import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import glob from 'fast-glob'
import { expect, describe as group, test, vi } from 'vitest'
import { inCi } from './posix.ts'
import { expectRefusal, runIn } from './processes.ts'
import {
  appendTo,
  makeFolder,
  readText,
  readTree,
  renameIn,
  sandbox,
  writeTree,
} from './sandbox.ts'
import { site } from './site.ts'
import { wordsOf } from './words.ts'

/** Made by .ci/windows. */
const wine = path.join(
  process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'),
  'shotpress/wine',
)
const node = path.join(wine, 'package/bin/node.exe')

/** In CI a missing Wine is a failure, not a reason to skip. */
const absent = process.platform !== 'linux' || (!inCi && !fs.existsSync(node))
const describe = absent ? group.skip : group

/**
 * Wine starts Node in some ten seconds, and in minutes where the machine is busy: this is for
 * a command that hangs.
 */
const limit = 600_000
vi.setConfig({ testTimeout: 4 * limit })

/** Runs a command as Windows does. Pipes don't work in Wine 8, so output goes to files. */
const inWine = (args: readonly string[], cwd: string) => {
  const out = path.join(cwd, 'out.txt')
  const err = path.join(cwd, 'err.txt')
  const stdout = fs.openSync(out, 'w')
  const stderr = fs.openSync(err, 'w')
  const { status } = spawnSync('wine', [node, path.resolve('scripts/run.cjs'), ...args], {
    cwd,
    timeout: limit,
    stdio: ['ignore', stdout, stderr],
    env: { ...process.env, WINEPREFIX: path.join(wine, 'prefix'), WINEDEBUG: '-all' },
  })
  fs.closeSync(stdout)
  fs.closeSync(stderr)
  return {
    status,
    stdout: readText(out),
    stderr: readText(err),
  }
}

/**
 * A command that fails says why. Where nothing was said, Wine failed to start it, as it does
 * at times.
 */
const onWindows = (line: string, cwd: string) => {
  const args = wordsOf(line)
  const first = inWine(args, cwd)
  const isSilent = first.stdout === '' && first.stderr === ''
  return first.status !== 0 && isSilent ? inWine(args, cwd) : first
}

/** A folder with the content that the golden files are made from, and what Linux builds from it. */
const golden = () => {
  const folder = sandbox()
  fs.cpSync('test/golden/content', path.join(folder, 'content'), {
    recursive: true,
  })
  expect(runIn(folder, 'build --out linux').status).toBe(0)
  return folder
}

/** A folder holds what Linux has built. */
const expectSame = (folder: string, name: string) =>
  expect(readTree(path.join(folder, name))).toEqual(readTree(folder, 'linux'))

describe(`Windows, in Wine${absent ? ' (skipped: no Wine here; .ci/windows prepares it on Debian)' : ''}`, () => {
  test('a build has the same bytes as on Linux, and a second one compiles what changed', () => {
    const folder = golden()
    expect(onWindows('check', folder)).toMatchObject({ status: 0, stderr: '' })
    const first = onWindows('build', folder)
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expectSame(folder, 'dist')
    expect(onWindows('build', folder).stdout).toContain('(0 compiled)')
    const [profile] = glob.sync('content/members/*/profile.yaml', {
      cwd: folder,
      absolute: true,
    })
    const text = readText(profile!)
    fs.writeFileSync(profile!, text.replace(/^name: .*$/m, 'name: Changed'))
    expect(onWindows('build', folder).stdout).toContain('(1 compiled)')
    runIn(folder, 'build --out linux')
    expectSame(folder, 'dist')
  })

  test('line ends of Windows give the same bytes', () => {
    const folder = golden()
    for (const file of fs.readdirSync(path.join(folder, 'content'), {
      recursive: true,
      encoding: 'utf8',
    })) {
      const name = path.join(folder, 'content', file)
      if (!/\.ya?ml$/.test(file) || !fs.statSync(name).isFile()) continue
      fs.writeFileSync(name, readText(name).replace(/\r?\n/g, '\r\n'))
    }
    expect(onWindows('build', folder)).toMatchObject({ status: 0 })
    expectSame(folder, 'dist')
  })

  test('folders are named with backslashes, spaces and letters beyond ASCII', () => {
    const folder = golden()
    makeFolder(folder, 'mein ördner')
    renameIn(folder, 'content', 'mein ördner/content')
    const line = "build --content 'mein ördner\\content\\' --out '.\\ö ut\\'"
    expect(onWindows(line, folder)).toMatchObject({ status: 0, stderr: '' })
    expectSame(folder, 'ö ut')
  })

  test('a place in a message is a path with slashes', () => {
    const folder = sandbox({
      'content/site.yaml': 'base_url: https://api.example.com\ntitle: none\n',
    })
    writeTree(folder, { 'content/members/ana/profile.yaml': 'id: 1\nname: Ana Example\n' })
    const { status, stdout } = onWindows('check --content .\\content\\ --format json', folder)
    expect(status).toBe(1)
    expect(JSON.parse(stdout).map(({ file }: { file: string }) => file)).toEqual([
      './content/site.yaml',
    ])
  })

  test('a snapshot inside of the content folder is refused', () => {
    const folder = golden()
    expectRefusal(onWindows('build --out content\\dist', folder), 'overlap')
  })

  test('a name that changes in letter case only changes in the content, the snapshot and where it is published', () => {
    const folder = golden()
    for (const name of ['ana', 'ANA']) {
      if (name !== 'ana') expect(onWindows(`rename ana ${name}`, folder).status).toBe(0)
      onWindows('build', folder)
      onWindows('deploy .\\public', folder)
    }
    runIn(folder, 'build --out linux')
    expectSame(folder, 'dist')
    expectSame(folder, 'public')
  })

  test('files are named in any letter case, and a program that lies in the working folder is not started', () => {
    const folder = sandbox(site)
    appendTo(folder, 'content/members/ana/profile.yaml', 'nome: wrong\n')
    expect(onWindows('check content\\members\\ANA\\', folder).stderr).toContain(
      'unknown key "nome"',
    )
    makeFolder(folder, '.git')
    fs.symlinkSync(node, path.join(folder, 'git.exe'))
    expect(onWindows('report --base HEAD', folder).stderr).toContain('git is not installed')
  })

  test('a new site is written, gets a work with a picture, is built, published and shown', () => {
    const folder = sandbox()
    const answers =
      '--base-url https://api.example.com --host server --name Ana --username ana'
    expect(onWindows(`init .\\site ${answers}`, folder).status).toBe(0)
    const cwd = path.join(folder, 'site')
    fs.copyFileSync(
      'content/members/pixel/shots/octopus.png',
      path.join(folder, 'My Tea.PNG'),
    )
    const shot = "new shot ana --title 'Tea labels' --image '..\\My Tea.PNG'"
    expect(onWindows(shot, cwd)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('tea-labels.png'),
    })
    expect(onWindows('build', cwd)).toMatchObject({ status: 0 })
    expect(onWindows('deploy ..\\public', cwd)).toMatchObject({ status: 0 })
    expect(onWindows('gallery --out pages', cwd)).toMatchObject({ status: 0 })
    runIn(cwd, 'build --out ../linux')
    runIn(cwd, 'gallery --out ../linux-pages')
    expectSame(folder, 'public')
    expect(readTree(cwd, 'pages')).toEqual(readTree(folder, 'linux-pages'))
  })
})
