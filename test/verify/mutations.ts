import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { errors, variants } from '../../scripts/api/routes.ts'
import type { Cause } from '../../scripts/verify/causes.ts'
import { type Asked, errorReply, fileReply, findFile, type Handler, type Reply } from './reference-host.ts'

/** A host that is one thing wrong, and what the verifier must name: that and nothing else. */
export type Mutation = readonly [name: string, causes: Cause | readonly Cause[], change: Change]
type Change = (next: Handler) => Handler

type Fits = (asked: Asked, reply: Reply) => boolean
type Edit = (reply: Reply, asked: Asked) => Reply

const always: Fits = () => true
const is200: Fits = (_, { status }) => status === 200
const is =
  (status: number): Fits =>
  (_, reply) =>
    reply.status === status
const isError: Fits = (_, { status }) => status === 404 || status === 405
const method =
  (name: string) =>
  (asked: Asked): boolean =>
    asked.method === name
const isGet = method('GET')
const isFile = ({ target }: Pick<Asked, 'target'>): boolean =>
  findFile({ scheme: 'https', target }) !== undefined
const asks =
  (pattern: RegExp | string) =>
  ({ target }: Asked): boolean =>
    typeof pattern === 'string' ? target === pattern : pattern.test(target)
const both =
  (...all: readonly Fits[]): Fits =>
  (asked, reply) =>
    all.every((fits) => fits(asked, reply))
const over =
  (scheme: string) =>
  (asked: Asked): boolean =>
    asked.scheme === scheme
const isBin = both(is200, asks(/\.ndjson/))
const endsInSlash = ({ target }: Asked): boolean => isFile({ target }) && target.endsWith('/')

/** Changes the replies that fit. */
const where =
  (fits: Fits, edit: Edit): Change =>
  (next) =>
  (asked) => {
    const reply = next(asked)
    return fits(asked, reply) ? edit(reply, asked) : reply
  }

/** Asks the host as if something about the request were different. */
const asIf =
  (change: (asked: Asked) => Partial<Asked>, fits: (asked: Asked) => boolean = () => true): Change =>
  (next) =>
  (asked) =>
    next(fits(asked) ? { ...asked, ...change(asked) } : asked)

const set =
  (headers: Reply['headers']): Edit =>
  (reply) => ({ ...reply, headers: { ...reply.headers, ...headers } })
const drop =
  (name: string): Edit =>
  ({ headers, ...reply }) => {
    const { [name]: _, ...rest } = headers
    return { ...reply, headers: rest }
  }
const status =
  (status: number): Edit =>
  (reply) => ({ ...reply, status })
const surplus =
  (surplus: string): Edit =>
  (reply) => ({ ...reply, surplus })
const page =
  (text: string): Edit =>
  (reply) => ({ ...reply, body: Buffer.from(text) })
const ok =
  (text: string, type = 'text/html'): Edit =>
  () => ({ status: 200, headers: { 'Content-Type': type }, body: Buffer.from(text) })
const redirect =
  (location: (target: string) => string): Edit =>
  (_, { target }) => ({ status: 301, headers: { Location: location(target) }, body: Buffer.alloc(0) })
const notFound: Edit = () => errorReply(errors.notFound)
/** Finds nothing where this is asked for. */
const missing = (...fits: readonly Fits[]): Change => where(both(isGet, ...fits), notFound)

const asked = (headers: Partial<Asked['headers']>) => (asked: Asked) => ({
  headers: { ...asked.headers, ...headers },
})
const uncompressed = asIf(asked({ 'accept-encoding': undefined }))

/** Another body, uncompressed. */
const body =
  (change: (body: string) => string): Change =>
  (next) =>
    where(is200, (reply, { headers, ...rest }) =>
      fileReply(change(reply.body.toString()), {
        ...rest,
        headers: { ...headers, 'accept-encoding': undefined },
      }),
    )(uncompressed(next))

const accepts = ({ headers }: Asked): string => headers['accept-encoding'] ?? ''
const acceptsBrotli = (asked: Asked): boolean => /br(?!;)/.test(accepts(asked))
const path = ({ target }: Asked): string => target.split('?')[0]!
const olderBin = '{"site":"older"}\n{"site":"older"}\n'
const withOlderBin = where(isBin, (_, asked) => fileReply(olderBin, asked, false))

