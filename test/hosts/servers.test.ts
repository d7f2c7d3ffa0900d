import { expect, test } from 'vitest'
import { caddy } from '../../scripts/hosts/caddy.ts'
import type { HostOptions } from '../../scripts/hosts/host.ts'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { UserError } from '../../scripts/problems/user-error.ts'
import { hostOptions } from './options.ts'

test('a Caddyfile that can not hold a path is not written', () => {
  expect(() => caddy.config!(hostOptions({ root: '/srv/`\\' }))).toThrow(UserError)
})

const variables = (options: Partial<HostOptions>): readonly string[] =>
  [...nginx.config!(hostOptions(options)).matchAll(/^(?:map|geo) .*(\$\w+) \{$/gm)].map(([, name]) => name!)

test.each<[string, Partial<HostOptions>, Partial<HostOptions>]>([
  [
    'names that begin alike',
    { name: 'api.staging.shots.example.com' },
    { name: 'api.staging.shots.example.org' },
  ],
  ['names that differ in a sign', { name: 'api-example.com' }, { name: 'api.example.com' }],
  ['the path of base_url', { basePath: '/v1' }, { basePath: '/v2' }],
  ['trusted proxies', { trust: ['10.0.0.1'] }, { trust: ['10.0.0.2'] }],
  ['precompression', { precompress: [] }, { precompress: ['gzip'] }],
])('sites of one nginx share no variable: %s', (_, one, other) => {
  const [first, second] = [variables(one), variables(other)]
  expect(first.length).toBeGreaterThan(6)
  expect(first.filter((name) => second.includes(name))).toEqual([])
})

test('the name of a variable fits into a bucket of nginx as it is by default', () => {
  const all = variables({ name: `${'a'.repeat(60)}.example.com`, trust: ['10.0.0.1'] })
  expect(Math.max(...all.map((name) => name.length))).toBeLessThanOrEqual(45)
})
