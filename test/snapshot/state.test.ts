import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { shardOf } from '../../scripts/snapshot/shard.ts'
import { git } from '../git.ts'
import { readText, sandbox } from '../sandbox.ts'
import { profileYaml, site } from '../site.ts'
import { buildIn, buildShards, built, checkIn, expectBuild, mergeShards } from './building.ts'
import { forge, forgeText, type Line } from './forge.ts'

const forgeShards = (folder: string, values: Line) => {
  for (const index of [1, 2])
    forge(`${folder}/.shotpress/shard-${index}/state`, (entry) => ({
      ...entry,
      ...values,
    }))
}

test('a member with a warning is not read again, and the warning is told again', async () => {
  const folder = sandbox({
    ...site,
    'content/members/ana/profile.yaml': `${profileYaml(1)}aliases: [cut-off-]\n`,
  })
  const first = await buildIn(folder)
  expect(first.diagnostics).toMatchObject([{ code: 'untidy-username', severity: 'warning' }])
  await expectBuild(folder, { compiled: 0, diagnostics: first.diagnostics })
  await expectBuild(
    folder,
    {
      diagnostics: first.diagnostics,
    },
    { touched: new Set() },
  )
  expect(await checkIn(folder)).toMatchObject({ compiled: 0, diagnostics: first.diagnostics })
  // by another name of the folder, its file has another one, too
  const { compiled, diagnostics } = await checkIn(folder, {
    content: path.relative('.', `${folder}/content`),
  })
  expect(compiled).toBe(2)
  expect(diagnostics[0]!.file).toMatch(/^\.\..*ana\/profile\.yaml$/)
})

/** Builds and checks, and returns how many members each compiled, and the doubts that were told. */
const rebuild = async (folder: string) => {
  const doubts: string[] = []
  const onDoubt = (why: string) => doubts.push(why)
  const checked = await checkIn(folder, { onDoubt })
  const { compiled } = await buildIn(folder, { onDoubt })
  return { compiled: [checked.compiled, compiled], doubts }
}

/** A check and a build compile so many members, and each has these doubts. */
const expectRebuilt = async (folder: string, members: number, ...doubts: unknown[]) =>
  expect(await rebuild(folder)).toEqual({
    compiled: [members, members],
    doubts: [...doubts, ...doubts],
  })

test('in a work tree, a state that git tracks is not believed, in any letter case', async () => {
  const folder = await built()
  git(folder, 'init')
  git(folder, 'add .')
  expect(git(folder, 'ls-files')).not.toContain('.shotpress')
  await expectRebuilt(folder, 0)
  git(folder, 'config core.ignorecase true')
  const oid = git(folder, 'hash-object -w .shotpress/dist/state').trim()
  for (const name of ['.shotpress/dist/state', '.SHOTPRESS/Dist/STATE']) {
    git(folder, 'read-tree --empty')
    git(folder, `update-index --add --cacheinfo 100644,${oid},${name}`)
    const { compiled, doubts } = await rebuild(folder)
    expect(compiled).toEqual([2, 2])
    expect(doubts).toEqual([
      expect.stringMatching(/as git tracks it: git rm -f ":\//),
      doubts[0],
    ])
  }
})

test('where no repository can say, a state is believed in the file that a build wrote alone', async () => {
  const folder = await built()
  await expectRebuilt(folder, 0)
  // a repository around it knows nothing of what was unpacked there
  const outer = sandbox()
  git(outer, 'init')
  const copy = path.join(outer, 'unpacked')
  fs.cpSync(folder, copy, { recursive: true, preserveTimestamps: true })
  const doubt = expect.stringMatching(
    /as no build wrote it there: the next build makes it anew$/,
  )
  // a state names its content by the path, which is another one here
  forgeText(`${copy}/.shotpress/dist/state`, (text) => text.replaceAll(folder, copy))
  await expectRebuilt(copy, 2, doubt)
  await expectRebuilt(copy, 0)
  // a cache may be restored in a work tree
  const clone = sandbox()
  fs.cpSync(copy, clone, { recursive: true })
  forgeText(`${clone}/.shotpress/dist/state`, (text) => text.replaceAll(copy, clone))
  git(clone, 'init')
  git(clone, 'add content')
  await expectRebuilt(clone, 0)
})

test('a folder of ours is ignored by git, and gone where nothing is kept', async () => {
  const folder = sandbox({ ...site, '.shotpress/other': '' })
  await buildIn(folder)
  expect(readText(`${folder}/.shotpress/.gitignore`)).toBe('*\n')
  const wrong = sandbox({ ...site, 'content/members/ana/profile.yaml': 'id: x\n' })
  await buildIn(wrong)
  expect(fs.readdirSync(wrong)).toEqual(['content'])
})

test('a build of a shard with distrust hands nothing of an earlier state to the merge', async () => {
  const folder = sandbox({ ...site, 'content/members/bo/profile.yaml': profileYaml(1) })
  await buildShards(folder, 2)
  // as if nobody held what is held twice
  forgeShards(folder, { claims: '', held: [] })
  const { outs } = await buildShards(folder, 2, { distrust: true })
  expect((await mergeShards(folder, outs)).diagnostics).toMatchObject([
    { code: 'duplicate-member-id' },
  ])
})

test('a merge refuses members of another shard', async () => {
  const folder = sandbox(site)
  const { outs } = await buildShards(folder, 2)
  const part = shardOf('ana', 2)
  const other = ['x1', 'x2', 'x3', 'x4', 'x5', 'x6'].find(
    (name) => shardOf(name, 2) !== part,
  )!
  forge(`${folder}/.shotpress/shard-${part}/state`, (entry) => ({
    ...entry,
    username: entry.username === 'ana' ? other : entry.username,
  }))
  await expect(mergeShards(folder, outs)).rejects.toThrow("don't belong together")
})

/** Each data that differs from this one in one place, where something else stands. */
const mutants = (value: unknown): unknown[] => {
  const others = [null, -1, 'x', [], {}].filter(
    (one) => typeof one !== typeof value || value === null,
  )
  if (typeof value !== 'object' || value === null) return others
  const inside = Object.entries(value).flatMap(([key, one]) =>
    mutants(one).map((other) =>
      Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other },
    ),
  )
  return [...others, ...inside]
}

test('a merge of shards whose states were forged ends with a message, if it ends at all', async () => {
  const folder = sandbox({
    'content/site.yaml': `${site['content/site.yaml']}members: true\n`,
    'content/members/ana/profile.yaml': `${profileYaml(1)}aliases: [old]\n`,
    'content/members/bo/profile.yaml': profileYaml(1),
  })
  const { outs } = await buildShards(folder, 1)
  const state = `${folder}/.shotpress/shard-1/state`
  const before = fs.readFileSync(state)
  const lines = before.toString().trim().split('\n').slice(0, -1)
  const forgeries = lines.flatMap((line, at) =>
    mutants(JSON.parse(line)).map((value) => ({ at, value })),
  )
  const messages: string[] = []
  for (const { at, value } of forgeries) {
    fs.writeFileSync(state, before)
    forgeText(state, () =>
      lines
        .with(at, JSON.stringify(value))
        .map((line) => `${line}\n`)
        .join(''),
    )
    await mergeShards(folder, outs).catch((error) =>
      messages.push(error.name === 'UserError' ? '' : error.stack),
    )
  }
  expect(messages.length).toBeGreaterThan(100)
  expect(new Set(messages)).toEqual(new Set(['']))
})
