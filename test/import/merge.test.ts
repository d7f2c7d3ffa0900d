import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  appendTo,
  namesIn,
  readText,
  removeFrom,
  renameIn,
  sandbox,
  writeTree,
} from '../sandbox.ts'
import { rowsOf } from '../tables.ts'
import { times } from '../times.ts'
import type { Handler } from '../verify/reference-host.ts'
import {
  checkOf,
  codesOf,
  contentOf,
  edit,
  expectCodes,
  importFrom,
  importInto,
} from './importing.ts'
import {
  ana,
  type Fields,
  type Legacy,
  legacyHandler,
  legacyMember,
  legacyShot,
  reply,
  shotsOf,
} from './legacy.ts'

const ids = (from: number, to: number) => times(to - from + 1, (i) => from + i)

/** Shots are given as they were posted, the newest last. */
const one = (shots: (number | Fields)[], user = {}) => ana(shots.toReversed(), user)

/** A folder with ana, who has these shots. */
const imported = (...shots: number[]) => importInto(one(shots))

const remove = (folder: string, shot: string) =>
  removeFrom(folder, `content/members/ana/shots/${shot}.yaml`)

// the value was Lisbon at the last import
test.each(
  rowsOf(`
    Lisbon → Porto → neither → Porto → ∅
    Faro → Lisbon → neither → Faro → ∅
    Faro → Faro → neither → Faro → ∅
    Faro → Porto → neither → Faro → conflict
    Faro → Porto → ours → Faro → ∅
    Faro → Porto → theirs → Porto → ∅
    Faro → Lisbon → theirs → Faro → ∅
    Lisbon → ∅ → neither → ∅ → ∅
  `),
)(
  'a value that is %s here and %s at the remote, with --%s, becomes %s',
  async (here, there, given, becomes, told) => {
    const { folder, file } = await imported()
    edit(
      folder,
      'profile.yaml',
      'location: Lisbon',
      `# where\nlocation:   '${here}'  # by the sea`,
    )
    const before = file('profile.yaml')
    const after = becomes
      ? before.replace(here, becomes)
      : before.replace(/location.*' {2}/, '')
    const side = given === 'neither' ? undefined : (given as 'ours')
    const remote = one([], { location: there })
    // what is settled stays so, and what is not is told each time
    for (const options of [{ side }, {}]) {
      await expectCodes(told, remote, folder, options)
      expect(file('profile.yaml')).toBe(after)
    }
  },
)

test('a conflict is told at its place, and keeps no other value from its file', async () => {
  const { folder, file } = await imported()
  edit(folder, 'profile.yaml', 'Lisbon', 'Faro')
  const { told, written } = await importFrom(
    one([], { location: 'Porto', Likes: '5' }),
    folder,
  )
  expect(told).toMatchObject([
    {
      severity: 'error',
      message: 'location is "Faro" here and "Porto" at the remote; it was "Lisbon"',
      file: 'content/members/ana/profile.yaml',
      line: 3,
      hint: expect.stringContaining('--ours'),
    },
  ])
  expect(written).toEqual(['members/ana/profile.yaml', 'members/ana/import.json'])
  expect(file('profile.yaml')).toMatch(/location: Faro\n[\s\S]*Likes: 5\n/)
})

test('a value without a base is a conflict if it differs, and an absent key counts as its default', async () => {
  const folder = sandbox({
    'content/site.yaml': 'base_url: https://api.example.com\n',
    'content/members/ana/profile.yaml': 'id: 1\nname: Ana\nlocation: Lisbon\ntotalShots: 0\n',
  })
  const counts = { totalFollowers: '0', totalFollowing: '0', Listed: '0' }
  const user = { ...counts, website: '', bio: '', skills: '', avatar: '' }
  const { told } = await importFrom(one([], user), folder, { names: ['ana'] })
  expect(told.map(({ message }) => message)).toEqual([
    'name is "Ana" here and "ana Example" at the remote',
  ])
})

describe('a total', () => {
  const shots = (count: number, totalShots: unknown) => one(ids(1, count), { totalShots })

  test.each([null, 'many', ''])(
    'that becomes %j is left out, and follows the API again later',
    async (total) => {
      const { folder, file, codes } = await importInto(shots(3, '230'), shots(3, total))
      expect(codes).toEqual(['not-kept'])
      expect(file('profile.yaml')).not.toContain('totalShots')
      await expectCodes('', shots(3, '231'), folder)
      expect(file('profile.yaml')).toContain('totalShots: 231\n')
    },
  )

  test('that was edited here, and is below what the content holds now, is a conflict', async () => {
    const { folder, file } = await importInto(shots(3, '230'))
    edit(folder, 'profile.yaml', 'totalShots: 230', 'totalShots: 4')
    const five = shots(5, '230')
    await expectCodes('conflict', five, folder)
    await expectCodes('', five, folder, { side: 'theirs' })
    expect(file('profile.yaml')).toContain('totalShots: 230\n')
  })

  test('that was taken out here stays out, until the remote has another one', async () => {
    const { folder, file } = await importInto(shots(3, '230'))
    edit(folder, 'profile.yaml', 'totalShots: 230\n', '')
    await expectCodes('', shots(3, '230'), folder)
    expect(file('profile.yaml')).not.toContain('totalShots')
    await expectCodes('conflict', shots(3, '231'), folder)
  })
})

// archive.test.ts has what becomes of shots that enter, leave, vanish, return and move

test('a shot that vanished is told from one that left, also where the server sends the oldest first', async () => {
  const { file, codes } = await importInto(
    ana(ids(1, 15)),
    ana(ids(2, 17).filter((id) => id !== 8)),
  )
  expect(codes).toEqual(['other-order', 'shot-vanished', 'total-below-content'])
  expect(file('shots/shot-8.yaml')).toContain('draft: true')
  expect(file('shots/shot-1.yaml')).not.toContain('draft')
})

test('a shot keeps its large image when only the image changes', async () => {
  const image = 'https://img.example.org/new.png'
  const { folder, file, told } = await importInto(
    one([1]),
    one([legacyShot(1, 1, { image })]),
  )
  expect(told).toEqual([])
  expect(file('shots/shot-1.yaml')).toContain('large_image: https://img.example.org/1.png')
  await importFrom(one([legacyShot(1, 1, { image, large_image: image })]), folder)
  expect(file('shots/shot-1.yaml')).not.toContain('large_image')
})

test('a shot is not drafted if more than half of a window vanished, but with --allow-removal', async () => {
  const { folder, codes } = await importInto(one([1, 2, 3]), one([3]))
  expect(codes).toEqual(['too-many-vanished', 'total-below-content'])
  const allowed = await importFrom(one([3]), folder, { allowRemoval: true })
  expect(allowed.codes).toEqual(['shot-vanished', 'shot-vanished'])
  await expectCodes('', one([3]), folder)
})

test('a shot that is only here is never touched', async () => {
  const { folder, file } = await imported(1, 2)
  const own = 'id: 99\ntitle: Own\ndate: 2013-01-01\nimage: own.png\n'
  writeTree(folder, { 'content/members/ana/shots/own.yaml': own })
  await importFrom(one([2]), folder)
  expect(file('shots/own.yaml')).toBe(own)
})

test('a shot whose file was removed here stays away with --ours, and comes back with --theirs', async () => {
  const { folder } = await imported(1, 2)
  remove(folder, 'shot-2')
  const titled = (title: string) => one([1, legacyShot(2, 1, { title })])
  await expectCodes('removed-here', titled('New'), folder)
  for (const _ of [1, 2]) await expectCodes('', titled('New'), folder, { side: 'ours' })
  await expectCodes('', titled('Newer'), folder, { side: 'theirs' })
  expect(Object.keys(contentOf(folder))).toContain('members/ana/shots/newer.yaml')
})

test('a shot whose file got another id here is no change at the remote, though the token is still in use', async () => {
  const shots = [legacyShot(1, 1, { token_id: 'ab'.repeat(20) }), 2]
  const { folder } = await importInto(one(shots))
  edit(folder, 'shots/shot-1.yaml', 'id: 1', 'id: 901')
  await expectCodes('', one(shots), folder)
})

test('a shot that the remote gives to another member stays where it is, and the hint says what to do', async () => {
  const folder = sandbox()
  const two = (a: number[], b: number[]) => ({
    ...one(a),
    bo: legacyMember('bo', 2, { shots: shotsOf(2, b) }),
  })
  await importFrom(two([1, 2, 3], [4]), folder)
  const later = two([1, 3], [2, 4])
  const { codes, told } = await importFrom(later, folder)
  expect(codes).toEqual(['shot-elsewhere', 'shot-vanished'])
  const from = 'content/members/ana/shots/shot-2.yaml'
  const to = 'content/members/bo/shots/'
  const hint = told.find(({ code }) => code === 'shot-elsewhere')!.hint!
  expect(hint.replaceAll(`${folder}/`, '')).toContain(`git mv ${from} ${to}`)
  const text = readText(`${folder}/${from}`)
  remove(folder, 'shot-2')
  writeTree(folder, { [`${to}shot-2.yaml`]: text.replace('draft: true\n', '') })
  await expectCodes('', later, folder)
  await expectCodes('', later, folder, { prove: true })
})

describe('a project', () => {
  const first = '2014-01-01 00:00:00'
  const later = '2015-01-01 00:00:00'
  const inProject = (id: number, created_project: unknown) =>
    legacyShot(id, 1, { id_project: '7', created_project })

  test('whose date has two spellings is imported once', async () => {
    const shots = [inProject(2, '2013-01-01T00:00:00Z'), inProject(1, '2013-01-01 00:00:00')]
    const legacy = one(shots, { Projects: '1' })
    const { folder } = await importInto(legacy)
    expect((await importFrom(legacy, folder)).written).toEqual([])
  })

  // another date than the one that the profile lists does not change the list
  test.each([
    [later, 'not-kept', false],
    ['0000-00-00 00:00:00', 'not-kept', true],
    [null, 'not-kept', true],
    [undefined, '', true],
  ])(
    'that is known, and to which a shot gives the date %j: %j, the shot keeps it: %j',
    async (created, codes, keeps) => {
      const before = [inProject(1, first)]
      const steps = [before, [...before, inProject(2, created)]].map((shots) =>
        one(shots, { Projects: '1' }),
      )
      const { file, folder, ...result } = await importInto(...steps.slice(keeps ? 1 : 0))
      expect(result.codes.join()).toBe(codes)
      expect(file('profile.yaml')).toContain('2014-01-01')
      expect(file('shots/shot-1.yaml')).toContain('id_project: 7')
      expect(file('shots/shot-2.yaml').includes('id_project: 7')).toBe(keeps)
      expect(await checkOf(folder)).toEqual([])
    },
  )
})

test('shots of two members may exchange tokens: it is told, and done by the next runs', async () => {
  const tokens = (ana: string, bo: string) => ({
    ...one([legacyShot(1, 1, { token_id: ana.repeat(40) })]),
    bo: legacyMember('bo', 2, { shots: [legacyShot(2, 2, { token_id: bo.repeat(40) })] }),
  })
  const folder = sandbox()
  await importFrom(tokens('a', 'b'), folder)
  const later = tokens('b', 'a')
  const codes = await codesOf(later, folder)
  expect(new Set(codes)).toEqual(new Set(['not-kept']))
  await importFrom(later, folder)
  await importFrom(later, folder)
  await expectCodes('', later, folder, { prove: true })
})

const renamedHere = async () => {
  const { folder } = await imported(1)
  renameIn(folder, 'content/members/ana', 'content/members/ana2')
  appendTo(folder, 'content/members/ana2/profile.yaml', 'aliases: [ana]\n')
  return folder
}

test.each([[[]], [['ana']]])(
  'a member that was renamed here is found by its alias: %j',
  async (names) => {
    const folder = await renamedHere()
    const legacy = one([1], { bio: 'New.' })
    expect((await importFrom(legacy, folder, { names })).told).toEqual([])
    expect(contentOf(folder)['members/ana2/profile.yaml']).toContain('bio: New.')
    const { codes, tally } = await importFrom(legacy, folder, { prove: true })
    expect([codes, tally.https.get('edited')]).toEqual([['edited', 'edited'], 1])
  },
)

test('a member that was renamed here and at the remote is imported by the new name', async () => {
  const folder = await renamedHere()
  const legacy = { ana2: legacyMember('ana2', 1, { shots: shotsOf(1, [1]) }) }
  const { told } = await importFrom(legacy, folder)
  expect(told).toMatchObject([
    { code: 'not-there', hint: expect.stringContaining('under its new name') },
  ])
  await expectCodes('', legacy, folder, { names: ['ana2'] })
  expect((await importFrom(legacy, folder)).requests).toBe(2)
})

test.each<[string, string, Legacy, string, string]>([
  [
    'that the remote knows no longer',
    'ana',
    {},
    'not-there',
    '^content/members/ana/import.json',
  ],
  [
    'whose id is here by another name',
    'bo',
    { bo: legacyMember('bo', 1) },
    'member-elsewhere',
    'npx shotpress rename ana bo; if the one here is an example, remove',
  ],
  [
    'whose body is that of another',
    'Ana',
    { Ana: legacyMember('ana', 1) },
    'other-username',
    '',
  ],
  [
    'that differs in letter case alone',
    'ANA',
    { ANA: legacyMember('ANA', 7) },
    'name-taken',
    '',
  ],
  ['that was renamed here', 'ana2', {}, 'not-there', 'imported as "ana": give that name'],
  [
    'that was renamed here as another',
    'ana2',
    { ana2: legacyMember('ana2', 2) },
    'name-taken',
    'as "ana"',
  ],
])(
  'a member %s is an error, and the content stays as it is',
  async (_, name, legacy, code, said) => {
    const folder = name === 'ana2' ? await renamedHere() : (await imported(1)).folder
    const before = contentOf(folder)
    const { told } = await importFrom(legacy, folder, { names: [name] })
    const shown = told.map(({ file, message, hint }) => `${file} ${message} ${hint}`)
    expect(told).toMatchObject([{ severity: 'error', code }])
    expect(shown).toEqual([expect.stringMatching(said)])
    expect(contentOf(folder)).toEqual(before)
  },
)

test('a member whose folder is a link is not imported, the others are', async () => {
  const folder = sandbox()
  const legacy = { ...ana(), bo: legacyMember('bo', 2) }
  await importFrom(legacy, folder, { names: ['bo'] })
  fs.symlinkSync(sandbox(), `${folder}/content/members/ana`, 'junction')
  removeFrom(folder, 'content/members/bo')
  await expectCodes('name-taken', legacy, folder, { names: ['ana', 'bo'] })
  expect(Object.keys(contentOf(folder))).toContain('members/bo/profile.yaml')
})

test('a member that somebody else writes at the same time is left to them', async () => {
  const whole = sandbox()
  const folder = sandbox()
  await importFrom(one([1, 2]), whole)
  for (const name of ['site.yaml', 'members/ana']) {
    const [from, to] = [whole, folder].map((one) => `${one}/content/${name}`)
    const meanwhile: Handler = (asked) => {
      fs.cpSync(from!, to!, { recursive: true })
      return legacyHandler(one([1, 2]))(asked)
    }
    const options = { names: ['ana'], state: `${sandbox()}/state` }
    await expect(importFrom(meanwhile, folder, options)).rejects.toThrow('is there meanwhile')
  }
  await expectCodes('', one([1, 2]), folder)
  expect(contentOf(folder)).toEqual(contentOf(whole))
})

test('a member that a killed import left half-written is removed by the next one, and nothing else is', async () => {
  const hex = '0123456789abcdef'
  const { folder } = await imported(1)
  writeTree(folder, {
    [`content/members/ana/shots/.shot-1.yaml.${process.pid}-${hex}.tmp`]: 'id',
    'content/members/ana/shots/.mine.tmp': 'mine',
  })
  const shots = () => namesIn(folder, 'content/members/ana/shots').sort()
  await importFrom(one([1]), folder, { prove: true })
  expect(shots().length).toBe(3)
  await importFrom(one([1]), folder)
  expect(shots()).toEqual(['.mine.tmp', 'shot-1.yaml'])
})

test('a member whose id changes at the remote follows, and it is told once', async () => {
  const { folder, file } = await imported(1)
  const legacy = one([legacyShot(1, 7)], { id: '7' })
  const { told } = await importFrom(legacy, folder)
  expect(told).toMatchObject([
    {
      severity: 'warning',
      code: 'other-id',
      file: 'content/members/ana/profile.yaml',
      line: 1,
    },
  ])
  expect(file('profile.yaml')).toContain('id: 7\n')
  await expectCodes('', legacy, folder)
})

test('the proof calls what was edited here edited, and fails for it only with --strict', async () => {
  const { folder } = await imported(1, 2)
  edit(folder, 'shots/shot-2.yaml', 'Shot 2', 'Mine')
  const handler = one([1, 2])
  const { told, tally } = await importFrom(handler, folder, { prove: true })
  expect(told.map(({ severity, code }) => `${severity} ${code}`)).toEqual(
    Array(2).fill('warning edited'),
  )
  for (const lines of [tally.https, tally.http])
    expect([lines.get('edited'), lines.get('different')]).toEqual([1, undefined])
  const strict = await importFrom(handler, folder, { prove: true, strict: true })
  expect(strict.told.map(({ severity }) => severity)).toEqual(['error', 'error'])
})

test('the proof says unproven of what redirects over http, which --https-only accepts', async () => {
  const folder = sandbox()
  const redirect = reply(301, '', { Location: 'https://api.example.com/' })
  const without = (some: RegExp) => (asked: Parameters<Handler>[0]) =>
    some.test(`${asked.scheme} ${asked.target}`) ? redirect : legacyHandler(one([1]))(asked)
  const redirects = without(/^http /)
  expect((await importFrom(redirects, folder, { names: ['ana'] })).told).toMatchObject([
    { severity: 'warning', code: 'http-unseen' },
  ])
  const proof = await importFrom(redirects, folder, { prove: true })
  expect(proof.codes).toEqual(['http-unseen', 'unproven'])
  const urls = proof.told.map(({ file }) => file)
  expect(urls).toEqual(Array(2).fill('http://api.example.com:8080/api/username/ana'))
  await expectCodes('', redirects, folder, { prove: true, httpsOnly: true })
  const half = await importFrom(without(/^http .*shots$/), folder, { prove: true })
  expect([half.codes, [...half.tally.http.keys()]]).toEqual([
    proof.codes,
    ['unproven', 'equal'],
  ])
})

test('the proof is about https alone where the site has nothing else, and asks anew', async () => {
  const { folder } = await imported(1)
  appendTo(folder, 'content/site.yaml', 'schemes: [https]\n')
  const fresh: Handler = (asked) => {
    expect(asked.headers['if-none-match']).toBeUndefined()
    return legacyHandler(one([1]))(asked)
  }
  const { codes, requests, tally } = await importFrom(fresh, folder, { prove: true })
  expect([codes, requests, [...tally.http]]).toEqual([[], 2, []])
})

test.each(
  rowsOf(`
    is broken → <<<<<<< HEAD⏎
    names a picture elsewhere → "pictures": {"avatar": {"url": "", "sha256": "", "file": "./../x"}},
  `),
)('the proof is none for a member whose import.json %s', async (_, added) => {
  const { folder } = await imported(1, 2)
  edit(folder, 'import.json', '"profile"', `${added}"profile"`)
  const { told } = await importFrom(one([1, 2]), folder, { prove: true })
  expect(told).toMatchObject([
    { code: 'bad-base-file', file: 'content/members/ana/import.json' },
  ])
})

test('the proof works on the kept bodies, without the network', async () => {
  const { folder } = await imported(1, 2)
  const { codes, requests } = await importFrom({}, folder, { prove: true, offline: true })
  expect([codes, requests]).toEqual([[], 0])
})
