import { contentType, prefix, servedSiteRoutes, type Variant, variantFolder } from '../../api/routes.ts'
import { comment } from '../config/comment.ts'
import type { Host, SnapshotFacts } from '../config/host.ts'
import { literal } from '../config/sent-path.ts'
import { answerRules, errorDocuments, fileRules, headerLines, methodRules } from './apache-rules.ts'

export const htaccess: Host = {
  name: 'htaccess',
  title: 'Apache .htaccess (shared hosting)',
  support: 'proved',
  can: [
    'both schemes',
    'the whole contract, where AllowOverride has FileInfo and Indexes',
    'precompressed files',
  ],
  cannot: [
    'believe a proxy: behind one that ends TLS every request looks like http, and gets http URLs',
    'answer what Apache answers before it reads the file: TRACE unless TraceEnable is off, %2F, wrong escapes, names over 255 characters',
    'answer for what lies outside of the path of base_url',
  ],
  files: (facts) => [{ path: '.htaccess', text: rules(facts) }],
}

const rules = ({ basePath, precompress }: SnapshotFacts): string => `\
${comment(
  '#',
  [
    'Made by Shotpress for Apache httpd 2.4 with mod_headers, mod_rewrite and AllowOverride FileInfo Indexes.',
    `The snapshot is what the web shows at ${basePath}/ of the host.`,
    "It never sends Strict-Transport-Security, which would end the http variant; don't add it.",
  ],
  htaccess,
)}

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
  `RewriteCond %{REQUEST_FILENAME} ^(.*)(?:${starts})`,
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

/** What the requests that are answered have after the folder of the snapshot. */
const starts = [prefix, ...servedSiteRoutes.map(({ path }) => literal(path))].join('|')

const folder = (variant: Variant): string => variantFolder[variant] && `/${variantFolder[variant]}`
