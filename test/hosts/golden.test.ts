import { expect, test } from 'vitest'
import { apache } from '../../scripts/hosts/apache.ts'
import { caddy } from '../../scripts/hosts/caddy.ts'
import { htaccess } from '../../scripts/hosts/htaccess.ts'
import { lighttpd } from '../../scripts/hosts/lighttpd.ts'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { hostOptions } from './servers/options.ts'

// As people paste them: read the differences like code. `npx vitest run test/hosts/golden.test.ts -u` writes them anew.

const options = hostOptions({
  name: 'api.example.com',
  listen: undefined,
  basePath: '/v1',
  precompress: ['br', 'gzip'],
  trust: ['10.0.0.0/8', '2001:db8::1'],
})

test.each([
  [nginx, 'nginx.conf'],
  [caddy, 'Caddyfile'],
  [apache, 'apache.conf'],
  [lighttpd, 'lighttpd.conf'],
] as const)('the config of $name is as reviewed', async (host, file) => {
  await expect(host.config!(options)).toMatchFileSnapshot(`golden/${file}`)
})

test.each([
  [nginx, 'nginx-origin.conf'],
  [caddy, 'Caddyfile-origin'],
] as const)('the config of $name in front of a store is as reviewed', async (host, file) => {
  const origin = 'https://bucket.s3.eu-central-1.amazonaws.com/path'
  const text = host.config!(hostOptions({ name: 'api.example.com', listen: undefined, origin }))
  await expect(text).toMatchFileSnapshot(`golden/${file}`)
})

test('the .htaccess file is as reviewed', async () => {
  const [file] = htaccess.files!({ ...options, siteRoutes: [], usernames: ['ana'] })
  await expect(file!.text).toMatchFileSnapshot('golden/htaccess')
})
