import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Encoding, Variant } from '../../scripts/api/routes.ts'
import { type Answer, ask, type Question } from './ask.ts'
import { bin, body, openapi, picture, siteText, usernames } from './snapshot.ts'

// Written from the contract, apart from the route table: a mistake there must not hide here.

/** Where an engine listens and what it serves. */
export type Site = {
  readonly ports: Readonly<Record<Variant, number>>
  readonly basePath?: string
  readonly precompress?: readonly Encoding[]
}

type Expected = {
  readonly status: number
  /** Exact bytes, after undoing a content encoding. */
  readonly body: string
  /** `undefined` says that the header must not be there. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

type Case = {
  readonly name: string
  readonly question: Omit<Question, 'port' | 'scheme'>
  readonly expected: Expected
}

/** Asks everything over both schemes and returns what differs, a line each: `https HEAD: status 405, not 200`. */
export const differences = async (site: Site): Promise<string[]> => {
  const found: string[] = []
  for (const scheme of ['https', 'http'] as const) {
    for (const { name, question, expected } of cases(scheme, site)) {
      const problems = await ask({ ...question, port: site.ports[scheme], scheme }).then(
        (answer) => compare(answer, expected),
        (error: Error) => [error.message],
      )
      found.push(...problems.map((problem) => `${scheme} ${name}: ${problem}`))
    }
    found.push(...(await tagProblems(scheme, site)))
  }
  return found
}

const compare = (answer: Answer, { status, body, headers }: Expected): string[] => {
  const problems: string[] = []
  if (answer.status !== status) problems.push(`status ${answer.status}, not ${status}`)
  const text = plain(answer)
  if (text !== body)
    problems.push(`body ${JSON.stringify(text.slice(0, 60))}, not ${JSON.stringify(body.slice(0, 60))}`)
  for (const [name, value] of Object.entries(headers)) {
    const found = answer.headers[name]
    if (found !== value) problems.push(`${name} is ${found ?? 'missing'}, not ${value ?? 'missing'}`)
  }
  return problems
}

const plain = ({ headers, body }: Answer): string => {
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
const fresh = { ...always, 'cache-control': 'public, max-age=300', expires: undefined, allow: undefined }

const notFound: Expected = {
  status: 404,
  body: '{"error":"not_found"}\n',
  headers: {
    ...always,
    ...json,
    'cache-control': 'public, max-age=60',
    expires: undefined,
    allow: undefined,
  },
}
const refused: Expected = {
  status: 405,
  body: '{"error":"method_not_allowed"}\n',
  headers: { ...always, ...json, 'cache-control': 'no-store', allow: 'GET, HEAD, OPTIONS' },
}
const preflight: Expected = {
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

const cases = (scheme: Variant, { basePath = '', precompress = [] }: Site): Case[] => {
  const [ana, dotted] = usernames
  const api = `${basePath}/api/username`
  const ok = (username: string, route: string, encoding?: string): Expected => ({
    status: 200,
    body: body(scheme, username, route),
    headers: {
      ...fresh,
      ...json,
      'content-encoding': encoding,
      vary: precompress.length > 0 ? 'Accept-Encoding' : undefined,
    },
  })
  const document: Expected = { ...ok(ana, 'user'), body: openapi }
  const site = (name: string, variant: Variant, headers: Expected['headers'] = {}): Expected => ({
    ...document,
    body: siteText(name, variant),
    headers: { ...document.headers, ...headers },
  })
  const immutable = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }
  const shared: readonly (readonly [path: string, expected: Expected])[] = [
    ['/openapi.json', document],
    ['/api/members', site('members', 'https')],
    ['/api/all', site('all', scheme)],
    [bin, site('bin', scheme, { 'content-type': 'application/x-ndjson' })],
    [picture, site('picture', 'https', immutable)],
  ]
  const get = (path: string, expected: Expected): Case => ({
    name: `GET ${shown(path)}`,
    question: { path },
    expected,
  })
  const accept = (value: string, encoding: string | undefined, path = `${api}/${ana}`): Case => ({
    name: `GET ${path} with Accept-Encoding: ${value}`,
    question: { path, headers: [['Accept-Encoding', value]] },
    expected: ok(path.includes(dotted) ? dotted : ana, path.endsWith('/shots') ? 'shots' : 'user', encoding),
  })
  const method = (method: string, path: string, expected: Expected, body = ''): Case => ({
    name: `${method} ${path}`,
    question: { method, path, body },
    expected,
  })
  const spoof = (name: string, value: string): Case => ({
    name: `a stranger's ${name}: ${value}`,
    question: { path: `${api}/${ana}`, headers: [[name, value]] },
    expected: ok(ana, 'user'),
  })
  const other = scheme === 'https' ? 'http' : 'https'
  const br = precompress.includes('br')
  const gzip = precompress.includes('gzip')
  const best = br ? 'br' : gzip ? 'gzip' : undefined

  return [
    ...usernames.flatMap((username) => [
      get(`${api}/${username}`, ok(username, 'user')),
      get(`${api}/${username}/`, ok(username, 'user')),
      get(`${api}/${username}/shots`, ok(username, 'shots')),
      get(`${api}/${username}/shots/`, ok(username, 'shots')),
    ]),
    ...shared.flatMap(([path, expected]) => [
      ...['', '/', '?', '?page=2&x=/../..//%2f', '/?x'].map((end) => get(basePath + path + end, expected)),
      {
        name: `HEAD of ${path}`,
        question: { method: 'HEAD', path: basePath + path },
        expected: { ...expected, body: '' },
      },
      {
        name: `GET of ${path} with Range and an encoding`,
        question: {
          path: basePath + path,
          headers: [
            ['Range', 'bytes=0-3'],
            ['Accept-Encoding', 'gzip, br'],
          ] as const,
        },
        expected,
      },
      method('OPTIONS', basePath + path, preflight),
      method('POST', basePath + path, refused, '{"a":1}'),
    ]),
    get(`${api}/${ana}?`, ok(ana, 'user')),
    get(`http://localhost${api}/${ana}`, ok(ana, 'user')),
    get(`${api}/${ana}?page=2&x=/../..//%2f`, ok(ana, 'user')),
    get(`${api}/${ana}/?x`, ok(ana, 'user')),
    get(`${api}/${ana}/shots?http://x/y`, ok(ana, 'shots')),
    {
      name: 'GET with Range',
      question: { path: `${api}/${ana}`, headers: [['Range', 'bytes=0-3']] },
      expected: ok(ana, 'user'),
    },
    {
      name: 'GET with a bad Range',
      question: { path: `${api}/${ana}`, headers: [['Range', 'bytes=999999-']] },
      expected: ok(ana, 'user'),
    },
    {
      name: 'GET with Origin',
      question: { path: `${api}/${ana}`, headers: [['Origin', 'https://x.example']] },
      expected: ok(ana, 'user'),
    },
    {
      name: 'GET with another Host',
      question: { path: `${api}/${ana}`, host: 'stranger.example' },
      expected: ok(ana, 'user'),
    },
    {
      name: 'GET through a proxy',
      question: {
        path: `${api}/${ana}`,
        headers: [
          ['Via', '1.1 cache'],
          ['Accept-Encoding', 'gzip'],
        ],
      },
      expected: ok(ana, 'user', gzip ? 'gzip' : undefined),
    },

    accept('gzip', gzip ? 'gzip' : undefined),
    accept('br', br ? 'br' : undefined),
    accept('gzip, deflate, br, zstd', best),
    accept('br;q=0, gzip', gzip ? 'gzip' : undefined),
    accept('gzip;q=0', undefined),
    accept('gzip;q=0, br;q=0.0', undefined),
    accept('gzip; q=0.000, deflate', undefined),
    accept('identity', undefined),
    accept('xgzip, brr', undefined),
    accept('br, gzip', undefined, `${api}/${dotted}/shots`),

    spoof('X-Forwarded-Proto', other),
    spoof('X-Forwarded-Proto', scheme),
    spoof('X-Forwarded-Scheme', other),
    spoof('X-Forwarded-Ssl', scheme === 'https' ? 'off' : 'on'),
    spoof('Forwarded', `proto=${other}`),
    spoof('X-Real-IP', '127.0.0.1'),

    {
      name: 'If-None-Match: * of nothing',
      question: { path: `${api}/nobody`, headers: [['If-None-Match', '*']] },
      expected: notFound,
    },
    {
      name: 'If-Modified-Since of nothing',
      question: {
        path: `${api}/nobody/shots`,
        headers: [['If-Modified-Since', 'Fri, 01 Jan 2038 00:00:00 GMT']],
      },
      expected: notFound,
    },
    {
      name: 'HEAD',
      question: { method: 'HEAD', path: `${api}/${ana}` },
      expected: { ...ok(ana, 'user'), body: '' },
    },
    {
      name: 'HEAD of nothing',
      question: { method: 'HEAD', path: `${api}/nobody` },
      expected: { ...notFound, body: '' },
    },
    { name: 'HEAD of /', question: { method: 'HEAD', path: '/' }, expected: { ...notFound, body: '' } },

    ...[
      `${api}/${ana}`,
      `${api}/${ana}/shots`,
      `${api}/nobody`,
      '/',
      '/nowhere',
      '/404.json',
      '/http/',
      `${basePath}/openapi.json`,
    ].flatMap((path) => [
      method('OPTIONS', path, preflight),
      method('POST', path, refused, '{"a":1}'),
      method('DELETE', path, refused),
    ]),
    {
      name: "a browser's preflight",
      question: {
        method: 'OPTIONS',
        path: `${api}/${ana}`,
        headers: [
          ['Origin', 'https://x.example'],
          ['Access-Control-Request-Method', 'GET'],
          ['Access-Control-Request-Headers', 'if-none-match, x-requested-with'],
        ],
      },
      expected: preflight,
    },
    ...['PUT', 'PATCH', 'TRACE', 'FOO', 'PROPFIND', 'GETT'].map((name) =>
      method(name, `${api}/${ana}`, refused),
    ),
    method('POST', `${api}/${ana}`, refused, 'x'.repeat(2_000_000)),
    {
      name: 'POST that claims to be GET',
      question: { method: 'POST', path: `${api}/${ana}`, headers: [['X-HTTP-Method-Override', 'GET']] },
      expected: refused,
    },

    ...[
      '/',
      '/api',
      '/api/',
      api,
      `${api}/`,
      `${api}/nobody`,
      `${api}/nobody/shots`,
      `${api}/nobody/`,
      `${api}/Ana`,
      `${api}/ANA`,
      `${basePath}/API/username/${ana}`,
      `${api}/${ana}/Shots`,
      `${api}/A.b-c_d`,
      `${api}/${ana}/shots/1`,
      `${api}/${ana}/other`,
      `${api}/${ana}x`,
      `${api}/l${'o'.repeat(62)}g`,
      `${api}/${'x'.repeat(65)}`,
      `${api}/${'x'.repeat(300)}`,
      `${api}/${'x'.repeat(5_000)}`,
      '/404.json',
      '/405.json',
      '/SHA256SUMS',
      '/_headers',
      '/_worker.js',
      '/.htaccess',
      '/.git/config',
      '/index.json',
      `${basePath}/api/members/index.json`,
      `${basePath}/api/all/index.json`,
      `${basePath}/api/all/`.concat('0F.ndjson'),
      `${basePath}/api/all/00.ndjson`,
      `${basePath}/api/all/0f`,
      `${basePath}/http${bin}`,
      `${basePath}/http/api/all`,
      `${basePath}/pictures`,
      `${basePath}/pictures/`,
      `${basePath}${picture.replace('0a', '0b')}`,
      `${basePath}${picture.toUpperCase()}`,
      `${basePath}${picture}.gz`,
      `${basePath}${picture.replace('.png', '.jpg')}`,
      `${basePath}/http${picture}`,
      `${basePath}/openapi.json//`,
      `${basePath}/openapi.json/x`,
      `${basePath}/openapi.json.gz`,
      `${basePath}/openapi`,
      `${basePath}/OpenAPI.json`,
      `${basePath}//openapi.json`,
      `${basePath}/x/../openapi.json`,
      `${basePath}/openapi%2ejson`,
      `${basePath}/http/openapi.json`,
      `${api}/openapi.json`,
      '/favicon.ico',
      '/robots.txt',
      `${basePath}/404.json`,
      `${basePath}/http`,
      `${basePath}/http/`,
      `${basePath}/http/api/username/${ana}`,
      `${basePath}/http/api/username/${ana}/index.json`,
      `${basePath}/http/api/username/${ana}/shots`,
      `${api}/${ana}/index.json`,
      `${api}/${ana}/index.json/`,
      `${api}/${ana}/index.json.br`,
      `${api}/${ana}/index.json.gz`,
      `${api}/${ana}/shots/index.json`,
      `${api}/${ana}/index`,
      `${api}/${ana}.json`,
      `${api}/${ana}/.`,
      `${api}/${ana}/..`,
      `/${api}/${ana}`,
      `${basePath}//api/username/${ana}`,
      `${api}//${ana}`,
      `${api}/${ana}//`,
      `${api}/${ana}//shots`,
      `${api}/${ana}/shots//`,
      `${api}/./${ana}`,
      `${api}/x/../${ana}`,
      `/x/..${api}/${ana}`,
      `${api}/%2e/${ana}`,
      `${api}/x/%2e%2e/${ana}`,
      `${api}/..%2f..%2f404.json`,
      `${api}/%2e%2e/%2e%2e/404.json`,
      `${api}/../../SHA256SUMS`,
      `${api}/%2e%2e`,
      `${api}/..`,
      `${api}%2f${ana}`,
      `${api}/${ana}%2fshots`,
      `${api}/${ana}%2Findex.json`,
      `${api}/..%5c..%5c404.json`,
      `${api}/${ana};x=1`,
      `${api}/${ana}%3fx`,
      `${api}/${ana}%20`,
      `${api}/${ana}.`,
      `${api}/-${ana}`,
      `${api}/${ana}%0d%0aX-Evil:1`,
      `${api}/%C3%A5na`,
      `${api}/*`,
      `${api}/$1`,
      `${api}/$username`,
      `${api}/%7Bpath%7D`,
      `${api}/%252e%252e/ana`,
      ...(basePath === ''
        ? []
        : [
            '/openapi.json',
            `/api/username/${ana}`,
            `${basePath}x/api/username/${ana}`,
            basePath,
            `${basePath}/`,
          ]),
    ].map((path) => get(path, notFound)),
  ]
}

/** ETag and 304: one tag for each variant, route and encoding, and each is honoured. */
const tagProblems = async (
  scheme: Variant,
  { ports, basePath = '', precompress = [] }: Site,
): Promise<string[]> => {
  const problems: string[] = []
  const tags = new Map<string, string>()
  for (const from of ['https', 'http'] as const) {
    for (const path of ['/api/username/ana', '/api/username/ana/shots', '/api/all', bin].map(
      (p) => basePath + p,
    )) {
      for (const encoding of path.includes('/all') ? ['identity'] : ['identity', ...precompress]) {
        const question = { port: ports[from], scheme: from, path }
        const first = await ask({ ...question, headers: [['Accept-Encoding', encoding]] })
        const tag = first.headers.etag ?? ''
        const name = `${from} ETag of ${path} (${encoding})`
        if (!/^(?:W\/)?"[^"]+"$/.test(tag)) problems.push(`${name} is ${tag || 'missing'}`)
        const twin = tags.get(tag)
        if (twin !== undefined) problems.push(`${name} is that of ${twin}`)
        tags.set(tag, name)
        if (from !== scheme) continue
        for (const condition of [tag, `"other", ${tag}`, `W/${tag.replace('W/', '')}`, '*']) {
          const again = await ask({
            ...question,
            headers: [
              ['Accept-Encoding', encoding],
              ['If-None-Match', condition],
            ],
          })
          const vary = precompress.length > 0 ? 'Accept-Encoding' : undefined
          const headers = { ...fresh, vary, etag: tag }
          problems.push(
            ...compare(again, { status: 304, body: '', headers }).map(
              (p) => `${name}, If-None-Match: ${condition}: ${p}`,
            ),
          )
        }
        const stale = await ask({ ...question, headers: [['If-None-Match', '"other"']] })
        if (stale.status !== 200) problems.push(`${name}: another tag gets ${stale.status}`)
      }
    }
  }
  return problems
}

const shown = (path: string): string => (path.length > 90 ? `${path.slice(0, 80)}… (${path.length})` : path)
