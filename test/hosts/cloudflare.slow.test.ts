import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  commonHeaders,
  contentType,
  errors,
  methods,
  okHeaders,
  preflight,
  requestPath,
  routes,
  variants,
} from '../../scripts/api/routes.ts'
import { cloudflare, cloudflareR2 } from '../../scripts/hosts/cloudflare.ts'
import { inCi } from '../posix.ts'
import { startShotpress } from '../processes.ts'
import { ask, body, siteRequests, snapshotFiles, usernames, writeSnapshot } from './managed.ts'
import { hostOptions as optionsWith } from './options.ts'

const engine = await import('miniflare').catch(() => undefined)
if (engine === undefined && inCi) throw new Error('miniflare is missing, and CI must not do without')

/** How the asset server is set up: as the printed wrangler.jsonc does it, and as Pages always has it. */
const assetServers = {
  Workers: { html_handling: 'none', not_found_handling: 'none' },
  Pages: { html_handling: 'auto-trailing-slash', not_found_handling: '404-page' },
} as const

type Bucket = { readonly put: (key: string, text: string) => Promise<unknown> }

const kinds = ['Workers', 'Pages', 'R2'] as const

const start = async (
  root: string,
  kind: (typeof kinds)[number],
  { https = false, basePath = '' } = {},
): Promise<Miniflare> => {
  const common = {
    host: '127.0.0.1',
    port: 0,
    https,
    modules: true,
    compatibilityDate: wrangler().compatibility_date,
  } as const
  if (kind !== 'R2') {
    return new engine!.Miniflare({
      ...common,
      script: snapshotFiles(cloudflare, basePath).get('_worker.js')!,
      assets: {
        directory: root,
        binding: 'ASSETS',
        routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
        assetConfig: assetServers[kind],
      },
    })
  }
  const server = new engine!.Miniflare({
    ...common,
    script: cloudflareR2.config!({ ...hostOptions, basePath }),
    r2Buckets: ['SNAPSHOT'],
    bindings: { FOLDER: 'a/folder/' },
  })
  // its type is of another copy of the runtime's
  const bucket = (await server.getR2Bucket('SNAPSHOT')) as unknown as Bucket
  for (const [file, text] of snapshotFiles(cloudflare, basePath)) await bucket.put(`a/folder/${file}`, text)
  return server
}

/** The printed configuration; JSON with comments up to its first brace. */
const hostOptions = optionsWith({ name: 'api.example.com', root: '/srv/api/dist' })

