import { describe, expect, test } from 'vitest'
import type { HostOptions } from '../../../scripts/hosts/config/host.ts'
import { nginx } from '../../../scripts/hosts/servers/nginx.ts'
import { believesListedPeers, holdsTheContract } from './contract.ts'
import { installed, titleOf } from './engine.ts'
import { nginxEngine } from './nginx.ts'
import { hostOptions } from './options.ts'

describe.skipIf(!installed(nginxEngine))(titleOf(nginxEngine), () => {
  holdsTheContract(nginx, nginxEngine)
  // before 1.23 nginx sees the first line only, as its host entry says
  believesListedPeers(nginx, nginxEngine, 'https')
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
