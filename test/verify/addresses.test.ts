import { expect, test } from 'vitest'
import { parseAddresses, urlOf } from '../../scripts/http/addresses.ts'
import { UserError } from '../../scripts/problems/diagnostic.ts'
import { rowsOf } from '../tables.ts'
import { wordsOf } from '../words.ts'

const both = 'https://api.example.com http://api.example.com'
const local = 'https://127.0.0.1:8443 http://127.0.0.1:8080/x'

test.each(
  rowsOf(`
    one URL for both schemes of its origin → https://api.example.com → ${both}
    one URL over http, too → http://api.example.com/ → ${both}
    the path of a base URL → https://example.com/v1/ → https://example.com/v1 http://example.com/v1
    the https and the http URL → ${local} → ${local}
    the http and the https URL → http://127.0.0.1:8080/x https://127.0.0.1:8443 → ${local}
    the brackets of an IPv6 address → https://[::1] → https://[::1] http://[::1]
  `),
)('parseAddresses takes %s', (_, operands, expected) => {
  const addresses = parseAddresses(wordsOf(operands), 'verify')
  expect(`${urlOf(addresses, 'https')} ${urlOf(addresses, 'http')}`).toBe(expected)
})

test.each(
  rowsOf(`
    no URL → ∅
    three URLs → https://a.b http://a.b http://c.d
    one with a port → http://localhost:8080
    the same scheme twice → https://a.b https://c.d
    another scheme → ftp://a.b
    credentials → https://u:p@a.b
    a query → https://a.b/?x
  `),
)('parseAddresses refuses %s', (_, operands) =>
  expect(() => parseAddresses(wordsOf(operands), 'verify')).toThrow(UserError),
)

test('parseAddresses takes one URL with a port if nothing is asked over plain http', () => {
  const { https } = parseAddresses(['https://localhost:8443/v1'], 'import', {
    httpsOnly: true,
  })
  expect(https).toEqual({ hostname: 'localhost', port: 8443, path: '/v1' })
  expect(() =>
    parseAddresses(['http://localhost:8080'], 'import', { httpsOnly: true }),
  ).toThrow(UserError)
})

test('parseAddresses names the command that was run in its hints', () => {
  const hint = (text: string) =>
    expect.objectContaining({ hint: expect.stringContaining(text) })
  const local =
    'npx shotpress import http://localhost:3000 https://localhost:PORT, with the port that serves https'
  expect(() => parseAddresses(['http://localhost:3000'], 'import')).toThrow(hint(local))
  expect(() => parseAddresses(['https://a.b', 'https://c.d'], 'import')).toThrow(
    hint('npx shotpress import https://a.b http://a.b:PORT, with the port that serves http'),
  )
})
