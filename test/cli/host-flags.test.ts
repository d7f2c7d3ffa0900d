import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostFlags, parseHostFlags } from '../../scripts/cli/host-flags.ts'
import { UserError } from '../../scripts/problems/diagnostic.ts'
import { rowsOf } from '../tables.ts'

const none = Object.fromEntries(Object.keys(hostFlags).map((name) => [name, undefined]))

type Flags = Parameters<typeof parseHostFlags>[0]

/** Parses flags of a site at api.example.com, whose snapshot is in /srv/shots. */
const parse = (flags: Readonly<Record<string, unknown>> = {}) =>
  parseHostFlags(
    { ...none, out: '/srv/shots', http: 80, https: 443, ...flags } as Flags,
    'api.example.com',
  )

test('the defaults come from the site, the snapshot and /etc/ssl', () =>
  expect(parse()).toEqual({
    root: '/srv/shots',
    origin: undefined,
    name: 'api.example.com',
    listen: undefined,
    http: 80,
    https: 443,
    cert: '/etc/ssl/certs/api.example.com.pem',
    key: '/etc/ssl/private/api.example.com.key',
    trust: [],
  }))

test('paths become absolute, addresses lose their brackets, names their other alphabets', () => {
  const here = process.cwd().replaceAll(path.sep, '/')
  const given = { root: 'a b', cert: './c.pem', name: 'Bücher.example' }
  expect(parse({ ...given, listen: '[::1]', trust: ' ::1 , 10.0.0.0/8' })).toMatchObject({
    root: `${here}/a b`,
    cert: `${here}/c.pem`,
    listen: '::1',
    name: 'xn--bcher-kva.example',
    trust: ['::1', '10.0.0.0/8'],
  })
})

test.each(
  rowsOf(`
    https://bucket.s3.eu-central-1.amazonaws.com/ → https://bucket.s3.eu-central-1.amazonaws.com
    HTTP://Store.Example:9000/bucket/path// → http://store.example:9000/bucket/path
    http://[::1]:9000/bucket → http://[::1]:9000/bucket
  `),
)('the address of a bucket loses its last slash: %s', (given, origin) =>
  expect(parse({ origin: given }).origin).toBe(origin),
)

test('a snapshot is in a folder or in a store', () => {
  const both = { root: '/srv/shots', origin: 'https://store.example/bucket' }
  expect(() => parse(both)).toThrow('--root and --origin')
})

test.each(
  rowsOf(`
    http → 443
    origin → store:bucket
    origin → https://key:secret@store.example/bucket
    origin → https://store.example/bucket?x
    origin → https://store.example/x%20y
    listen → localhost
    listen → fe80::1%eth0
    trust → 10.0.0.0/33
    trust → ::1/129
    trust → 10.0.0.0/
    trust → all
    name → a..b
    name → https://api.example.com
    root → /srv/a⏎b
  `),
)('--%s %j is refused', (flag, text) => {
  const value = flag === 'http' ? Number(text) : text
  expect(() => parse({ [flag]: value })).toThrow(UserError)
})

test('a name is asked for where the site gives none', () =>
  expect(() =>
    parseHostFlags({ ...none, out: '', http: 80, https: 443 } as Flags, undefined),
  ).toThrow('there is no name to serve under'))

test.each<[keyof Flags, (text: string) => string, RegExp]>([
  ['name', (text) => text, /^[A-Za-z0-9._:-]*$/],
  ['listen', (text) => text, /^[A-Za-z0-9._:]*$/],
  ['trust', (text) => text, /^[A-Za-z0-9._:/,]*$/],
  ['origin', (text) => `https://store.example/${text}`, /^[A-Za-z0-9/._~+@:=,-]*$/],
  ['origin', (text) => `https://a${text}.example`, /^[A-Za-z0-9/._~+@:=,-]*$/],
])(
  'whatever passes as --%s has no character that a config could read',
  (flag, given, plain) =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab1.:/-_[],%;{}$ \'"\\\n*ü') }),
        (text) => {
          try {
            const parsed = parse({ [flag]: given(text) }) as Readonly<Record<string, unknown>>
            return plain.test(String(parsed[flag] ?? ''))
          } catch (error) {
            return error instanceof UserError
          }
        },
      ),
      { examples: [['::1'], ['a.b'], [';'], ['$host'], ["'"]] },
    ),
)
