import superstatic from 'superstatic'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  commonHeaders,
  contentType,
  errors,
  okHeaders,
  requestPath,
  routes,
} from '../../scripts/api/routes.ts'
import { firebase } from '../../scripts/hosts/firebase.ts'
import { ask, body, listen, siteRequests, snapshotFiles, usernames, writeSnapshot } from './managed.ts'

const config = JSON.parse(snapshotFiles(firebase).get('firebase.json')!).hosting
const common = lowerCase(commonHeaders)

describe('firebase on its emulator', () => {
  const snapshot = writeSnapshot(firebase)
  let server: Awaited<ReturnType<typeof listen>>
  beforeAll(async () => {
    const answer = superstatic({ cwd: snapshot.root, config, fallthrough: false })
    server = await listen((request, response) => answer(request, response, () => response.destroy()))
  })
  afterAll(async () => {
    await server.close()
    snapshot.remove()
  })

  it.each(usernames)(
    'serves the https variant of %s, with or without a slash or a query',
    async (username) => {
      for (const route of routes) {
        for (const form of ['', '/', '?a=b']) {
          expect(await ask(server.origin, requestPath(route, username) + form)).toMatchObject({
            status: 200,
            body: body(route, 'https', username),
            headers: { ...common, ...lowerCase(okHeaders), 'content-type': contentType },
          })
        }
      }
    },
  )

  it.each(siteRequests)('serves $path, with or without a query', async ({ route, path, text }) => {
    const own = { 'content-type': route.contentType, 'cache-control': route.cacheControl }
    for (const form of ['', '?x'])
      expect(await ask(server.origin, path + form)).toMatchObject({
        ...{ status: 200, body: text('https'), headers: { ...common, ...own } },
      })
  })

  it.each([
    '/',
    '/openapi.json/x',
    '/api/username/nobody',
    '/api/username/Ana',
    '/api/username/aXb-c_d',
    '/api/username/ana/shots/x',
  ])('answers %s with the JSON 404', async (path) => {
    expect(await ask(server.origin, path)).toMatchObject({
      status: 404,
      body: errors.notFound.body,
      headers: { ...common, 'content-type': contentType },
    })
  })
})

describe('firebase.json', () => {
  it('keeps back what no client should see', () => {
    expect(config.ignore).toEqual(
      expect.arrayContaining(['firebase.json', '**/.*', 'http/**', 'SHA256SUMS', '404.json', '405.json']),
    )
  })

  it('has no rule that matches the path of another username', () => {
    const paths = usernames.flatMap((username) => routes.map((route) => requestPath(route, username)))
    for (const path of paths) {
      const matching = config.rewrites.filter(({ regex }: { regex: string }) => new RegExp(regex).test(path))
      expect(matching, path).toHaveLength(1)
    }
  })
})

function lowerCase(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
