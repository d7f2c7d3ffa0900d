import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ShotRecord, UserRecord } from '../../scripts/api/records.ts'
import { readJson } from '../sandbox.ts'
import { publish } from './publish.ts'

const userIn = (body: string): UserRecord => JSON.parse(body)
const shotsIn = (body: string): readonly ShotRecord[] => JSON.parse(body).Shots

/** Any Unicode text that a file can hold: no U+0000, no lone surrogates. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({
      unit: fc.constantFrom(
        ...'\n\r\t :#-\'"\\|>&*!%@`[]{},?\u0085\u2028\ufeff\u00a0\u200b\u202eא例',
      ),
      maxLength: 12,
    }),
  )
  .map((text) => text.replaceAll('\0', ''))

const leastShot = (id: string | bigint, date = '2014-03-02') =>
  `id: ${id}\ntitle: Example\ndate: ${date}\nimage: a.png\n`
const leastProfile = 'id: 1\nname: Example\n'

test('what YAML says is what the JSON holds for any text in double quotes, in every key that is text', () =>
  fc.assert(
    fc.property(anyText, (text) => {
      const quoted = JSON.stringify(text)
      const notBlank = JSON.stringify(`.${text}`)
      const { https } = publish({
        profile: `id: 1\nname: ${notBlank}\nlocation: ${quoted}\nbio: ${quoted}\n`,
        shots: [
          `id: 1\ntitle: ${notBlank}\ndate: 2014-03-02\nimage: a.png\ndescription: ${quoted}\nprice_item: ${quoted}\n`,
        ],
      })
      expect(userIn(https.user)).toMatchObject({
        name: `.${text}`,
        location: text,
        bio: text,
      })
      expect(shotsIn(https.shots)).toMatchObject([
        { title: `.${text}`, description: text, price_item: text },
      ])
    }),
  ))

test('what YAML says is what the JSON holds for plain text that looks like a number, a date, a boolean or nothing', () => {
  const plain = fc.oneof(
    fc.constantFrom(
      ...'007 1.50 yes null 2014-03-02 9007199254740993 0x1F 1e3 .inf True'.split(' '),
    ),
    fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9.+_-]{0,30}$/),
  )
  fc.assert(
    fc.property(plain, (text) => {
      const { https } = publish({
        profile: leastProfile,
        shots: [
          `${leastShot(1n)}description: ${text}\nprice_item: ${text}\ntags: [${text}, ${text}]\n`,
        ],
      })
      const [shot] = shotsIn(https.shots)
      expect(shot).toMatchObject({
        description: text,
        price_item: text,
        tags: `${text},${text}`,
      })
    }),
  )
})

describe('the newest shots', () => {
  const ids = fc.uniqueArray(fc.bigInt({ min: 1n, max: 10n ** 40n }), { maxLength: 40 })
  const shots = ids.chain((all) =>
    fc.tuple(
      ...all.map((id) =>
        fc.record({ id: fc.constant(id), day: fc.integer({ min: 1, max: 3 }) }),
      ),
    ),
  )
  const served = (some: readonly { id: bigint; day: number }[]) =>
    shotsIn(
      publish({
        profile: leastProfile,
        shots: some.map(({ id, day }) => leastShot(id, `2014-03-0${day}`)),
      }).https.shots,
    ).map(({ id }) => id)

  test('are at most 15, by date and then by id as a number of any length', () =>
    fc.assert(
      fc.property(shots, (some) => {
        const sorted = [...some].sort((a, b) => b.day - a.day || (a.id < b.id ? 1 : -1))
        expect(served(some)).toEqual(sorted.slice(0, 15).map(({ id }) => String(id)))
      }),
    ))
})

describe('a member of any kind', () => {
  const path = fc.stringMatching(
    /^[a-z0-9]{1,8}(\/[a-zé例_-]{1,8}){0,2}\.png(\?[a-z=]{0,5})?$/,
  )
  const host = fc.constantFrom(
    'cdn.example.com',
    'images.example.org',
    '[::1]',
    'bücher.example',
  )
  const asset = fc.oneof(
    path,
    fc
      .tuple(fc.constantFrom('https://', 'http://', 'HTTPS://', '//'), host, path)
      .map(([a, b, c]) => `${a}${b}/${c}`),
  )
  const maybe = (value: fc.Arbitrary<unknown>) =>
    fc.option(value.map(String), { nil: undefined })
  const count = fc.bigInt({ min: 100n, max: 10n ** 30n })
  const url = fc
    .tuple(fc.constantFrom('https', 'HTTP'), host, path)
    .map(([a, b, c]) => `${a}://${b}:8080/${c}`)
  const profile = fc.record({
    id: fc.bigInt({ min: 1n, max: 10n ** 30n }).map(String),
    name: anyText.map((text) => `.${text}`),
    bio: maybe(anyText),
    website: maybe(url),
    avatar: maybe(asset),
    cover_image: maybe(asset),
    totalShots: maybe(count),
    Likes: maybe(count),
    type_account: maybe(count),
  })
  const shot = fc.record({
    title: anyText.map((text) => `.${text}`),
    date: fc.constantFrom('2014-03-02', '0001-01-01 00:00:00', '9999-12-31T23:59:59Z'),
    image: asset,
    large_image: maybe(asset),
    attachment: maybe(asset),
    url_purchased: maybe(url),
    draft: maybe(fc.boolean()),
    status: maybe(count),
  })
  const member = fc
    .tuple(profile, fc.array(shot, { maxLength: 20 }))
    .map(([fields, list]) => ({
      profile: JSON.stringify(fields),
      shots: list.map((one, index) => JSON.stringify({ id: String(index + 1), ...one })),
    }))

  const schema = (name: string) =>
    new Ajv2020().compile(readJson(`schemas/api/${name}.schema.json`))
  const fits = { user: schema('user'), shots: schema('shots') }

  test('has answers that fit the schemas of the API, one line each', () =>
    fc.assert(
      fc.property(member, (files) => {
        for (const bodies of Object.values(publish(files))) {
          for (const name of ['user', 'shots'] as const) {
            const body = JSON.parse(bodies[name])
            expect(fits[name](body), JSON.stringify(fits[name].errors)).toBe(true)
            expect(bodies[name]).toBe(`${JSON.stringify(body)}\n`)
          }
        }
      }),
    ))

  test('differs between http and https in five fields only, and in those by the scheme only', () => {
    const five = ['avatar', 'cover_image', 'image', 'large_image', 'attachment']
    /** A body with another scheme in front of the addresses in those fields. */
    const over = (scheme: string, body: string) =>
      JSON.parse(body, (key, value) =>
        five.includes(key) && value !== ''
          ? value.replace(/^(?:.*?\/\/)?/, `${scheme}://`)
          : value,
      )
    fc.assert(
      fc.property(member, (files) => {
        const { https, http } = publish(files)
        for (const name of ['user', 'shots'] as const) {
          expect(over('http', http[name])).toEqual(JSON.parse(http[name]))
          expect(over('https', https[name])).toEqual(JSON.parse(https[name]))
          expect(over('https', http[name])).toEqual(JSON.parse(https[name]))
        }
      }),
    )
  })
})
