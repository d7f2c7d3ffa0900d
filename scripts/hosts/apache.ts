import * as api from '../api/routes.ts'
import {
  bracketed,
  type Host,
  type HostFacts,
  type HostOptions,
  secureAuthority,
} from './host.ts'
import { type Lines, limitsOf, lines, literal, noHsts, textOf } from './lines.ts'
import { folderOf, type Headers, headersByStatus, otherTypes, pathRules } from './rules.ts'

export const apache: Host = {
  name: 'apache',
  title: 'Apache httpd 2.4',
  support: 'proved',
  cannot: [
    'answer what it takes for malformed with 404: a wrong escape (%zz) gets the JSON body with status 400, a path of over 8,000 characters with 414',
  ],
  config: (options) => textOf(config(options)),
}

const config = (options: HostOptions) => {
  const { root, cert, key, listen, http, https, name, hasHttp } = options
  const address = listen === undefined ? '' : `${bracketed(listen)}:`
  // Debian's ports.conf listens on the two usual ports, and no port may be listened on twice
  const ports = [http, https].map((port) =>
    port === 80 || port === 443
      ? `# Listen ${port} is in ports.conf`
      : `Listen ${address}${port}`,
  )
  const dollarSign = lines`
    ${''}
    # "\${" in a path would be read as a variable
    Define ${dollar} $
    `
  return lines`
    # ${name}, made by Shotpress: npx shotpress host apache
    # A file for sites-enabled, such as /etc/apache2/sites-available/${name}.conf; then:
    #   a2enmod headers rewrite ssl && a2ensite ${name} && systemctl restart apache2
    # ${hasHttp && noHsts}
    ${limitsOf(apache, hasHttp)}

    ${ports}
    ${(root + cert + key).includes('${') && dollarSign}

    ${virtualHost(options, 'https')}

    ${virtualHost(options, 'http')}
    `
}

const virtualHost = (options: HostOptions, variant: api.Variant) => {
  const { root, name, listen, cert, key, trust, basePath, precompress, hasHttp } = options
  const peers = trust.map((block) => `%{CONN_REMOTE_ADDR} -ipmatch '${block}'`).join(' || ')
  // httpd takes no IPv6 address for a name
  const serverName = !name.includes(':') && name
  const tls = lines`
    <IfModule http2_module>
      Protocols h2 http/1.1
    </IfModule>
    SSLEngine on
    SSLCertificateFile ${quoted(cert)}
    SSLCertificateKeyFile ${quoted(key)}
    `
  const proxies = lines`
    # X-Forwarded-Proto is believed from these peers of the connection alone
    RewriteCond expr "${peers}"
    RewriteCond %{HTTP:X-Forwarded-Proto} ^https$
    RewriteRule ^ - [E=SHOTPRESS_FOLDER:${folderOf('https')}]
    RewriteCond expr "${peers}"
    RewriteCond %{HTTP:X-Forwarded-Proto} ^http$
    RewriteRule ^ - [E=SHOTPRESS_FOLDER:${folderOf('http')}]
    `
  return lines`
    <VirtualHost ${listen === undefined ? '*' : bracketed(listen)}:${options[variant]}>
      ServerName ${serverName}
      ${variant === 'https' && tls}
      DocumentRoot ${quoted(root)}
      <Directory ${quoted(root.replace(/[*?[\]\\]/g, '?'))}>
        Options FollowSymLinks
        AllowOverride None
        Require all granted
        ForceType "${api.contentType}"
      </Directory>
      TraceEnable Off
      ${errorDocuments('')}
      RewriteEngine On
      # nothing is compressed on the way, which would break ETags
      RewriteRule ^ - [E=no-gzip:1,E=no-brotli:1,E=SHOTPRESS_FOLDER:${folderOf(variant)}]
      ${methodRules}
      ${trust.length > 0 && proxies}
      ${!hasHttp && toHttps(secureAuthority(options))}
      ${fileRules(basePath)}
      ${answerRules(precompress, { root: '%{DOCUMENT_ROOT}', base: '', flag: 'PT' })}

      ${headerLines(precompress)}
    </VirtualHost>
    `
}

