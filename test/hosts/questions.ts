import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Encoding, Variant } from '../../scripts/api/routes.ts'
import type { Texts } from '../sandbox.ts'
import { texts } from '../tables.ts'
import { type Answer, ask, type Question } from './ask.ts'
import { siteRequests } from './managed.ts'
import { body, usernames } from './snapshot.ts'

// Written from the contract, apart from the route table: a mistake there must not hide here.

/** Where an engine listens and what it serves. */
export type Site = {
  readonly ports: Readonly<Record<Variant, number>>
  readonly basePath?: string
  readonly precompress?: readonly Encoding[]
  /** Whether answers say Vary: Accept-Encoding. Default: if there is a precompressed copy. */
  readonly varies?: boolean
}

type Expected = {
  readonly status: number
  /** Exact bytes, after undoing a content encoding. */
  readonly body: string
  /** `undefined` says that the header must not be there. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** A request over either scheme. */
type Asked = Omit<Question, 'port' | 'scheme' | 'headers'> & {
  readonly headers?: Texts
}

type Case = readonly [asked: Asked, expected: Expected]

/**
 * Asks everything over both schemes and returns what differs, a line each: `https HEAD:
 * status 405, not 200`.
 */
export const differences = async (site: Site): Promise<string[]> => {
  const found: string[] = []
  for (const scheme of ['https', 'http'] as const) {
    for (const [asked, expected] of cases(scheme, site)) {
      const headers = Object.entries(asked.headers ?? {})
      const problems = await ask({
        ...asked,
        headers,
        port: site.ports[scheme],
        scheme,
      }).then(
        (answer) => compare(answer, expected),
        (error: Error) => [error.message],
      )
      found.push(...problems.map((problem) => `${scheme} ${nameOf(asked)}: ${problem}`))
    }
  }
  return [...found, ...(await tagProblems(site))]
}

/** `GET /api/username/ana with Range: bytes=0-3` */
const nameOf = ({ method = 'GET', path, headers = {}, host }: Asked) => {
  const shown = path.length > 90 ? `${path.slice(0, 80)}… (${path.length})` : path
  const sent = Object.entries({ ...headers, ...(host && { Host: host }) }).map((entry) =>
    entry.join(': '),
  )
  return `${method} ${[shown, ...(sent.length > 0 ? ['with', sent.join('; ')] : [])].join(' ')}`
}

const compare = (answer: Answer, { status, body, headers }: Expected) => {
  const problems: string[] = []
  if (answer.status !== status) problems.push(`status ${answer.status}, not ${status}`)
  const text = plain(answer)
  if (text !== body)
    problems.push(
      `body ${JSON.stringify(text.slice(0, 60))}, not ${JSON.stringify(body.slice(0, 60))}`,
    )
  for (const [name, value] of Object.entries(headers)) {
    const found = answer.headers[name]
    if (found !== value)
      problems.push(`${name} is ${found ?? 'missing'}, not ${value ?? 'missing'}`)
  }
  return problems
}

const plain = ({ headers, body }: Answer) => {
  if (body.length === 0) return ''
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body).toString()
  if (headers['content-encoding'] === 'gzip') return gunzipSync(body).toString()
  return body.toString()
}

const always = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': undefined,
  location: undefined,
  'set-cookie': undefined,
}
const json = { 'content-type': 'application/json; charset=utf-8' }
const fresh = {
  ...always,
  'cache-control': 'public, max-age=300',
  expires: undefined,
  allow: undefined,
}

const notFound = {
  status: 404,
  body: '{"error":"not_found"}\n',
  headers: { ...fresh, ...json, 'cache-control': 'public, max-age=60' },
}
const refused = {
  status: 405,
  body: '{"error":"method_not_allowed"}\n',
  headers: { ...always, ...json, 'cache-control': 'no-store', allow: 'GET, HEAD, OPTIONS' },
}
const preflight = {
  status: 204,
  body: '',
  headers: {
    ...always,
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': '*',
    'access-control-max-age': '86400',
    'content-type': undefined,
    'transfer-encoding': undefined,
  },
}

/** Two paths of {@link siteRequests}. */
const bin = '/api/all/0f.ndjson'
const picture = `/pictures/${'0a'.repeat(16)}.png`

