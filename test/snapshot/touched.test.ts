import { expect, test } from 'vitest'
import { readTree, removeFrom, type Tree, writeTree } from '../sandbox.ts'
import { rowsOf } from '../tables.ts'
import { buildIn, built, cleanBuild } from './building.ts'

const site = 'content/site.yaml'
const profile = (username: string) => `content/members/${username}/profile.yaml`

const content: Tree = {
  [site]: 'base_url: https://api.example.com\n',
  [profile('ana')]: 'id: 1\nname: Ana\navatar: ana.png\n',
  [profile('ben')]: 'id: 2\nname: Ben\navatar: ben.png\n',
}

/** Builds, makes changes, and builds again with word of one member only. */
const rebuild = async (change: (folder: string) => void) => {
  const folder = await built(content)
  change(folder)
  const result = await buildIn(folder, { touched: new Set(['ana']) })
  return { folder, result, tree: readTree(folder, 'dist') }
}

test('a build that is told what was touched compiles nothing else', async () => {
  const { result, tree } = await rebuild((folder) =>
    writeTree(folder, {
      [profile('ana')]: 'id: 1\nname: Anna\n',
      [profile('ben')]: 'id: 2\nname: Unseen\n',
    }),
  )
  expect(result).toMatchObject({ compiled: 1, written: 3 })
  expect(tree['api/username/ana/index.json']).toContain('Anna')
  expect(tree['api/username/ben/index.json']).not.toContain('Unseen')
})

test.each([
  ['the site changed', { [site]: 'base_url: https://other.example.com\n' }],
  ['the snapshot is gone', undefined],
  [
    'the aliases of the member changed',
    { [profile('ana')]: 'id: 1\nname: Ana\naliases: [zoe]\n' },
  ],
  [
    'somebody changed the list of checksums',
    {
      [profile('ana')]: 'id: 1\nname: Anna\n',
      'dist/SHA256SUMS': `${'f'.repeat(64)}  404.json\n`,
    },
  ],
])('such a build equals a clean one where %s', async (_, changes) => {
  const { folder, tree } = await rebuild((folder) => {
    if (changes) writeTree(folder, changes)
    else removeFrom(folder, 'dist')
  })
  expect(tree).toEqual(await cleanBuild(folder))
})

test.each(
  rowsOf(`
    an id → id: 2⏎name: Ana⏎ → duplicate-member-id
    an alias → id: 1⏎name: Ana⏎aliases: [Ben]⏎ → duplicate-name
  `),
)(
  'such a build finds %s that a member has at whom it does not look',
  async (_, text, code) => {
    const { result } = await rebuild((folder) =>
      writeTree(folder, { [profile('ana')]: text }),
    )
    expect(result.diagnostics).toMatchObject([{ code, severity: 'error' }])
  },
)
