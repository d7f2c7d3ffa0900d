import { crc32 } from 'node:zlib'
import * as api from '../api/routes.ts'
import { bracketed, type Host, type HostOptions, secureOrigin } from './host.ts'
import { block, type Lines, literal, serverHead, textOf } from './lines.ts'
import { folderOf, headersByStatus, otherTypes, pathRules } from './rules.ts'

export const nginx: Host = {
  name: 'nginx',
  title: 'nginx',
  support: 'proved',
  cannot: [
    'see more than the first of several X-Forwarded-Proto headers before 1.23: trusted proxies must set it, not append',
    'answer methods in lower case with 405: it says 404',
    'with --origin, learn a new address of the store before it is reloaded',
    'with --origin, serve precompressed files, or hide headers of the store that it does not know by name',
  ],
  takesOrigin: true,
  config: (options) => textOf([choose(options), server(options)]),
}

type Name = (what: string) => string

/** What stands beside the server: the variables that its answers depend on. */
const choose = (options: HostOptions): Lines => {
  const { root, cert, key, trust, basePath, origin } = options
  const name = variables(options)
  const start = `^${literal(basePath)}`
  return [
    serverHead(
      nginx,
      options,
      `A file for nginx's http context, such as /etc/nginx/conf.d/${options.name}.conf; then: nginx -t && nginx -s reload`,
    ),
    '',
    (root + cert + key).includes('$') && [
      `
      # a dollar sign in a path, which can be written in no other way
      geo ${name('dollar')} {
        default "$";
      }
      `,
      '',
    ],
    trust.length > 0 && [
      '# X-Forwarded-Proto is believed from these peers of the connection alone. They must set it, not append.',
      block(`geo $realip_remote_addr ${name('trusted')}`, [
        'default 0;',
        trust.map((peers) => `${peers} 1;`),
      ]),
      `
      map "${name('trusted')}:$http_x_forwarded_proto" ${name('scheme')} {
        default $scheme;
        "~^1:https$" https;
        "~^1:http$" http;
      }
      `,
      '',
    ],
    `
    # the folder of the request's scheme
    map ${trust.length > 0 ? name('scheme') : '$scheme'} ${name('folder')} {
      https "${folderOf('https')}";
      http "${folderOf('http')}";
    }
    `,
    '',
    '# the file that answers the path as it was sent: not decoded, no dots resolved, no slashes merged',
    block(`map $request_uri ${name('file')}`, [
      'default "";',
      pathRules(basePath).map(({ withQuery, variants, ending }, i) => {
        const path = `shotpress_path_${i}`
        // the group has a name, since the other maps take the numbers
        const pattern = withQuery
          .replace(`${start}(`, () => `${start}(?<${path}>`)
          .replaceAll('"', '\\"')
        return `"~${pattern}" "${variants ? name('folder') : ''}$${path}${ending}";`
      }),
    ]),
    '',
    '# headers by status, and by the file that answers; an empty one is not sent',
    [...headers(options)].flatMap(([header, values]) =>
      block(`map "$status ${name('file')}" ${name(header)}`, [
        `default "${{ ...api.otherErrorHeaders }[header] ?? ''}";`,
        header === 'Cache-Control' && `"~^${api.preflight.status} " "";`,
        values.map(([pattern, value]) => `"~^${pattern}" "${value}";`),
      ]),
    ),
    '',
    origin !== undefined && storeContext(origin, name),
  ]
}