const cases = (
  scheme: Variant,
  { basePath = '', precompress = [], varies = precompress.length > 0 }: Site,
): readonly Case[] => {
  const [ana, dotted] = usernames
  const api = `${basePath}/api/username`
  const profile = `${api}/${ana}`
  const ok = (username: string, route: string, encoding?: string): Expected => ({
    status: 200,
    body: body(scheme, username, route),
    headers: {
      ...fresh,
      ...json,
      'content-encoding': encoding,
      vary: varies ? 'Accept-Encoding' : undefined,
    },
  })
  const own: Readonly<Record<string, Expected['headers']>> = {
    bins: { 'content-type': 'application/x-ndjson' },
    published: { 'cache-control': 'public, max-age=60' },
    signature: {
      'content-type': 'application/octet-stream',
      'cache-control': 'public, max-age=60',
    },
    pictures: {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
    },
  }
  const shared = siteRequests
    .filter(({ path }) => !/\.(?:jpg|webp|gif|avif)$/.test(path))
    .map(({ route, path, text }): readonly [path: string, expected: Expected] => {
      const { status, headers } = ok(ana, 'user')
      return [
        basePath + path,
        { status, body: text(scheme), headers: { ...headers, ...own[route.name] } },
      ]
    })
  const get = (path: string, expected = ok(ana, 'user')): Case => [{ path }, expected]
  /** The profile, asked for with headers. */
  const given = (headers: Texts, encoding?: string): Case => [
    { path: profile, headers },
    ok(ana, 'user', encoding),
  ]
  const head = (path: string, expected: Expected): Case => [
    { path, method: 'HEAD' },
    { ...expected, body: '' },
  ]
  const post = { method: 'POST', body: '{"a":1}' }
  const other = scheme === 'https' ? 'http' : 'https'
  const br = precompress.includes('br') ? 'br' : undefined
  const gzip = precompress.includes('gzip') ? 'gzip' : undefined

  return [
    ...usernames.flatMap((username) =>
      ['', '/'].flatMap((end) => [
        get(`${api}/${username}${end}`, ok(username, 'user')),
        get(`${api}/${username}/shots${end}`, ok(username, 'shots')),
      ]),
    ),
    ...shared.flatMap(([path, expected]): readonly Case[] => [
      ...texts('¦/¦?¦?page=2&x=/../..//%2f¦/?x').map((end) => get(path + end, expected)),
      head(path, expected),
      [{ path, headers: { Range: 'bytes=0-3', 'Accept-Encoding': 'gzip, br' } }, expected],
      [{ path, method: 'OPTIONS' }, preflight],
      [{ path, ...post }, refused],
    ]),
    ...['?', '?page=2&x=/../..//%2f', '/?x'].map((end) => get(profile + end)),
    get(`http://localhost${profile}`),
    get(`${profile}/shots?http://x/y`, ok(ana, 'shots')),
    [{ path: profile, host: 'stranger.example' }, ok(ana, 'user')],
    given({ Range: 'bytes=0-3' }),
    given({ Via: '1.1 cache', 'Accept-Encoding': 'gzip' }, gzip),

    given({ 'Accept-Encoding': 'gzip' }, gzip),
    given({ 'Accept-Encoding': 'br' }, br),
    given({ 'Accept-Encoding': 'gzip, deflate, br, zstd' }, br ?? gzip),
    given({ 'Accept-Encoding': 'br;q=0, gzip' }, gzip),
    ...texts('gzip;q=0¦gzip;q=0, br;q=0.0¦gzip; q=0.000, deflate¦identity¦xgzip, brr').map(
      (value) => given({ 'Accept-Encoding': value }),
    ),
    [
      { path: `${api}/${dotted}/shots`, headers: { 'Accept-Encoding': 'br, gzip' } },
      ok(dotted, 'shots'),
    ],

    given({ 'X-Forwarded-Proto': other }),
    given({ 'X-Forwarded-Proto': scheme }),
    given({ Forwarded: `proto=${other}` }),
    [{ path: `${api}/nobody`, headers: { 'If-None-Match': '*' } }, notFound],
    [
      {
        path: `${api}/nobody/shots`,
        headers: { 'If-Modified-Since': 'Fri, 01 Jan 2038 00:00:00 GMT' },
      },
      notFound,
    ],
    head(profile, ok(ana, 'user')),
    head(`${api}/nobody`, notFound),
    head('/', notFound),

    ...[
      profile,
      `${profile}/shots`,
      `${api}/nobody`,
      '/',
      '/nowhere',
      '/404.json',
      '/http/',
    ].flatMap((path): readonly Case[] => [
      [{ path, method: 'OPTIONS' }, preflight],
      [{ path, ...post }, refused],
      [{ path, method: 'DELETE' }, refused],
    ]),
    ...texts('PUT¦PATCH¦TRACE¦FOO¦PROPFIND¦GETT').map(
      (method): Case => [{ path: profile, method }, refused],
    ),
    [{ path: profile, method: 'POST', body: 'x'.repeat(2_000_000) }, refused],
    [
      { path: profile, method: 'POST', headers: { 'X-HTTP-Method-Override': 'GET' } },
      refused,
    ],

    ...[
      ...words(atRoot),
      ...words(belowBase).map((path) => basePath + path),
      ...[api, ...words(belowApi).map((path) => api + path)],
      ...[`l${'o'.repeat(62)}g`, 'x'.repeat(65), 'x'.repeat(300), 'x'.repeat(5_000)].map(
        (name) => `${api}/${name}`,
      ),
      `${basePath}/http${bin}`,
      ...[picture.replace('0a', '0b'), picture.toUpperCase(), `${picture}.gz`].map(
        (path) => basePath + path,
      ),
      `${basePath}${picture.replace('.png', '.jpeg')}`,
      `${basePath}/http${picture}`,
      `/${api}/${ana}`,
      `/x/..${api}/${ana}`,
      ...(basePath === ''
        ? []
        : words(
            `/openapi.json /api/username/${ana} ${basePath}x/api/username/${ana} ${basePath} ${basePath}/`,
          )),
    ].map((path) => get(path, notFound)),
  ]
}

