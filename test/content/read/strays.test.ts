import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listMembers, scanMember } from '../../../scripts/content/read/scan.ts'
import { isPosix, onPosix } from '../../posix.ts'
import { sandbox, type Tree } from '../../sandbox.ts'
import { profileYaml, shotYaml, siteYaml } from '../../site.ts'
import { rowsOf, texts } from '../../tables.ts'
import { times } from '../../times.ts'

test('a content folder that can not be listed is named', () => {
  const folder = path.join(sandbox({}), 'gone')
  expect(() => listMembers({ path: folder, name: 'content' })).toThrow(
    expect.objectContaining({ code: 'ENOENT', path: folder }),
  )
})

const profile = profileYaml(1)
const shot = shotYaml(11)

const good = {
  'site.yaml': siteYaml,
  'members/ana/profile.yaml': profile,
  'members/ana/shots/one.yaml': shot,
}

/** `file code: the path that the hint names`, for a tree below `content`. */
const toldOf = (tree: Tree) => {
  const folder = sandbox(tree)
  const content = { path: folder, name: 'content' }
  const { members, diagnostics } = listMembers(content)
  return [
    ...diagnostics,
    ...members.flatMap((member) => scanMember(member, content).diagnostics),
  ]
    .map(({ file, code, hint }) => {
      const target = /to "([^"]*)"/.exec(hint!)?.[1]
      return target === undefined ? `${file} ${code}` : `${file} ${code}: ${target}`
    })
    .sort()
}

test('members that are a file are told to be one, with what belongs there', () => {
  const folder = sandbox({ 'site.yaml': siteYaml, members: 'ana\n' })
  expect(listMembers({ path: folder, name: 'content' }).diagnostics).toMatchObject([
    {
      code: 'not-a-file',
      file: 'content/members',
      message: 'this is a file, and a folder belongs here',
      hint: 'replace it by a folder that holds a folder for each member',
    },
  ])
})

test.each(['config.yaml', '_config.yml', 'members/site.yaml'])(
  'a site.yaml that lies at %s is told where it belongs',
  (file) => {
    const { 'site.yaml': site = '', ...others } = good
    expect(toldOf({ ...others, [file]: site } as Tree)).toContain(
      `content/${file} stray-yaml: content/site.yaml`,
    )
  },
)

const endings = texts(
  '.yaml.txt¦.yaml.bak¦.ymal¦.YAML¦.Yaml¦.yaml.orig¦.yam¦.yamll¦.yaml (1)¦.yaml_¦.yalm¦.yaml.¦.yaml,¦.json¦',
)
const written = {
  profile,
  shot,
  beside: `${shot}large_image: ./a.png\n`,
  docx: 'PK\u0003\u0004\0',
  json: '{"id": 1, "title": "x"}',
}
// the place is the file's, where no folder is named
test.each([
  ...endings.map((ending) => [
    `members/ana/shots/two${ending}`,
    'shot',
    'wrong-ending: two.yaml',
  ]),
  ...rowsOf(`
    members/ana/profile.YML → profile → wrong-ending: profile.yml
    # files in another place
    lena.yaml → profile → stray-yaml: content/members/lena/profile.yaml
    poster.yaml → shot → stray-yaml
    members/lena.yaml → profile → stray-yaml: content/members/lena/profile.yaml
    members/ana/two.yaml → shot → stray-yaml: content/members/ana/shots/two.yaml
    members/ana/shots/2024/two.yaml → shot → stray-yaml: content/members/ana/shots/two.yaml
    members/ana/three.yaml → beside → stray-yaml: content/members/ana/shots/three.yaml
    members/ana/old/two.yaml → shot → stray-yaml
    members/ana/ana/shots/two.yaml → shot → stray-yaml: content/members/ana/shots/two.yaml
    members/ana/bo/shots/two.yaml → shot → stray-yaml: content/members/bo/shots/two.yaml
    members/bo/profile/profile.yaml → profile → stray-yaml: content/members/bo/profile.yaml
    members/shots/two.yaml → shot → stray-yaml
    members/ana/shots/two.yaml.docx → docx → wrong-ending
    archive/a/b/two.json → json → stray-yaml
    # folders
    members/ana/Shots/two.yaml → shot → stray-folder: content/members/ana/shots → members/ana/Shots
    users/bo/profile.yaml → profile → stray-folder: content/members → users
    members/ana/works/two.yaml → shot → stray-folder: content/members/ana/shots → members/ana/works
    lena/profile.yaml → profile → stray-folder: content/members/lena → lena
  `),
])(
  'work that would be lost is told, with the place for it: %s',
  (file, text, told, place = file) =>
    expect(toldOf({ ...good, [file]: written[text as 'shot'] })).toEqual([
      `content/${place} ${told}`,
    ]),
)

