import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { report } from '../../scripts/report/report.ts'
import { parseAuthor } from '../../scripts/report/verdict.ts'
import { commitAll, git } from '../git.ts'
import { png } from '../pictures/bytes.ts'
import {
  makeFolder,
  removeFrom,
  renameIn,
  sandbox,
  type Tree,
  writeTree,
} from '../sandbox.ts'
import { texts } from '../tables.ts'

const ana = '583231'
const eve = '666'

const profile = (id: number, owners: string, more = '') =>
  `id: ${id}\nname: Somebody\nowners: [${owners}]\n${more}`
const shot = (id: number) => `id: ${id}\ntitle: Tea\ndate: 2014-03-02\nimage: tea.png\n`

/** Eve owns one member; ana, and nobody, the others. */
const base = {
  '.gitignore': 'dist\n',
  'README.md': 'A site\n',
  'package.json': '{}\n',
  '.github/workflows/check.yml': 'on: push\n',
  'content/site.yaml': 'base_url: https://api.example.com\n',
  'content/members/ana/profile.yaml': profile(1, ana),
  'content/members/ana/shots/one.yaml': shot(101),
  'content/members/ana/shots/tea.png': png(),
  'content/members/both/profile.yaml': profile(2, `${ana}, ${eve}`),
  'content/members/eve/profile.yaml': profile(3, eve, 'aliases: [eva]\n'),
  'content/members/eve/shots/one.yaml': shot(301),
  'content/members/eve/shots/two.yaml': shot(302),
  'content/members/eve/shots/tea.png': png(),
  'content/members/eve/import.json': '{}\n',
  'content/members/nobody/profile.yaml': 'id: 4\nname: Nobody\n',
}

const folder = sandbox(base, afterAll)
beforeAll(() => {
  commitAll(folder)
  git(folder, 'tag base')
})
afterEach(() => {
  git(folder, 'reset -q --hard base')
  git(folder, 'clean -qfdx')
})

type Change = Tree | ((folder: string) => void)

const at = (below: string) => `${folder}/${below}`
const move = (from: string, to: string) => () => {
  makeFolder(folder, path.dirname(to))
  renameIn(folder, from, to)
}
const remove = (below: string) => () => removeFrom(folder, below)
const both =
  (...changes: readonly Change[]) =>
  () => {
    for (const change of changes) apply(change)
  }
const link = (target: string, below: string) => () => fs.symlinkSync(target, at(below))
/** Into the index alone, as a commit can have it on any system. */
const entry = (mode: string, below: string, text: string) => () => {
  const oid =
    mode === '160000' ? '1'.repeat(40) : git(folder, 'hash-object -w --stdin', text).trim()
  git(folder, `update-index --add --cacheinfo '${mode},${oid},${below}'`)
}

const apply = (change: Change) => {
  if (typeof change === 'function') change(folder)
  else writeTree(folder, change)
}

const judged = async (rev = 'base') => {
  const content = at('content')
  const options = {
    content,
    out: at('dist'),
    base: rev,
    author: eve,
    now: '2026-01-01 00:00:00',
  }
  const { verdict } = await report({ ...options, onProgress: () => {} })
  return verdict!
}

/** What is said of a change that is committed. */
const verdictOn = async (change: Change) => {
  apply(change)
  commitAll(folder)
  return judged()
}

/** The change is nobody's alone, for a reason of these words. */
const expectMixed = ({ kind, reasons }: Awaited<ReturnType<typeof judged>>, reason: string) =>
  expect([kind, reasons.join('; ')]).toEqual(['mixed', expect.stringContaining(reason)])

const own = 'content/members/eve'
const hers = {
  'content/members/eve/profile.yaml': profile(3, eve, 'aliases: [eva]\nbio: Hello\n'),
}

describe('what an owner may do', () => {
  test.each([
    ['her bio', hers, ['eve']],
    ['a new shot', { 'content/members/eve/shots/new.yaml': shot(303) }, ['eve']],
    ['no shot any more', remove('content/members/eve/shots/two.yaml'), ['eve']],
    [
      'a picture',
      {
        'content/members/eve/shots/new.png': png(),
        'content/members/eve/shots/new.yaml': shot(303).replace('tea', './new'),
      },
      ['eve'],
    ],
    [
      'another name of a file',
      move('content/members/eve/shots/two.yaml', 'content/members/eve/shots/three.yaml'),
      ['eve'],
    ],
    [
      'two members of hers',
      {
        ...hers,
        'content/members/both/profile.yaml': profile(2, `${ana}, ${eve}`, 'bio: x\n'),
      },
      ['both', 'eve'],
    ],
  ])('%s is her own', async (_, change, members) =>
    expect(await verdictOn(change)).toEqual({ kind: 'own', members, reasons: [] }),
  )
})

