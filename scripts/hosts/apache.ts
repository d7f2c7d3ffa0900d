import {
  commonHeaders,
  contentType,
  type Encoding,
  encodings,
  errors,
  methods,
  otherErrorHeaders,
  prefix,
  preflight,
  siteRoutes,
  type Variant,
  variants,
} from '../api/routes.ts'
import {
  bracketed,
  comment,
  folderOf,
  type Host,
  type HostOptions,
  headersByStatus,
  httpsOnly,
  literal,
  noHsts,
  otherTypes,
  pathRules,
  type SnapshotFacts,
  secureOrigin,
  serverHead,
} from './host.ts'

export const apache: Host = {
  name: 'apache',
  title: 'Apache httpd 2.4',
  support: 'proved',
  lacks: {},
  cannot: [
    'answer what it takes for malformed with 404: a wrong escape (%zz) gets the JSON body with status 400, a path of over 8,000 characters with 414',
  ],
  overHttp: 'a redirect (308) to https',
  seen: { as: 'Apache', by: ['server: apache'] },
  config: (options) =>
    [about(options), ...variants.map((variant) => virtualHost(options, variant))].join('\n'),
}

const about = (options: HostOptions): string =>
  lines([
    serverHead(
      apache,
      options,
      `A file for sites-enabled, such as /etc/apache2/sites-available/${options.name}.conf; then:`,
      `  a2enmod headers rewrite ssl && a2ensite ${options.name} && systemctl restart apache2`,
    ),
    '',
    ...[options.http, options.https].map((port) => listening(options, port)),
    ...(awkward(options) ? ['', '# "${" in a path would be read as a variable', `Define ${dollar} $`] : []),
  ])

/** Debian's ports.conf listens on the two usual ports, and no port may be listened on twice. */
const listening = ({ listen }: HostOptions, port: number): string =>
  port === 80 || port === 443
    ? `# Listen ${port} is in ports.conf`
    : `Listen ${listen === undefined ? '' : `${bracketed(listen)}:`}${port}`

const virtualHost = (options: HostOptions, variant: Variant): string => {
  const { root, name, listen, cert, key, trust, basePath, precompress } = options
  return lines([
    `<VirtualHost ${listen === undefined ? '*' : bracketed(listen)}:${options[variant]}>`,
    ...indented([
      // httpd takes no IPv6 address for a name
      ...(name.includes(':') ? [] : [`ServerName ${name}`]),
      ...(variant === 'https'
        ? ['SSLEngine on', `SSLCertificateFile ${quoted(cert)}`, `SSLCertificateKeyFile ${quoted(key)}`]
        : []),
      `DocumentRoot ${quoted(root)}`,
      `<Directory ${quoted(root.replace(/[*?[\]\\]/g, '?'))}>`,
      '  Options FollowSymLinks',
      '  AllowOverride None',
      '  Require all granted',
      `  ForceType "${contentType}"`,
      '</Directory>',
      'TraceEnable Off',
      ...errorDocuments(''),
      '',
      'RewriteEngine On',
      '# nothing is compressed on the way, which would break ETags',
      `RewriteRule ^ - [E=no-gzip:1,E=no-brotli:1,E=SHOTPRESS_FOLDER:${folderOf(variant)}]`,
      ...methodRules,
      ...(trust.length === 0 ? [] : trustRules(trust)),
      ...(httpsOnly(options) ? toHttps(secureOrigin(options)) : []),
      ...fileRules(basePath),
      ...answerRules(precompress, { root: '%{DOCUMENT_ROOT}', base: '', flag: 'PT' }),
      '',
      ...headerLines(precompress),
    ]),
    '</VirtualHost>',
  ])
}

const trustRules = (trust: readonly string[]): string[] => [
  '# X-Forwarded-Proto is believed from these peers of the connection alone',
  ...variants.flatMap((variant) => [
    `RewriteCond expr "${trust.map((block) => `%{CONN_REMOTE_ADDR} -ipmatch '${block}'`).join(' || ')}"`,
    `RewriteCond %{HTTP:X-Forwarded-Proto} ^${variant}$`,
    `RewriteRule ^ - [E=SHOTPRESS_FOLDER:${folderOf(variant)}]`,
  ]),
]

