import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { readJson } from '../sandbox.ts'
import { publish } from './publish.ts'

const read = (name: string) => readJson(`schemas/api/${name}.schema.json`)
const schemas = { user: read('user'), shots: read('shots') }
const ajv = new Ajv2020()
const fits = { user: ajv.compile(schemas.user), shots: ajv.compile(schemas.shots) }

const answers = (profile: string, shot: string) =>
  Object.values(
    publish({
      profile: `id: 42\nname: Ana\n${profile}`,
      shots: [`id: 1\ntitle: Poster\ndate: 2014-03-02\nimage: a.png\n${shot}`],
    }),
  ).map(({ user, shots }) => ({ user: JSON.parse(user), shots: JSON.parse(shots) }))

const full = answers(
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
const { user, shots } = full[0]!

test('no shots are an answer, more than 15 are not', () => {
  const [shot] = shots.Shots
  expect(fits.shots({ Shots: [] })).toBe(true)
  expect(fits.shots({ Shots: Array(15).fill(shot) })).toBe(true)
  expect(fits.shots({ Shots: Array(16).fill(shot) })).toBe(false)
})

test('every key is there, as text, in the order of the schema, and no other', () => {
  const check = (
    record: object,
    accepts: (record: object) => boolean,
    schema: { properties: object },
  ) => {
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
  check(
    shots.Shots[0]!,
    (shot) => fits.shots({ Shots: [shot] }),
    schemas.shots.properties.Shots.items,
  )
})