test.each(
  rowsOf(`
    members/ana/profile (1).yaml → profile → members/ana/profile.yaml → stray-yaml
    members/ana/profil.yaml → profile → members/ana/profile.yaml → stray-yaml
    members/ana/shots/one.yaml.orig → shot → members/ana/shots/one.yaml → wrong-ending
  `),
)('a file is not to be moved over another one: %s', (file, text, twin, code) => {
  const folder = sandbox({ ...good, [file]: written[text as 'shot'] })
  const content = { path: folder, name: 'content' }
  const told = [
    ...listMembers(content).diagnostics,
    ...scanMember('ana', content).diagnostics,
  ]
  const hint = `compare it with "content/${twin}", which is there already, and remove one of the two`
  expect(told).toMatchObject([{ code, file: `content/${file}`, hint }])
})

test.each([
  [
    'members/ana/shots.yaml',
    '- id: 2\n  title: Tea\n',
    'give each of the shots in it a file',
  ],
  [
    'members/ana/shots/two.md',
    `---\n${shot}---\n`,
    'rename it to "two.yaml", and remove the line',
  ],
])('what a file holds besides is told: %s', (file, text, hint) => {
  const content = { path: sandbox({ ...good, [file]: text }), name: 'content' }
  const { diagnostics } = scanMember('ana', content)
  expect(diagnostics).toMatchObject([{ hint: expect.stringContaining(hint) }])
})

test('a folder in the place of a profile is told, and not as a member of that name', () =>
  expect(toldOf({ 'members/ana/profile.yaml/profile.yaml': profile })).toEqual([
    'content/members/ana/profile.yaml not-a-file',
  ]))

test('a misspelt folder is one error, however many files are in it', () => {
  const shots = Object.fromEntries(
    times(20, (n) => [`members/ana/Shots/${n}.yaml`, shotYaml(n + 1)]),
  )
  expect(toldOf({ ...good, ...shots })).toHaveLength(1)
  expect(toldOf({ 'site.yaml': siteYaml, 'Members/ana/profile.yaml': profile })).toEqual([
    'content/Members stray-folder: content/members',
  ])
})

test.each(texts('profile.yaml.txt¦profil.yaml¦Profile.yaml¦profile.ymal'))(
  'a profile under another name is not missing as well: %s',
  (name) => expect(toldOf({ [`members/ana/${name}`]: profile })).toHaveLength(1),
)

test.runIf(isPosix)(
  onPosix('a link beside the members that is named like content is told'),
  () => {
    const folder = sandbox(good)
    fs.symlinkSync('site.yaml', `${folder}/lena.yaml`)
    const [diagnostic] = listMembers({ path: folder, name: 'content' }).diagnostics
    expect(diagnostic).toMatchObject({ code: 'symbolic-link', file: 'content/lena.yaml' })
  },
)

test.each(
  rowsOf(`
    members/ana/import.json → {"id": 1, "name": "Ana"}
    members/ana/shots/.two.yaml
    members/ana/shots/two.yaml~
    .lena.yaml
    archive/.obsidian/workspace.yaml
    members/ana/old~/two.yaml
    README.md → # name⏎⏎id of a title: see below⏎
    notes.txt → id: 1⏎nothing: more⏎
    members/ana/sketch.png → id: 1⏎title: \0⏎
    members/ana/shots/list.json → [{"id": 1, "title": "x"}]
    members/ana/shots/feed.xml → <id>1</id><title>x</title>
    members/ana/shots/huge.txt → id: 1⏎title: x⏎# ${'x'.repeat(1 << 20)}⏎
  `),
)('what is nobody’s work is left alone: %s', (file, text = shot) => {
  const tree = { ...good, [file]: text }
  expect(toldOf(tree)).toEqual([])
  expect(scanMember('ana', { path: sandbox(tree), name: 'content' }).shots).toEqual([
    'one.yaml',
  ])
})

test('folders that nest very deep are walked', () => {
  const folder = sandbox(good)
  const depths = times(1900, (n) => `${folder}/members/ana/${'d/'.repeat(n + 1)}`)
  const deepest = path.join(depths.at(-1)!, 'x.yaml')
  for (const deep of depths) fs.mkdirSync(deep)
  fs.writeFileSync(deepest, shot)
  const { diagnostics } = scanMember('ana', { path: folder, name: 'content' })
  // fs.rmSync can't remove folders that nest so deep
  fs.rmSync(deepest)
  for (const deep of depths.toReversed()) fs.rmdirSync(deep)
  expect(diagnostics).toMatchObject([{ code: 'stray-yaml' }])
})
