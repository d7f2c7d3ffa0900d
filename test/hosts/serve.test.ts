import { join } from 'node:path'
import serveHandler from 'serve-handler'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  commonHeaders,
  contentType,
  errors,
  okHeaders,
  requestPath,
  routes,
  type Variant,
  variantFolder,
  variants,
} from '../../scripts/api/routes.ts'
import { serve } from '../../scripts/hosts/serve.ts'
import { ask, body, listen, siteRequests, snapshotFiles, usernames, writeSnapshot } from './managed.ts'

type Server = Awaited<ReturnType<typeof listen>>

/** What `serve` does around its handler: it hands on the parsed config, with ETags on. */
const start = (root: string, config: string): Promise<Server> => {
  const parsed = { ...JSON.parse(config), public: root, etag: true }
  return listen((request, response) => serveHandler(request, response, parsed))
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
const common = { ...lowerCase(commonHeaders), 'content-type': contentType }
const dotless = usernames.filter((username) => !username.includes('.'))

describe.each(variants)('serve with the %s variant as its root', (variant: Variant) => {
  const snapshot = writeSnapshot(serve)
  let server: Server
  beforeAll(async () => {
    const folder = variantFolder[variant]
    const config = snapshotFiles(serve).get(folder === '' ? 'serve.json' : `${folder}/serve.json`)!
    server = await start(join(snapshot.root, folder), config)
  })
  afterAll(async () => {
    await server.close()
    snapshot.remove()
  })

  it.each(dotless)('serves %s, with or without a slash or a query', async (username) => {
    for (const route of routes) {
      for (const form of ['', '/', '?a=b']) {
        expect(await ask(server.origin, requestPath(route, username) + form)).toMatchObject({
          status: 200,
          body: body(route, variant, username),
          headers: { ...common, ...lowerCase(okHeaders) },
        })
      }
    }
  })

  it('answers HEAD, and 304 to its own tag', async () => {
    const { headers } = await ask(server.origin, '/api/username/ana')
    expect(await ask(server.origin, '/api/username/ana', { method: 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
    })
    const again = await ask(server.origin, '/api/username/ana', {
      headers: { 'If-None-Match': headers.etag! },
    })
    expect(again.status).toBe(304)
  })

  it.each(['/', '/api/username/nobody', '/api/username/nobody/shots', '/api/username'])(
    'answers %s with the JSON 404',
    async (path) => {
      expect(await ask(server.origin, path)).toMatchObject({
        status: 404,
        body: errors.notFound.body,
        headers: { ...common, ...lowerCase(errors.notFound.headers) },
      })
    },
  )

  it.each(siteRequests)('serves $path, where its root has it', async ({ route, path, text }) => {
    const own = { 'content-type': route.contentType, 'cache-control': route.cacheControl }
    expect(await ask(server.origin, path)).toMatchObject(
      route.variants || variant === 'https'
        ? { status: 200, body: text(variant), headers: { ...common, ...own } }
        : { status: 404 },
    )
  })

  it('finds the OpenAPI document in the https variant only, as its host says', async () => {
    const status = variant === 'https' ? 200 : 404
    expect(await ask(server.origin, '/openapi.json')).toMatchObject({ status })
    expect(serve.cannot.join()).toContain('/openapi.json is a 404 there')
  })

  it('takes the folder of a username with a dot for a file, as its host says', async () => {
    expect(await ask(server.origin, '/api/username/a.b-c_d')).toMatchObject({ status: 404 })
    expect(serve.cannot.join()).toContain('username with a dot')
  })
})
