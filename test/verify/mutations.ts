import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { errors, variants } from '../../scripts/api/routes.ts'
import type { Cause } from '../../scripts/verify/causes.ts'
import { indexText } from '../hosts/managed.ts'
import { type Asked, errorReply, fileReply, findFile, type Handler, type Reply } from './reference-host.ts'

/** A host that is one thing wrong, and what the verifier must name: that and nothing else. */
export type Mutation = {
  readonly name: string
  readonly causes: readonly Cause[]
  readonly change: (next: Handler) => Handler
}

const isFile = ({ target }: Asked): boolean => findFile({ scheme: 'https', target }) !== undefined
const isPlain = (asked: Asked): boolean => isFile(asked) && !/[?]|\/$/.test(asked.target)
const isError = ({ status }: Reply): boolean => status === 404 || status === 405
const is200 = ({ status }: Reply): boolean => status === 200

/** Changes the replies that fit. */
/** Whether it asks for what is there. */
const isGet = ({ method }: Pick<Asked, 'method'>): boolean => method === 'GET'

const where =
  (fits: (reply: Reply, asked: Asked) => boolean, change: (reply: Reply, asked: Asked) => Reply) =>
  (next: Handler): Handler =>
  (asked) => {
    const reply = next(asked)
    return fits(reply, asked) ? change(reply, asked) : reply
  }

const set = (headers: Reply['headers']) => (reply: Reply) => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
})

const drop = (name: string) => (reply: Reply) => ({
  ...reply,
  headers: Object.fromEntries(Object.entries(reply.headers).filter(([key]) => key !== name)),
})

const redirect = (location: string): Reply => ({
  status: 301,
  headers: { Location: location },
  body: Buffer.alloc(0),
})

const ok = (text: string, type = 'text/html'): Reply => ({
  status: 200,
  headers: { 'Content-Type': type },
  body: Buffer.from(text),
})

/** Asks the host as if something about the request were different. */
const asIf =
  (fits: (asked: Asked) => boolean, change: (asked: Asked) => Partial<Asked>) =>
  (next: Handler): Handler =>
  (asked) =>
    next(fits(asked) ? { ...asked, ...change(asked) } : asked)

const withBody = (change: (body: string) => string) => (reply: Reply, asked: Asked) => {
  const { body } = reply
  const text = change(body.toString())
  return fileReply(text, { ...asked, headers: { ...asked.headers, 'accept-encoding': undefined } })
}

const uncompressed = (next: Handler) =>
  asIf(
    () => true,
    ({ headers }) => ({ headers: { ...headers, 'accept-encoding': undefined } }),
  )(next)

const body =
  (change: (body: string) => string) =>
  (next: Handler): Handler =>
    where((reply) => is200(reply), withBody(change))(uncompressed(next))

const acceptsBrotli = ({ headers }: Asked): boolean => /br(?!;)/.test(headers['accept-encoding'] ?? '')

const path = ({ target }: Asked): string => target.split('?')[0]!

const isBin = (reply: Reply, asked: Asked): boolean => asked.target.includes('.ndjson') && is200(reply)
const olderBin = '{"site":"older"}\n{"site":"older"}\n'

