import { hash } from 'node:crypto'
import { errors, variants } from '../../scripts/api/routes.ts'
import type { Cause } from '../../scripts/verify/causes.ts'
import {
  type Asked,
  errorReply,
  fileReply,
  findFile,
  type Handler,
  type Reply,
} from './reference-host.ts'

type Mutation = readonly [name: string, causes: readonly Cause[], change: Change]
type Change = (next: Handler) => Handler

type Fits = (asked: Asked, reply: Reply) => boolean
type Edit = (reply: Reply, asked: Asked) => Reply

const always = () => true
const is200: Fits = (_, { status }) => status === 200
const is =
  (status: number): Fits =>
  (_, reply) =>
    reply.status === status
const isError: Fits = (_, { status }) => status === 404 || status === 405
const method = (name: string) => (asked: Asked) => asked.method === name
const isGet = method('GET')
const isFile = ({ target }: Pick<Asked, 'target'>) =>
  findFile({ scheme: 'https', target }) !== undefined
const asks =
  (pattern: RegExp | string) =>
  ({ target }: Asked) =>
    typeof pattern === 'string' ? target === pattern : pattern.test(target)
const both =
  (...all: readonly Fits[]): Fits =>
  (asked, reply) =>
    all.every((fits) => fits(asked, reply))
const over = (scheme: string) => (asked: Asked) => asked.scheme === scheme
const endsInSlash = ({ target }: Asked) => isFile({ target }) && target.endsWith('/')

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
  (
    change: (asked: Asked) => Partial<Asked>,
    fits: (asked: Asked) => boolean = () => true,
  ): Change =>
  (next) =>
  (asked) =>
    next(fits(asked) ? { ...asked, ...change(asked) } : asked)

const set =
  (name: string, value: Reply['headers'][string]): Edit =>
  (reply) => ({ ...reply, headers: { ...reply.headers, [name]: value } })
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
  (text: string, type = 'text/html') =>
  () => ({ status: 200, headers: { 'Content-Type': type }, body: Buffer.from(text) })
const redirect =
  (location: (target: string) => string): Edit =>
  (_, { target }) => ({
    status: 301,
    headers: { Location: location(target) },
    body: Buffer.alloc(0),
  })
const notFound = () => errorReply(errors.notFound)
/** Finds nothing where this is asked for. */
const missing = (...fits: readonly Fits[]) => where(both(isGet, ...fits), notFound)

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

const accepts = ({ headers }: Asked) => headers['accept-encoding'] ?? ''
const acceptsBrotli = (asked: Asked) => /br(?!;)/.test(accepts(asked))
const path = ({ target }: Asked) => target.split('?')[0]!

