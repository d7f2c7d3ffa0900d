import {
  commonHeaders,
  type Encoding,
  encodings,
  errors,
  indexFile,
  methods,
  otherErrorHeaders,
  preflight,
} from '../../api/routes.ts'
import { headersByStatus } from '../config/answers.ts'
import { literal, sentPath, sentSitePath } from '../config/sent-path.ts'

// What a virtual host and a .htaccess file have in common, as lines.

/** Errors that Apache finds by itself get the body, too; their status stays. */
export const errorDocuments = (base: string): string[] => [
  ...[400, 403, errors.notFound.status, 414].map(
    (status) => `ErrorDocument ${status} "${base}/${errors.notFound.file}"`,
  ),
  `ErrorDocument ${errors.methodNotAllowed.status} "${base}/${errors.methodNotAllowed.file}"`,
]

/** Leaves what the server has rewritten itself alone, then answers by method. */
export const methodRules: readonly string[] = [
  '# error documents and rewritten paths come by here once more',
  'RewriteCond %{ENV:REDIRECT_STATUS} !^$',
  'RewriteRule ^ - [END]',
  'RewriteCond %{REQUEST_METHOD} =OPTIONS',
  `RewriteRule ^ - [R=${preflight.status},L]`,
  `RewriteCond %{REQUEST_METHOD} !^(?:${methods.join('|')})$`,
  `RewriteRule ^ - [R=${errors.methodNotAllowed.status},L]`,
]

/** Finds the file of the request as SHOTPRESS_FILE, below the snapshot; SHOTPRESS_FOLDER is the scheme's. */
export const fileRules = (basePath: string): string[] => [
  '# the path as it was sent: not decoded, no dots resolved, no slashes merged',
  requested(sentPath(basePath)),
  `RewriteRule ^ - [E=SHOTPRESS_FILE:%{ENV:SHOTPRESS_FOLDER}%1/${indexFile}]`,
  requested(sentSitePath(basePath)),
  'RewriteRule ^ - [E=SHOTPRESS_FILE:%1]',
  'RewriteCond %{ENV:SHOTPRESS_FILE} ^$',
  `RewriteRule ^ - [R=${errors.notFound.status},L]`,
]

const requested = (pattern: string): string =>
  `RewriteCond %{THE_REQUEST} "^\\S+ (?:https?://[^/?\\s]*)?+${pattern.slice(1, -1)}(?:\\?\\S*)? HTTP/"`

/** Serves the best encoding of SHOTPRESS_FILE that there is below `root`, which the web shows at `base`. */
export const answerRules = (
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

/** Types, encodings and headers of every answer. */
export const headerLines = (precompress: readonly Encoding[], contentType: string): string[] => [
  `ForceType "${contentType}"`,
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
  ...encodings
    .filter(({ name }) => precompress.includes(name))
    .flatMap(({ name, suffix }) => [
      `<FilesMatch "${literal(suffix)}$">`,
      `  Header always set Content-Encoding ${name}`,
      '</FilesMatch>',
    ]),
]
