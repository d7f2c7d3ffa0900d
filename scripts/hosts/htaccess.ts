import { contentType, prefix, type Variant, variantFolder } from '../api/routes.ts'
import { answerRules, errorDocuments, fileRules, headerLines, methodRules } from './apache-rules.ts'
import type { Host, SnapshotFacts } from './host.ts'

export const htaccess: Host = {
  name: 'htaccess',
  title: 'Apache .htaccess (shared hosting)',
  support: 'proved',
  can: [
    'both schemes',
    'everything in the contract where AllowOverride has FileInfo and Indexes',
    'precompressed files',
  ],
  cannot: [
    'believe a proxy: behind one that ends TLS every request is http',
    'answer for the server: TRACE where TraceEnable is not off, %2F, wrong escapes and names over 255 characters get its own pages',
  ],
  files: (facts) => [{ path: '.htaccess', text: rules(facts) }],
}

const rules = ({ basePath, precompress }: SnapshotFacts): string => `\
# Made by Shotpress for Apache httpd 2.4 with mod_headers and mod_rewrite, AllowOverride FileInfo Indexes.
# The snapshot is what the web shows at ${basePath}/ of the host; X-Forwarded-Proto is not believed.
# It never sends Strict-Transport-Security, which would end the http variant; don't add it.
${[
  'DirectorySlash Off',
  'DirectoryIndex disabled',
  ...errorDocuments(basePath),
  '',
  'RewriteEngine On',
  ...methodRules,
  `RewriteRule ^ - [E=SHOTPRESS_FOLDER:${folder('http')}]`,
  'RewriteCond %{HTTPS} =on',
  `RewriteRule ^ - [E=SHOTPRESS_FOLDER:${folder('https')}]`,
  ...fileRules(basePath),
  `RewriteCond %{REQUEST_FILENAME} ^(.*)${prefix}`,
  'RewriteRule ^ - [E=SHOTPRESS_ROOT:%1]',
  ...answerRules(precompress, { root: '%{ENV:SHOTPRESS_ROOT}', base: basePath, flag: 'END' }),
  '',
  ...headerLines(precompress, contentType),
  '# nothing is compressed on the way, which would break ETags',
  '<IfModule mod_setenvif.c>',
  '  SetEnvIf Request_URI ^ no-gzip no-brotli',
  '</IfModule>',
].join('\n')}
`

const folder = (variant: Variant): string => variantFolder[variant] && `/${variantFolder[variant]}`