const dollar = 'SHOTPRESS_DOLLAR'
const escaped = `\${${dollar}}{`

const quoted = (text: string) =>
  `"${text.replace(/[\\"]/g, '\\$&').replaceAll('${', escaped)}"`

export const htaccess: Host = {
  name: 'htaccess',
  title: 'Apache .htaccess (shared hosting)',
  support: 'proved',
  part: ['405'],
  cannot: [
    'believe a proxy: behind one that ends TLS every request looks like http, and gets http URLs',
    'answer what Apache answers before it reads the file: TRACE unless TraceEnable is off, %2F, wrong escapes, names over 255 characters',
    'answer for what lies outside of the path of base_url',
  ],
  files: (facts) => [{ path: '.htaccess', text: textOf(rules(facts)) }],
}

const rules = ({ authority, basePath, precompress, hasHttp }: HostFacts) => lines`
  # Made by Shotpress for Apache httpd 2.4 with mod_headers, mod_rewrite and AllowOverride FileInfo Indexes.
  # The snapshot is what the web shows at ${basePath}/ of the host.
  # ${hasHttp && noHsts}
  ${limitsOf(htaccess, hasHttp)}

  DirectorySlash Off
  DirectoryIndex disabled
  ${errorDocuments(basePath)}
  RewriteEngine On
  ${methodRules}
  RewriteRule ^ - [E=SHOTPRESS_FOLDER:${folderOf('http')}]
  RewriteCond %{HTTPS} =on
  RewriteRule ^ - [E=SHOTPRESS_FOLDER:${folderOf('https')}]
  ${!hasHttp && toHttps(authority)}
  ${fileRules(basePath)}
  RewriteCond %{REQUEST_FILENAME} ^(.*)(?:${starts})
  RewriteRule ^ - [E=SHOTPRESS_ROOT:%1]
  ${answerRules(precompress, { root: '%{ENV:SHOTPRESS_ROOT}', base: basePath, flag: 'END' })}

  ForceType "${api.contentType}"
  ${headerLines(precompress)}
  # nothing is compressed on the way, which would break ETags
  <IfModule mod_setenvif.c>
    SetEnvIf Request_URI ^ no-gzip no-brotli
  </IfModule>
  `

/** What the requests that are answered have after the folder of the snapshot. */
const starts = [api.prefix, ...api.siteRoutes.map(({ pattern }) => pattern)].join('|')

/** Errors that Apache finds by itself get the body, too; their status stays. */
const errorDocuments = (base: string) => lines`
  ErrorDocument ${[400, 403, 404, 414]} "${base}/${api.errors.notFound.file}"
  ErrorDocument 405 "${base}/${api.errors.methodNotAllowed.file}"
  ${''}
  `

/** Leaves what the server has rewritten itself alone, then answers by method. */
const methodRules = lines`
  # error documents and rewritten paths come by here once more
  RewriteCond %{ENV:REDIRECT_STATUS} !^$
  RewriteRule ^ - [END]
  RewriteCond %{REQUEST_METHOD} =OPTIONS
  RewriteRule ^ - [R=${api.preflight.status},L]
  RewriteCond %{REQUEST_METHOD} !^(?:${api.methods.join('|')})$
  RewriteRule ^ - [R=${api.errors.methodNotAllowed.status},L]
  `

/** What comes before the path in the first line of a request. */
const target = '^\\S+ (?:https?://[^/?\\s]*)?+'

/**
 * Finds the file of the request as SHOTPRESS_FILE, below the snapshot; SHOTPRESS_FOLDER is
 * the scheme's.
 */
