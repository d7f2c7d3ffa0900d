import type { Encoding } from '../../scripts/api/routes.ts'
import type { Cause } from '../../scripts/verify/causes.ts'

/** nginx's config that is one thing wrong, and what the verifier must name: that and nothing else. */
export type EngineMutation = {
  readonly name: string
  readonly causes: readonly Cause[]
  /** What is replaced in the config, everywhere. */
  readonly from: string | RegExp
  readonly to: string
  readonly precompress?: readonly Encoding[]
  readonly trust?: readonly string[]
  /** Schemes that the changed config still listens for. */
  readonly listens?: readonly ('http' | 'https')[]
}

const mutation = (
  name: string,
  causes: readonly Cause[],
  [from, to]: readonly [string | RegExp, string],
  more: Partial<EngineMutation> = {},
): EngineMutation => ({ name, causes, from, to, ...more })

/** A location of nginx's more, which has the folder of the snapshot for its root, too. */
const atRoot = (location: string) =>
  [/location \/ \{\n +(root .*;)/, `$1\n  ${location}\n  location / {`] as const

const both = { precompress: ['br', 'gzip'] } as const

export const nginxMutations: readonly EngineMutation[] = [
  mutation(
    'redirects http',
    ['scheme-redirects'],
    ['server_name', 'if ($scheme = http) { return 301 https://$host$request_uri; }\n  server_name'],
  ),
  mutation('does not listen for https', ['scheme-unreachable'], [/^.*listen .* ssl;$/gm, ''], {
    listens: ['http'],
  }),
  mutation('has another root', ['nothing-found'], [/root ".*";/, 'root "/nonexistent";']),
  mutation('allows no dot in a name', ['names-with-dots'], ['[A-Za-z0-9._-]', '[A-Za-z0-9_-]']),
  mutation('serves https files to http', ['wrong-variant'], ['http "/http";', 'http "";']),
  mutation(
    'sends the CORS header without always',
    ['cors'],
    ['Access-Control-Allow-Origin "*" always', 'Access-Control-Allow-Origin "*"'],
  ),
  mutation(
    'drops the common headers in a location',
    ['cors', 'nosniff', 'cache-control', 'expose-headers'],
    ['location / {', 'location / { add_header X-Other 1;'],
    {},
  ),
  mutation('adds expires', ['cache-control'], ['expires off', 'expires 1h']),
  mutation(
    'sends HSTS',
    ['hsts'],
    ['server_name', 'add_header Strict-Transport-Security "max-age=63072000" always;\n  server_name'],
  ),
  mutation('has etags off', ['etag-missing'], ['etag on', 'etag off']),
  mutation(
    'redirects a slash away',
    ['slash-differs'],
    [
      'location / {',
      'if ($request_uri ~ "^(/api/username/[^/]+(?:/shots)?)/$") { return 301 $1; }\n  location / {',
    ],
  ),
  mutation('trusts everybody', ['spoofed-scheme'], ['default 0;', 'default 1;'], { trust: ['192.0.2.1'] }),
  mutation('compresses always', ['encoding-unasked'], ['gzip_static on', 'gzip_static always'], both),
  mutation('sends no Vary', ['vary'], ['"~^200 " "Accept-Encoding"', '"~^200 " ""'], both),
  mutation('compresses on the way', ['vary'], ['gzip off;', 'gzip on; gzip_types *; gzip_min_length 1;']),
  mutation('answers OPTIONS with 200', ['options-status'], ['return 204', 'return 200']),
  mutation(
    'leaves methods to the files',
    ['method-status'],
    ['^(?:GET|HEAD|OPTIONS)$', '^(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)$'],
  ),
  mutation('answers 200 for what is not there', ['soft-404'], ['=404 /404.json', '=200 /404.json']),
  mutation(
    'forbids folders',
    ['not-found-status'],
    ['location / {', 'location = /api/username/ { deny all; error_page 418 /x; }\n  location / {'],
  ),
  mutation('lists a folder', ['listing'], atRoot('location = /api/username/ { autoindex on; }')),
  mutation('serves files under their own names', ['hidden-path'], atRoot('location ~ "/index\\.json$$" { }')),
]