export const mutations: readonly Mutation[] = [
  // reaching it
  {
    name: 'redirects http to https',
    causes: ['scheme-redirects'],
    change: (next) => (asked) =>
      asked.scheme === 'http' ? redirect(`https://localhost${asked.target}`) : next(asked),
  },
  {
    name: 'redirects http to https and sends HSTS',
    causes: ['scheme-redirects', 'hsts'],
    change: (next) => (asked) =>
      asked.scheme === 'http'
        ? redirect(`https://localhost${asked.target}`)
        : set({ 'Strict-Transport-Security': 'max-age=1' })(next(asked)),
  },
  {
    name: 'hangs up on one method',
    causes: ['no-answer'],
    change: (next) => (asked) => (asked.method === 'DELETE' ? { ...next(asked), hangUp: true } : next(asked)),
  },
  {
    name: 'limits the rate',
    causes: ['rate-limited'],
    change: where(
      (reply) => reply.status === 405,
      (reply) => ({ ...reply, status: 429 }),
    ),
  },
  {
    name: 'fails on shots',
    causes: ['server-error'],
    change: where(
      (reply, asked) => is200(reply) && path(asked).includes('/shots'),
      (reply) => ({ ...reply, status: 502 }),
    ),
  },

  // finding the members
  {
    name: 'finds nothing',
    causes: ['nothing-found'],
    change: where(
      (_, asked) => isFile(asked) && asked.method === 'GET',
      () => errorReply(errors.notFound),
    ),
  },
  {
    name: 'has no shots over http',
    causes: ['route-missing'],
    change: where(
      (_, asked) =>
        isFile(asked) && asked.scheme === 'http' && asked.target.includes('/shots') && asked.method === 'GET',
      () => errorReply(errors.notFound),
    ),
  },
  {
    name: 'has no /openapi.json over http',
    causes: ['openapi-missing'],
    change: where(
      (_, asked) =>
        asked.target.startsWith('/openapi.json') && asked.method === 'GET' && asked.scheme === 'http',
      () => errorReply(errors.notFound),
    ),
  },
  {
    name: 'has no bins and no lists over https',
    causes: ['list-missing'],
    change: where(
      (_, asked) => /^\/api\/(?:all|members)/.test(asked.target) && isGet(asked) && asked.scheme === 'https',
      () => errorReply(errors.notFound),
    ),
  },
  {
    name: 'lacks one of the lists',
    causes: ['list-missing'],
    change: where(
      (_, asked) => asked.target.startsWith('/api/members') && isGet(asked),
      () => errorReply(errors.notFound),
    ),
  },
  {
    name: 'has no pictures',
    causes: ['pictures-missing'],
    change: where(
      (_, asked) => asked.target.startsWith('/pictures/') && isGet(asked),
      () => errorReply(errors.notFound),
    ),
  },
  {
    name: 'lets pictures be kept for five minutes',
    causes: ['cache-control'],
    change: where(
      (reply, asked) => asked.target.startsWith('/pictures/') && reply.status === 200,
      (reply) => ({ ...reply, headers: { ...reply.headers, 'Cache-Control': 'public, max-age=300' } }),
    ),
  },
  {
    name: 'has an older bin than its index',
    causes: ['not-the-snapshot', 'bin-not-indexed'],
    change: where(isBin, (_, asked) => fileReply(olderBin, asked, false)),
  },
  {
    name: 'has an older bin and its index',
    causes: ['not-the-snapshot'],
    change: (next) =>
      where(isBin, (_, asked) => fileReply(olderBin, asked, false))(
        where(
          (reply, asked) => /^\/api\/all\/?(?:\?|$)/.test(asked.target) && is200(reply),
          (_, asked) => fileReply(indexText(asked.scheme, olderBin), asked, false),
        )(next),
      ),
  },
  {
    name: 'takes a dot for a file type',
    causes: ['names-with-dots'],
    change: where(
      (_, asked) => isFile(asked) && /username.*\./.test(asked.target) && asked.method === 'GET',
      () => errorReply(errors.notFound),
    ),
  },
  {
    name: 'allows 30 characters in a name',
    causes: ['long-names'],
    change: where(
      (_, asked) => isFile(asked) && asked.target.includes('ooooo') && asked.method === 'GET',
      () => errorReply(errors.notFound),
    ),
  },
  {
    name: 'lacks a member',
    causes: ['not-the-snapshot'],
    change: where(
      (_, asked) => isFile(asked) && asked.target.includes('quiet') && asked.method === 'GET',
      () => errorReply(errors.notFound),
    ),
  },
  {
    name: 'serves an older profile',
    causes: ['not-the-snapshot'],
    change: body((text) => text.replace('"totalFollowers":"7"', '"totalFollowers":"6"')),
  },
  {
    name: 'redirects to a folder with a slash',
    causes: ['redirects'],
    change: (next) => (asked) =>
      isPlain(asked) && asked.method === 'GET' ? redirect(`${asked.target}/`) : next(asked),
  },
  {
    name: 'forbids shots',
    causes: ['bad-status'],
    change: where(
      (reply, asked) => is200(reply) && asked.target.includes('/shots'),
      (reply) => ({ ...reply, status: 403 }),
    ),
  },

  // the bytes
  {
    name: 'serves https files to http',
    causes: ['wrong-variant'],
    change: asIf(
      () => true,
      () => ({ scheme: 'https' }),
    ),
  },
  {
    name: 'serves http files to https',
    causes: ['wrong-variant'],
    change: asIf(
      () => true,
      () => ({ scheme: 'http' }),
    ),
  },
  {
    name: 'swaps the variants',
    causes: ['wrong-variant'],
    change: asIf(
      () => true,
      ({ scheme }) => ({ scheme: scheme === 'https' ? 'http' : 'https' }),
    ),
  },
  {
    name: 'serves https shots to http',
    causes: ['wrong-variant'],
    change: asIf(
      ({ target }) => target.includes('/shots'),
      () => ({ scheme: 'https' }),
    ),
  },
  {
    name: 'has a cache that knows no scheme',
    causes: ['schemes-mixed-by-cache'],
    change: (next) => cache(next, ({ target, headers }) => `${headers.host} ${target}`),
  },
  {
    name: 'has a cache that knows neither scheme nor port',
    causes: ['schemes-mixed-by-cache'],
    change: (next) => cache(next, ({ target }) => target),
  },
  {
    name: 'has a cache that knows neither scheme nor query',
    causes: ['schemes-mixed-by-cache'],
    change: (next) => cache(next, path),
  },
  {
    name: 'serves the profile as shots',
    causes: ['wrong-file'],
    change: asIf(
      ({ target }) => isFile({ target } as Asked),
      ({ target }) => ({ target: target.replace('/shots', '') }),
    ),
  },
  {
    name: 'prints the JSON anew',
    causes: ['reformatted'],
    change: body((text) => JSON.stringify(JSON.parse(text), null, 1).replaceAll('\n', '')),
  },
  { name: 'adds a byte order mark', causes: ['reformatted'], change: body((text) => `\ufeff${text}`) },
  { name: 'cuts bodies at 100 bytes', causes: ['truncated'], change: body((text) => text.slice(0, 100)) },
  { name: 'serves a page', causes: ['wrong-body'], change: body(() => '<!doctype html><title>Soon</title>') },
  { name: 'serves nothing with 200', causes: ['truncated'], change: body(() => '') },

  // headers
  {
    name: 'sends no charset',
    causes: ['content-type'],
    change: where(is200, set({ 'Content-Type': 'application/json' })),
  },
  {
    name: 'takes dotted names for another type',
    causes: ['content-type'],
    change: where(
      (reply, { target }) => is200(reply) && target.includes('a.b'),
      set({ 'Content-Type': 'text/plain' }),
    ),
  },
  {
    name: 'sends no CORS header',
    causes: ['cors'],
    change: where(() => true, drop('Access-Control-Allow-Origin')),
  },
  {
    name: 'sends the CORS header with 200 only',
    causes: ['cors-elsewhere'],
    change: where(isError, drop('Access-Control-Allow-Origin')),
  },
  {
    name: 'sends no CORS header with OPTIONS',
    causes: ['cors-elsewhere'],
    change: where(({ status }) => status === 204, drop('Access-Control-Allow-Origin')),
  },
  {
    name: 'sends no nosniff',
    causes: ['nosniff'],
    change: where(() => true, drop('X-Content-Type-Options')),
  },
  {
    name: 'sends no nosniff with errors',
    causes: ['nosniff-elsewhere'],
    change: where(isError, drop('X-Content-Type-Options')),
  },
  {
    name: 'forbids caching',
    causes: ['cache-control'],
    change: where(is200, set({ 'Cache-Control': 'no-cache' })),
  },
  {
    name: 'caches for a day',
    causes: ['cache-control'],
    change: where(is200, set({ 'Cache-Control': ['public, max-age=300', 'max-age=86400'] })),
  },
  {
    name: 'sends HSTS',
    causes: ['hsts'],
    change: where(
      (_, { scheme }) => scheme === 'https',
      set({ 'Strict-Transport-Security': 'max-age=31536000' }),
    ),
  },
  {
    name: 'sends the CORS header twice',
    causes: ['header-twice'],
    change: where(is200, set({ 'Access-Control-Allow-Origin': ['*', '*'] })),
  },
  {
    name: 'hides the ETag from pages',
    causes: ['expose-headers'],
    change: where(() => true, drop('Access-Control-Expose-Headers')),
  },

  // ETags and 304
  { name: 'sends no ETag', causes: ['etag-missing'], change: where(() => true, drop('ETag')) },
  {
    name: 'sends an ETag without quotes',
    causes: ['etag-malformed'],
    change: where(is200, (reply) => set({ ETag: String(reply.headers.ETag).replaceAll('"', '') })(reply)),
  },
  { name: 'counts up the ETag', causes: ['etag-unstable', 'no-304'], change: (next) => counting(next) },
  {
    name: 'shares an ETag between the variants',
    causes: ['etag-across-schemes'],
    change: (next) => retag(next, (asked, { headers }) => `${path(asked)} ${headers['Content-Encoding']}`),
  },
  {
    name: 'shares an ETag between the encodings',
    causes: ['etag-across-encodings'],
    change: (next) => retag(next, (asked) => `${asked.scheme} ${path(asked)}`),
  },
  {
    name: 'never says 304',
    causes: ['no-304'],
    change: asIf(
      () => true,
      ({ headers }) => ({ headers: { ...headers, 'if-none-match': undefined } }),
    ),
  },
  {
    name: 'never says 304 to a compressed ETag',
    causes: ['no-304-encoded'],
    change: asIf(
      ({ headers }) => headers['accept-encoding'] === 'br',
      ({ headers }) => ({ headers: { ...headers, 'if-none-match': undefined } }),
    ),
  },
  {
    name: 'says 304 to any ETag',
    causes: ['false-304'],
    change: where(
      (reply, { headers }) => is200(reply) && headers['if-none-match'] !== undefined,
      (reply) => ({ ...reply, status: 304 }),
    ),
  },
  {
    name: "says 304 to the other variant's ETag",
    causes: ['false-304'],
    change: (next) => (asked) => {
      const replies = variants.map((scheme) => next({ ...asked, scheme }))
      return replies.find(({ status }) => status === 304) ?? next(asked)
    },
  },
  {
    name: 'sends a bare 304',
    causes: ['304-headers'],
    change: where(({ status }) => status === 304, drop('Cache-Control')),
  },
  {
    name: 'sends a body with 304',
    causes: ['unwanted-body'],
    change: where(
      ({ status }) => status === 304,
      (reply) => ({ ...reply, surplus: '{"x":1}' }),
    ),
  },

  // HEAD, slash, query, spoof
  {
    name: 'refuses HEAD',
    causes: ['head-differs'],
    change: where(
      (_, { method }) => method === 'HEAD',
      () => errorReply(errors.methodNotAllowed),
    ),
  },
  {
    name: 'gives HEAD another length',
    causes: ['head-differs'],
    change: where((reply, { method }) => is200(reply) && method === 'HEAD', set({ 'Content-Length': '0' })),
  },
  {
    name: 'gives HEAD no CORS header',
    causes: ['head-differs'],
    change: where(
      (reply, { method }) => is200(reply) && method === 'HEAD',
      drop('Access-Control-Allow-Origin'),
    ),
  },
  {
    name: 'sends a body with HEAD',
    causes: ['unwanted-body'],
    change: where(
      (reply, { method }) => is200(reply) && method === 'HEAD',
      (reply) => ({ ...reply, surplus: 'body' }),
    ),
  },
  {
    name: 'redirects a slash away',
    causes: ['slash-redirects'],
    change: (next) => (asked) =>
      isFile(asked) && asked.target.endsWith('/') ? redirect(asked.target.slice(0, -1)) : next(asked),
  },
  {
    name: 'knows no slash',
    causes: ['slash-differs'],
    change: (next) => (asked) =>
      isFile(asked) && asked.target.endsWith('/') ? errorReply(errors.notFound) : next(asked),
  },
  {
    name: 'takes the variant with a slash from https',
    causes: ['slash-differs'],
    change: asIf(
      ({ target }) => target.endsWith('/'),
      () => ({ scheme: 'https' }),
    ),
  },
  {
    name: 'knows no query',
    causes: ['query-differs'],
    change: (next) => (asked) => (asked.target.includes('?') ? errorReply(errors.notFound) : next(asked)),
  },
  {
    name: 'pages by query',
    causes: ['query-differs'],
    change: (next) => (asked) =>
      asked.target.includes('page=2') ? fileReply('{"Shots":[],"page":"2"}\n', asked) : next(asked),
  },
  {
    name: 'believes X-Forwarded-Proto',
    causes: ['spoofed-scheme'],
    change: asIf(
      ({ headers }) => headers['x-forwarded-proto'] !== undefined,
      ({ headers }) => ({ scheme: headers['x-forwarded-proto'] as 'http' }),
    ),
  },
  {
    name: 'believes X-Forwarded-Proto: https',
    causes: ['spoofed-scheme'],
    change: asIf(
      ({ headers }) => headers['x-forwarded-proto'] === 'https',
      () => ({ scheme: 'https' }),
    ),
  },
  {
    name: 'believes Forwarded',
    causes: ['spoofed-scheme'],
    change: asIf(
      ({ headers }) => headers.forwarded !== undefined,
      ({ headers }) => ({ scheme: headers.forwarded!.slice(6) as 'http' }),
    ),
  },

  // encodings
  {
    name: 'compresses unasked',
    causes: ['encoding-unasked'],
    change: asIf(
      ({ headers }) => headers['accept-encoding']?.includes('q=0') === true,
      ({ headers }) => ({ headers: { ...headers, 'accept-encoding': 'gzip' } }),
    ),
  },
  {
    name: 'compresses always',
    causes: ['encoding-unasked'],
    change: asIf(
      ({ headers }) => !headers['accept-encoding']?.includes('br'),
      ({ headers }) => ({ headers: { ...headers, 'accept-encoding': 'gzip' } }),
    ),
  },
  {
    name: 'labels plain bytes as gzip',
    causes: ['encoded-body'],
    change: where(
      (reply) => reply.headers['Content-Encoding'] === 'gzip',
      (reply) => ({ ...reply, body: gunzipSync(reply.body) }),
    ),
  },
  {
    name: 'has stale .br files',
    causes: ['encoded-body'],
    change: (next) => (asked) => {
      const text = findFile(asked)
      const brotli = acceptsBrotli(asked)
      return brotli && text?.includes('Ana') && asked.method === 'GET'
        ? fileReply(text.replace('Ana', 'Anna'), asked)
        : next(asked)
    },
  },
  {
    name: 'has .br files of https in the http folder',
    causes: ['encoded-body'],
    change: asIf(acceptsBrotli, () => ({ scheme: 'https' })),
  },
  { name: 'sends no Vary', causes: ['vary'], change: where(() => true, drop('Vary')) },

  // OPTIONS and other methods
  {
    name: 'answers OPTIONS with 200',
    causes: ['options-status'],
    change: where(
      ({ status }) => status === 204,
      (reply) => ({ ...reply, status: 200 }),
    ),
  },
  {
    name: 'answers OPTIONS on known paths only',
    causes: ['options-elsewhere'],
    change: (next) => (asked) =>
      asked.method === 'OPTIONS' && !isFile(asked) ? errorReply(errors.notFound) : next(asked),
  },
  {
    name: 'allows no headers',
    causes: ['options-headers'],
    change: where(({ status }) => status === 204, drop('Access-Control-Allow-Headers')),
  },
  {
    name: 'allows POST in the preflight',
    causes: ['options-headers'],
    change: where(
      ({ status }) => status === 204,
      set({ 'Access-Control-Allow-Methods': 'GET, HEAD, POST, OPTIONS' }),
    ),
  },
  {
    name: 'forgets the preflight at once',
    causes: ['options-max-age'],
    change: where(({ status }) => status === 204, drop('Access-Control-Max-Age')),
  },
  {
    name: 'answers POST as GET',
    causes: ['method-status'],
    change: asIf(
      ({ method }) => method === 'POST',
      () => ({ method: 'GET' }),
    ),
  },
  {
    name: 'refuses methods with 403',
    causes: ['method-status'],
    change: where(
      ({ status }) => status === 405,
      (reply) => ({ ...reply, status: 403 }),
    ),
  },
  {
    name: 'looks at the path before the method',
    causes: ['method-elsewhere'],
    change: (next) => (asked) =>
      isFile(asked) || ['GET', 'HEAD', 'OPTIONS'].includes(asked.method)
        ? next(asked)
        : errorReply(errors.notFound),
  },
  {
    name: 'sends no Allow',
    causes: ['method-allow'],
    change: where(({ status }) => status === 405, drop('Allow')),
  },
  {
    name: 'allows POST',
    causes: ['method-allow'],
    change: where(({ status }) => status === 405, set({ Allow: 'GET, HEAD, OPTIONS, POST' })),
  },
  {
    name: 'lets the 405 be cached',
    causes: ['method-cached'],
    change: where(({ status }) => status === 405, set({ 'Cache-Control': 'public, max-age=300' })),
  },
  {
    name: 'has a page for 405',
    causes: ['method-body'],
    change: where(
      ({ status }) => status === 405,
      (reply) => ({ ...reply, body: Buffer.from('<h1>405</h1>') }),
    ),
  },
  {
    name: 'answers TRACE',
    causes: ['trace-answered'],
    change: (next) => (asked) =>
      asked.method === 'TRACE' ? ok('TRACE / HTTP/1.1', 'message/http') : next(asked),
  },

  // what is not there
  {
    name: 'has a fallback page',
    causes: ['soft-404'],
    change: where(
      ({ status }) => status === 404,
      () => ok('<!doctype html>'),
    ),
  },
  {
    name: 'has a page at /',
    causes: ['soft-404'],
    change: (next) => (asked) =>
      asked.target === '/' && asked.method === 'GET' ? ok('<!doctype html>') : next(asked),
  },
  {
    name: 'ignores the case of names',
    causes: ['wrong-case'],
    change: asIf(
      ({ target }) => target.includes('ANA'),
      ({ target }) => ({ target: target.toLowerCase() }),
    ),
  },
  {
    name: 'forbids what is not there',
    causes: ['not-found-status'],
    change: where(
      ({ status }) => status === 404,
      (reply) => ({ ...reply, status: 403 }),
    ),
  },
  {
    name: 'forbids folders',
    causes: ['not-found-status'],
    change: where(
      (_, { target, method }) => target === '/api/username/' && method === 'GET',
      (reply) => ({ ...reply, status: 403 }),
    ),
  },
  {
    name: 'redirects folders',
    causes: ['not-found-redirects'],
    change: (next) => (asked) =>
      asked.target === '/api' && asked.method === 'GET' ? redirect('/api/') : next(asked),
  },
  {
    name: 'has a page for 404',
    causes: ['not-found-body'],
    change: where(
      ({ status }) => status === 404,
      (reply) => ({ ...reply, body: Buffer.from('<h1>404</h1>') }),
    ),
  },
  {
    name: 'caches a 404 as long as a 200',
    causes: ['not-found-cached'],
    change: where(({ status }) => status === 404, set({ 'Cache-Control': 'public, max-age=300' })),
  },
  {
    name: 'sends errors as HTML',
    causes: ['error-type'],
    change: where(isError, set({ 'Content-Type': 'text/html' })),
  },
  ...[
    '/404.json',
    '/SHA256SUMS',
    '/_headers',
    '/http/api/username/ana',
    '/api/username/ana/index.json',
    '/http/api/username/ana/shots/index.json',
    '/api/username/ana/index.json.br',
  ].map(
    (target): Mutation => ({
      name: `serves ${target}`,
      causes: ['hidden-path'],
      change: (next) => (asked) =>
        asked.target === target && asked.method === 'GET' ? ok('{}', 'application/json') : next(asked),
    }),
  ),
  {
    name: 'lists folders',
    causes: ['listing'],
    change: (next) => (asked) =>
      asked.target === '/api/username/' && asked.method === 'GET'
        ? ok('<html><title>Index of /</title><a href="../">../</a>')
        : next(asked),
  },
  {
    name: 'lets dots climb out',
    causes: ['climbs-out'],
    change: (next) => (asked) => (asked.target.includes('..%2f') ? ok('{"error":"not_found"}') : next(asked)),
  },
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
  return where(is200, (reply) => set({ ETag: `"${count++}"` })(reply))(next)
}

/** A host whose ETags are made from something else. */
function retag(next: Handler, from: (asked: Asked, reply: Reply) => string): Handler {
  return (asked) => {
    const reply = next({ ...asked, headers: { ...asked.headers, 'if-none-match': undefined } })
    if (!is200(reply)) return reply
    const tag = `"${createHash('sha1').update(from(asked, reply)).digest('hex')}"`
    const tagged = set({ ETag: tag })(reply)
    return asked.headers['if-none-match'] === tag ? { ...tagged, status: 304, body: Buffer.alloc(0) } : tagged
  }
}
