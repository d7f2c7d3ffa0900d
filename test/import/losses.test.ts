import { expect, test } from 'vitest'
import type { ImportCode } from '../../scripts/import/messages.ts'
import { quote } from '../../scripts/text/printable.ts'
import { sandbox } from '../sandbox.ts'
import { times } from '../times.ts'
import type { Handler } from '../verify/reference-host.ts'
import { checkOf, expectCodes, importFrom, importInto } from './importing.ts'
import {
  ana,
  dateOf,
  type Fields,
  type Legacy,
  legacyHandler,
  legacyMember,
  legacyShot,
} from './legacy.ts'

const shotsOf = (over: Fields) => [legacyShot(9, 1, over), legacyShot(8, 1)]

const one = (user: Fields, shots = shotsOf({})) => ana(shots, user)

/** Imports from a server, then proves it, perhaps with what another one says. */
const proofOf = async (before: Handler | Legacy, now = before) => {
  const { folder, told } = await importInto(before)
  const proof = await importFrom(now, folder, { prove: true })
  return {
    ...proof,
    folder,
    imported: told,
    lost: [...proof.tally.https].filter(([line]) => line !== 'equal'),
  }
}

const project = (created_project: string) => ({ id_project: '7', created_project })

const two = (of: Fields, bo: Fields) => ({
  ...ana(shotsOf(of)),
  bo: legacyMember('bo', 2, { shots: [legacyShot(30, 2, bo)] }),
})

const ofUser = (user: Fields, shown: string) => ['not-kept', one(user), shown] as const
const ofShot = (shot: Fields, shown: string) =>
  ['not-kept', one({}, shotsOf(shot)), shown] as const
const ofLack = (shot: Fields, shown: string) =>
  ['shot-not-imported', one({ totalShots: '1' }, shotsOf(shot)), shown] as const

test.each<readonly [ImportCode, Legacy, string]>([
  ofUser({ website: 'ana example com' }, 'website is "ana example com"'),
  ofUser({ skills: 'street art,type' }, '"street art,type"'),
  ofUser({ skills: ['type', 'print'] }, quote('["type","print"]')),
  ofUser({ avatar: 'https://img.example.org:8443/a.png' }, 'one port cannot serve both'),
  ofUser({ totalFollowers: '-1' }, '"-1"'),
  ofUser({ bio: 'a\0b' }, 'U+0000'),
  ofUser({ bio: 'x'.repeat(2 << 20) }, 'longer than a file may be'),
  ofUser({ location: '\ud800' }, 'lone surrogate'),
  ofShot({ token_id: 'ABC' }, '"ABC"'),
  ofShot({ large_image: '' }, 'it is empty'),
  ofShot({ user_id: '2' }, 'it becomes 1'),
  ofShot({ created_project: '2014-01-01 00:00:00' }, 'no project'),
  ofShot(project('0000-00-00 00:00:00'), 'id_project 7 is left out'),
  ofLack({ title: ' \n' }, 'title of shot 9'),
  ofLack({ date: '0000-00-00 00:00:00' }, '"0000-00-00 00:00:00"'),
  ofLack({ image: 'img/9.png' }, '"img/9.png"'),
  ofLack({ id: null }, 'a shot without an id'),
  ofLack({ id: '009' }, '"009"'),
  ofLack({ id: '8' }, 'the remote lists it twice'),
  ['shot-elsewhere', two({ id: '30' }, {}), 'the shot 30 of "bo"'],
  [
    'member-not-imported',
    { ...one({ name: ' ' }), bo: legacyMember('bo', 2) },
    'name is " "',
  ],
  ['other-order', ana([8, 9]), 'the shots 8, 9; by date and id they are 9, 8'],
  ['unknown-field', one({ email: 'ana@example.com' }), '"email" of a profile'],
])(
  '%s: it is told, all else is imported, and the proof calls it lost, which fails with --strict (%#)',
  async (rule, legacy, shown) => {
    const folder = sandbox()
    const names = Object.keys(legacy)
    const { told } = await importFrom(legacy, folder, { names })
    const [first, ...others] = told
    const isMissing = ['shot-not-imported', 'shot-elsewhere', 'member-not-imported'].includes(
      rule,
    )
    expect(first).toMatchObject({
      severity: isMissing ? 'error' : 'warning',
      code: rule,
      message: expect.stringContaining(shown),
      file: expect.stringMatching(rule === 'not-kept' ? /^content.members/ : /^https:/),
    })
    expect(others.every(({ code }) => code === rule)).toBe(true)
    expect(await checkOf(folder)).toEqual([])
    const proof = await importFrom(legacy, folder, { names, prove: true })
    for (const tally of [proof.tally.https, proof.tally.http]) {
      expect([...tally.keys()].filter((line) => line !== 'equal')).toEqual([rule])
    }
    expect(proof.told.some(({ severity }) => severity === 'error')).toBe(isMissing)
    const strict = await importFrom(legacy, folder, { names, prove: true, strict: true })
    expect(strict.told).toContainEqual(
      expect.objectContaining({ severity: 'error', code: 'lost-by-rule' }),
    )
  },
)

