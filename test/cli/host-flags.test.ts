import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseHostFlags } from '../../scripts/cli/host-flags.ts'
import { UserError } from '../../scripts/problems/user-error.ts'

const flags = {
  out: '/srv/shots',
  root: undefined,
  origin: undefined,
  name: undefined,
  listen: undefined,
  http: 80,
  https: 443,
  cert: undefined,
  key: undefined,
  trust: undefined,
}
const site = 'api.example.com'

test('the defaults come from the site, the snapshot and /etc/ssl', () => {
  expect(parseHostFlags(flags, site)).toEqual({
    root: '/srv/shots',
    origin: undefined,
    name: 'api.example.com',
    listen: undefined,
    http: 80,
    https: 443,
    cert: '/etc/ssl/certs/api.example.com.pem',
    key: '/etc/ssl/private/api.example.com.key',
    trust: [],
  })
})

test('paths become absolute, addresses lose their brackets, names their other alphabets', () => {
  const here = process.cwd().replaceAll(path.sep, '/')
  const given = {
    root: 'a b',
    cert: './c.pem',
    listen: '[::1]',
    name: 'Bücher.example',
    trust: ' ::1 , 10.0.0.0/8',
  }
  expect(parseHostFlags({ ...flags, ...given }, site)).toMatchObject({
    root: `${here}/a b`,
    cert: `${here}/c.pem`,
    listen: '::1',
    name: 'xn--bcher-kva.example',
    trust: ['::1', '10.0.0.0/8'],
  })
})

test.each([
  ['https://bucket.s3.eu-central-1.amazonaws.com/', 'https://bucket.s3.eu-central-1.amazonaws.com'],
  ['HTTP://Store.Example:9000/bucket/path//', 'http://store.example:9000/bucket/path'],
  ['https://store.example:443/a/../b', 'https://store.example/b'],
  ['http://[::1]:9000/bucket', 'http://[::1]:9000/bucket'],
])('the address of a bucket loses its last slash: %s', (given, origin) => {
  expect(parseHostFlags({ ...flags, origin: given }, site).origin).toBe(origin)
})

test.each([
  'bucket',
  'store:bucket',
  's3://bucket',
  'https://',
  'https://key:secret@store.example/bucket',
  'https://store.example/bucket?x',
  'https://store.example/bucket#x',
  'https://store.example/$host',
  'https://store.example/a;b',
  'https://store.example/a b',
  'https://store.example/{env.HOME}',
  "https://store.example/it's",
  'https://st$ore.example/bucket',
  'https://st;ore.example/bucket',
  'https://st{ore.example/bucket',
])('no config gets the address %j', (origin) => {
  expect(() => parseHostFlags({ ...flags, origin }, site)).toThrow('--origin takes the address of a bucket')
})

test('a snapshot is in a folder or in a store', () => {
  const both = { ...flags, root: '/srv/shots', origin: 'https://store.example/bucket' }
  expect(() => parseHostFlags(both, site)).toThrow('--root and --origin')
})

test.each([
  ['http', 443],
  ['listen', 'localhost'],
  ['listen', '127.0.0.1:80'],
  ['listen', '1.2.3'],
  ['listen', 'fe80::1%eth0'],
  ['trust', '10.0.0.0/33'],
  ['trust', '::1/129'],
  ['trust', '10.0.0.0/08'],
  ['trust', '10.0.0.0/8/8'],
  ['trust', '10.0.0.0/'],
  ['trust', 'all'],
  ['trust', '10.0.0.1; } evil {'],
  ['name', 'a b'],
  ['name', 'a;b'],
  ['name', 'a..b'],
  ['name', '-'.repeat(64)],
  ['name', 'https://api.example.com'],
  ['name', 'api.example.com:80'],
  ['root', '/srv/a\nb'],
  ['key', '/srv/\u0000'],
])('--%s %j is refused', (flag, value) => {
  expect(() => parseHostFlags({ ...flags, [flag]: value }, site)).toThrow(UserError)
})

test('a name is asked for where the site gives none', () => {
  expect(() => parseHostFlags(flags, undefined)).toThrow('there is no name to serve under')
})

test('whatever passes as a name, address or block has no character that a config could read', () => {
  const plain = /^[A-Za-z0-9._:/-]+$/
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ab1.:/-_[],%;{}$ "\\\n*ü') }),
      fc.constantFrom('name', 'listen', 'trust'),
      (text, flag) => {
        const parsed = attempt(() => parseHostFlags({ ...flags, [flag]: text }, site))
        const value = parsed === undefined ? 'refused' : String(parsed[flag] ?? '')
        return value === '' || plain.test(value)
      },
    ),
    {
      examples: [
        ['::1', 'listen'],
        ['a.b', 'name'],
      ],
    },
  )
})

const attempt = <T>(act: () => T): T | undefined => {
  try {
    return act()
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}