const awkward = ({ root, cert, key }: HostOptions): boolean => (root + cert + key).includes('${')

const dollar = 'SHOTPRESS_DOLLAR'

const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replaceAll('${', `\${${dollar}}{`)}"`

const indented = (lines: readonly string[]): string[] => lines.map((line) => (line === '' ? '' : `  ${line}`))

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`

export const htaccess: Host = {
  name: 'htaccess',
  title: 'Apache .htaccess (shared hosting)',
  support: 'proved',
  lacks: { 405: 'part' },
  cannot: [
    'believe a proxy: behind one that ends TLS every request looks like http, and gets http URLs',
    'answer what Apache answers before it reads the file: TRACE unless TraceEnable is off, %2F, wrong escapes, names over 255 characters',
    'answer for what lies outside of the path of base_url',
  ],
  overHttp: 'a redirect (308) to https',
  files: (facts) => [{ path: '.htaccess', text: rules(facts) }],
}

const rules = ({ authority, basePath, precompress, schemes }: SnapshotFacts): string => `\
${comment(
  '#',
  [
    'Made by Shotpress for Apache httpd 2.4 with mod_headers, mod_rewrite and AllowOverride FileInfo Indexes.',
    `The snapshot is what the web shows at ${basePath}/ of the host.`,
    noHsts,
  ],
  { host: htaccess, schemes },
)}