const wrangler = (options = hostOptions) => {
  const text = cloudflare.config!(options)
  return parse(text.slice(text.indexOf('\n{')))
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const common = lowerCase({ ...commonHeaders, Vary: 'Accept-Encoding' })
const notFound = {
  status: 404,
  headers: { ...common, ...lowerCase(errors.notFound.headers), 'content-type': contentType },
  body: errors.notFound.body,
}

describe.skipIf(engine === undefined).each(kinds)('cloudflare %s in workerd', (kind) => {
  const snapshot = writeSnapshot(cloudflare)
  const servers: Miniflare[] = []
  const origins = { https: new URL('https://unset'), http: new URL('http://unset') }

  beforeAll(async () => {
    for (const variant of variants) {
      const server = await start(snapshot.root, kind, { https: variant === 'https' })
      servers.push(server)
      origins[variant] = await server.ready
    }
  }, 60_000)
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.dispose()))
    snapshot.remove()
  })

  describe.each(variants)('over %s', (variant) => {
    const get: (path: string, options?: Parameters<typeof ask>[2]) => ReturnType<typeof ask> = (
      path,
      options,
    ) => ask(origins[variant], path, options)

    const paths = [
      ...routes.flatMap((route) =>
        usernames.map(
          (username) => [requestPath(route, username), body(route, variant, username), undefined] as const,
        ),
      ),
      ...siteRequests.map(({ path, text, route }) => [path, text(variant), route] as const),
    ]

    it.each(paths)('answers %s, with or without a slash or a query', async (path, text, route) => {
      const own = route && { 'Content-Type': route.contentType, 'Cache-Control': route.cacheControl }
      const headers = { ...common, ...lowerCase({ ...okHeaders, 'Content-Type': contentType, ...own }) }
      for (const form of ['', '/', '?', '?a=/b&x=..', '/?x']) {
        const answer = await get(path + form)
        expect(answer).toMatchObject({ status: 200, body: text, headers })
        expect(answer.headers.etag).toMatch(/^W\/"[^"]+"$/)
      }
    })

    it('answers HEAD as GET, without the body', async () => {
      for (const path of ['/api/username/ana/shots', '/api/username/nobody', '/']) {
        const whole = await get(path)
        const head = await get(path, { method: 'HEAD' })
        const { 'content-length': _, date: __, ...headers } = whole.headers
        expect(head).toMatchObject({ status: whole.status, body: '', headers })
      }
    })

    it('answers 304 to its own tag, weak or strong, alone or in a list, and to a star', async () => {
      const { etag } = (await get('/api/username/ana')).headers
      const strong = etag!.slice(2)
      for (const condition of [etag!, strong, `"x", W/"y" , ${etag}`, `${strong},"z"`, '*']) {
        const answer = await get('/api/username/ana', { headers: { 'If-None-Match': condition } })
        expect(answer).toMatchObject({
          status: 304,
          body: '',
          headers: { ...common, ...lowerCase(okHeaders), etag },
        })
        expect(answer.headers).not.toHaveProperty('content-type')
      }
    })

    it('answers 200 to the tag of another variant or another file', async () => {
      const other = variant === 'http' ? 'https' : 'http'
      const foreign = [
        (await ask(origins[other], '/api/username/ana')).headers.etag!,
        (await get('/api/username/ana/shots')).headers.etag!,
        '""',
        'ana',
      ]
      for (const condition of foreign) {
        const answer = await get('/api/username/ana', { headers: { 'If-None-Match': condition } })
        expect(answer.status, condition).toBe(200)
      }
    })

    it.each(['/api/username/ana', '/api/username/nobody', '/', '/http/x'])(
      'answers a preflight on %s',
      async (path) => {
        const answer = await get(path, {
          method: 'OPTIONS',
          headers: {
            Origin: 'https://example.org',
            'Access-Control-Request-Method': 'GET',
            'Access-Control-Request-Headers': 'if-none-match',
          },
        })
        expect(answer).toMatchObject({
          status: 204,
          body: '',
          headers: { ...common, ...lowerCase(preflight.headers) },
        })
        expect(answer.headers).not.toHaveProperty('content-type')
      },
    )

    it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])(
      'refuses %s everywhere',
      async (method) => {
        for (const path of ['/api/username/ana', '/api/username/nobody/shots', '/405.json']) {
          expect(await get(path, { method })).toMatchObject({
            status: 405,
            headers: {
              ...common,
              allow: methods.join(', '),
              'cache-control': 'no-store',
              'content-type': contentType,
            },
            body: errors.methodNotAllowed.body,
          })
        }
      },
    )

    it.each([
      '/',
      '/api',
      '/api/username',
      '/api/username/',
      '/api/username/nobody',
      '/api/username/nobody/shots/',
      '/api/username/Ana',
      '/api/username/ANA/shots',
      '/API/username/ana',
      '/api/username/ana/Shots',
      '/api/username/ana/shots/more',
      '/api/username/ana//',
      '//api/username/ana',
      '/api/username//ana',
      '/api/username/-ana',
      '/api/username/ana%2Fshots',
      '/api/username/%E0%A4%A',
      `/api/username/${'x'.repeat(65)}`,
      '/index.html',
      '/index.json',
    ])('finds nothing at %s', async (path) => {
      expect(await get(path)).toMatchObject(notFound)
    })

    it('shows no file under its own name', async () => {
      const shown = siteRequests.filter(({ route }) => !route.index).map(({ path }) => path.slice(1))
      for (const file of [...snapshotFiles(cloudflare).keys()].filter((file) => !shown.includes(file))) {
        for (const path of [`/${file}`, `/${file.replace('index.json', '')}`]) {
          if (!path.startsWith('/api/') || path.endsWith('.json'))
            expect(await get(path), path).toMatchObject(notFound)
        }
      }
    })

    it('never sends HSTS', async () => {
      for (const path of ['/api/username/ana', '/x']) {
        expect((await get(path)).headers).not.toHaveProperty('strict-transport-security')
      }
    })

    it('believes nobody about the scheme', async () => {
      const other = variant === 'http' ? 'https' : 'http'
      const answer = await get('/api/username/ana', {
        headers: {
          'X-Forwarded-Proto': other,
          'CF-Visitor': `{"scheme":"${other}"}`,
          Forwarded: `proto=${other}`,
        },
      })
      expect(answer.body).toBe(body(routes[0]!, variant, 'ana'))
    })
  })

  it('passes npm run verify', async () => {
    const urls = [origins.https.origin, origins.http.origin]
    const { ended } = startShotpress(['verify', ...urls, '--insecure', '--out', snapshot.root])
    const { status, stdout: report } = await ended
    expect({ status, report }).toMatchObject({ status: 0 })
  }, 60_000)

  it('keeps the variants apart for one name, asked http, https, http', async () => {
    for (const variant of ['http', 'https', 'http'] as const) {
      const answer = await servers[0]!.dispatchFetch(`${variant}://api.example.com/api/username/ana`)
      expect(await answer.text()).toBe(body(routes[0]!, variant, 'ana'))
    }
  })
})

describe.skipIf(engine === undefined).each(['Workers', 'R2'] as const)(
  'cloudflare %s below a path',
  (kind) => {
    const snapshot = writeSnapshot(cloudflare)
    afterAll(snapshot.remove)

    it('answers there and nowhere else, and reads the path as plain text', async () => {
      const server = await start(snapshot.root, kind, { basePath: '/v1.0/(a)' })
      try {
        for (const [path, status] of [
          ['/v1.0/(a)/api/username/ana', 200],
          ['/v1.0/(a)/api/username/ana/shots/', 200],
          ['/api/username/ana', 404],
          ['/v1x0/(a)/api/username/ana', 404],
          ['/v1.0/(a)/http/api/username/ana', 404],
          ['/v1.0/(a)/openapi.json', 200],
          ['/openapi.json', 404],
        ] as const) {
          const answer = await server.dispatchFetch(`https://api.example.com${path}`)
          await answer.text()
          expect(answer.status, path).toBe(status)
        }
      } finally {
        await server.dispose()
      }
    })
  },
)

describe('cloudflare files', () => {
  it('keep the worker itself from being uploaded as an asset', () => {
    const files = snapshotFiles(cloudflare)
    expect(files.get('.assetsignore')!.split('\n')).toContain('_worker.js')
    expect(wrangler()).toMatchObject({
      main: 'dist/_worker.js',
      assets: { directory: 'dist', run_worker_first: true, html_handling: 'none' },
    })
  })

  it('make a valid worker name of any host name', () => {
    for (const name of ['api.example.com', 'EXAMPLE.com', '127.0.0.1', '[::1]', `${'a-'.repeat(60)}.org`]) {
      expect(wrangler({ ...hostOptions, name })).toMatchObject({
        name: expect.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/),
        routes: [{ pattern: name, custom_domain: true }],
      })
    }
  })
})