export const mutations: readonly Mutation[] = [
  // reaching it
  [
    'redirects http to https',
    'scheme-redirects',
    where(
      over('http'),
      redirect((target) => `https://localhost${target}`),
    ),
  ],
  [
    'redirects http to https and sends HSTS',
    ['scheme-redirects', 'hsts'],
    where(over('http'), (_, { target }) => ({
      ...{ status: 301, body: Buffer.alloc(0) },
      headers: { Location: `https://localhost${target}`, 'Strict-Transport-Security': 'max-age=1' },
    })),
  ],
  ['hangs up on one method', 'no-answer', where(method('DELETE'), (reply) => ({ ...reply, hangUp: true }))],
  ['limits the rate', 'rate-limited', where(is(405), status(429))],
  ['fails on shots', 'server-error', where(both(is200, asks(/^[^?]*\/shots/)), status(502))],

  // finding the members
  ['finds nothing', 'nothing-found', missing(isFile)],
  ['has no shots over http', 'route-missing', missing(isFile, over('http'), asks(/\/shots/))],
  ['lacks one of the lists', 'route-missing', missing(asks(/^\/api\/members/))],
  ['has no pictures', 'route-missing', missing(asks(/^\/pictures\//))],
  [
    'lets pictures be kept for five minutes',
    'cache-control',
    where(both(is200, asks(/^\/pictures\//)), set({ 'Cache-Control': 'public, max-age=300' })),
  ],
  ['has an older bin', 'not-the-snapshot', withOlderBin],
  ['takes a dot for a file type', 'names-with-dots', missing(isFile, asks(/username.*\./))],
  ['allows 30 characters in a name', 'long-names', missing(isFile, asks(/ooooo/))],
  ['lacks a member', 'not-the-snapshot', missing(isFile, asks(/quiet/))],
  [
    'serves an older profile',
    'not-the-snapshot',
    body((text) => text.replace('"totalFollowers":"7"', '"totalFollowers":"6"')),
  ],
  [
    'redirects to a folder with a slash',
    'redirects',
    where(
      both(isGet, isFile, asks(/^[^?]*[^?/]$/)),
      redirect((target) => `${target}/`),
    ),
  ],
  ['forbids shots', 'bad-status', where(both(is200, asks(/\/shots/)), status(403))],

  // the bytes
  ['serves https files to http', 'wrong-variant', asIf(() => ({ scheme: 'https' }))],
  [
    'swaps the variants',
    'wrong-variant',
    asIf(({ scheme }) => ({ scheme: scheme === 'https' ? 'http' : 'https' })),
  ],
  ['serves https shots to http', 'wrong-variant', asIf(() => ({ scheme: 'https' }), asks(/\/shots/))],
  [
    'has a cache that knows no scheme',
    'schemes-mixed-by-cache',
    (next) => cache(next, ({ target, headers }) => `${headers.host} ${target}`),
  ],
  [
    'has a cache that knows neither scheme nor port',
    'schemes-mixed-by-cache',
    (next) => cache(next, ({ target }) => target),
  ],
  ['has a cache that knows neither scheme nor query', 'schemes-mixed-by-cache', (next) => cache(next, path)],
  [
    'serves the profile as shots',
    'wrong-file',
    asIf(({ target }) => ({ target: target.replace('/shots', '') }), isFile),
  ],
  [
    'prints the JSON anew',
    'reformatted',
    body((text) => JSON.stringify(JSON.parse(text), null, 1).replaceAll('\n', '')),
  ],
  ['adds a byte order mark', 'reformatted', body((text) => `\ufeff${text}`)],
  ['cuts bodies at 100 bytes', 'truncated', body((text) => text.slice(0, 100))],
  ['serves a page', 'wrong-body', body(() => '<!doctype html><title>Soon</title>')],

  // headers
  ['sends no charset', 'content-type', where(is200, set({ 'Content-Type': 'application/json' }))],
  ['sends no CORS header', 'cors', where(always, drop('Access-Control-Allow-Origin'))],
  ['sends the CORS header with 200 only', 'cors', where(isError, drop('Access-Control-Allow-Origin'))],
  ['sends no CORS header with OPTIONS', 'cors', where(is(204), drop('Access-Control-Allow-Origin'))],
  ['sends no nosniff with errors', 'nosniff', where(isError, drop('X-Content-Type-Options'))],
  ['forbids caching', 'cache-control', where(is200, set({ 'Cache-Control': 'no-cache' }))],
  [
    'caches for a day',
    'cache-control',
    where(is200, set({ 'Cache-Control': ['public, max-age=300', 'max-age=86400'] })),
  ],
  ['sends HSTS', 'hsts', where(over('https'), set({ 'Strict-Transport-Security': 'max-age=31536000' }))],
  [
    'sends the CORS header twice',
    'header-twice',
    where(is200, set({ 'Access-Control-Allow-Origin': ['*', '*'] })),
  ],
  ['hides the ETag from pages', 'expose-headers', where(always, drop('Access-Control-Expose-Headers'))],

  // ETags and 304
  ['sends no ETag', 'etag-missing', where(always, drop('ETag'))],
  [
    'sends an ETag without quotes',
    'etag-missing',
    where(is200, (reply, asked) => set({ ETag: `${reply.headers.ETag}`.replaceAll('"', '') })(reply, asked)),
  ],
  ['counts up the ETag', ['etag-unstable', 'no-304'], (next) => counting(next)],
  [
    'shares an ETag between the variants',
    'etag-across-schemes',
    (next) => retag(next, (asked, { headers }) => `${path(asked)} ${headers['Content-Encoding']}`),
  ],
  [
    'shares an ETag between the encodings',
    'etag-across-encodings',
    (next) => retag(next, (asked) => `${asked.scheme} ${path(asked)}`),
  ],
  ['never says 304', 'no-304', asIf(asked({ 'if-none-match': undefined }))],
  [
    'never says 304 to a compressed ETag',
    'no-304',
    asIf(asked({ 'if-none-match': undefined }), (asked) => accepts(asked) === 'br'),
  ],
  [
    'says 304 to any ETag',
    'false-304',
    where(
      both(is200, ({ headers }) => headers['if-none-match'] !== undefined),
      status(304),
    ),
  ],
  [
    "says 304 to the other variant's ETag",
    'false-304',
    (next) => (asked) => {
      const replies = variants.map((scheme) => next({ ...asked, scheme }))
      return replies.find(({ status }) => status === 304) ?? next(asked)
    },
  ],
  ['sends a bare 304', '304-headers', where(is(304), drop('Cache-Control'))],
  ['sends a body with 304', 'unwanted-body', where(is(304), surplus('{"x":1}'))],

  // HEAD, slash, query, spoof
  ['refuses HEAD', 'head-differs', where(method('HEAD'), () => errorReply(errors.methodNotAllowed))],
  [
    'gives HEAD another length',
    'head-differs',
    where(both(is200, method('HEAD')), set({ 'Content-Length': '0' })),
  ],
  ['sends a body with HEAD', 'unwanted-body', where(both(is200, method('HEAD')), surplus('body'))],
  [
    'redirects a slash away',
    'slash-differs',
    where(
      endsInSlash,
      redirect((target) => target.slice(0, -1)),
    ),
  ],
  ['knows no slash', 'slash-differs', where(endsInSlash, notFound)],
  [
    'takes the variant with a slash from https',
    'slash-differs',
    asIf(() => ({ scheme: 'https' }), asks(/\/$/)),
  ],
  ['knows no query', 'query-differs', where(asks(/\?/), notFound)],
  [
    'pages by query',
    'query-differs',
    where(asks(/page=2/), (_, asked) => fileReply('{"Shots":[],"page":"2"}\n', asked)),
  ],
  [
    'believes X-Forwarded-Proto',
    'spoofed-scheme',
    asIf(({ scheme, headers }) => ({ scheme: (headers['x-forwarded-proto'] as 'http') ?? scheme })),
  ],
  [
    'believes Forwarded',
    'spoofed-scheme',
    asIf(({ scheme, headers }) => ({ scheme: (headers.forwarded?.slice(6) as 'http') ?? scheme })),
  ],

  // encodings
  [
    'compresses always',
    'encoding-unasked',
    asIf(asked({ 'accept-encoding': 'gzip' }), (asked) => !accepts(asked).includes('br')),
  ],
  [
    'labels plain bytes as gzip',
    'encoded-body',
    where(
      (_, { headers }) => headers['Content-Encoding'] === 'gzip',
      (reply) => ({ ...reply, body: gunzipSync(reply.body) }),
    ),
  ],
  [
    'has stale .br files',
    'encoded-body',
    where(
      (asked) => acceptsBrotli(asked) && isGet(asked) && findFile(asked)?.includes('Ana') === true,
      (_, asked) => fileReply(findFile(asked)!.replace('Ana', 'Anna'), asked),
    ),
  ],
  [
    'has .br files of https in the http folder',
    'encoded-body',
    asIf(() => ({ scheme: 'https' }), acceptsBrotli),
  ],
  ['sends no Vary', 'vary', where(always, drop('Vary'))],

  // OPTIONS and other methods
  ['answers OPTIONS with 200', 'options-status', where(is(204), status(200))],
  [
    'answers OPTIONS on known paths only',
    'options-status',
    where((asked) => method('OPTIONS')(asked) && !isFile(asked), notFound),
  ],
  ['allows no headers', 'options-headers', where(is(204), drop('Access-Control-Allow-Headers'))],
  [
    'allows POST in the preflight',
    'options-headers',
    where(is(204), set({ 'Access-Control-Allow-Methods': 'GET, HEAD, POST, OPTIONS' })),
  ],
  ['forgets the preflight at once', 'options-max-age', where(is(204), drop('Access-Control-Max-Age'))],
  ['answers POST as GET', 'method-status', asIf(() => ({ method: 'GET' }), method('POST'))],
  [
    'looks at the path before the method',
    'method-status',
    where((asked) => !isFile(asked) && !['GET', 'HEAD', 'OPTIONS'].includes(asked.method), notFound),
  ],
  ['sends no Allow', 'method-allow', where(is(405), drop('Allow'))],
  [
    'lets the 405 be cached',
    'cache-control',
    where(is(405), set({ 'Cache-Control': 'public, max-age=300' })),
  ],
  ['has a page for 405', 'error-body', where(is(405), page('<h1>405</h1>'))],
  ['answers TRACE', 'trace-answered', where(method('TRACE'), ok('TRACE / HTTP/1.1', 'message/http'))],

  // what is not there
  ['has a fallback page', 'soft-404', where(is(404), ok('<!doctype html>'))],
  [
    'ignores the case of names',
    'wrong-case',
    asIf(({ target }) => ({ target: target.toLowerCase() }), asks(/ANA/)),
  ],
  ['forbids folders', 'not-found-status', where(both(isGet, asks('/api/username/')), status(403))],
  [
    'redirects folders',
    'not-found-status',
    where(
      both(isGet, asks('/api')),
      redirect(() => '/api/'),
    ),
  ],
  ['has a page for 404', 'error-body', where(is(404), page('<h1>404</h1>'))],
  [
    'caches a 404 as long as a 200',
    'cache-control',
    where(is(404), set({ 'Cache-Control': 'public, max-age=300' })),
  ],
  ['sends errors as HTML', 'content-type', where(isError, set({ 'Content-Type': 'text/html' }))],
  ...['/SHA256SUMS', '/_headers', '/http/api/username/ana', '/api/username/ana/index.json.br'].map(
    (target): Mutation => [
      `serves ${target}`,
      'hidden-path',
      where(both(isGet, asks(target)), ok('{}', 'application/json')),
    ],
  ),
  [
    'lists folders',
    'listing',
    where(both(isGet, asks('/api/username/')), ok('<html><title>Index of /</title><a href="../">../</a>')),
  ],
  ['lets dots climb out', 'hidden-path', where(asks(/\.\.%2f/), ok('{"error":"not_found"}'))],
]

function cache(next: Handler, key: (asked: Asked) => string): Handler {
  const kept = new Map<string, Reply>()
  return (asked) => {
    if (asked.method !== 'GET' || asked.headers['if-none-match'] !== undefined || !isFile(asked))
      return next(asked)
    const whole = `${key(asked)} ${asked.headers['accept-encoding']}`
    const reply = kept.get(whole) ?? next(asked)
    kept.set(whole, reply)
    return reply
  }
}

function counting(next: Handler): Handler {
  let count = 0
  return where(is200, (reply, asked) => set({ ETag: `"${count++}"` })(reply, asked))(next)
}

/** A host whose ETags are made from something else. */
function retag(next: Handler, from: (asked: Asked, reply: Reply) => string): Handler {
  return (asked) => {
    const reply = next({ ...asked, headers: { ...asked.headers, 'if-none-match': undefined } })
    if (reply.status !== 200) return reply
    const tag = `"${createHash('sha1').update(from(asked, reply)).digest('hex')}"`
    const tagged = set({ ETag: tag })(reply, asked)
    return asked.headers['if-none-match'] === tag ? { ...tagged, status: 304, body: Buffer.alloc(0) } : tagged
  }
}
