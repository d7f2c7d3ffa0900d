import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { caddy } from '../../scripts/hosts/caddy.ts'
import type { Host, HostOptions } from '../../scripts/hosts/host.ts'
import { nginx } from '../../scripts/hosts/nginx.ts'
import { type PlainStore, startPlainStore } from '../deploy/plain-store.ts'
import { rowsOf } from '../tables.ts'
import { askAna } from './ask.ts'
import { isAccepted, serving, staged } from './contract.ts'
import { describeWith, type Engine, installed, titleOf } from './engine.ts'
import { caddyEngine, nginxEngine } from './engines.ts'
import { differences, type Site } from './questions.ts'
import { body } from './snapshot.ts'

/**
 * What stores and the networks before them say beside a file; nothing of it is for the API's
 * clients.
 */
const storeHeaders = Object.fromEntries(
  rowsOf(`
    Server → AmazonS3
    x-amz-request-id → TX1
    x-amz-meta-mtime → 1400000000
    x-amz-server-side-encryption → AES256
    Content-Type → binary/octet-stream
    Cache-Control → private, no-store
    Expires → Thu, 01 Jan 1970 00:00:00 GMT
    Vary → Origin
    Accept-Ranges → bytes
    Alt-Svc → h3=":443"
    Set-Cookie → a=b
    Strict-Transport-Security → max-age=1
    Access-Control-Allow-Origin → https://x.example
    X-Accel-Redirect → /405.json
  `),
)

const contentType = 'application/json; charset=utf-8'
const unavailable = '{"error":"store_unavailable"}\n'

const stage = staged(['br', 'gzip'])
let store: PlainStore
beforeAll(async () => {
  store = await startPlainStore(storeHeaders)
})
afterAll(() => store.close())
afterEach(() => {
  store.fault = () => undefined
  store.requests.length = 0
})

/** Uploads the snapshot to a folder of its own, and answers with its address. */
const upload = (folder: string) => {
  for (const entry of readdirSync(stage().root, { recursive: true, withFileTypes: true })) {
    const file = `${entry.parentPath}/${entry.name}`
    if (entry.isFile())
      store.objects.set(
        `${folder}/${file.slice(stage().root.length + 1)}`,
        readFileSync(file, 'utf8'),
      )
  }
  return new URL(folder, store.endpoint).href
}

describe.each([
  [nginx, nginxEngine],
  [caddy, caddyEngine],
] as const)('a snapshot in a store', (host, engine) => {
  describeWith(engine, () => inFrontOfStore(host, engine))
})

