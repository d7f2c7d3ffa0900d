import { describe, expect, test } from 'vitest'
import type { HostOptions } from '../../scripts/hosts/host.ts'
import { nginx } from '../../scripts/hosts/nginx.ts'
import type { Cause } from '../../scripts/verify/causes.ts'
import { serving, staged } from '../hosts/contract.ts'
import { installed, titleOf } from '../hosts/engine.ts'
import { nginxEngine } from '../hosts/engines.ts'
import { causesOf, verifyPorts } from './verifying.ts'

/** nginx's config that is one thing wrong, and what the verifier must name: that and nothing else. */
type Mutation = readonly [
  name: string,
  causes: readonly Cause[],
  /** What is replaced in the config, everywhere. */
  change: readonly [from: string | RegExp, to: string],
  options?: Partial<HostOptions>,
]

// that each engine passes with its own config is in test/hosts; every cause is in mutations.test.ts

/** A location of nginx's more, which has the folder of the snapshot for its root, too. */
const atRoot = (location: string) =>
  [/location \/ \{\n +(root .*;)/, `$1\n  ${location}\n  location / {`] as const

const both = { precompress: ['br', 'gzip'] } as const

const mutations: readonly Mutation[] = [
  [
    'redirects http',
    ['scheme-redirects'],
    ['server_name', 'if ($scheme = http) { return 301 https://$host$request_uri; }\n  server_name'],
  ],
  ['has another root', ['nothing-found'], [/root ".*";/, 'root "/nonexistent";']],
  ['allows no dot in a name', ['names-with-dots'], ['[A-Za-z0-9._-]', '[A-Za-z0-9_-]']],
  ['serves https files to http', ['wrong-variant'], ['http "/http";', 'http "";']],
  [
    'sends the CORS header without always',
    ['cors'],
    ['Access-Control-Allow-Origin "*" always', 'Access-Control-Allow-Origin "*"'],
  ],
  [
    'drops the common headers in a location',
    ['cors', 'nosniff', 'cache-control', 'expose-headers'],
    ['location / {', 'location / { add_header X-Other 1;'],
  ],
  ['adds expires', ['cache-control'], ['expires off', 'expires 1h']],
  [
    'sends HSTS',
    ['hsts'],
    [
      'server_name',
      'add_header Strict-Transport-Security "max-age=63072000" always;\n  server_name',
    ],
  ],
  ['has etags off', ['etag-missing'], ['etag on', 'etag off']],
  [
    'redirects a slash away',
    ['slash-differs'],
    [
      'location / {',
      'if ($request_uri ~ "^(/api/username/[^/]+(?:/shots)?)/$") { return 301 $1; }\n  location / {',
    ],
  ],
  ['trusts everybody', ['spoofed-scheme'], ['default 0;', 'default 1;'], { trust: ['192.0.2.1'] }],
  ['compresses always', ['encoding-unasked'], ['gzip_static on', 'gzip_static always'], both],
  ['sends no Vary', ['vary'], ['"~^200 " "Accept-Encoding"', '"~^200 " ""'], both],
  ['compresses on the way', ['vary'], ['gzip off;', 'gzip on; gzip_types *; gzip_min_length 1;']],
  ['answers OPTIONS with 200', ['options-status'], ['return 204', 'return 200']],
  [
    'leaves methods to the files',
    ['method-status'],
    ['^(?:GET|HEAD|OPTIONS)$', '^(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)$'],
  ],
  ['answers 200 for what is not there', ['soft-404'], ['=404 /404.json', '=200 /404.json']],
  [
    'forbids folders',
    ['not-found-status'],
    ['location / {', 'location = /api/username/ { deny all; error_page 418 /x; }\n  location / {'],
  ],
  ['lists a folder', ['listing'], atRoot('location = /api/username/ { autoindex on; }')],
  [
    'serves files under their own names',
    ['hidden-path'],
    atRoot('location ~ "/index\\.json$$" { }'),
  ],
]

describe.skipIf(!installed(nginxEngine))(titleOf(nginxEngine), () => {
  const plain = staged()
  const compressed = staged(both.precompress)

  const rows = mutations.map((mutation) => [mutation[0], mutation] as const)
  test.each(rows)('that %s', async (_, [, causes, [from, to], options = {}]) => {
    const stage = options.precompress === undefined ? plain() : compressed()
    const config = (given: HostOptions): string => {
      const right = nginx.config!(given)
      const wrong =
        typeof from === 'string' ? right.replaceAll(from, () => to) : right.replace(from, to)
      expect(wrong, 'the config no longer holds what the mutation changes').not.toBe(right)
      return wrong
    }
    const report = await serving(
      { ...nginx, config },
      nginxEngine,
      { ...stage, ...options },
      ({ ports }) => verifyPorts(ports, { folder: stage.root }),
    )
    expect(causesOf(report)).toEqual([...causes].sort())
  })
})