/** By the causes that the verifier must name, hosts by what is wrong with them. */
const wrong: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  'scheme-redirects': {
    'redirects http to https': where(
      over('http'),
      redirect((target) => `https://localhost${target}`),
    ),
  },
  'no-answer': {
    'hangs up on one method': where(method('DELETE'), (reply) => ({
      ...reply,
      hangUp: true,
    })),
  },
  'rate-limited': { 'limits the rate': where(is(405), status(429)) },
  'server-error': {
    'fails on shots': where(both(is200, asks(/^[^?]*\/shots/)), status(502)),
  },
  'nothing-found': { 'finds nothing': missing(isFile) },
  'route-missing': {
    'has no shots over http': missing(isFile, over('http'), asks(/\/shots/)),
    'has no pictures': missing(asks(/^\/pictures\//)),
  },
  'cache-control': {
    'lets pictures be kept for five minutes': where(
      both(is200, asks(/^\/pictures\//)),
      set('Cache-Control', 'public, max-age=300'),
    ),
    'caches for a day': where(
      is200,
      set('Cache-Control', ['public, max-age=300', 'max-age=86400']),
    ),
    'caches a 404 as long as a 200': where(
      is(404),
      set('Cache-Control', 'public, max-age=300'),
    ),
  },
  'not-the-snapshot': {
    'has an older bin': where(both(is200, asks(/\.ndjson/)), (_, asked) =>
      fileReply('{"site":"older"}\n'.repeat(2), asked, false),
    ),
    'lacks a member': missing(isFile, asks(/quiet/)),
    'serves an older profile': body((text) =>
      text.replace('"totalFollowers":"7"', '"totalFollowers":"6"'),
    ),
  },
  'names-with-dots': { 'takes a dot for a file type': missing(isFile, asks(/username.*\./)) },
  'long-names': { 'allows 30 characters in a name': missing(isFile, asks(/ooooo/)) },
  redirects: {
    'redirects to a folder with a slash': where(
      both(isGet, isFile, asks(/^[^?]*[^?/]$/)),
      redirect((target) => `${target}/`),
    ),
  },
  'bad-status': { 'forbids shots': where(both(is200, asks(/\/shots/)), status(403)) },
  'wrong-variant': {
    'serves https files to http': asIf(() => ({ scheme: 'https' })),
    'swaps the variants': asIf(({ scheme }) => ({
      scheme: scheme === 'https' ? 'http' : 'https',
    })),
  },
  'schemes-mixed-by-cache': {
    'has a cache that knows no scheme': (next) =>
      cache(next, ({ target, headers }) => `${headers.host} ${target}`),
    'has a cache that knows neither scheme nor port': (next) =>
      cache(next, ({ target }) => target),
  },
  'wrong-file': {
    'serves the profile as shots': asIf(
      ({ target }) => ({ target: target.replace('/shots', '') }),
      isFile,
    ),
  },
  reformatted: {
    'prints the JSON anew': body((text) =>
      JSON.stringify(JSON.parse(text), null, 1).replaceAll('\n', ''),
    ),
    'adds a byte order mark': body((text) => `\ufeff${text}`),
  },
  truncated: { 'cuts bodies at 100 bytes': body((text) => text.slice(0, 100)) },
  'wrong-body': { 'serves a page': body(() => '<!doctype html><title>Soon</title>') },
  'content-type': {
    'sends no charset': where(is200, set('Content-Type', 'application/json')),
    'sends errors as HTML': where(isError, set('Content-Type', 'text/html')),
  },
  cors: {
    'sends no CORS header': where(always, drop('Access-Control-Allow-Origin')),
    'sends the CORS header with 200 only': where(
      isError,
      drop('Access-Control-Allow-Origin'),
    ),
  },
  nosniff: { 'sends no nosniff with errors': where(isError, drop('X-Content-Type-Options')) },
  hsts: {
    'sends HSTS': where(over('https'), set('Strict-Transport-Security', 'max-age=31536000')),
  },
  'header-twice': {
    'sends the CORS header twice': where(
      is200,
      set('Access-Control-Allow-Origin', ['*', '*']),
    ),
  },
  'expose-headers': {
    'hides the ETag from pages': where(always, drop('Access-Control-Expose-Headers')),
  },
  'etag-missing': {
    'sends no ETag': where(always, drop('ETag')),
    'sends an ETag without quotes': where(is200, (reply, asked) =>
      set('ETag', `${reply.headers.ETag}`.replaceAll('"', ''))(reply, asked),
    ),
  },
  'etag-unstable no-304': { 'counts up the ETag': (next) => counting(next) },
  'etag-across-schemes': {
    'shares an ETag between the variants': (next) =>
      retag(next, (asked, { headers }) => `${path(asked)} ${headers['Content-Encoding']}`),
  },
  'etag-across-encodings': {
    'shares an ETag between the encodings': (next) =>
      retag(next, (asked) => `${asked.scheme} ${path(asked)}`),
  },
  'no-304': {
    'never says 304': asIf(asked({ 'if-none-match': undefined })),
    'never says 304 to a compressed ETag': asIf(
      asked({ 'if-none-match': undefined }),
      (asked) => accepts(asked) === 'br',
    ),
  },
  'false-304': {
    'says 304 to any ETag': where(
      both(is200, ({ headers }) => headers['if-none-match'] !== undefined),
      status(304),
    ),
    "says 304 to the other variant's ETag": (next) => (asked) => {
      const replies = variants.map((scheme) => next({ ...asked, scheme }))
      return replies.find(({ status }) => status === 304) ?? next(asked)
    },
  },
  '304-headers': { 'sends a bare 304': where(is(304), drop('Cache-Control')) },
  'unwanted-body': {
    'sends a body with 304': where(is(304), surplus('{"x":1}')),
    'sends a body with HEAD': where(both(is200, method('HEAD')), surplus('body')),
  },
  'head-differs': {
    'refuses HEAD': where(method('HEAD'), () => errorReply(errors.methodNotAllowed)),
    'gives HEAD another length': where(
      both(is200, method('HEAD')),
      set('Content-Length', '0'),
    ),
  },
  'slash-differs': {
    'redirects a slash away': where(
      endsInSlash,
      redirect((target) => target.slice(0, -1)),
    ),
    'takes the variant with a slash from https': asIf(
      () => ({ scheme: 'https' }),
      asks(/\/$/),
    ),
  },
  'query-differs': {
    'pages by query': where(asks(/page=2/), (_, asked) =>
      fileReply('{"Shots":[],"page":"2"}\n', asked),
    ),
  },
  'spoofed-scheme': {
    'believes X-Forwarded-Proto': asIf(({ scheme, headers }) => ({
      scheme: (headers['x-forwarded-proto'] as 'http') ?? scheme,
    })),
    'believes Forwarded': asIf(({ scheme, headers }) => ({
      scheme: (headers.forwarded?.slice(6) as 'http') ?? scheme,
    })),
  },
  'encoding-unasked': {
    'compresses always': asIf(
      asked({ 'accept-encoding': 'gzip' }),
      (asked) => !accepts(asked).includes('br'),
    ),
  },
  'encoded-body': {
    'has stale .br files': where(
      (asked) =>
        acceptsBrotli(asked) && isGet(asked) && findFile(asked)?.includes('Ana') === true,
      (_, asked) => fileReply(findFile(asked)!.replace('Ana', 'Anna'), asked),
    ),
    'has .br files of https in the http folder': asIf(
      () => ({ scheme: 'https' }),
      acceptsBrotli,
    ),
  },
  vary: { 'sends no Vary': where(always, drop('Vary')) },
  'options-status': {
    'answers OPTIONS with 200': where(is(204), status(200)),
    'answers OPTIONS on known paths only': where(
      (asked) => method('OPTIONS')(asked) && !isFile(asked),
      notFound,
    ),
  },
  'options-headers': {
    'allows no headers': where(is(204), drop('Access-Control-Allow-Headers')),
    'allows POST in the preflight': where(
      is(204),
      set('Access-Control-Allow-Methods', 'GET, HEAD, POST, OPTIONS'),
    ),
  },
  'options-max-age': {
    'forgets the preflight at once': where(is(204), drop('Access-Control-Max-Age')),
  },
  'method-status': {
    'answers POST as GET': asIf(() => ({ method: 'GET' }), method('POST')),
    'looks at the path before the method': where(
      (asked) => !isFile(asked) && !['GET', 'HEAD', 'OPTIONS'].includes(asked.method),
      notFound,
    ),
  },
  'method-allow': { 'sends no Allow': where(is(405), drop('Allow')) },
  'error-body': {
    'has a page for 404': where(is(404), page('<h1>404</h1>')),
  },
  'trace-answered': {
    'answers TRACE': where(method('TRACE'), ok('TRACE / HTTP/1.1', 'message/http')),
  },
  'soft-404': { 'has a fallback page': where(is(404), ok('<!doctype html>')) },
  'wrong-case': {
    'ignores the case of names': asIf(
      ({ target }) => ({ target: target.toLowerCase() }),
      asks(/ANA/),
    ),
  },
  'not-found-status': {
    'forbids folders': where(both(isGet, asks('/api/username/')), status(403)),
  },
  'hidden-path': {
    ...Object.fromEntries(
      ['/_headers', '/http/api/username/ana', '/api/username/ana/index.json.br'].map(
        (target) => [
          `serves ${target}`,
          where(both(isGet, asks(target)), ok('{}', 'application/json')),
        ],
      ),
    ),
    'lets dots climb out': where(asks(/\.\.%2f/), ok('{"error":"not_found"}')),
  },
  listing: {
    'lists folders': where(
      both(isGet, asks('/api/username/')),
      ok('<html><title>Index of /</title><a href="../">../</a>'),
    ),
  },
}

/** Hosts that are one thing wrong, and what the verifier must name: that and nothing else. */
export const mutations = Object.entries(wrong).flatMap(([causes, changes]) =>
  Object.entries(changes).map(
    ([name, change]): Mutation => [name, causes.split(' ') as Cause[], change],
  ),
)

function cache(next: Handler, key: (asked: Asked) => string): Handler {
  const kept = new Map<string, Reply>()
  return (asked) => {
    if (
      asked.method !== 'GET' ||
      asked.headers['if-none-match'] !== undefined ||
      !isFile(asked)
    )
      return next(asked)
    const whole = `${key(asked)} ${asked.headers['accept-encoding']}`
    const reply = kept.get(whole) ?? next(asked)
    kept.set(whole, reply)
    return reply
  }
}

function counting(next: Handler) {
  let count = 0
  return where(is200, (reply, asked) => set('ETag', `"${count++}"`)(reply, asked))(next)
}

/** A host whose ETags are made from something else. */
function retag(next: Handler, from: (asked: Asked, reply: Reply) => string): Handler {
  return (asked) => {
    const reply = next({
      ...asked,
      headers: { ...asked.headers, 'if-none-match': undefined },
    })
    if (reply.status !== 200) return reply
    const tag = `"${hash('sha1', from(asked, reply))}"`
    const tagged = set('ETag', tag)(reply, asked)
    return asked.headers['if-none-match'] === tag
      ? { ...tagged, status: 304, body: Buffer.alloc(0) }
      : tagged
  }
}