const inFrontOfStore = (host: Host, engine: Engine) => {
  /** Puts the engine before the store, with short times to wait, so that no test waits long. */
  const before = <T>(options: Partial<HostOptions>, act: (site: Site) => Promise<T>) =>
    serving(
      { ...host, config: (given) => host.config!(given).replaceAll(/\b15s\b/g, '500ms') },
      engine,
      { ...stage(), ...options },
      act,
    )
  const ana = ({ ports }: Site, headers: readonly (readonly [string, string])[] = []) =>
    askAna(ports, 'http', { headers })

  test('is answered as the contract says, below a base path, from a path in a bucket', async () => {
    const options = { basePath: '/v1/a+b', trust: ['192.0.2.1', '2001:db8::/32'] }
    expect(
      await before({ ...options, origin: upload('bucket/with+a@path') }, differences),
    ).toEqual([])
  })

  test('shows nothing of what the store says beside it', async () =>
    await before({ origin: upload('quiet') }, async (site) => {
      const { headers } = await ana(site)
      const left = Object.keys(storeHeaders).filter((name) => {
        const value = headers[name.toLowerCase()]
        return (
          value !== undefined && value === storeHeaders[name as keyof typeof storeHeaders]
        )
      })
      expect(left).toEqual([])
      expect(Object.keys(headers).filter((name) => name.startsWith('x-amz'))).toEqual([])
    }))

  test('is asked for with nothing of the request but the path', async () =>
    await before({ origin: upload('asked') }, async (site) => {
      const sent = {
        Authorization: 'AWS4-HMAC-SHA256 x',
        Cookie: 'a=b',
        Origin: 'https://x.example',
        Range: 'bytes=0-3',
        'X-Amz-Security-Token': 'x',
        'X-Forwarded-For': '192.0.2.1',
        'Accept-Encoding': 'gzip',
        'If-Match': '"x"',
        'If-Modified-Since': 'Fri, 01 Jan 2038 00:00:00 GMT',
      }
      const asked = '/api/username/ana?versionId=1&response-cache-control=x'
      const headers = Object.entries(sent)
      await askAna(site.ports, 'http', { path: asked, body: 'a body', headers })
      const [{ method, path, headers: got }, ...more] = store.requests as [
        (typeof store.requests)[0],
      ]
      expect(more).toEqual([])
      expect({ method, path }).toEqual({
        method: 'GET',
        path: '/asked/http/api/username/ana/index.json',
      })
      const own = ['host', 'connection', 'user-agent']
      expect(Object.keys(got).filter((name) => !own.includes(name))).toEqual([])
      expect(got.host).toBe(new URL(store.endpoint).host)
    }))

  test('is answered with an error of the API where the store has none or fails', async () =>
    await before({ origin: upload('failing') }, async (site) => {
      for (const said of [403, 404, 301, 401, 429, 500, 503]) {
        store.fault = () => ({ status: said, code: 'Whatever' })
        const { status, headers, body } = await ana(site)
        const isMissing = said === 403 || said === 404
        const wanted = isMissing ? [404, '{"error":"not_found"}\n'] : [502, unavailable]
        expect([status, `${body}`], `the store says ${said}`).toEqual(wanted)
        expect(headers).toMatchObject({
          'content-type': contentType,
          'cache-control': isMissing ? 'public, max-age=60' : 'no-store',
          'access-control-allow-origin': '*',
          'access-control-expose-headers': 'ETag',
          'x-content-type-options': 'nosniff',
        })
      }
    }))

  test('is answered with 502 where the store is gone, or does not answer', async () => {
    const silent = net.createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const gone = await startPlainStore()
    await gone.close()
    try {
      for (const origin of [
        `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
        gone.endpoint,
      ]) {
        await before({ origin }, async (site) => {
          const { status, headers, body } = await ana(site)
          expect([status, headers['cache-control'], `${body}`]).toEqual([
            502,
            'no-store',
            unavailable,
          ])
        })
      }
    } finally {
      silent.close()
    }
  })

  test('has a new tag and body soon after they changed in the store', async () =>
    await before({ origin: upload('changing') }, async (site) => {
      const { headers, body } = await ana(site)
      const changed = `${body}`.replace('pens', 'inks')
      store.objects.set('changing/http/api/username/ana/index.json', changed)
      const asked = async () => {
        const answer = await ana(site, [['If-None-Match', headers.etag!]])
        return [answer.status, `${answer.body}`, answer.headers.etag === headers.etag]
      }
      await expect.poll(asked).toEqual([200, changed, false])
    }))

  test('comes from a store over TLS whose certificate is good, and from no other', async () => {
    const { cert, key } = stage()
    const tls = https.createServer(
      { cert: readFileSync(cert), key: readFileSync(key) },
      (request, response) => response.setHeader('ETag', '"1"').end(`${request.url}\n`),
    )
    tls.listen(0, '127.0.0.1')
    await once(tls, 'listening')
    const origin = `https://localhost:${(tls.address() as AddressInfo).port}/bucket`
    const answered = async (trusted: boolean) => {
      const config = (options: HostOptions) => {
        const text = host.config!(options)
        return trusted ? text.replace('/etc/ssl/certs/ca-certificates.crt', cert) : text
      }
      process.env.SSL_CERT_FILE = trusted ? cert : ''
      try {
        return await serving(
          { ...host, config },
          engine,
          { ...stage(), origin },
          async (site) => {
            const { status, body } = await ana(site)
            return [status, `${body}`]
          },
        )
      } finally {
        delete process.env.SSL_CERT_FILE
      }
    }
    try {
      expect(await answered(true)).toEqual([
        200,
        '/bucket/http/api/username/ana/index.json\n',
      ])
      expect(await answered(false)).toEqual([502, unavailable])
    } finally {
      tls.closeAllConnections()
      tls.close()
    }
  })

  const anywhere = {
    ...host,
    config: (options: HostOptions) =>
      host.config!({ ...options, origin: 'https://[::1]:9443/a/b' }),
  }
  isAccepted(anywhere, engine, stage)
}

test.skipIf(!installed(nginxEngine))(
  `${titleOf(nginxEngine)} keeps answering while the store fails`,
  async () =>
    await serving(
      nginx,
      nginxEngine,
      { ...stage(), origin: upload('kept') },
      async ({ ports }) => {
        await askAna(ports, 'http')
        store.fault = () => ({ status: 503, code: 'SlowDown' })
        const answered = async () =>
          `${(await askAna(ports, 'http')).body}${store.requests.length > 1}`
        await expect.poll(answered).toBe(`${body('http', 'ana', 'user')}true`)
      },
    ),
)
