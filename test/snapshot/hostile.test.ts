import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { isPosix } from '../posix.ts'
import { namesIn, readText, readTree, removeFrom, sandbox, writeTree } from '../sandbox.ts'
import { site, siteWith } from '../site.ts'
import { buildIn, built, checkIn, expectBuild, expectClean } from './building.ts'
import { forgeText } from './forge.ts'

/** A site that was built, and beside it the folder of somebody else that a link leads to. */
const withVictim = async () => {
  const folder = await built()
  const victim = `${folder}/victim`
  writeTree(victim, {
    'stage/x': 'theirs',
    'dist/stage/x': 'theirs',
    state: 'theirs',
    'd/e': 'theirs',
    g: 'theirs',
    '404.json': 'theirs',
  })
  return { folder, victim }
}

/** Whoever wants a link to a file needs a right on Windows that few have. */
const link = (target: string, name: string) => {
  fs.rmSync(name, { recursive: true, force: true })
  fs.symlinkSync(target, name, 'junction')
}

const state = '.shotpress/dist/state'
it.each(['.shotpress', '.shotpress/dist'])(
  'a link where our own folder should be is refused by build and check: %s',
  async (name) => {
    const { folder, victim } = await withVictim()
    link(victim, `${folder}/${name}`)
    const before = readTree(victim)
    await expect(buildIn(folder)).rejects.toMatchObject({
      name: 'UserError',
      message: `"${path.join(folder, name)}" is a link`,
    })
    await expect(checkIn(folder)).rejects.toMatchObject({ name: 'UserError' })
    expect(readTree(victim)).toEqual(before)
  },
)

const kinds: Readonly<Record<string, (file: string, victim: string) => void>> = {
  ...(isPosix && {
    'a pipe': (file: string) => void execFileSync('mkfifo', [file]),
    'a link to a file': (file: string, victim: string) => fs.symlinkSync(`${victim}/g`, file),
  }),
  'a link to a folder': (file, victim) => fs.symlinkSync(victim, file, 'junction'),
  'a link to nothing': (file) => fs.symlinkSync('none', file, 'junction'),
  'a folder': (file) => writeTree(file, { 'inside/file': 'x' }),
  'three gigabytes': (file) => {
    fs.writeFileSync(file, '')
    fs.truncateSync(file, 3e9)
  },
  'an empty file': (file) => fs.writeFileSync(file, ''),
  'a text': (file) => fs.writeFileSync(file, '{}'),
}
const places = [
  state,
  '.shotpress/dist/stage',
  'dist/404.json',
  'dist/SHA256SUMS',
  'dist/http',
]
it.each(
  Object.keys(kinds).flatMap((kind) =>
    [
      ...places,
      'dist/api/username',
      'dist/api/username/ana',
      'dist/api/username/ana/index.json',
    ].map((file) => ({
      kind,
      file,
    })),
  ),
)(
  'what no build could have written counts as nothing, and is replaced: $kind as $file',
  async ({ kind, file }) => {
    const { folder, victim } = await withVictim()
    const before = readTree(victim)
    fs.rmSync(`${folder}/${file}`, { recursive: true, force: true })
    kinds[kind]!(`${folder}/${file}`, victim)
    await buildIn(folder)
    await expectClean(folder)
    expect(namesIn(folder, '.shotpress/dist')).toEqual(['state'])
    expect(fs.statSync(`${folder}/${state}`).isFile()).toBe(true)
    expect(readTree(victim)).toEqual(before)
  },
)

/** Changes one file of the snapshot, and its digest wherever it is written down. */
const poison = (folder: string) => {
  const file = `${folder}/dist/api/username/ana/index.json`
  const sums = `${folder}/dist/SHA256SUMS`
  const digestOf = () => hash('sha256', fs.readFileSync(file))
  const sumOf = () => hash('sha256', fs.readFileSync(sums))
  const oldDigest = digestOf()
  const oldSum = sumOf()
  fs.writeFileSync(file, '{"id":"666"}\n')
  fs.writeFileSync(sums, readText(sums).replace(oldDigest, digestOf()))
  forgeText(`${folder}/${state}`, (text) =>
    text.replace(oldDigest, digestOf()).replace(oldSum, sumOf()),
  )
}