test('a value that is another one over http is told by the import, with both', async () => {
  const over = {
    location: 'Porto',
    twitter: undefined,
    avatar: 'https://plain.example.org/ana.png',
  }
  const handler: Handler = (asked) =>
    legacyHandler(one(asked.scheme === 'http' ? over : {}))(asked)
  const { imported, tally } = await proofOf(handler)
  expect(imported.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'scheme-differs: location differs between the schemes by more than the scheme: "Lisbon" and "Porto"',
    'scheme-differs: twitter differs between the schemes by more than the scheme: "" and missing',
    expect.stringMatching(/^scheme-differs: avatar .* and "https:\/\/plain/),
  ])
  expect([...tally.https.keys()]).toEqual(['equal'])
  expect([...tally.http].filter(([line]) => line !== 'equal')).toEqual([
    ['scheme-differs', 2],
  ])
})

test('an order by id, which lists others than the last 15 by date, is a loss', async () => {
  // the shot 9 has the earliest date, and stays on the list when the shot 1 leaves it
  const byId = (from: number) =>
    times(15, (index) => from + 14 - index).map((id) =>
      legacyShot(id, 1, id === 9 ? { date: dateOf(0) } : {}),
    )
  const { folder } = await importInto(one({}, byId(1)))
  const later = one({}, byId(2))
  await expectCodes('other-order total-below-content', later, folder)
  const { tally } = await importFrom(later, folder, { prove: true })
  expect([...tally.https]).toEqual([
    ['equal', 18 - 1 + 14 * 15 + 1],
    ['total-below-content', 1],
    ['other-order', 15 + 1],
  ])
})

test.each([
  [
    'a shot',
    one({}, shotsOf({ title: ' ', description: 'new', tags: 'new' })),
    'shot-not-imported',
  ],
  [
    'a member',
    one({ name: '', bio: 'new' }, shotsOf({ tags: 'new' })),
    'member-not-imported',
  ],
])(
  '%s that stays as it was, because it lacks what content needs now, is a loss',
  async (_, later, rule) => {
    const { folder, lost } = await proofOf(one({}), later)
    expect(lost).toEqual([[rule, 3]])
    await expectCodes(rule, later, folder)
  },
)

test('what a body says beside the shots is told, and a loss', async () => {
  const legacy = legacyHandler(one({}), (text) =>
    text.replace('{"Shots":', '{"page":"1","Shots":'),
  )
  const { imported, tally } = await proofOf(legacy)
  expect(imported).toMatchObject([
    { code: 'unknown-field', message: expect.stringContaining('"page" beside the shots') },
  ])
  expect([tally.https.get('unknown-field'), tally.http.get('unknown-field')]).toEqual([1, 1])
})

test('shots beyond the last 15 are imported, and a loss in the proof', async () => {
  const shots = times(17, (index) => legacyShot(40 - index, 1))
  const { told, lost } = await proofOf(legacyHandler(one({}, shots), undefined, 17))
  expect(lost).toEqual([['more-than-15', 30]])
  expect(told.map(({ code }) => code)).not.toContain('edited')
})

test('a field that the remote leaves out is equal to what the snapshot sends without it', async () => {
  const { token_id, large_image, status, ...shot } = legacyShot(9, 1)
  const { Likes, bio, ...user } = legacyMember('ana', 1).user
  const { lost } = await proofOf({ ana: { user, shots: [shot] } })
  expect(lost).toEqual([['total-below-content', 1]])
})
