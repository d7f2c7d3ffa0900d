import {
  commonHeaders,
  contentType,
  errors,
  methods,
  okHeaders,
  preflight,
  publishedRoute,
} from '../api/routes.ts'
import { error, warning } from '../problems/wording.ts'

/** A header as it stands in an answer. */
const line = <H extends object>(headers: H, name: keyof H & string) =>
  `${name}: ${headers[name]}`

/**
 * Everything that can be wrong with a host, the most fundamental first. Reports keep this
 * order. The hint holds for every host.
 */
export const causes = {
  // reaching it
  'scheme-unreachable': error(
    'one of the two schemes does not answer',
    'serve the same paths on both: https on 443 and plain http on 80; look at listeners and firewall',
  ),
  'scheme-redirects': error(
    'one scheme is redirected to the other, so its clients never get their own URLs',
    'switch off the redirect to https (often "force https") for these paths; nothing else was asked there',
  ),
  'no-answer': error(
    'some requests got no whole answer',
    'look into the error log of the host; a firewall may also drop what it does not expect',
  ),
  'certificate-ends-soon': warning(
    'the certificate ends soon, and then no client over https gets an answer',
    'renew it, and find out why that did not happen by itself',
  ),
  'rate-limited': error(
    'the host limits the rate of requests (429), so not everything could be checked',
    'lift the limit for this check, or run it with a smaller --sample',
  ),
  'server-error': error(
    'the host fails while it answers (5xx)',
    'look into the error log of the host: often a rewrite that never ends, or files it may not read',
  ),

  // finding the members
  'nothing-found': error(
    'no member of the snapshot is found',
    'check the root folder, the base path of the URL, and that the snapshot was published',
  ),
  'route-missing': error(
    'one kind of path is never found, while the others are',
    'add the rule that maps this path to its file: in the folder of its scheme, or at the root if both schemes have it in common',
  ),
  'names-with-dots': error(
    'members with a dot in their name are not found',
    'the pattern of the username must allow a dot, and no rule may take what follows it for a file type',
  ),
  'long-names': error(
    'members with a long name are not found',
    'the pattern of the username must allow 64 characters',
  ),
  'not-published': error(
    'the host does not say when it was published',
    `build with --published and --commit, and deploy ${publishedRoute.path.slice(1)}, as npx shotpress deploy does`,
  ),
  'not-fresh': error(
    'the host was not published within the time of --max-age',
    'find out why publishing stopped: look at the last run of what publishes, and at the quotas and credentials of the host',
  ),
  'published-earlier': error(
    'the host was published before the snapshot in --out',
    'publish the snapshot, purge the caches, or wait until they have forgotten the old files',
  ),
  'published-otherwise': error(
    'the host says that it serves another snapshot than the one in --out',
    'publish the snapshot, or build the commit that the host names and verify again; if nobody published that, find out who changed it',
  ),
  'not-signed': error(
    'the key did not sign when and what was published',
    `sign ${publishedRoute.path.slice(1)} between build and deployment; if it is signed, somebody else changed what is published: find out who, and publish again`,
  ),
  'not-the-snapshot': error(
    'what the host serves is not the snapshot in --out',
    'publish the snapshot, purge the caches, or build the commit that is published, then verify again',
  ),
  redirects: error(
    "a member's path is redirected instead of answered",
    'map the path to its index.json inside the host (a rewrite, not a redirect to a folder with a slash)',
  ),
  'bad-status': error(
    "a member's path does not answer 200",
    'look at the rule for this path and at the permissions of the file behind it',
  ),

  // the bytes
  'schemes-mixed-by-cache': error(
    'a cache mixes the schemes: what one asked for first, the other gets too',
    'rewrite the path (or add the scheme to the cache key) before the cache looks it up, then purge it',
  ),
  'wrong-variant': error(
    'one scheme is given the files of the other',
    'choose the folder by the scheme of the request: the root for https, http/ for plain http',
  ),
  'wrong-file': error(
    'a path answers with the file of another path',
    'the rule must map each path to the index.json in the folder of the same name',
  ),
  reformatted: error(
    'the JSON says the same, but its bytes were changed on the way',
    'switch off what rewrites bodies: minifiers, formatters, byte order marks, link rewriting',
  ),
  truncated: error(
    'bodies end too early',
    'look for a limit on the size of an answer, or files that were published half',
  ),
  'wrong-body': error(
    "a member's path answers with something that is not the API",
    'no page, placeholder or error text may stand in for the JSON; look at what answers this path',
  ),

  // the headers of a 200
  'content-type': error(
    'the content type is not the one that clients are promised',
    `send Content-Type: ${contentType} for the JSON of the API, 404 and 405 too, and for other files their own`,
  ),
  cors: error(
    'pages of other origins may not read the answers',
    `send ${line(commonHeaders, 'Access-Control-Allow-Origin')} with every answer, errors and the preflight too`,
  ),
  nosniff: error(
    'browsers may guess another content type',
    `send ${line(commonHeaders, 'X-Content-Type-Options')} with every answer, errors too`,
  ),
  'cache-control': error(
    'caches are told something else than how long to keep an answer',
    `send Cache-Control: ${okHeaders['Cache-Control']} with the files of the API (pictures: immutable, for a year), ${errors.notFound.headers['Cache-Control']} with a 404, ${errors.methodNotAllowed.headers['Cache-Control']} with a 405, and nothing besides`,
  ),
  hsts: error(
    'HSTS is on: browsers will refuse plain http for the whole name',
    'never send Strict-Transport-Security here; it ends the http variant',
  ),
  'header-twice': error(
    'a header that may come once comes twice, and browsers then ignore or refuse it',
    'set it in one place: the host, or the proxy before it',
  ),
  'expose-headers': warning(
    "pages of other origins can't read the ETag",
    `send ${line(commonHeaders, 'Access-Control-Expose-Headers')} with the files of the API`,
  ),

  // ETags and 304
  'etag-missing': error(
    'there is no valid ETag, so every client loads every file again',
    'switch on ETags made from the time and size of the file, or from its content; they stand in double quotes',
  ),
  'etag-unstable': error(
    'the ETag changes from request to request',
    'make it from the file, not from the request; behind several servers, publish with equal file times',
  ),
  'etag-across-schemes': error(
    'the two variants share an ETag though their bytes differ: a 304 may confirm the wrong one',
    'publish with file times kept (the build gives each variant its own), or make ETags from the content',
  ),
  'etag-across-encodings': error(
    'the plain and the compressed answer share a strong ETag',
    'each encoding needs an ETag of its own, or a weak one (W/"…")',
  ),
  'no-304': error(
    'If-None-Match with the current ETag does not get a 304',
    'let the host answer conditional requests, compressed ones too; a proxy may drop If-None-Match on its way',
  ),
  'false-304': error(
    'an ETag of something else gets a 304: clients keep what is old or of the other scheme',
    'answer 304 only if the ETag is that of the file; never by time alone',
  ),
  '304-headers': error(
    'the 304 lacks headers that the 200 has',
    'send ETag, Cache-Control and Access-Control-Allow-Origin with a 304 as with a 200',
  ),

  // other ways to ask for a member
  'head-differs': error(
    'HEAD does not answer as GET does',
    'answer HEAD with the status and headers of GET, Content-Length included',
  ),
  'unwanted-body': error(
    'an answer that has no body (HEAD, 204, 304) is followed by bytes, which spoils the connection',
    'send nothing after the headers',
  ),
  'slash-differs': error(
    'a trailing slash changes the answer',
    'let the pattern of each path end in an optional slash, and redirect neither form',
  ),
  'query-differs': error(
    'a query string changes the answer',
    'leave the query out of rules, redirects and cache keys',
  ),
  'spoofed-scheme': error(
    'a stranger can choose the variant with X-Forwarded-Proto or its like',
    'believe these headers from listed proxies only (npx shotpress host takes --trust). If verify runs on a listed proxy itself, run it elsewhere',
  ),

  // encodings
  'encoding-unasked': error(
    'an answer is compressed in a way that the client did not accept',
    'follow Accept-Encoding, q=0 included; without it, send the plain file',
  ),
  'encoded-body': error(
    'a compressed answer does not hold the file that the plain one does',
    'publish the .br and .gz files together with the .json beside them, and nothing twice compressed',
  ),
  vary: error(
    'compressed answers lack Vary: Accept-Encoding, so a cache may give them to everyone',
    'send Vary: Accept-Encoding with every answer that has a Content-Encoding',
  ),

  // OPTIONS and other methods
  'options-status': error(
    'OPTIONS does not answer 204',
    'answer OPTIONS on every path with 204 and no body, before the path is looked at',
  ),
  'options-headers': error(
    'the preflight does not allow what a browser asks for',
    `send ${line(preflight.headers, 'Access-Control-Allow-Methods')} and ${line(preflight.headers, 'Access-Control-Allow-Headers')} with it`,
  ),
  'options-max-age': warning(
    'browsers have to repeat the preflight all the time',
    `send ${line(preflight.headers, 'Access-Control-Max-Age')} with the preflight`,
  ),
  'method-status': error(
    'a method that changes things is not refused with 405',
    `answer everything but ${methods.join(', ')} with 405, before the path is looked at`,
  ),
  'method-allow': error(
    'the 405 does not say which methods are allowed',
    `send ${line(errors.methodNotAllowed.headers, 'Allow')} with a 405`,
  ),
  'trace-answered': warning(
    'TRACE is answered, and sends back what the client sent, credentials included',
    'switch TRACE off',
  ),

  // what is not there
  'error-body': error(
    'the body of a 404 or 405 is not the JSON that clients are promised',
    `set the host's error pages to ${errors.notFound.file} and ${errors.methodNotAllowed.file}, keeping the status`,
  ),
  'soft-404': error(
    'a path that does not exist answers 200',
    'answer 404 with the body of 404.json; no fallback page',
  ),
  'wrong-case': error(
    'a name in the wrong letter case is found',
    'usernames are case-sensitive: compare exactly, and keep the files where letter case counts',
  ),
  'not-found-status': error(
    'a path that does not exist does not answer 404',
    'answer 404 at once: no redirect to a slash or another page, and no 403 for a folder',
  ),
  'hidden-path': error(
    'a file can be reached that is no path of the API',
    'answer 404 for everything but the paths of the API: /http/…, …/index.json, /404.json, paths with dots and the rest',
  ),
  listing: error('a folder shows what it holds', 'switch off listings, and answer 404'),
} as const

export type Cause = keyof typeof causes