it('a snapshot and a state that were changed together are believed, but not with distrust', async () => {
  const { folder } = await withVictim()
  const right = readTree(folder, 'dist')
  poison(folder)
  const timeOfRight = () => fs.statSync(`${folder}/dist/api/username/bo/index.json`).mtimeMs
  const before = timeOfRight()
  await expectBuild(folder, { compiled: 0, written: 0 })
  await expectBuild(folder, { compiled: 2, written: 2 }, { distrust: true })
  expect(timeOfRight()).toBe(before)
  expect(readTree(folder, 'dist')).toEqual(right)
  await expectBuild(folder, { compiled: 0, written: 0 })
})

it('a check writes nothing, also where a build died in its commit', async () => {
  const { folder } = await withVictim()
  writeTree(folder, { '.shotpress/dist/stage/x': 'staged' })
  const before = readTree(folder)
  await checkIn(folder)
  expect(readTree(folder)).toEqual(before)
})

it('--state keeps what the build needs in that folder, and nothing beside the snapshot', async () => {
  const folder = sandbox(site)
  const options = { state: `${folder}/elsewhere/states` }
  await buildIn(folder, options)
  expect(readTree(folder, 'elsewhere')).toEqual({
    'states/dist/.gitignore': '*\n',
    'states/dist/state': expect.anything(),
  })
  expect(fs.readdirSync(folder).sort()).toEqual(['content', 'dist', 'elsewhere'])
  await expectBuild(folder, { compiled: 0 }, options)
})

it.each(['dist', 'dist/state', 'content', 'content/members', '.'])(
  '--state can not be in %s',
  async (name) => {
    const { folder } = await withVictim()
    const before = readTree(folder)
    await expect(buildIn(folder, { state: path.join(folder, name) })).rejects.toMatchObject({
      name: 'UserError',
    })
    expect(readTree(folder)).toEqual(before)
  },
)

const siteOf = (count: number) => sandbox(siteWith(count))
const drop = (folder: string, count: number) => {
  for (let id = 1; id <= count; id++) removeFrom(folder, `content/members/m${id}`)
}

it('a build that would remove most of the members stops and changes nothing, unless that is allowed', async () => {
  const folder = siteOf(11)
  await buildIn(folder)
  drop(folder, 6)
  const before = readTree(folder)
  const { diagnostics } = await buildIn(folder)
  expect(diagnostics).toMatchObject([
    {
      code: 'mass-removal',
      message: 'this build would remove 6 of the 11 members of the snapshot',
      file: expect.stringMatching(/content\/members$/),
    },
  ])
  expect(readTree(folder)).toEqual(before)
  removeFrom(folder, '.shotpress')
  expect((await buildIn(folder)).diagnostics).toMatchObject([{ code: 'mass-removal' }])
  await expectBuild(
    folder,
    {
      members: 5,
      removed: 24,
    },
    { allowRemoval: true },
  )
})

it('a snapshot that is a link to nothing is told as that', async () => {
  const folder = sandbox(site)
  fs.symlinkSync('nowhere', `${folder}/dist`, 'junction')
  await expect(buildIn(folder)).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringContaining('is a link'),
  })
})

it('a link to a folder that is empty is no place for a snapshot', async () => {
  const folder = sandbox({ ...site, 'home/x': '' })
  removeFrom(folder, 'home/x')
  fs.symlinkSync('home', `${folder}/dist`, 'junction')
  await expect(buildIn(folder)).rejects.toThrow(
    'is a link to a folder that holds no snapshot',
  )
  expect(readTree(folder)).toMatchObject({ 'home/': '' })
  await buildIn(folder, { out: `${folder}/home` })
  await expectBuild(folder, { written: 0 })
})
