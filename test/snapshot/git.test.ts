import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  buildIn,
  cleanBuild,
  makeSandbox,
  profileYaml,
  readTree,
  shotYaml,
  smallSite,
  type Tree,
  writeTree,
} from './sandbox.ts'

const profile = 'content/members/ana/profile.yaml'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const git = (folder: string, ...args: string[]): string => {
  const settings = ['user.name=test', 'user.email=test@example.com', 'init.defaultBranch=main', 'gc.auto=0']
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A repository with the small site, built. */
const builtRepository = async (root = '.', more: Tree = {}): Promise<string> => {
  const folder = makeSandbox()
  const repository = path.join(folder, root)
  writeTree(folder, smallSite)
  git(repository, 'init', '-q')
  writeTree(folder, { '.gitignore': '/dist\n/.shotpress\n', ...more })
  git(repository, 'add', '.')
  git(repository, 'commit', '-qm', 'The site')
  await buildIn(folder)
  return folder
}

/** A new clone of a repository, with the snapshot and the state restored, when its files have settled. */
const freshClone = async (folder: string, ...options: string[]): Promise<string> => {
  const clone = path.join(makeSandbox(), 'clone')
  git(folder, ...options, 'clone', '-q', folder, clone)
  for (const name of ['dist', '.shotpress']) {
    fs.cpSync(path.join(folder, name), path.join(clone, name), { recursive: true, preserveTimestamps: true })
  }
  await wait(100)
  return clone
}

/** Gives every content file another inode, as an archive does that is unpacked. */
const renewFiles = async (folder: string): Promise<void> => {
  const content = path.join(folder, 'content')
  fs.cpSync(content, `${content}.new`, { recursive: true })
  fs.rmSync(content, { recursive: true })
  fs.renameSync(`${content}.new`, content)
  await wait(100)
}

const dateIndex = (repository: string, time: number): void =>
  fs.utimesSync(path.join(repository, '.git/index'), time, time)

/** In seconds. */
const farAhead = Date.UTC(2100, 0) / 1000

/** Files of members that a build opens itself. */
const openedBy = async (build: () => Promise<unknown>): Promise<string[]> => {
  const opened = vi.spyOn(fs, 'openSync')
  await build()
  return opened.mock.calls.map(([file]) => String(file)).filter((file) => file.includes('/content/members/'))
}

describe('after a fresh clone, with snapshot and state restored', () => {
  it.each(['.', 'content'])('no content file is opened, with the repository in %s', async (root) => {
    const folder = await builtRepository(root)
    const clone = root === '.' ? await freshClone(folder) : folder
    if (root !== '.') {
      git(path.join(folder, root), 'rm', '-rqf', '.')
      git(path.join(folder, root), 'reset', '-q', '--hard')
      await wait(100)
    }
    dateIndex(path.join(clone, root), farAhead)
    expect(await openedBy(() => buildIn(clone))).toEqual([])
    expect(await buildIn(clone)).toMatchObject({ compiled: 0, written: 0 })
    expect(fs.readdirSync(path.join(clone, '.shotpress/dist'))).toEqual(['state'])
  })

  it.each([
    { milliseconds: -1, opened: 5 },
    { milliseconds: 30, opened: 5 },
    { milliseconds: 90, opened: 0 },
  ])('$opened files are opened that git saw $milliseconds ms before it wrote the index', async (told) => {
    const clone = await freshClone(await builtRepository())
    const members = Object.keys(smallSite).filter((file) => file.includes('/members/'))
    const changed = members.map((file) => fs.statSync(path.join(clone, file)).ctimeMs)
    const seen = told.milliseconds < 60 ? Math.min(...changed) : Math.max(...changed)
    dateIndex(clone, (seen + told.milliseconds) / 1000)
    expect(await openedBy(() => buildIn(clone))).toHaveLength(told.opened)
  })

  it('what was changed since is compiled', async () => {
    const clone = await freshClone(await builtRepository())
    writeTree(clone, { [profile]: profileYaml(1, 'Changed') })
    expect(await buildIn(clone)).toMatchObject({ compiled: 1 })
    expect(readTree(path.join(clone, 'dist'))).toEqual(await cleanBuild(clone))
  })

  it('files whose line ends git converts are read', async () => {
    const clone = await freshClone(await builtRepository(), '-c', 'core.autocrlf=true')
    expect(fs.readFileSync(path.join(clone, profile), 'utf8')).toContain('\r\n')
    dateIndex(clone, farAhead)
    expect(await buildIn(clone)).toMatchObject({ compiled: 2 })
  })
})

describe('where git has a program between the repository and the disk', () => {
  const places = [
    '.gitattributes',
    'content/.gitattributes',
    'content/members/.gitattributes',
    'content/members/ana/.gitattributes',
    '.git/info/attributes',
  ]
  const swap = ['-c', 'filter.swap.smudge=tr E F', '-c', 'filter.swap.clean=tr F E']

  it.each(places)('files are read, with the attributes in %s', async (place) => {
    const attributes = { [place]: '*.png filter=lfs\n*.y*ml filter=swap\n' }
    const folder = await builtRepository('.', attributes)
    const clone = await freshClone(folder)
    writeTree(clone, attributes)
    fs.rmSync(path.join(clone, profile))
    git(clone, ...swap, 'checkout', '-q', '--', profile)
    expect(fs.readFileSync(path.join(clone, profile), 'utf8')).toContain('Fxample')
    dateIndex(clone, farAhead)
    await wait(100)
    expect(await buildIn(clone)).toMatchObject({ compiled: 1 })
    expect(readTree(path.join(clone, 'dist'))).toEqual(await cleanBuild(clone))
  })

  it.each(['*.yaml ident', '*.yaml working-tree-encoding=UTF-8', '[attr]own filter=swap'])(
    'files are read that may be under "%s"',
    async (line) => {
      const clone = await freshClone(await builtRepository('.', { '.gitattributes': `${line}\n` }))
      dateIndex(clone, farAhead)
      expect(await openedBy(() => buildIn(clone))).toHaveLength(5)
    },
  )

  it('files are read where the attributes are not on disk', async () => {
    const clone = await freshClone(await builtRepository('.', { '.gitattributes': '* text\n' }))
    git(clone, 'update-index', '--skip-worktree', '.gitattributes')
    fs.rmSync(path.join(clone, '.gitattributes'))
    dateIndex(clone, farAhead)
    expect(await openedBy(() => buildIn(clone))).toHaveLength(5)
  })

  it('for other files, none is opened', async () => {
    const folder = await builtRepository('.', { '.gitattributes': '# filter\n*.png filter=lfs -text\n' })
    const clone = await freshClone(folder)
    dateIndex(clone, farAhead)
    expect(await openedBy(() => buildIn(clone))).toEqual([])
  })
})

it('a change is noticed that git does not see', async () => {
  const folder = await builtRepository()
  const old = new Date('2020-01-01')
  const files = Object.keys(smallSite).map((file) => path.join(folder, file))
  await wait(1010 - (Date.now() % 1000))
  for (const file of files) {
    fs.copyFileSync(file, `${file}.new`)
    fs.utimesSync(`${file}.new`, old, old)
    fs.renameSync(`${file}.new`, file)
  }
  git(folder, 'add', '.')
  fs.writeFileSync(path.join(folder, profile), smallSite[profile]!.replace('Example', 'Altered'))
  fs.utimesSync(path.join(folder, profile), old, old)
  const seconds = (file: string) => Math.floor(fs.statSync(path.join(folder, file)).ctimeMs / 1000)
  expect(seconds('.git/index')).toBe(seconds(profile))
  expect(git(folder, 'diff', '--name-only')).toBe('')
  await wait(100)
  expect(await buildIn(folder)).toMatchObject({ compiled: 1 })
})

describe('a repository in the content runs nothing', () => {
  const trap = (folder: string) => `touch '${folder}/trapped'; false`

  it('through a filter', async () => {
    const folder = await builtRepository('content')
    await renewFiles(folder)
    git(path.join(folder, 'content'), 'add', '.')
    dateIndex(path.join(folder, 'content'), Date.UTC(2020, 0) / 1000)
    writeTree(folder, { 'content/.git/info/attributes': '*.yaml filter=trap\n' })
    git(path.join(folder, 'content'), 'config', 'filter.trap.clean', trap(folder))
    await buildIn(folder)
    expect(fs.existsSync(path.join(folder, 'trapped'))).toBe(false)
  })

  it('through objects that are to be fetched', async () => {
    const folder = await builtRepository('content')
    const content = path.join(folder, 'content')
    writeTree(folder, { 'content/.gitattributes': '* -text\n' })
    git(content, 'add', '.')
    git(content, 'commit', '-qm', 'Attributes')
    const oid = git(content, 'rev-parse', 'HEAD:.gitattributes').trim()
    fs.rmSync(path.join(content, '.gitattributes'))
    fs.rmSync(path.join(content, '.git/objects', oid.slice(0, 2), oid.slice(2)))
    for (const [name, value] of [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', folder],
      ['remote.origin.uploadpack', trap(folder)],
    ]) {
      git(content, 'config', name!, value!)
    }
    await renewFiles(folder)
    await buildIn(folder)
    expect(fs.existsSync(path.join(folder, 'trapped'))).toBe(false)
  })

  it('as a submodule', async () => {
    const folder = await builtRepository()
    const inner = path.join(folder, 'content/members/ana')
    git(inner, 'init', '-q')
    git(inner, 'add', '.')
    git(inner, 'commit', '-qm', 'Inside')
    git(folder, 'rm', '-rq', '--cached', 'content/members/ana')
    git(folder, 'add', '.')
    writeTree(inner, { '.git/info/attributes': '*.yaml filter=trap\n' })
    git(inner, 'config', 'filter.trap.clean', trap(folder))
    await renewFiles(folder)
    await buildIn(folder)
    expect(fs.existsSync(path.join(folder, 'trapped'))).toBe(false)
    expect(readTree(path.join(folder, 'dist'))).toEqual(await cleanBuild(folder))
  })
})

it('files are read where the index is none', async () => {
  const clone = await freshClone(await builtRepository())
  fs.rmSync(path.join(clone, '.git/index'))
  fs.mkdirSync(path.join(clone, '.git/index'))
  expect(await openedBy(() => buildIn(clone))).toHaveLength(5)
})

it('files are read where git gives no answer', { timeout: 20_000 }, async () => {
  const clone = await freshClone(await builtRepository())
  fs.rmSync(path.join(clone, '.git/config'))
  execFileSync('mkfifo', [path.join(clone, '.git/config')])
  expect(await openedBy(() => buildIn(clone))).toHaveLength(5)
})

it('files that git knows and that are gone are gone', async () => {
  const clone = await freshClone(await builtRepository())
  fs.rmSync(path.join(clone, 'content/members/ana/shots/two.yaml'))
  writeTree(clone, { 'content/members/ana/shots/new.yaml': shotYaml(14) })
  expect(await buildIn(clone)).toMatchObject({ compiled: 1 })
  expect(readTree(path.join(clone, 'dist'))).toEqual(await cleanBuild(clone))
})