describe('a new member', () => {
  const fresh = (owners: string) => ({
    'content/members/mallory/profile.yaml': profile(9, owners),
    'content/members/mallory/shots/one.yaml': shot(901),
  })

  test('is new with its author for the only owner', async () =>
    expect(await verdictOn(fresh(eve))).toEqual({
      kind: 'new',
      members: ['mallory'],
      reasons: [],
    }))

  test.each([
    ['another owner', fresh(ana), 'the owners of "mallory" are not just 666'],
    [
      'no owner',
      { 'content/members/mallory/profile.yaml': 'id: 9\nname: M\n' },
      'not just 666',
    ],
    [
      'a second new member',
      { ...fresh(eve), 'content/members/more/profile.yaml': profile(10, eve) },
      '2 members are new',
    ],
    [
      'a change of her own',
      { ...fresh(eve), ...hers },
      'a member is new, and another one changes',
    ],
    [
      'a file beside',
      { ...fresh(eve), 'README.md': 'x' },
      '"README.md" is no file of a member',
    ],
    [
      "ana's id",
      { 'content/members/mallory/profile.yaml': profile(1, eve) },
      'the content has errors',
    ],
  ])('with %s is mixed', async (_, change, reason) =>
    expectMixed(await verdictOn(change), reason),
  )
})

const big = Buffer.alloc(6e6)

/** Files of the repository, of the content, and in her own folder that nobody owns. */
const beside = texts(
  'package.json¦CODEOWNERS¦gallery/evil.html¦.gitattributes¦.github/workflows/x.yml',
  'x/content/members/eve/profile.yaml¦Content/members/eve/profile.yaml',
  'content/members/eve.png¦content/logo.svg¦content/members/eve/.gitattributes',
  'content/members/eve/.hidden/x.png¦content/members/eve/shots/more/x.yaml',
)

describe('an owner who wants more than hers', () => {
  test.each([
    // others
    [
      "another's bio, besides hers",
      { ...hers, 'content/members/ana/profile.yaml': profile(1, ana, 'bio: x\n') },
      'no owner of "ana"',
    ],
    ["another's picture", { 'content/members/ana/shots/tea.png': 'x' }, 'no owner of "ana"'],
    ['another member, removed', remove('content/members/ana'), 'no owner of "ana"'],
    [
      "herself as an owner of another's",
      { 'content/members/ana/profile.yaml': profile(1, `${ana}, ${eve}`) },
      'no owner of "ana"',
    ],
    [
      "another's folder under her name",
      both(remove(own), move('content/members/ana', own)),
      'no owner of "ana"',
    ],
    // owners
    [
      'a second owner of hers',
      { 'content/members/eve/profile.yaml': profile(3, `${eve}, 667`, 'aliases: [eva]\n') },
      '"eve" changes its owners',
    ],
    [
      'the co-owner out',
      { 'content/members/both/profile.yaml': profile(2, eve) },
      '"both" changes its owners',
    ],
    // names
    ['another folder', move(own, 'content/members/eve2'), 'eve'],
    ['her folder in another letter case', move(own, 'content/members/Eve'), 'eve'],
    [
      'an alias more',
      { 'content/members/eve/profile.yaml': profile(3, eve, 'aliases: [eva, boss]\n') },
      '"eve" changes its aliases',
    ],
    [
      'another id',
      { 'content/members/eve/profile.yaml': profile(33, eve, 'aliases: [eva]\n') },
      '"eve" changes its id',
    ],
    // removals
    ['herself gone', remove(own), '"eve" is removed, or has errors'],
    [
      'her import.json changed',
      { 'content/members/eve/import.json': '{"a":1}' },
      'import.json" is no file of a member',
    ],
    [
      'site.yaml',
      { 'content/site.yaml': 'base_url: https://evil.example.com\n' },
      'site.yaml" is no file of a member',
    ],
    ...beside.map((file): [string, Change, string] => [
      `beside hers ${file}`,
      { ...hers, [file]: 'x' },
      `${JSON.stringify(file)} is no file of a member`,
    ]),
    [
      'two pictures of 6 MiB',
      { 'content/members/eve/a.png': big, 'content/members/eve/b.png': big },
      'it adds 12',
    ],
    // what is no plain file
    [
      'a link for her profile',
      both(
        remove('content/members/eve/profile.yaml'),
        link('../ana/profile.yaml', 'content/members/eve/profile.yaml'),
      ),
      '100644 becomes 120000',
    ],
    [
      'a link for her shots',
      both(
        remove('content/members/eve/shots'),
        link('../ana/shots', 'content/members/eve/shots'),
      ),
      'becomes 120000',
    ],
    [
      'a submodule in her folder',
      both(hers, entry('160000', 'content/members/eve/sub.png', '')),
      'becomes 160000',
    ],
    [
      'a program in her folder',
      entry('100755', 'content/members/eve/shots/two.yaml', shot(302)),
      '100644 becomes 100755',
    ],
    [
      'a program of the same text',
      entry(
        '100755',
        'content/members/nobody/profile.yaml',
        base['content/members/nobody/profile.yaml'],
      ),
      'the content of "nobody" stays the same',
    ],
    // names that not every system can hold
    ...texts('aux.yaml¦COM¹.yaml¦a:b.yaml¦One.yaml¦x\u202eg.yaml¦so /x.png').map(
      (name): [string, Change, string] => [
        `the name ${JSON.stringify(name)}`,
        entry(
          '100644',
          `content/members/eve/shots/${name}`,
          name.endsWith('png') ? '' : shot(310),
        ),
        'that not every system can hold',
      ],
    ),
    // nothing
    ['nothing', {}, 'nothing changes'],
  ])('%s', async (name, change, reason) => {
    const isByEntry = typeof change === 'function' && /submodule|program|the name/.test(name)
    apply(change)
    if (!isByEntry) git(folder, 'add -A')
    git(folder, "commit -qm 'A change' --allow-empty")
    if (name.startsWith('the name')) git(folder, 'reset -q --hard')
    expectMixed(await judged(), reason)
  })

  test('her files in another letter case, one in place of the other, are her own', async () =>
    expect(
      await verdictOn(
        move('content/members/eve/shots/two.yaml', 'content/members/eve/shots/Two.yaml'),
      ),
    ).toMatchObject({
      kind: 'own',
    }))

  test('a file that is not committed makes a change mixed, also one that git does not know', async () => {
    apply(hers)
    expect(await judged()).toMatchObject({
      kind: 'mixed',
      reasons: [expect.stringContaining('is not committed')],
    })
    commitAll(folder)
    apply({ 'content/members/eve/shots/x.yaml': shot(305) })
    expect((await judged()).reasons.join()).toContain('shots/x.yaml" is not committed')
  })

  test('an old branch that takes back what others did since is not hers alone', async () => {
    apply({ 'content/members/ana/profile.yaml': profile(1, ana, 'bio: new\n') })
    commitAll(folder)
    git(folder, 'tag -f newer')
    git(folder, 'reset -q --hard base')
    apply(hers)
    commitAll(folder)
    expect(await judged('newer')).toMatchObject({ kind: 'mixed', members: ['ana', 'eve'] })
  })

  test('owners are those of the base, whatever the change says', async () => {
    apply({ 'content/members/ana/profile.yaml': profile(1, eve) })
    commitAll(folder)
    apply({ 'content/members/ana/profile.yaml': profile(1, eve, 'bio: x\n') })
    commitAll(folder)
    expect((await judged()).kind).toBe('mixed')
  })
})

