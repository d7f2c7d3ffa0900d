import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { shardOf } from '../../scripts/snapshot/check.ts'
import { shotpress } from '../processes.ts'
import { sandbox, writeTree } from '../sandbox.ts'
import { profileYaml, site } from '../site.ts'
import { buildIn, buildShards, built, checkIn, mergeShards } from './building.ts'

type Line = Record<string, unknown>

/** Changes the lines of a state's members, and its first one, and its sum. */
const forge = (
  file: string,
  change: (entry: Line) => object,
  ofSite = (header: Line): object => header,
): void => {
  const [header, ...lines] = fs
    .readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  const text = [ofSite(header), ...lines.map(change)].map((line) => JSON.stringify(line)).join('\n')
  fs.writeFileSync(file, `${text}\n{"sha256":"${hash('sha256', `${text}\n`)}"}\n`)
}

const forgeShards = (folder: string, values: Line): void => {
  for (const index of [1, 2])
    forge(path.join(folder, `.shotpress/shard-${index}/state`), (entry) => ({ ...entry, ...values }))
}

test('a member with a warning is not read again, and the warning is told again', async () => {
  const folder = sandbox({
    ...site,
    'content/members/ana/profile.yaml': `${profileYaml(1)}aliases: [cut-off-]\n`,
  })
  const first = await buildIn(folder)
  expect(first.diagnostics).toMatchObject([{ code: 'untidy-username', severity: 'warning' }])
  expect(await buildIn(folder)).toMatchObject({ compiled: 0, diagnostics: first.diagnostics })
  expect(await buildIn(folder, { touched: new Set() })).toMatchObject({ diagnostics: first.diagnostics })
  expect(await checkIn(folder)).toMatchObject({ compiled: 0, diagnostics: first.diagnostics })
  // by another name of the folder, its file has another one, too
  const { compiled, diagnostics } = await checkIn(folder, {
    content: path.relative('.', path.join(folder, 'content')),
  })
  expect(compiled).toBe(1) // nothing is told of the others
  expect(diagnostics[0]!.file).toMatch(/^\.\..*ana\/profile\.yaml$/)
})

test('a state that git tracks, or does not ignore, is not believed', async () => {
  const folder = sandbox(site)
  const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words], { stdio: 'ignore' })
  git('init')
  await buildIn(folder)
  expect(await checkIn(folder)).toMatchObject({ compiled: 2 })
  writeTree(folder, { '.gitignore': '.shotpress/\n' })
  expect(await checkIn(folder)).toMatchObject({ compiled: 0 })
  expect(await buildIn(folder)).toMatchObject({ compiled: 0 })
  git('add', '--force', '.shotpress')
  expect(await checkIn(folder)).toMatchObject({ compiled: 2 })
  expect(await buildIn(folder)).toMatchObject({ compiled: 2, written: 0 })
})

test('a build says how many files have other bytes than those of another version', async () => {
  const folder = await built()
  const run = () => shotpress(['build', '--distrust'], { cwd: folder }).stderr
  expect(run()).not.toContain('note:')
  const asMadeBefore = (): void =>
    forge(
      path.join(folder, '.shotpress/dist/state'),
      (entry) => ({ ...entry, made: { sha256: Array(4).fill('0'.repeat(64)), stat: '', largest: 1 } }),
      (header) => ({ ...header, epoch: 'f'.repeat(64) }),
    )
  const [ana, siteFile] = ['content/members/ana/profile.yaml', 'content/site.yaml'] as const
  asMadeBefore()
  writeTree(folder, { [ana]: profileYaml(1, 'Changed') })
  expect(run()).toContain(
    'this version of Shotpress writes 4 files with other bytes for the same content: see its CHANGELOG.md',
  )
  expect(run()).not.toContain('note:')
  asMadeBefore()
  fs.appendFileSync(path.join(folder, siteFile), 'defaults:\n  status: 7\n')
  expect(run()).not.toContain('note:')
})

test('a build of a shard with distrust hands nothing of an earlier state to the merge', async () => {
  const folder = sandbox({ ...site, 'content/members/bo/profile.yaml': profileYaml(1) })
  await buildShards(folder, 2)
  // as if nobody held what is held twice
  forgeShards(folder, { claims: '', held: [] })
  const { outs } = await buildShards(folder, 2, { distrust: true })
  expect((await mergeShards(folder, outs)).diagnostics).toMatchObject([{ code: 'duplicate-member-id' }])
})

test('a merge refuses members of another shard, and two at one address', async () => {
  const folder = sandbox(site)
  const { outs } = await buildShards(folder, 2)
  const part = shardOf('ana', 2)
  const other = ['x1', 'x2', 'x3', 'x4', 'x5', 'x6'].find((name) => shardOf(name, 2) !== part)!
  const state = path.join(folder, `.shotpress/shard-${part}/state`)
  const before = fs.readFileSync(state)
  forge(state, (entry) => ({ ...entry, username: entry.username === 'ana' ? other : entry.username }))
  await expect(mergeShards(folder, outs)).rejects.toThrow("don't belong together")
  fs.writeFileSync(state, before)
  forgeShards(folder, { aliases: ['same'], held: [] })
  await expect(mergeShards(folder, outs)).rejects.toThrow(
    'two members would be published at api/username/same/',
  )
})

test.each([
  ['a first line that is null', (entry: Line) => entry, () => null as never],
  ['members without what was made', ({ made, ...entry }: Line) => entry, undefined],
  ['members that are null', () => null as never, undefined],
])('a whole state with %s is none, in any build', async (_, change, ofSite) => {
  const folder = await built()
  const state = path.join(folder, '.shotpress/dist/state')
  for (const options of [{}, { distrust: true }]) {
    forge(state, change, ofSite)
    expect(await buildIn(folder, options)).toMatchObject({ compiled: 2, written: 0, diagnostics: [] })
  }
})
