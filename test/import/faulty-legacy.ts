import { parse } from 'yaml'
import { type formats, shotFields, userFields } from '../../scripts/api/fields.ts'
import type { Random } from '../snapshot/random.ts'
import { times } from '../times.ts'
import { dateOf, type Fields, type Legacy, legacyMember, legacyShot } from './legacy.ts'

/** What a server may say of a field of each kind, besides leaving it out. */
const kinds = parse(String.raw`
text:
  ['', ' x ', "two\nlines", "a\r\nb\r\n", '# no', 'null', '- a', 'k: v', <b>é</b>, "\u2028", null, true, 42,
    { a: [1] }, "a\0b", "\ud800"]
name:
  [Ünï, 'null', '  ', '', "\u00a0", "\u200b", 👩‍🚀, nul, COM1, ${'x'.repeat(90)}, Same title, Same title, '7', 7,
    null, true, 'a: b', "tab\there"]
count: ['0', '3', '', '-1', '007', '1.5', many, '99999999999999999999', 5, -5, 1.5, null, true]
url:
  ['', 'http://a.example.com/x?y#z', a.example.com, 'https://a b.example.com', 'javascript:alert(1)',
    'https://x.example.com:8080/', 'https://ü.example.com', 5, null]
asset:
  ['https://img.example.org/a.png', 'http://img.example.org/a.png', '//img.example.org/a.png',
    'HTTPS://img.example.org/a.png', a.png, /a.png, 'https://img.example.org:8443/a.png',
    'https://img.example.org/a b.png', 'https://u:p@img.example.org/a.png',
    'https://img.example.org/../a.png', 'data:image/png;base64,AA', '', 5, null]
words: ['', 'a,b', 'a,a', 'a, b', street art, ',a', 'a,', '#tag,ü', 'true,1', [a], 5, null]
token: [${'ab'.repeat(20)}, ${'cd'.repeat(20)}, ${'AB'.repeat(20)}, abc, '', 5, null]
date:
  ['2014-01-01', '2014-01-01T10:00:00Z', '2014-01-01T10:00:00+02:00', '2014-01-01 24:00:00',
    '0000-00-00 00:00:00', '2014-02-30 00:00:00', '${dateOf(5)}', '${dateOf(5)}', '', 1388534400, null]
project: ['0', '7', '7', '8', 7, '', '-1', '07', null]
created:
  ['0000-00-00 00:00:00', '2013-01-01 00:00:00', '2013-01-01 00:00:00', '2013-01-02 00:00:00',
    '2013-01-01T00:00:00Z', '', null]
`)

/** Which of them a field of the API takes. */
const kindOf: Readonly<Record<keyof typeof formats, string>> = {
  text: 'text',
  username: 'text',
  'text that is not blank': 'name',
  link: 'url',
  words: 'words',
  id: 'count',
  count: 'count',
  'id or none': 'project',
  token: 'token',
  asset: 'asset',
  'asset or none': 'asset',
  timestamp: 'date',
  'timestamp or none': 'created',
}

const kindsOf = (
  fields: Readonly<Record<string, { readonly format: keyof typeof formats }>>,
  others: Kinds,
) => ({
  ...Object.fromEntries(
    Object.entries(fields).map(([key, { format }]) => [key, kindOf[format]]),
  ),
  ...others,
})

type Kinds = Readonly<Record<string, string | undefined>>

const userKinds = kindsOf(userFields, { id: undefined, username: undefined, email: 'text' })
const shotKinds = kindsOf(shotFields, { id: undefined, extra: 'text' })

/** Gives some fields of a record a value that may be wrong. */
const withFaults = (record: Fields, table: Kinds, random: Random, often: number) => {
  const wrong = { ...record }
  for (const [key, kind] of Object.entries(table)) {
    if (kind === undefined || random.below(100) >= often) continue
    const value = random.pick([...kinds[kind], undefined])
    if (value === undefined) delete wrong[key]
    else wrong[key] = value
  }
  return wrong
}

export const names = ['ana', 'Bo', 'c-d.e_f'] as const

/** A server whose members and shots are wrong in any way. */
export const faultyLegacy = (random: Random): Legacy => {
  const often = random.pick([0, 3, 10, 30])
  let next = 1
  return Object.fromEntries(
    names.map((name, index) => {
      const id = index + 1
      const count = random.pick([0, 1, 2, 5, 14, 15, 16, 20])
      const ids = times(count, () =>
        random.below(100) < often / 4 ? 1 + random.below(30) : next++,
      )
      const shots = ids
        .map((one) => withFaults(legacyShot(one, id), shotKinds, random, often))
        .map((one) =>
          random.below(100) < often / 4
            ? { ...one, id: random.pick([Number(one.id), '', '0', null, '-1']) }
            : one,
        )
        .reverse()
      if (random.below(100) < often / 4) shots.sort(() => random.below(3) - 1)
      return [
        name,
        {
          user: withFaults(legacyMember(name, id, { shots }).user, userKinds, random, often),
          shots,
        },
      ]
    }),
  )
}
