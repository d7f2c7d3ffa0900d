import { rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import serveHandler from 'serve-handler'
import superstatic from 'superstatic'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import {
  commonHeaders,
  contentType,
  errors,
  okHeaders,
  requestPath,
  routes,
  type Variant,
} from '../../scripts/api/routes.ts'
import { firebase } from '../../scripts/hosts/firebase.ts'
import type { Host } from '../../scripts/hosts/host.ts'
import { serve } from '../../scripts/hosts/serve.ts'
import { writeTree } from '../sandbox.ts'
import { ask } from './ask.ts'
import { temporaryFolder } from './engine.ts'
import { body, listen, siteRequests, snapshotFiles, usernames } from './managed.ts'

/** A host whose own code answers here, with the config that the build makes. */
type Emulator = {
  readonly name: string
  readonly host: Host
  readonly variant: Variant
  readonly listener: (root: string) => RequestListener
}

const configIn = (host: Host, file: string) => JSON.parse(snapshotFiles(host).get(file)!)

/** What `serve` does around its handler: it hands on the parsed config, with ETags on. */
const serving = (variant: Variant, folder: string): Emulator => ({
  ...{ name: `serve with the ${variant} variant as its root`, host: serve, variant },
  listener: (root) => {
    const config = { ...configIn(serve, `${folder}serve.json`), public: join(root, folder), etag: true }
    return (request, response) => serveHandler(request, response, config)
  },
})

const hosting = configIn(firebase, 'firebase.json').hosting
const emulators: readonly Emulator[] = [
  serving('https', ''),
  serving('http', 'http/'),
  {
    ...{ name: 'firebase on its emulator', host: firebase, variant: 'https' },
    listener: (cwd) => {
      const answer = superstatic({ cwd, config: hosting, fallthrough: false })
      return (request, response) => answer(request, response, () => response.destroy())
    },
  },
]

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
const common = { ...lowerCase(commonHeaders), 'content-type': contentType }

describe.each(emulators)('$name', ({ host, variant, listener }) => {
  let server: Awaited<ReturnType<typeof listen>>
  let root: string
  beforeAll(async () => {
    root = await temporaryFolder()
    writeTree(root, Object.fromEntries(snapshotFiles(host)))
    server = await listen(listener(root))
  })
  afterAll(async () => {
    await server.close()
    await rm(root, { recursive: true })
  })

  const get = async (path: string, more: { method?: string; headers?: [string, string][] } = {}) => {
    const { body, ...answer } = await ask({ port: Number(server.origin.port), scheme: 'http', path, ...more })
    return { ...answer, body: `${body}` }
  }

  it.each(usernames)('serves %s, with or without a slash or a query', async (username) => {
    for (const route of routes) {
      const takenForFile = host === serve && username.includes('.') && route.suffix === ''
      for (const form of takenForFile ? [''] : ['', '/', '?a=b']) {
        expect(await get(requestPath(route, username) + form)).toMatchObject(
          takenForFile
            ? { status: 404 }
            : {
                ...{ status: 200, body: body(route, variant, username) },
                headers: { ...common, ...lowerCase(okHeaders) },
              },
        )
      }
    }
  })

  it('answers HEAD, and 304 to its own tag', async () => {
    const path = '/api/username/ana'
    expect(await get(path, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
    const { headers } = await get(path)
    const again = await get(path, { headers: [['If-None-Match', headers.etag!]] })
    expect(again.status).toBe(304)
  })

  it.each(siteRequests)('serves $path, where its root has it', async ({ route, path, text }) => {
    const own = { 'content-type': route.contentType, 'cache-control': route.cacheControl }
    const has = route.variants || variant === 'https'
    for (const form of ['', '?x'])
      expect(await get(path + form)).toMatchObject(
        has ? { status: 200, body: text(variant), headers: { ...common, ...own } } : { status: 404 },
      )
  })

  it.each([
    '/',
    '/openapi.json/x',
    '/api/username',
    '/api/username/nobody',
    '/api/username/nobody/shots',
    '/api/username/Ana',
    '/api/username/aXb-c_d',
    '/api/username/ana/shots/x',
  ])('answers %s with the JSON 404', async (path) => {
    expect(await get(path)).toMatchObject({
      ...{ status: 404, body: errors.notFound.body },
      headers: common,
    })
  })
})

test('what serve takes for a file, and lacks below http, is said', () => {
  expect(serve.cannot.join()).toMatch(/username with a dot.*openapi\.json is a 404 there/)
})

describe('firebase.json', () => {
  it('keeps back what no client should see', () => {
    expect(hosting.ignore).toEqual(
      expect.arrayContaining(['firebase.json', '**/.*', 'http/**', 'SHA256SUMS', '404.json', '405.json']),
    )
  })

  it('has no rule that matches the path of another username', () => {
    const paths = usernames.flatMap((username) => routes.map((route) => requestPath(route, username)))
    for (const path of paths) {
      const matching = hosting.rewrites.filter(({ regex }: { regex: string }) => new RegExp(regex).test(path))
      expect(matching, path).toHaveLength(1)
    }
  })
})
