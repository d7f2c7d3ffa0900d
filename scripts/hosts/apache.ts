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
  type HostFacts,
  type HostOptions,
  headersByStatus,
  httpsOnly,
  type Lines,
  literal,
  noHsts,
  otherTypes,
  pathRules,
  secureOrigin,
  serverHead,
  textOf,
  when,
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
  config: (options) => {
    const { root, cert, key, listen, http, https, name } = options
    const address = listen === undefined ? '' : `${bracketed(listen)}:`
    return textOf([
      serverHead(
        apache,
        options,
        `A file for sites-enabled, such as /etc/apache2/sites-available/${name}.conf; then:`,
        `  a2enmod headers rewrite ssl && a2ensite ${name} && systemctl restart apache2`,
      ),
      '',
      // Debian's ports.conf listens on the two usual ports, and no port may be listened on twice
      ...[http, https].map((port) =>
        port === 80 || port === 443 ? `# Listen ${port} is in ports.conf` : `Listen ${address}${port}`,
      ),
      ...when((root + cert + key).includes('${'), [
        '',
        '# "${" in a path would be read as a variable',
        `Define ${dollar} $`,
      ]),
      ...variants.flatMap((variant): Lines => ['', ...virtualHost(options, variant)]),
    ])
  },
}

const virtualHost = (options: HostOptions, variant: Variant): Lines => {
  const { root, name, listen, cert, key, trust, basePath, precompress } = options
  const peers = trust.map((block) => `%{CONN_REMOTE_ADDR} -ipmatch '${block}'`).join(' || ')
  return section(`VirtualHost ${listen === undefined ? '*' : bracketed(listen)}:${options[variant]}`, [
    // httpd takes no IPv6 address for a name
    !name.includes(':') && `ServerName ${name}`,
    ...when(variant === 'https', [
      ...['SSLEngine on', `SSLCertificateFile ${quoted(cert)}`, `SSLCertificateKeyFile ${quoted(key)}`],
    ]),
    `DocumentRoot ${quoted(root)}`,
    ...section(`Directory ${quoted(root.replace(/[*?[\]\\]/g, '?'))}`, [
      'Options FollowSymLinks',
      'AllowOverride None',
      'Require all granted',
      `ForceType "${contentType}"`,
    ]),
    'TraceEnable Off',
    ...errorDocuments(''),
    '',
    'RewriteEngine On',
    '# nothing is compressed on the way, which would break ETags',
    `RewriteRule ^ - [E=no-gzip:1,E=no-brotli:1,E=SHOTPRESS_FOLDER:${folderOf(variant)}]`,
    ...methodRules,
    ...when(trust.length > 0, [
      '# X-Forwarded-Proto is believed from these peers of the connection alone',
      ...variants.flatMap((variant) => [
        `RewriteCond expr "${peers}"`,
        `RewriteCond %{HTTP:X-Forwarded-Proto} ^${variant}$`,
        `RewriteRule ^ - [E=SHOTPRESS_FOLDER:${folderOf(variant)}]`,
      ]),
    ]),
    ...when(httpsOnly(options), toHttps(secureOrigin(options))),
    ...fileRules(basePath),
    ...answerRules(precompress, { root: '%{DOCUMENT_ROOT}', base: '', flag: 'PT' }),
    '',
    ...headerLines(precompress),
  ])
}

const section = (head: string, inner: Lines): Lines => [`<${head}>`, inner, `</${head.split(' ')[0]}>`]

const dollar = 'SHOTPRESS_DOLLAR'

const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replaceAll('${', `\${${dollar}}{`)}"`

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
  files: (facts) => [{ path: '.htaccess', text: textOf(rules(facts)) }],
}

const rules = ({ authority, basePath, precompress, schemes }: HostFacts): Lines => [
  comment(
    '#',
    [
      'Made by Shotpress for Apache httpd 2.4 with mod_headers, mod_rewrite and AllowOverride FileInfo Indexes.',
      `The snapshot is what the web shows at ${basePath}/ of the host.`,
      noHsts,
    ],
    { host: htaccess, schemes },
  ),
  '',
  'DirectorySlash Off',
  'DirectoryIndex disabled',
  ...errorDocuments(basePath),
  '',
  'RewriteEngine On',
  ...methodRules,
  `RewriteRule ^ - [E=SHOTPRESS_FOLDER:${folderOf('http')}]`,
  'RewriteCond %{HTTPS} =on',
  `RewriteRule ^ - [E=SHOTPRESS_FOLDER:${folderOf('https')}]`,
  ...when(httpsOnly({ schemes }), toHttps(`https://${authority}`)),
  ...fileRules(basePath),
  `RewriteCond %{REQUEST_FILENAME} ^(.*)(?:${starts})`,
  'RewriteRule ^ - [E=SHOTPRESS_ROOT:%1]',
  ...answerRules(precompress, { root: '%{ENV:SHOTPRESS_ROOT}', base: basePath, flag: 'END' }),
  '',
  `ForceType "${contentType}"`,
  ...headerLines(precompress),
  '# nothing is compressed on the way, which would break ETags',
  ...section('IfModule mod_setenvif.c', ['SetEnvIf Request_URI ^ no-gzip no-brotli']),
]

/** What the requests that are answered have after the folder of the snapshot. */
const starts = [prefix, ...siteRoutes.map(({ pattern }) => pattern)].join('|')

/** Errors that Apache finds by itself get the body, too; their status stays. */
const errorDocuments = (base: string): Lines => [
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
const headerLines = (precompress: readonly Encoding[]): Lines => {
  const set = (headers: Readonly<Record<string, string>>, when = ''): string[] =>
    Object.entries(headers).map(
      ([name, value]) => `Header always set ${name} "${value}"${when && ` "expr=%{REQUEST_STATUS} ${when}"`}`,
    )
  const suffixes = encodings.map(({ suffix }) => literal(suffix)).join('|')
  return [
    'FileETag MTime Size',
    'RequestHeader unset Range',
    'Header unset Strict-Transport-Security',
    'Header always unset Strict-Transport-Security',
    ...set(commonHeaders),
    ...set(otherErrorHeaders, '-ge 400'),
    ...[...headersByStatus(precompress.length > 0)].flatMap(([status, headers]) =>
      set(headers, `== ${status}`),
    ),
    ...otherTypes.flatMap(({ ending, headers: { 'Content-Type': type, ...headers } }) =>
      section(`FilesMatch "${literal(ending)}(?:${suffixes})?$"`, [
        `ForceType "${type}"`,
        ...set(headers, '=~ /^(?:200|304)$/'),
      ]),
    ),
    ...encodings
      .filter(({ name }) => precompress.includes(name))
      .flatMap(({ name, suffix }) =>
        section(`FilesMatch "${literal(suffix)}$"`, [`Header always set Content-Encoding ${name}`]),
      ),
  ]
}
