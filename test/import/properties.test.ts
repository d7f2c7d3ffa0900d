import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkOf, importFrom, inFolder } from './importing.ts'
import { legacyMember, legacyShot } from './legacy.ts'

/** How much is tried; RUNS=1000 for the full measure. */
const runs = Number(process.env.RUNS ?? 6)

const text = fc.string({ unit: 'binary', maxLength: 60 }).map((value) => value.replaceAll('\0', ''))
const lines = fc
  .array(fc.oneof(text, fc.constantFrom('', ' ', '# no', '- a', 'key: value', '---')), {
    maxLength: 4,
  })
  .map((all) => all.join('\n'))
const name = fc.oneof(text, lines).filter((value) => /\S/.test(value))
const count = fc.oneof(fc.constant('0'), fc.bigInt(0n, 10n ** 30n).map(String))
const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .filter((value) => !/[\s,\0]/.test(value))
const words = fc.array(word, { maxLength: 4 }).map((all) => all.join(','))
const url = fc.constantFrom(
  ...['', 'https://a.example.com', 'http://b.example.com/x?y=1#z'],
  "https://c.example.com/it's:_[ok]",
)
const asset = fc.constantFrom(
  'https://img.example.org/a.png',
  'https://img.example.org/b@2x.png?v=1',
  'https://img.example.org/%20#f',
)

const user = fc.record({
  totalFollowers: count,
  totalFollowing: count,
  Likes: count,
  Lists: count,
  Listed: count,
  type_account: count,
  name,
  location: text,
  bio: lines,
  twitter: url,
  website: url,
  skills: words,
  avatar: fc.oneof(asset, fc.constant('')),
  cover_image: fc.oneof(asset, fc.constant('')),
})

const shot = fc.record({
  title: name,
  description: lines,
  tags: words,
  status: count,
  price_item: text,
  url_purchased: url,
  image: asset,
  large_image: asset,
  attachment: fc.oneof(asset, fc.constant('')),
  token_id: fc.option(
    fc.bigInt(0n, 2n ** 160n - 1n).map((value) => value.toString(16).padStart(40, '0')),
    { nil: undefined },
  ),
})

test('what was imported is published as the API said it, whatever it said', {
  timeout: 60_000 + runs * 10_000,
}, async () => {
  let fields = 0
  await fc.assert(
    fc.asyncProperty(
      user,
      fc.uniqueArray(shot, { maxLength: 5, selector: ({ token_id }) => token_id ?? {} }),
      async (profile, shots) =>
        inFolder(async (folder) => {
          const list = shots.map((one, index) => {
            const { token_id, ...rest } = one
            return legacyShot(50 - index, 1, {
              ...rest,
              ...(token_id !== undefined && { token_id }),
            })
          })
          const handler = { ana: legacyMember('ana', 1, { user: profile, shots: list }) }
          const { told } = await importFrom(handler, folder, { names: ['ana'] })
          expect(told).toEqual([])
          expect(await checkOf(folder)).toEqual([])
          const proof = await importFrom(handler, folder, { prove: true })
          expect(proof.told).toEqual([])
          fields += proof.tally.https.get('equal')!
          expect((await importFrom(handler, folder)).written).toEqual([])
        }),
    ),
    { numRuns: runs },
  )
  expect(fields).toBeGreaterThan(runs * 18)
})
