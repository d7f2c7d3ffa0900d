import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createControl, type Task } from '../../scripts/snapshot/work/task.ts'
import { startThreads } from '../../scripts/snapshot/work/threads.ts'
import { isLinux, isPosix, onLinux, onPosix } from '../posix.ts'
import { readTree, sandbox, writeTree } from '../sandbox.ts'
import { shotYaml, site } from '../site.ts'
import { buildIn, cleanBuild } from './building.ts'

afterEach(() => vi.restoreAllMocks())

const builtSite = async (): Promise<string> => {
  const folder = sandbox(site)
  await buildIn(folder)
  return folder
}

const stateFile = '.shotpress/dist/state'

describe('a folder that is no snapshot is refused, and stays as it is', () => {
  it.each([
    {
      what: 'sums of something else',
      tree: { SHA256SUMS: `${'0'.repeat(64)}  disk.iso\n`, 'disk.iso': 'mine' },
    },
    { what: 'a folder with the name of one of ours', tree: { 'api/lib/server.js': 'mine' } },
    { what: 'members of somebody else', tree: { 'api/username/eve/index.json': 'mine' } },
    { what: 'a body of somebody else', tree: { '404.json': '{}', 'page.html': 'mine' } },
    { what: 'a repository', tree: { '.git/config': '', '404.json': '{"error":"not_found"}\n' } },
  ])('$what', async ({ tree }) => {
    const folder = sandbox(site)
    writeTree(path.join(folder, 'dist'), tree)
    await expect(buildIn(folder)).rejects.toMatchObject({ name: 'UserError' })
    expect(readTree(path.join(folder, 'dist'))).toEqual(tree)
  })
})

it('a snapshot that lost what tells it from other folders is repaired', async () => {
  const folder = await builtSite()
  for (const name of ['404.json', 'SHA256SUMS', 'api/username/ana']) {
    fs.rmSync(path.join(folder, 'dist', name), { recursive: true })
  }
  fs.rmSync(path.join(folder, 'content/members/bo'), { recursive: true })
  await buildIn(folder)
  expect(readTree(path.join(folder, 'dist'))).toEqual(await cleanBuild(folder))
})

it.each(['404.json', '405.json', 'SHA256SUMS'])('a snapshot is known by %s alone', async (mark) => {
  const folder = await builtSite()
  for (const name of ['404.json', '405.json', 'SHA256SUMS'].filter((other) => other !== mark)) {
    fs.rmSync(path.join(folder, 'dist', name))
    fs.mkdirSync(path.join(folder, 'dist', name, 'inside'), { recursive: true })
  }
  await buildIn(folder)
  expect(readTree(path.join(folder, 'dist'))).toEqual(await cleanBuild(folder))
})

it.runIf(isPosix)(onPosix('an empty folder that was prepared keeps its rights'), async () => {
  const folder = sandbox(site)
  fs.mkdirSync(path.join(folder, 'dist'))
  fs.chmodSync(path.join(folder, 'dist'), 0o750)
  await buildIn(folder)
  expect(fs.statSync(path.join(folder, 'dist')).mode & 0o777).toBe(0o750)
})

it('what a host reads is repaired where a link stands for its folder', async () => {
  const folder = sandbox(site)
  const hostFiles = () => [{ path: 'http/serve.json', text: '{}\n' }]
  await buildIn(folder, { hostFiles })
  const whole = readTree(path.join(folder, 'dist'))
  fs.renameSync(path.join(folder, 'dist/http'), path.join(folder, 'moved'))
  fs.symlinkSync('../moved', path.join(folder, 'dist/http'), 'junction')
  await buildIn(folder, { hostFiles })
  expect(readTree(path.join(folder, 'dist'))).toEqual(whole)
})

it('a file that is changed while a build runs is repaired by the next one', async () => {
  const folder = await builtSite()
  const unchanged = path.join(folder, 'dist/api/username/ana/index.json')
  writeTree(folder, { 'content/members/ana/shots/one.yaml': shotYaml(11, 'Changed') })
  const rename = fs.renameSync
  vi.spyOn(fs, 'renameSync').mockImplementationOnce((from, to) => {
    fs.writeFileSync(unchanged, 'changed by somebody')
    rename(from, to)
  })
  expect(await buildIn(folder)).toMatchObject({ compiled: 1 })
  vi.restoreAllMocks()
  await buildIn(folder)
  expect(readTree(path.join(folder, 'dist'))).toEqual(await cleanBuild(folder))
})

it.each(['EACCES', 'EBUSY'])('an empty folder that can’t be replaced (%s) is filled', async (code) => {
  const folder = sandbox(site)
  const dist = path.join(folder, 'dist')
  fs.mkdirSync(dist)
  const rename = fs.renameSync
  vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    if (to === dist) throw Object.assign(new Error(`${code}: rename`), { code })
    rename(from, to)
  })
  expect(await buildIn(folder)).toMatchObject({ diagnostics: [], written: 11 })
  expect(readTree(dist)).toEqual(await cleanBuild(folder))
})

