import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseHostFlags } from '../../scripts/cli/host-flags.ts'
import { UserError } from '../../scripts/diagnostics/user-error.ts'

const flags = {
  out: '/srv/shots',
  root: undefined,
  name: undefined,
  listen: undefined,
  http: '80',
  https: '443',
  cert: undefined,
  key: undefined,
  trust: undefined,
}
const site = 'api.example.com'

test('the defaults come from the site, the snapshot and /etc/ssl', () => {
  expect(parseHostFlags(flags, site)).toEqual({
    root: '/srv/shots',
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
  const given = {
    root: 'a b',
    cert: './c.pem',
    listen: '[::1]',
    name: 'Bücher.example',
    trust: ' ::1 , 10.0.0.0/8',
  }
  expect(parseHostFlags({ ...flags, ...given }, site)).toMatchObject({
    root: `${process.cwd()}/a b`,
    cert: `${process.cwd()}/c.pem`,
    listen: '::1',
    name: 'xn--bcher-kva.example',
    trust: ['::1', '10.0.0.0/8'],
  })
})

test.each([
  ['http', '0'],
  ['http', '65536'],
  ['http', '80a'],
  ['http', '-1'],
  ['http', '0x50'],
  ['http', '443'],
  ['https', ''],
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
