import path from 'node:path'
import { expect, test } from 'vitest'
import { type Groups, memberFolder } from '../../scripts/content/layout.ts'
import { fixProblems } from '../../scripts/edit/fix.ts'
import { resolveContent } from '../../scripts/snapshot/folders.ts'
import { readTree, sandbox, type Tree, writeTree } from '../sandbox.ts'
import { profileYaml, shotYaml, siteYaml } from '../site.ts'
import { rowsOf, texts } from '../tables.ts'
import { checkIn, expectBuild } from './building.ts'

const usernames = texts('ana¦Bo.b¦x¦9-9¦c.c')

const siteOf = (groups: Groups): Tree => ({
  'content/site.yaml': groups === 0 ? siteYaml : `${siteYaml}groups: ${groups}\n`,
  ...Object.fromEntries(
    usernames.flatMap((username, at) => {
      const folder = `content/${memberFolder(username, { groups })}`
      return [
        [`${folder}/profile.yaml`, profileYaml(at + 1)],
        [`${folder}/shots/one.yaml`, shotYaml(at + 1)],
      ]
    }),
  ),
})

/** Gives the site other groups, and takes `check --fix`. */
const regroup = async (folder: string, groups: Groups) => {
  writeTree(folder, { 'content/site.yaml': siteOf(groups)['content/site.yaml']! })
  const { diagnostics } = await checkIn(folder)
  const content = {
    ...resolveContent(path.join(folder, 'content')),
    name: diagnostics[0]?.file ?? '',
  }
  // as the check was called
  const name = path.join(folder, 'content').replaceAll(path.sep, '/')
  return { diagnostics, fixes: fixProblems(diagnostics, { ...content, name }) }
}

test.each(
  rowsOf(`
    ana → members/ana → members/a/ana → members/an/ana
    Bo.b → members/Bo.b → members/b/Bo.b → members/bo/Bo.b
    x → members/x → members/x/x → members/x_/x
    9-9 → members/9-9 → members/9/9-9 → members/9_/9-9
    c.c → members/c.c → members/c/c.c → members/c_/c.c
  `),
)('%s lies in %s, %s or %s', (username, ...folders) => {
  const groups = [0, 1, 2] as const
  expect(groups.map((one) => memberFolder(username, { groups: one }))).toEqual(folders)
})

test('groups change no byte of what is published', async () => {
  const [flat, ...grouped] = await Promise.all(
    ([0, 1, 2] as const).map(async (groups) => {
      const folder = sandbox(siteOf(groups))
      await expectBuild(folder, {
        diagnostics: [],
        members: usernames.length,
      })
      return readTree(folder, 'dist')
    }),
  )
  for (const one of grouped) expect(one).toEqual(flat)
})

test('check --fix moves every member whenever groups change, and tells editors where the schema is', async () => {
  const folder = sandbox(siteOf(0))
  const first = (ups: number) =>
    `# yaml-language-server: $schema=${'../'.repeat(ups)}schemas/profile.schema.json\n`
  writeTree(folder, { 'content/members/ana/profile.yaml': first(3) + profileYaml(1) })
  for (const groups of [1, 2, 1, 0, 2, 0] as const) {
    const { diagnostics, fixes } = await regroup(folder, groups)
    expect(diagnostics.map(({ code }) => code)).toEqual(
      usernames.map(() => 'misplaced-member'),
    )
    expect(fixes).toHaveLength(usernames.length)
    const ana = `content/${memberFolder('ana', { groups })}/profile.yaml`
    const wanted = { ...siteOf(groups), [ana]: first(groups === 0 ? 3 : 4) + profileYaml(1) }
    const tree = readTree(folder, 'content')
    expect(tree).toEqual(
      Object.fromEntries(
        Object.entries(wanted)
          .map(([file, text]) => [file.slice('content/'.length), text])
          .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
      ),
    )
    expect(await checkIn(folder)).toMatchObject({ diagnostics: [] })
  }
})

test.each(['groups: 3\n', 'groups: [\n', 'nonsense: "\n'])(
  'where site.yaml doesn’t say, members lie where they should: %j',
  async (more) => {
    for (const groups of [0, 1, 2] as const) {
      const folder = sandbox({ ...siteOf(groups), 'content/site.yaml': siteYaml + more })
      const { diagnostics } = await checkIn(folder)
      expect(new Set(diagnostics.map(({ file }) => path.basename(file)))).toEqual(
        new Set(['site.yaml']),
      )
    }
  },
)

test('a member whose place is taken stays where it is', async () => {
  const tree = { ...siteOf(1), 'content/members/ana/profile.yaml': profileYaml(7) }
  const folder = sandbox(tree)
  const { diagnostics, fixes } = await regroup(folder, 1)
  expect(diagnostics).toMatchObject([{ code: 'misplaced-member' }])
  expect(fixes).toEqual([])
  expect(readTree(folder)).toMatchObject(tree)
})