test.each([
  [
    'a shot of hers',
    { 'content/members/eve/shots/one.yaml': `${shot(301)}colour: red\n` },
    'own',
  ],
  ['her profile', { 'content/members/eve/profile.yaml': `${profile(3, eve)}colour: red\n` }],
  ['a second profile', { 'content/members/eve/profile.yml': profile(3, eve) }],
])('she may repair %s alone where the base has errors', async (_, broken, kind = 'mixed') => {
  apply(broken)
  commitAll(folder)
  git(folder, 'tag -f broken')
  git(folder, 'revert --no-edit HEAD')
  expect((await judged('broken')).kind).toBe(kind)
})

describe('where members lie in groups', () => {
  const grouped = {
    'content/site.yaml': 'base_url: https://api.example.com\ngroups: 1\n',
    'content/members/a/ana/profile.yaml': profile(1, ana),
    'content/members/e/eve/profile.yaml': profile(3, eve),
  }
  const inGroups = async (change: Change) => {
    remove('content/members')()
    apply(grouped)
    commitAll(folder)
    git(folder, 'tag -f grouped')
    apply(change)
    commitAll(folder)
    return judged('grouped')
  }
  const bio = profile(3, eve, 'bio: Hello\n')

  test.each([
    ['her bio', { 'content/members/e/eve/profile.yaml': bio }, 'own'],
    ['a new member', { 'content/members/m/mo/profile.yaml': profile(9, eve) }, 'new'],
    [
      'one in another group',
      { 'content/members/x/mo/profile.yaml': profile(9, eve) },
      'mixed',
    ],
    ['her folder elsewhere', move('content/members/e/eve', 'content/members/a/eve'), 'mixed'],
    [
      'other groups',
      both(
        { 'content/site.yaml': 'base_url: https://api.example.com\ngroups: 2\n' },
        move('content/members/e/eve', 'content/members/ev/eve'),
        move('content/members/a/ana', 'content/members/an/ana'),
      ),
      'mixed',
    ],
  ])('%s', async (_, change, kind) => expect((await inGroups(change)).kind).toBe(kind))
})

test('a folder as the base has no verdict, and no number is no author', async () => {
  await expect(judged(at('content'))).rejects.toThrow('--author needs a revision')
  for (const text of texts('eve¦0¦-1¦007¦1.0¦¦6 66'))
    expect(() => parseAuthor(text)).toThrow('--author takes')
})
