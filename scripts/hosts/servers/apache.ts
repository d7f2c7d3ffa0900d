import { contentType, type Variant, variantFolder, variants } from '../../api/routes.ts'
import { comment } from '../config/comment.ts'
import type { Host, HostOptions } from '../config/host.ts'
import { answerRules, errorDocuments, fileRules, headerLines, methodRules } from './apache-rules.ts'

export const apache: Host = {
  name: 'apache',
  title: 'Apache httpd 2.4',
  support: 'proved',
  can: ['both schemes', 'the whole contract', 'precompressed files'],
  cannot: [
    'answer what it takes for malformed with 404: a wrong escape (%zz) gets the JSON body with status 400, a path of over 8,000 characters with 414',
  ],
  config: (options) =>
    [about(options), ...variants.map((variant) => virtualHost(options, variant))].join('\n'),
}

const about = (options: HostOptions): string =>
  lines([
    comment(
      '#',
      [
        `${options.name}, made by Shotpress: npm run host -- apache`,
        `A file for sites-enabled, such as /etc/apache2/sites-available/${options.name}.conf; then:`,
        `  a2enmod headers rewrite ssl && a2ensite ${options.name} && systemctl restart apache2`,
        "It never sends Strict-Transport-Security, which would end the http variant; don't add it.",
      ],
      apache,
    ),
    '',
    ...[options.http, options.https].map((port) => listening(options, port)),
    ...(awkward(options) ? ['', '# "${" in a path would be read as a variable', `Define ${dollar} $`] : []),
  ])

/** Debian's ports.conf listens on the two usual ports, and no port may be listened on twice. */
const listening = ({ listen }: HostOptions, port: number): string =>
  port === 80 || port === 443
    ? `# Listen ${port} is in ports.conf`
    : `Listen ${listen === undefined ? '' : `${address(listen)}:`}${port}`

const virtualHost = (options: HostOptions, variant: Variant): string => {
  const { root, name, listen, cert, key, trust, basePath, precompress } = options
  return lines([
    `<VirtualHost ${listen === undefined ? '*' : address(listen)}:${options[variant]}>`,
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
      ...indented(headerLines(precompress, contentType).slice(0, 1)),
      '</Directory>',
      'TraceEnable Off',
      ...errorDocuments(''),
      '',
      'RewriteEngine On',
      '# nothing is compressed on the way, which would break ETags',
      `RewriteRule ^ - [E=no-gzip:1,E=no-brotli:1,E=SHOTPRESS_FOLDER:${folder(variant)}]`,
      ...methodRules,
      ...(trust.length === 0 ? [] : trustRules(trust)),
      ...fileRules(basePath),
      ...answerRules(precompress, { root: '%{DOCUMENT_ROOT}', base: '', flag: 'PT' }),
      '',
      ...headerLines(precompress, contentType).slice(1),
    ]),
    '</VirtualHost>',
  ])
}

const trustRules = (trust: readonly string[]): string[] => [
  '# X-Forwarded-Proto is believed from these peers of the connection alone',
  ...variants.flatMap((variant) => [
    `RewriteCond expr "${trust.map((block) => `%{CONN_REMOTE_ADDR} -ipmatch '${block}'`).join(' || ')}"`,
    `RewriteCond %{HTTP:X-Forwarded-Proto} ^${variant}$`,
    `RewriteRule ^ - [E=SHOTPRESS_FOLDER:${folder(variant)}]`,
  ]),
]

const folder = (variant: Variant): string => variantFolder[variant] && `/${variantFolder[variant]}`

const address = (text: string): string => (text.includes(':') ? `[${text}]` : text)

const awkward = ({ root, cert, key }: HostOptions): boolean => (root + cert + key).includes('${')

const dollar = 'SHOTPRESS_DOLLAR'

const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replaceAll('${', `\${${dollar}}{`)}"`

const indented = (lines: readonly string[]): string[] => lines.map((line) => (line === '' ? '' : `  ${line}`))

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`
