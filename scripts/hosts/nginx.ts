import { crc32 } from 'node:zlib'
import * as api from '../api/routes.ts'
import { bracketed, type Host, type HostOptions, secureAuthority } from './host.ts'
import { type Lines, limitsOf, lines, literal, noHsts, textOf } from './lines.ts'
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
  config: (options) => textOf(config(options)),
}

/** A variable of the site by what it holds. */
type Name = (what: string) => string

const config = (options: HostOptions) => {
  const { name, root, cert, key, listen, http, https, trust, origin, hasHttp, precompress } =
    options
  const variable = variables(options)
  const folder = variable('folder')
  const file = variable('file')
  const dollar = variable('dollar')
  const quoted = (text: string) =>
    `"${text.replace(/[\\"]/g, '\\$&').replaceAll('$', dollar.replace('$', '${').concat('}'))}"`
  const addresses = listen === undefined ? ['', '[::]:'] : [`${bracketed(listen)}:`]
  const dollarSign = lines`
    # a dollar sign in a path, which can be written in no other way
    geo ${dollar} {
      default "$";
    }
    ${''}
    `
  const proxies = lines`
    # X-Forwarded-Proto is believed from these peers of the connection alone. They must set it, not append.
    geo $realip_remote_addr ${variable('trusted')} {
      default 0;
      ${trust} 1;
    }
    map "${variable('trusted')}:$http_x_forwarded_proto" ${variable('scheme')} {
      default $scheme;
      "~^1:https$" https;
      "~^1:http$" http;
    }
    ${''}
    `
  const toHttps = lines`
    if (${folder} = "${folderOf('http')}") {
      return 308 https://${secureAuthority(options)}$request_uri;
    }
    `
  const fromFolder = lines`
    location / {
      root ${quoted(root)};
      try_files ${file} =${api.errors.notFound.status};
    }
    `
  const byStatus = [...headers(options)]
  const maps = byStatus.map(
    ([header, values]) => lines`
    map "$status ${file}" ${variable(header)} {
      default "${{ ...api.otherErrorHeaders }[header] ?? ''}";
      ${values}
    }
    `,
  )
  const added = [
    ...Object.entries(api.commonHeaders).map(([header, value]) => `${header} "${value}"`),
    ...byStatus.map(([header]) => `${header} ${variable(header)}`),
  ]
  return lines`
    # ${name}, made by Shotpress: npx shotpress host nginx
    # A file for nginx's http context, such as /etc/nginx/conf.d/${name}.conf; then: nginx -t && nginx -s reload
    # ${hasHttp && noHsts}
    ${limitsOf(nginx, hasHttp)}

    ${(root + cert + key).includes('$') && dollarSign}
    ${trust.length > 0 && proxies}
    # the folder of the request's scheme
    map ${trust.length > 0 ? variable('scheme') : '$scheme'} ${folder} {
      https "${folderOf('https')}";
      http "${folderOf('http')}";
    }

    # the file that answers the path as it was sent: not decoded, no dots resolved, no slashes merged
    map $request_uri ${file} {
      default "";
      ${files(options.basePath, folder)}
    }

    # headers by status, and by the file that answers; an empty one is not sent
    ${maps}

    ${origin !== undefined && storeContext(origin, variable)}
    server {
      listen ${addresses}${http};
      listen ${addresses}${https} ssl http2;
      server_name ${bracketed(name)};
      ssl_certificate ${quoted(cert)};
      ssl_certificate_key ${quoted(key)};

      types { ${types.join(' ')} }
      default_type "${api.contentType}";
      charset off;
      expires off;
      etag on;
      max_ranges 0;
      # a refused body is thrown away, whatever its size
      client_max_body_size 0;
      gzip off;
      ${precompress.includes('gzip') && gzipCopies}
      ${precompress.includes('br') && brotliCopies}
      add_header ${added} always;

      ${!hasHttp && toHttps}
      if ($request_method = OPTIONS) {
        return ${api.preflight.status};
      }
      if ($request_method !~ "^(?:${api.methods.join('|')})$") {
        rewrite ^ /${api.errors.methodNotAllowed.file} last;
      }
      ${origin === undefined ? fromFolder : storeLocations(origin, variable)}

      # also what nginx refuses by itself
      error_page 400 403 404 414 =${api.errors.notFound.status} /${api.errors.notFound.file};
      error_page 405 /${api.errors.methodNotAllowed.file};
      ${refusals}
    }
    `
}

