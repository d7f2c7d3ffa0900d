import {
  commonHeaders,
  contentType,
  type ErrorAnswer,
  errors,
  indexFile,
  methods,
  otherErrorHeaders,
  preflight,
  variantFolder,
} from '../../api/routes.ts'
import { statusesByHeader } from '../config/answers.ts'
import { comment } from '../config/comment.ts'
import type { Host, HostOptions } from '../config/host.ts'
import { literal, sentPath, sentSitePath, withQuery } from '../config/sent-path.ts'
import { type NginxOrigin, originContext, originLocation } from './nginx-origin.ts'

export const nginx: Host = {
  name: 'nginx',
  title: 'nginx',
  support: 'proved',
  can: [
    'both schemes',
    'the whole contract',
    'precompressed files (br with a module)',
    'snapshots in a store, with --origin',
  ],
  cannot: [
    'see more than the first of several X-Forwarded-Proto headers before 1.23: trusted proxies must set it, not append',
    'answer methods in lower case with 405: it says 404',
    'with --origin, learn a new address of the store before it is reloaded',
    'with --origin, serve precompressed files, or hide headers of the store that it does not know by name',
  ],
  takesOrigin: true,
  config: (options) => [about(options), choose(options), server(options)].join('\n'),
}

const about = ({ name }: HostOptions): string => `${comment(
  '#',
  [
    `${name}, made by Shotpress: npm run host -- nginx`,
    `A file for nginx's http context, such as /etc/nginx/conf.d/${name}.conf; then: nginx -t && nginx -s reload`,
    "It never sends Strict-Transport-Security, which would end the http variant; don't add it.",
  ],
  nginx,
)}
`

const choose = (options: HostOptions): string => {
  const name = variables(options)
  const lines: string[] = []
  if (/\$/.test(options.root + options.cert + options.key)) {
    lines.push('# a dollar sign in a path, which can be written in no other way', `geo ${name('dollar')} {`)
    lines.push('  default "$";', '}', '')
  }
  if (options.trust.length > 0) {
    lines.push(
      '# X-Forwarded-Proto is believed from these peers of the connection alone. They must set it, not append.',
      `geo $realip_remote_addr ${name('trusted')} {`,
      '  default 0;',
      ...options.trust.map((block) => `  ${block} 1;`),
      '}',
      `map "${name('trusted')}:$http_x_forwarded_proto" ${name('scheme')} {`,
      '  default $scheme;',
      '  "~^1:https$" https;',
      '  "~^1:http$" http;',
      '}',
      '',
    )
  }
  lines.push(
    "# the folder of the request's scheme",
    `map ${options.trust.length > 0 ? name('scheme') : '$scheme'} ${name('folder')} {`,
    ...Object.entries(variantFolder).map(([variant, folder]) => `  ${variant} "${folder && `/${folder}`}";`),
    '}',
    '',
    '# the file that answers the path as it was sent: not decoded, no dots resolved, no slashes merged',
    `map $request_uri ${name('file')} {`,
    '  default "";',
    `  "~${named('shotpress_path', sentPath, options)}" "${name('folder')}$shotpress_path/${indexFile}";`,
    `  "~${named('shotpress_site', sentSitePath, options)}" "$shotpress_site";`,
    '}',
    '',
    '# headers by status; an empty one is not sent',
  )
  for (const [header, values] of headers(options)) {
    lines.push(`map $status ${name(header)} {`)
    lines.push(`  default "${{ ...otherErrorHeaders }[header] ?? ''}";`)
    if (header === 'Cache-Control') lines.push(`  ${preflight.status} "";`)
    for (const [status, value] of values) lines.push(`  ${status} "${value}";`)
    lines.push('}')
  }
  const origin = originOf(options)
  if (origin !== undefined) lines.push('', originContext(origin))
  return `${lines.join('\n')}\n`
}

const server = (options: HostOptions): string => {
  const name = variables(options)
  const text = (value: string): string => quoted(value, name('dollar'))
  return `\
server {
${listen(options)}
  server_name ${bracketed(options.name)};
  ssl_certificate ${text(options.cert)};
  ssl_certificate_key ${text(options.key)};

  types { }
  default_type "${contentType}";
  charset off;
  expires off;
  etag on;
  max_ranges 0;
  # a refused body is thrown away, whatever its size
  client_max_body_size 0;
${compression(options)}
${Object.entries(commonHeaders)
  .map(([header, value]) => `  add_header ${header} "${value}" always;`)
  .join('\n')}
${[...headers(options).keys()].map((header) => `  add_header ${header} ${name(header)} always;`).join('\n')}

  if ($request_method = OPTIONS) {
    return ${preflight.status};
  }
  if ($request_method !~ "^(?:${methods.join('|')})$") {
    rewrite ^ /${errors.methodNotAllowed.file} last;
  }
${location(options)}

  # also what nginx refuses by itself
  error_page 400 403 404 414 =${errors.notFound.status} /${errors.notFound.file};
  error_page 405 /${errors.methodNotAllowed.file};
${Object.values(errors).map(errorLocation).join('\n')}
}
`
}

/** The values of the headers that depend on the status; the content type of a store depends on who uploaded. */
const headers = ({ origin, precompress }: HostOptions) =>
  new Map([
    ...statusesByHeader(precompress.length > 0),
    ...(origin === undefined ? [] : [['Content-Type', new Map([[200, contentType]])] as const]),
  ])

const location = (options: HostOptions): string => {
  const origin = originOf(options)
  const name = variables(options)
  if (origin !== undefined) return originLocation(origin)
  return `\
  location / {
    root ${quoted(options.root, name('dollar'))};
    try_files ${name('file')} =${errors.notFound.status};
  }`
}

const originOf = (options: HostOptions): NginxOrigin | undefined => {
  const name = variables(options)
  return options.origin === undefined
    ? undefined
    : { origin: options.origin, zone: name('store').slice(1), file: name('file') }
}

const listen = ({ listen, http, https }: HostOptions): string => {
  const addresses = listen === undefined ? ['', '[::]:'] : [`${bracketed(listen)}:`]
  return [
    ...addresses.map((address) => `  listen ${address}${http};`),
    ...addresses.map((address) => `  listen ${address}${https} ssl;`),
  ].join('\n')
}

const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address)

const compression = ({ precompress }: HostOptions): string => {
  const lines = ['gzip off;']
  if (precompress.includes('gzip')) {
    lines.push('gzip_static on;', 'gzip_http_version 1.0;', 'gzip_proxied any;', 'gzip_vary off;')
  }
  if (precompress.includes('br')) {
    lines.push('# needs a module: on Debian libnginx-mod-http-brotli-static', 'brotli_static on;')
  }
  return lines.map((line) => `  ${line}`).join('\n')
}

/**
 * Variables are common to all sites of an nginx, and the last to define one wins in silence. So their names hold the
 * start of the site's and a fingerprint of all that they depend on; nginx bounds their length.
 */
const variables = ({ name, trust, basePath, precompress, origin }: HostOptions) => {
  const known = JSON.stringify([name, trust, basePath, precompress, origin])
  const site = `${word(name).slice(0, 19)}_${fingerprint(known)}`
  return (what: string): string => `$sp_${site}_${word(what.replace(/^Access-Control-/, ''))}`
}

/** FNV-1a in 32 bits: seven letters or digits, to tell texts apart that nobody chose to confuse. */
const fingerprint = (text: string): string =>
  [...text]
    .reduce((hash, char) => Math.imul(hash ^ char.codePointAt(0)!, 0x01000193) >>> 0, 0x811c9dc5)
    .toString(36)
    .padStart(7, '0')

const word = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '_')

const quoted = (value: string, dollar: string): string =>
  `"${value.replace(/[\\"]/g, '\\$&').replaceAll('$', dollar.replace('$', '${').concat('}'))}"`

/** A pattern whose group has a name, since the other maps take the numbers. */
const named = (name: string, pattern: (basePath: string) => string, { basePath }: HostOptions): string => {
  const start = `^${literal(basePath)}(`
  return `${start}?<${name}>${withQuery(pattern(basePath)).slice(start.length)}`.replaceAll('"', '\\"')
}

const errorLocation = ({ file, status, body }: ErrorAnswer): string => `\
  location = /${file} {
    internal;
    return ${status} '${body.replaceAll('\n', '\\n')}';
  }`