const server = (options: HostOptions): Lines => {
  const { root, origin, cert, key, listen, http, https } = options
  const name = variables(options)
  const text = (value: string): string => quoted(value, name('dollar'))
  const addresses = listen === undefined ? ['', '[::]:'] : [`${bracketed(listen)}:`]
  return block('server', [
    addresses.map((address) => `listen ${address}${http};`),
    addresses.map((address) => `listen ${address}${https} ssl http2;`),
    `
    server_name ${bracketed(options.name)};
    ssl_certificate ${text(cert)};
    ssl_certificate_key ${text(key)};

    types { ${types.join(' ')} }
    default_type "${api.contentType}";
    charset off;
    expires off;
    etag on;
    max_ranges 0;
    # a refused body is thrown away, whatever its size
    client_max_body_size 0;
    `,
    copies(options.precompress),
    Object.entries(api.commonHeaders).map(
      ([header, value]) => `add_header ${header} "${value}" always;`,
    ),
    [...headers(options).keys()].map((header) => `add_header ${header} ${name(header)} always;`),
    '',
    !options.schemes.includes('http') &&
      `
      if (${name('folder')} = "${folderOf('http')}") {
        return 308 ${secureOrigin(options)}$request_uri;
      }
      `,
    `
    if ($request_method = OPTIONS) {
      return ${api.preflight.status};
    }
    if ($request_method !~ "^(?:${api.methods.join('|')})$") {
      rewrite ^ /${api.errors.methodNotAllowed.file} last;
    }
    `,
    origin === undefined
      ? `
      location / {
        root ${text(root)};
        try_files ${name('file')} =${api.errors.notFound.status};
      }
      `
      : storeLocations(origin, name),
    '',
    refusals,
  ])
}

const types = otherTypes
  .filter(({ isJson }) => !isJson)
  .map(({ ending, headers }) => `${headers['Content-Type']} ${ending.slice(1)};`)

/** Compressed copies beside the files, and nothing compressed on the way. */
const copies = (precompress: readonly api.Encoding[]): Lines => [
  'gzip off;',
  precompress.includes('gzip') &&
    `
    gzip_static on;
    gzip_http_version 1.0;
    gzip_proxied any;
    gzip_vary off;
    `,
  precompress.includes('br') &&
    `
    # needs a module: on Debian libnginx-mod-http-brotli-static
    brotli_static on;
    `,
]

/** The body of an answer as nginx reads it. */
const quotedBody = (body: string): string => `'${body.replaceAll('\n', '\\n')}'`

const refusals: Lines = [
  '# also what nginx refuses by itself',
  `error_page 400 403 404 414 =${api.errors.notFound.status} /${api.errors.notFound.file};`,
  `error_page 405 /${api.errors.methodNotAllowed.file};`,
  Object.values(api.errors).map(({ file, status, body }) =>
    block(`location = /${file}`, ['internal;', `return ${status} ${quotedBody(body)};`]),
  ),
]

/**
 * Each header that depends on the status with its values: the pattern of status and file, then the value. The content
 * type of a store depends on who uploaded.
 */
const headers = ({ origin, precompress }: HostOptions): ReadonlyMap<string, HeaderValues> => {
  const all = new Map<string, HeaderValues>()
  const add = (header: string, pattern: string, value: string): void => {
    all.set(header, [...(all.get(header) ?? []), [pattern, value]])
  }
  for (const { atEnd, headers } of otherTypes) {
    add('Cache-Control', `(?:200|304) .*${atEnd}`, headers['Cache-Control'])
    if (origin !== undefined) add('Content-Type', `200 .*${atEnd}`, headers['Content-Type'])
  }
  for (const [status, values] of headersByStatus(precompress.length > 0))
    for (const [header, value] of Object.entries(values)) add(header, `${status} `, value)
  if (origin !== undefined) add('Content-Type', '200 ', api.contentType)
  return all
}

type HeaderValues = readonly (readonly [pattern: string, value: string])[]

/**
 * Variables are common to all sites of an nginx, and the last to define one wins in silence. So their names hold the
 * start of the site's and a fingerprint of all that they depend on; nginx bounds their length.
 */
const variables = ({ name, trust, basePath, precompress, schemes, origin }: HostOptions): Name => {
  const known = JSON.stringify([name, trust, basePath, precompress, schemes, origin])
  const site = `${word(name).slice(0, 19)}_${crc32(known).toString(36)}`
  return (what) => `$sp_${site}_${word(what.replace(/^Access-Control-/, ''))}`
}

const word = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '_')

const quoted = (value: string, dollar: string): string =>
  `"${value.replace(/[\\"]/g, '\\$&').replaceAll('$', dollar.replace('$', '${').concat('}'))}"`