/** A line a rule of the map from a path to its file. */
const files = (basePath: string, folder: string): Lines => {
  const start = `^${literal(basePath)}`
  return pathRules(basePath).map(({ withQuery, variants, ending }, i) => {
    const path = `shotpress_path_${i}`
    // the group has a name, since the other maps take the numbers
    const pattern = withQuery
      .replace(`${start}(`, () => `${start}(?<${path}>`)
      .replaceAll('"', '\\"')
    return `"~${pattern}" "${variants ? folder : ''}$${path}${ending}";`
  })
}

const types = otherTypes
  .filter(({ isJson }) => !isJson)
  .map(({ ending, headers }) => `${headers['Content-Type']} ${ending.slice(1)};`)

const gzipCopies = [
  'gzip_static on;',
  'gzip_http_version 1.0;',
  'gzip_proxied any;',
  'gzip_vary off;',
]
const brotliCopies = [
  '# needs a module: on Debian libnginx-mod-http-brotli-static',
  'brotli_static on;',
]

/** The body of an answer as nginx reads it. */
const quotedBody = (body: string) => `'${body.replaceAll('\n', '\\n')}'`

const refusals = Object.values(api.errors).map(
  ({ file, status, body }) => lines`
  location = /${file} {
    internal;
    return ${status} ${quotedBody(body)};
  }
  `,
)

/**
 * Each header that depends on the status, with the lines of its map: of status and file, and
 * the value there. The content type of a store depends on who uploaded.
 */
const headers = ({ origin, precompress }: HostOptions): ReadonlyMap<string, Lines> => {
  const all = new Map([['Cache-Control', [`"~^${api.preflight.status} " "";`]]])
  const add = (header: string, pattern: string, value: string) => {
    all.set(header, [...(all.get(header) ?? []), `"~^${pattern}" "${value}";`])
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

/**
 * Variables are common to all sites of an nginx, and the last to define one wins in silence.
 * So their names hold the start of the site's and a fingerprint of all that they depend on;
 * nginx bounds their length.
 */
const variables = ({
  name,
  trust,
  basePath,
  precompress,
  hasHttp,
  origin,
}: HostOptions): Name => {
  const schemes = hasHttp ? api.variants : ['https']
  const known = JSON.stringify([name, trust, basePath, precompress, schemes, origin])
  const site = `${word(name).slice(0, 19)}_${crc32(known).toString(36)}`
  return (what) => `$sp_${site}_${word(what.replace(/^Access-Control-/, ''))}`
}

const word = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '_')

/** What stands for the store in the http context, with what was fetched last. */
const storeContext = (origin: string, variable: Name) => {
  const { protocol, hostname, port } = new URL(origin)
  const zone = variable('store').slice(1)
  return lines`
    # the store; its name is looked up when nginx starts, and when it is reloaded
    upstream ${zone} {
      server ${hostname}:${port || (protocol === 'https:' ? 443 : 80)};
      keepalive 32;
    }
    # what the store answered, asked for again after a second; it stands in while the store fails
    proxy_cache_path /var/cache/${zone} levels=1:2 keys_zone=${zone}:10m max_size=1g inactive=1d use_temp_path=off;
    ${['', '']}
    `
}

/** The locations that answer from the store. */
const storeLocations = (origin: string, variable: Name) => {
  const { protocol, host, hostname, pathname } = new URL(origin)
  const zone = variable('store').slice(1)
  const file = variable('file')
  const tls = lines`
    proxy_ssl_server_name on;
    proxy_ssl_name ${hostname};
    proxy_ssl_verify on;
    proxy_ssl_verify_depth 4;
    # on Red Hat and its kin: /etc/pki/tls/certs/ca-bundle.crt
    proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;
    `
  return lines`
    location / {
      if (${file} = "") {
        return ${api.errors.notFound.status};
      }
      proxy_pass ${protocol}//${zone}${pathname.replace(/\/$/, '')}${file};
      ${protocol === 'https:' && tls}
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
      proxy_hide_header ${hidden};

      # without the right to list, a store says 403 of a file that is not there
      proxy_intercept_errors on;
      error_page 403 404 =${api.errors.notFound.status} /${api.errors.notFound.file};
      error_page ${failures} =${api.storeFailure.status} @store_failure;
    }
    location @store_failure {
      return ${api.storeFailure.status} ${quotedBody(api.storeFailure.body)};
    }
    `
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
const failures =
  '300 301 302 303 307 308 ' +
  '400 401 402 405 406 409 410 411 412 416 429 451 ' +
  '500 501 502 503 504 505 507 509 520 521 522 523 524 525 526 530'
