import { expect, test } from 'vitest'
import { readTree, removeFrom, sandbox, writeTree } from '../sandbox.ts'
import { profileYaml, site } from '../site.ts'
import { rowsOf } from '../tables.ts'
import { buildIn, expectBuild, expectClean, linesOf } from './building.ts'

const ana = 'content/members/ana/profile.yaml'
const aliases = (...names: readonly string[]) => ({
  [ana]: `${profileYaml(1)}aliases: [${names.join(', ')}]\n`,
})

const dist = (folder: string) => readTree(folder, 'dist')

test('the API answers at an alias with the bytes of its member, in both variants', async () => {
  const folder = sandbox(site)
  writeTree(folder, aliases('Zed', 'a.b'))
  await buildIn(folder)
  const tree = dist(folder)
  for (const variant of ['', 'http/']) {
    for (const route of ['', '/shots']) {
      const own = tree[`${variant}api/username/ana${route}/index.json`]
      expect(own).toBeDefined()
      expect(tree[`${variant}api/username/Zed${route}/index.json`]).toBe(own)
      expect(tree[`${variant}api/username/a.b${route}/index.json`]).toBe(own)
    }
  }
  expect(tree['api/username/Zed/index.json']).toContain('"username":"ana"')
  const listed = tree.SHA256SUMS!.trim().split('\n')
  expect(listed.map((line) => line.slice(66))).toEqual(
    Object.keys(tree).filter((file) => file !== 'SHA256SUMS'),
  )
})

test('an alias that comes writes its own files only, one that goes is removed', async () => {
  const folder = sandbox({ ...site, [ana]: profileYaml(1) })
  await buildIn(folder)
  writeTree(folder, aliases('old'))
  await expectBuild(folder, { compiled: 1, written: 5, removed: 0 })
  await expectClean(folder)
  await expectBuild(folder, { compiled: 0, written: 0, removed: 0 })
  removeFrom(folder, 'dist/api/username/old/shots')
  await expectBuild(folder, { written: 1 })
  await expectClean(folder)
  writeTree(folder, { [ana]: profileYaml(1) })
  await expectBuild(folder, { written: 1, removed: 4 })
  await expectClean(folder)
})

test.each(
  rowsOf(`
    the username of another member → BO → or rename the folder "bo"
    the own username → Ana → remove it
    given twice → OLD → remove it
  `),
)('an alias that is %s is an error', async (_, name, advice) => {
  const folder = sandbox(site)
  writeTree(folder, aliases('old', name))
  const { diagnostics } = await buildIn(folder)
  const hint = expect.stringContaining(advice)
  expect(diagnostics).toMatchObject([{ code: 'duplicate-name', line: 3, column: 16, hint }])
})

test('an alias that two members give is an error', async () => {
  const folder = sandbox(site)
  writeTree(folder, {
    ...aliases('old'),
    'content/members/bo/profile.yaml': `${profileYaml(2)}aliases:\n  - Old\n`,
  })
  const { diagnostics } = await buildIn(folder)
  expect(linesOf(folder, diagnostics)).toEqual([
    'content/members/bo/profile.yaml:4:5-4:8 duplicate-name',
  ])
})