const fileRules = (basePath: string) => {
  const files = pathRules(basePath).map(
    ({ pattern, variants, ending }) => lines`
    RewriteCond %{THE_REQUEST} "${target}${pattern.slice(1, -1)}(?:\\?\\S*)? HTTP/"
    RewriteRule ^ - [E=SHOTPRESS_FILE:${variants ? '%{ENV:SHOTPRESS_FOLDER}' : ''}%1${ending}]
    `,
  )
  return lines`
    # the path as it was sent: not decoded, no dots resolved, no slashes merged
    ${files}
    RewriteCond %{ENV:SHOTPRESS_FILE} ^$
    RewriteRule ^ - [R=${api.errors.notFound.status},L]
    `
}

/** Sends clients over http to an authority over https. */
const toHttps = (authority: string) => lines`
  RewriteCond %{ENV:SHOTPRESS_FOLDER} =${folderOf('http')}
  RewriteCond %{THE_REQUEST} "${target}(/[^?\\s]*)[? ]"
  RewriteRule ^ "https://${authority}%1" [R=308,NE,L]
  `

/**
 * Serves the best encoding of SHOTPRESS_FILE that there is below `root`, which the web shows
 * at `base`.
 */
const answerRules = (
  precompress: readonly api.Encoding[],
  {
    root,
    base,
    flag,
  }: { readonly root: string; readonly base: string; readonly flag: string },
) => {
  const path = `${base.replace(/[\\$%"]/g, '\\$&')}%{ENV:SHOTPRESS_FILE}`
  const copies = encodingsOf(precompress).map(
    ({ name, suffix }) => lines`
    RewriteCond %{HTTP:Accept-Encoding} "(?:^|[,\\s])${name}\\s*(?:$|,|;(?!\\s*q=0(?:\\.0*)?\\s*(?:$|,)))" [NC]
    RewriteCond "${root}%{ENV:SHOTPRESS_FILE}${suffix}" -f
    RewriteRule ^ "${path}${suffix}" [${flag}]
    `,
  )
  return lines`
    ${copies}
    RewriteCond "${root}%{ENV:SHOTPRESS_FILE}" -f
    RewriteRule ^ "${path}" [${flag}]
    RewriteRule ^ - [R=${api.errors.notFound.status},L]
    `
}

const encodingsOf = (precompress: readonly api.Encoding[]) =>
  api.encodings.filter(({ name }) => precompress.includes(name))

/** Types, encodings and headers of every answer, but for the type of JSON. */
const headerLines = (precompress: readonly api.Encoding[]) => {
  const set = (headers: Headers, when = ''): Lines => {
    const condition = when && ` "expr=%{REQUEST_STATUS} ${when}"`
    return Object.entries(headers).map(
      ([name, value]) => `Header always set ${name} "${value}"${condition}`,
    )
  }
  const suffixes = api.encodings.map(({ suffix }) => literal(suffix)).join('|')
  const byStatus = Array.from(headersByStatus(precompress.length > 0), ([status, headers]) =>
    set(headers, `== ${status}`),
  )
  const types = otherTypes.map(
    ({ ending, headers: { 'Content-Type': type, ...headers } }) => lines`
    <FilesMatch "${literal(ending)}(?:${suffixes})?$">
      ForceType "${type}"
      ${set(headers, '=~ /^(?:200|304)$/')}
    </FilesMatch>
    `,
  )
  const copies = encodingsOf(precompress).map(
    ({ name, suffix }) => lines`
    <FilesMatch "${literal(suffix)}$">
      Header always set Content-Encoding ${name}
    </FilesMatch>
    `,
  )
  return lines`
    FileETag MTime Size
    RequestHeader unset Range
    Header unset Strict-Transport-Security
    Header always unset Strict-Transport-Security
    ${set(api.commonHeaders)}
    ${set(api.otherErrorHeaders, '-ge 400')}
    ${byStatus}
    ${types}
    ${copies}
    `
}