${[
  'DirectorySlash Off',
  'DirectoryIndex disabled',
  ...errorDocuments(basePath),
  '',
  'RewriteEngine On',
  ...methodRules,
  `RewriteRule ^ - [E=SHOTPRESS_FOLDER:${folderOf('http')}]`,
  'RewriteCond %{HTTPS} =on',
  `RewriteRule ^ - [E=SHOTPRESS_FOLDER:${folderOf('https')}]`,
  ...(httpsOnly({ schemes }) ? toHttps(`https://${authority}`) : []),
  ...fileRules(basePath),
  `RewriteCond %{REQUEST_FILENAME} ^(.*)(?:${starts})`,
  'RewriteRule ^ - [E=SHOTPRESS_ROOT:%1]',
  ...answerRules(precompress, { root: '%{ENV:SHOTPRESS_ROOT}', base: basePath, flag: 'END' }),
  '',
  `ForceType "${contentType}"`,
  ...headerLines(precompress),
  '# nothing is compressed on the way, which would break ETags',
  '<IfModule mod_setenvif.c>',
  '  SetEnvIf Request_URI ^ no-gzip no-brotli',
  '</IfModule>',
].join('\n')}
`

/** What the requests that are answered have after the folder of the snapshot. */
const starts = [prefix, ...siteRoutes.map(({ pattern }) => pattern)].join('|')

/** Errors that Apache finds by itself get the body, too; their status stays. */
const errorDocuments = (base: string): string[] => [
  ...[400, 403, errors.notFound.status, 414].map(
    (status) => `ErrorDocument ${status} "${base}/${errors.notFound.file}"`,
  ),
  `ErrorDocument ${errors.methodNotAllowed.status} "${base}/${errors.methodNotAllowed.file}"`,
]

/** Leaves what the server has rewritten itself alone, then answers by method. */
const methodRules: readonly string[] = [
  '# error documents and rewritten paths come by here once more',
  'RewriteCond %{ENV:REDIRECT_STATUS} !^$',
  'RewriteRule ^ - [END]',
  'RewriteCond %{REQUEST_METHOD} =OPTIONS',
  `RewriteRule ^ - [R=${preflight.status},L]`,
  `RewriteCond %{REQUEST_METHOD} !^(?:${methods.join('|')})$`,
  `RewriteRule ^ - [R=${errors.methodNotAllowed.status},L]`,
]

/** Finds the file of the request as SHOTPRESS_FILE, below the snapshot; SHOTPRESS_FOLDER is the scheme's. */
const fileRules = (basePath: string): string[] => [
  '# the path as it was sent: not decoded, no dots resolved, no slashes merged',
  ...pathRules(basePath).flatMap(({ pattern, variants, ending }) => [
    requested(pattern),
    `RewriteRule ^ - [E=SHOTPRESS_FILE:${variants ? '%{ENV:SHOTPRESS_FOLDER}' : ''}%1${ending}]`,
  ]),
  'RewriteCond %{ENV:SHOTPRESS_FILE} ^$',
  `RewriteRule ^ - [R=${errors.notFound.status},L]`,
]

/** Sends clients over http to https. */
const toHttps = (origin: string): string[] => [
  `RewriteCond %{ENV:SHOTPRESS_FOLDER} =${folderOf('http')}`,
  'RewriteCond %{THE_REQUEST} "^\\S+ (?:https?://[^/?\\s]*)?+(/[^?\\s]*)[? ]"',
  `RewriteRule ^ "${origin}%1" [R=308,NE,L]`,
]

const requested = (pattern: string): string =>
  `RewriteCond %{THE_REQUEST} "^\\S+ (?:https?://[^/?\\s]*)?+${pattern.slice(1, -1)}(?:\\?\\S*)? HTTP/"`

/** Serves the best encoding of SHOTPRESS_FILE that there is below `root`, which the web shows at `base`. */
const answerRules = (
  precompress: readonly Encoding[],
  { root, base, flag }: { readonly root: string; readonly base: string; readonly flag: string },
): string[] => {
  const path = `${base.replace(/[\\$%"]/g, '\\$&')}%{ENV:SHOTPRESS_FILE}`
  return [
    ...encodings
      .filter(({ name }) => precompress.includes(name))
      .flatMap(({ name, suffix }) => [
        `RewriteCond %{HTTP:Accept-Encoding} "(?:^|[,\\s])${name}\\s*(?:$|,|;(?!\\s*q=0(?:\\.0*)?\\s*(?:$|,)))" [NC]`,
        `RewriteCond "${root}%{ENV:SHOTPRESS_FILE}${suffix}" -f`,
        `RewriteRule ^ "${path}${suffix}" [${flag}]`,
      ]),
    `RewriteCond "${root}%{ENV:SHOTPRESS_FILE}" -f`,
    `RewriteRule ^ "${path}" [${flag}]`,
    `RewriteRule ^ - [R=${errors.notFound.status},L]`,
  ]
}

/** Types, encodings and headers of every answer, but for the type of JSON. */
const headerLines = (precompress: readonly Encoding[]): string[] => [
  'FileETag MTime Size',
  'RequestHeader unset Range',
  'Header unset Strict-Transport-Security',
  'Header always unset Strict-Transport-Security',
  ...Object.entries(commonHeaders).map(([name, value]) => `Header always set ${name} "${value}"`),
  ...Object.entries(otherErrorHeaders).map(
    ([name, value]) => `Header always set ${name} "${value}" "expr=%{REQUEST_STATUS} -ge 400"`,
  ),
  ...[...headersByStatus(precompress.length > 0)].flatMap(([status, headers]) =>
    Object.entries(headers).map(
      ([name, value]) => `Header always set ${name} "${value}" "expr=%{REQUEST_STATUS} == ${status}"`,
    ),
  ),
  ...otherTypes.flatMap(({ ending, headers }) => [
    `<FilesMatch "${literal(ending)}(?:${encodings.map(({ suffix }) => literal(suffix)).join('|')})?$">`,
    `  ForceType "${headers['Content-Type']}"`,
    `  Header always set Cache-Control "${headers['Cache-Control']}" "expr=%{REQUEST_STATUS} =~ /^(?:200|304)$/"`,
    '</FilesMatch>',
  ]),
  ...encodings
    .filter(({ name }) => precompress.includes(name))
    .flatMap(({ name, suffix }) => [
      `<FilesMatch "${literal(suffix)}$">`,
      `  Header always set Content-Encoding ${name}`,
      '</FilesMatch>',
    ]),
]
