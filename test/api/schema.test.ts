import fs from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { deriveShots, deriveUser, type Member } from '../../scripts/api/derive.ts'
import { variants } from '../../scripts/api/routes.ts'
import { createLoader } from '../../scripts/content/load.ts'
import { usernamePattern } from '../../scripts/content/username.ts'

const read = (name: string) =>
  JSON.parse(fs.readFileSync(new URL(`../../schemas/api/${name}.schema.json`, import.meta.url), 'utf8'))
const schemas = { user: read('user'), shots: read('shots') }
const ajv = new Ajv2020()
const fits = { user: ajv.compile(schemas.user), shots: ajv.compile(schemas.shots) }

const { loadSite, loadProfile, loadShot } = createLoader({ hostNames: [] })
const site = loadSite({ file: 'site.yaml', text: 'base_url: https://api.example.com\n' }).value!

const member = (profile: string, shot: string): Member => ({
  username: 'a.b-c_d',
  profile: loadProfile({ file: 'profile.yaml', text: `id: 42\nname: Ana\n${profile}` }, site).value!,
  published: 1,
  latest: [
    {
      ...loadShot(
        { file: 'shot.yaml', text: `id: 1\ntitle: Poster\ndate: 2014-03-02\nimage: a.png\n${shot}` },
        site,
      ).value!,
      token_id: '0123456789abcdef0123456789abcdef01234567',
    },
  ],
})

const least = member('', '')
const full = member(
  `location: Łódź
twitter: HTTPS://twitter.com/ana
website: http://ana.example.com
bio: "two\\nlines"
skills: [art, クリエイター]
avatar: //cdn.example.com/ana.png
cover_image: HTTP://cdn.example.com/ana.png
totalShots: 99999999999999999999
projects: [{ id: 7, created: 0001-01-01 }]
`,
  `large_image: b.png
tags: [a]
id_project: 7
attachment: files/été.zip
url_purchased: https://shop.example.com
price_item: 1.50 €
`,
)

const user = deriveUser(full, 'https', site)
const shots = deriveShots(full, 'https', site)

describe.each(variants)('the answers over %s', (variant) => {
  test.each([
    ['least', least],
    ['full', full],
  ])('fit their schemas, with the %s that a member may say', (_, some) => {
    expect(fits.user(deriveUser(some, variant, site)), JSON.stringify(fits.user.errors)).toBe(true)
    expect(fits.shots(deriveShots(some, variant, site)), JSON.stringify(fits.shots.errors)).toBe(true)
  })
})

test('no shots are an answer, more than 15 are not', () => {
  const [shot] = shots.Shots
  expect(fits.shots({ Shots: [] })).toBe(true)
  expect(fits.shots({ Shots: Array(15).fill(shot) })).toBe(true)
  expect(fits.shots({ Shots: Array(16).fill(shot) })).toBe(false)
})

test('every key is there, as text, in the order of the schema, and no other', () => {
  const check = (record: object, accepts: (record: object) => boolean, schema: { properties: object }) => {
    expect(Object.keys(schema.properties)).toEqual(Object.keys(record))
    expect(accepts({ ...record, extra: '' })).toBe(false)
    for (const [key, value] of Object.entries(record)) {
      const { [key]: _, ...rest } = record as Record<string, string>
      expect(accepts(rest), key).toBe(false)
      for (const other of [null, 42, true, [value]])
        expect(accepts({ ...record, [key]: other }), key).toBe(false)
    }
  }
  check(user, (record) => fits.user(record), schemas.user)
  check(shots.Shots[0]!, (shot) => fits.shots({ Shots: [shot] }), schemas.shots.properties.Shots.items)
})

test('a username is what a member folder may be called', () => {
  expect(schemas.user.properties.username.pattern).toBe(`^${usernamePattern}$`)
})