/** What stands for the store in the http context, with what was fetched last. */
const storeContext = (origin: string, name: Name): Lines => {
  const { protocol, hostname, port } = new URL(origin)
  const zone = name('store').slice(1)
  return [
    `
    # the store; its name is looked up when nginx starts, and when it is reloaded
    upstream ${zone} {
      server ${hostname}:${port || (protocol === 'https:' ? 443 : 80)};
      keepalive 32;
    }
    # what the store answered, asked for again after a second; it stands in while the store fails
    proxy_cache_path /var/cache/${zone} levels=1:2 keys_zone=${zone}:10m max_size=1g inactive=1d use_temp_path=off;
    `,
    '',
    '',
  ]
}

/** The locations that answer from the store. */
const storeLocations = (origin: string, name: Name): Lines => {
  const { protocol, host, hostname, pathname } = new URL(origin)
  const zone = name('store').slice(1)
  const file = name('file')
  return [
    'location / {',
    {
      indented: [
        `
        if (${file} = "") {
          return ${api.errors.notFound.status};
        }
        proxy_pass ${protocol}//${zone}${pathname.replace(/\/$/, '')}${file};
        `,
        protocol === 'https:' &&
          `
          proxy_ssl_server_name on;
          proxy_ssl_name ${hostname};
          proxy_ssl_verify on;
          proxy_ssl_verify_depth 4;
          # on Red Hat and its kin: /etc/pki/tls/certs/ca-bundle.crt
          proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;
          `,
        `
        proxy_http_version 1.1;
        proxy_connect_timeout 5s;
        proxy_read_timeout 15s;
        proxy_next_upstream_tries 2;

        # nothing of the request goes to the store but the path: a header could change what it answers
        proxy_pass_request_headers off;
        proxy_pass_request_body off;
        proxy_set_header Host ${host};
        proxy_set_header Connection "";
        proxy_set_header Content-Length "";
        proxy_set_header If-Modified-Since "";

        # nginx answers If-None-Match only from its cache
        proxy_cache ${zone};
        proxy_cache_key ${file};
        proxy_cache_valid 200 1s;
        proxy_cache_revalidate on;
        proxy_cache_lock on;
        proxy_cache_use_stale error timeout invalid_header http_429 http_500 http_502 http_503 http_504;
        proxy_ignore_headers Cache-Control Expires Set-Cookie Vary X-Accel-Redirect X-Accel-Expires X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset;
        `,
        hidden.map((name) => `proxy_hide_header ${name};`),
        '',
        `
        # without the right to list, a store says 403 of a file that is not there
        proxy_intercept_errors on;
        error_page 403 404 =${api.errors.notFound.status} /${api.errors.notFound.file};
        error_page ${failures.trim().replace(/\s+/g, ' ')} =${api.storeFailure.status} @store_failure;
        `,
      ],
    },
    `
    }
    location @store_failure {
      return ${api.storeFailure.status} ${quotedBody(api.storeFailure.body)};
    }
    `,
  ]
}

/** Headers of stores that must not pass. nginx takes no patterns, so each has its name. */
const hidden = [
  // the site has its own
  ...Object.keys({ 'Content-Type': api.contentType, ...api.commonHeaders, ...api.okHeaders }),
  ...'Accept-Ranges Expires Pragma Vary'.split(' '),
  // clients would take them for the site's
  ...'Alt-Svc Content-Disposition Link NEL Report-To Set-Cookie Strict-Transport-Security'.split(
    ' ',
  ),
  // what deploy and Amazon add
  ...'Bucket-Region Expiration Id-2 Meta-Mtime Replication-Status Request-Id Server-Side-Encryption Storage-Class Version-Id'
    .split(' ')
    .map((name) => `X-Amz-${name}`),
]

/** What a store may answer besides: it is no answer of the API, and must not reach a client. */
const failures = `
  300 301 302 303 307 308
  400 401 402 405 406 409 410 411 412 416 429 451
  500 501 502 503 504 505 507 509 520 521 522 523 524 525 526 530
`