/** Paths below the API's own that nobody has. */
const belowApi = `
  / /nobody /nobody/shots /nobody/ /Ana /ANA /ana/Shots /A.b-c_d /ana/shots/1 /ana/other /anax
  /openapi.json /ana/index.json /ana/index.json/ /ana/index.json.br /ana/index.json.gz
  /ana/shots/index.json /ana/index /ana.json /ana/. /ana/.. //ana /ana// /ana//shots /ana/shots//
  /./ana /x/../ana /%2e/ana /x/%2e%2e/ana /..%2f..%2f404.json /%2e%2e/%2e%2e/404.json
  /../../SHA256SUMS /%2e%2e /.. %2fana /ana%2fshots /ana%2Findex.json /..%5c..%5c404.json /ana;x=1
  /ana%3fx /ana%20 /ana. /-ana /ana%0d%0aX-Evil:1 /%C3%A5na /* /$1 /$username /%7Bpath%7D
  /%252e%252e/ana
`
/** Paths below that of base_url. */
const belowBase = `
  /API/username/ana /api/members/index.json /api/all/index.json /api/all/0F.ndjson
  /api/all/00.ndjson /api/all/0f /http/api/all /pictures /pictures/ /openapi.json//
  /openapi.json/x /openapi.json.gz /published.jso /published.json.sig.sig /publishedxjson
  /http/published.json /openapi /OpenAPI.json //openapi.json /x/../openapi.json
  /openapi%2ejson /http/openapi.json /404.json /http /http/ /http/api/username/ana
  /http/api/username/ana/index.json /http/api/username/ana/shots //api/username/ana
`
/** Paths of the origin. */
const atRoot = `
  / /api /api/ /404.json /405.json /SHA256SUMS /_headers /_worker.js /.htaccess /.git/config
  /index.json /favicon.ico /robots.txt
`
const words = (text: string) => text.trim().split(/\s+/)

/** ETag and 304: one tag for each variant, route and encoding, and each is honoured. */
const tagProblems = async ({
  ports,
  basePath = '',
  precompress = [],
  varies = precompress.length > 0,
}: Site) => {
  const problems: string[] = []
  const tags = new Map<string, string>()
  for (const scheme of ['https', 'http'] as const) {
    for (const path of ['/api/username/ana', '/api/username/ana/shots', '/api/all', bin]) {
      for (const encoding of path.includes('/all')
        ? ['identity']
        : ['identity', ...precompress]) {
        const get = (headers: Texts) => {
          const sent = Object.entries({ 'Accept-Encoding': encoding, ...headers })
          return ask({ port: ports[scheme], scheme, path: basePath + path, headers: sent })
        }
        const tag = (await get({})).headers.etag ?? ''
        const name = `${scheme} ETag of ${path} (${encoding})`
        if (!/^(?:W\/)?"[^"]+"$/.test(tag)) problems.push(`${name} is ${tag || 'missing'}`)
        const twin = tags.get(tag)
        if (twin !== undefined) problems.push(`${name} is that of ${twin}`)
        tags.set(tag, name)
        for (const condition of [tag, `"other", ${tag}`, `W/${tag.replace('W/', '')}`, '*']) {
          const again = await get({ 'If-None-Match': condition })
          const headers = {
            ...fresh,
            vary: varies ? 'Accept-Encoding' : undefined,
            etag: tag,
          }
          for (const problem of compare(again, { status: 304, body: '', headers }))
            problems.push(`${name}, If-None-Match: ${condition}: ${problem}`)
        }
        const stale = await get({ 'If-None-Match': '"other"' })
        if (stale.status !== 200) problems.push(`${name}: another tag gets ${stale.status}`)
      }
    }
  }
  return problems
}