describe.runIf(isLinux)(onLinux('a file whose name is no text', 'such names'), () => {
  const oddFile = (folder: string): Buffer =>
    Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff])])

  it.each(['dist', 'dist/api/username/ana'])('in %s is reported, again and again', async (place) => {
    const folder = await builtSite()
    fs.writeFileSync(oddFile(path.join(folder, place)), '')
    for (let time = 0; time < 2; time++) {
      await expect(buildIn(folder)).rejects.toMatchObject({
        name: 'UserError',
        message: `a file with a name that is not UTF-8 is in ${path.join(folder, place)}`,
      })
    }
  })

  it('in a folder that does not belong is removed with it', async () => {
    const folder = await builtSite()
    fs.mkdirSync(path.join(folder, 'dist/mine'))
    fs.writeFileSync(oddFile(path.join(folder, 'dist/mine')), '')
    expect(await buildIn(folder)).toMatchObject({ removed: 1 })
    expect(readTree(path.join(folder, 'dist'))).toEqual(await cleanBuild(folder))
  })

  it('is reported just so by a thread', async () => {
    const folder = await builtSite()
    const dist = path.join(folder, 'dist')
    fs.writeFileSync(oddFile(path.join(dist, 'api/username/ana')), '')
    const task: Task = {
      content: { path: path.join(folder, 'content'), name: 'content' },
      site: { precompress: [] } as unknown as NonNullable<Task['site']>,
      source: undefined,
      hostNames: [],
      members: ['ana'],
      touched: undefined,
      entries: new Uint8Array(new SharedArrayBuffer(0)),
      offsets: Int32Array.of(-1),
      sameEpoch: false,
      target: {
        folder: dist,
        empty: false,
        blocked: [],
        own: folder,
        stage: path.join(folder, 'stage'),
        baseTime: 0,
      },
      targetLooksNew: false,
      control: createControl(),
      broken: new Int32Array(new SharedArrayBuffer(4)),
    }
    const threads = startThreads(1, task)
    try {
      await expect(threads.parts).rejects.toMatchObject({
        name: 'UserError',
        hint: 'remove it, or the snapshot as a whole',
      })
    } finally {
      await threads.end()
    }
  })
})

describe('a journal', () => {
  const journal = '.shotpress/dist/commit.json'
  const identify = (folder: string): string => {
    const { dev, ino, birthtimeNs } = fs.statSync(path.join(folder, 'dist'), { bigint: true })
    return `${dev}:${ino}:${birthtimeNs}`
  }

  it.each([
    { what: 'is no journal', make: () => null },
    { what: 'lacks lists', make: (folder: string) => ({ folder: identify(folder) }) },
    {
      what: 'leads out of the snapshot',
      make: (folder: string) => ({ folder: identify(folder), clear: ['../keep'], write: [], remove: [] }),
    },
    {
      what: 'names a folder elsewhere',
      make: (folder: string) => ({
        folder: identify(folder),
        clear: [],
        write: [],
        remove: [`${folder}/keep`],
      }),
    },
    {
      what: 'is for a folder that was made anew in the same place',
      make: (folder: string) => ({
        folder: identify(folder).replace(/\d+$/, '1'),
        clear: ['404.json'],
        write: [],
        remove: [],
      }),
    },
  ])('that $what asks for nothing', async ({ make }) => {
    const folder = await builtSite()
    writeTree(folder, { 'keep/mine.txt': 'mine', [journal]: JSON.stringify(make(folder)) })
    const before = readTree(path.join(folder, 'dist'))
    expect(await buildIn(folder)).toMatchObject({ written: 0, removed: 0 })
    expect(readTree(path.join(folder, 'dist'))).toEqual(before)
    expect(readTree(path.join(folder, 'keep'))).toEqual({ 'mine.txt': 'mine' })
    expect(fs.readdirSync(path.join(folder, '.shotpress/dist'))).toEqual(['state'])
  })

  it('that is sound is carried out, also where the content is wrong by now', async () => {
    const folder = await builtSite()
    const text = { folder: identify(folder), clear: [], write: [], remove: ['405.json'] }
    writeTree(folder, { [journal]: JSON.stringify(text) })
    writeTree(folder, { 'content/site.yaml': 'wrong: x\n' })
    await buildIn(folder)
    expect(fs.existsSync(path.join(folder, 'dist/405.json'))).toBe(false)
  })
})

describe('a state file that is not sound is taken for none', () => {
  const sealed = async (change: (bytes: Buffer, firstEntry: number) => Buffer): Promise<void> => {
    const folder = await builtSite()
    const bytes = fs.readFileSync(path.join(folder, stateFile))
    const body = change(bytes.subarray(0, -32), bytes.indexOf('\n') + 1 + 2 * 64)
    const sum = hash('sha256', body, 'buffer')
    fs.writeFileSync(path.join(folder, stateFile), Buffer.concat([body, sum]))
    expect(await buildIn(folder)).toMatchObject({ compiled: 2, written: 0 })
    expect(await buildIn(folder)).toMatchObject({ compiled: 0, written: 0 })
  }

  it.each([0, 1, 2 ** 31, 2 ** 32 - 1])('with an entry of %i bytes', (length) =>
    sealed((bytes, firstEntry) => {
      bytes.writeUInt32LE(length, firstEntry)
      return bytes
    }),
  )

  it('with half an entry', () => sealed((bytes) => bytes.subarray(0, -20)))

  it('cut anywhere', async () => {
    const folder = await builtSite()
    const bytes = fs.readFileSync(path.join(folder, stateFile))
    for (let length = 0; length < bytes.length; length += 37) {
      fs.writeFileSync(path.join(folder, stateFile), bytes.subarray(0, length))
      expect(await buildIn(folder)).toMatchObject({ compiled: 2, written: 0 })
    }
  })
})
