import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { exampleShot, exampleUser } from '../../scripts/api/document/example.ts'
import { listen } from '../hosts/managed.ts'
import { inCi } from '../posix.ts'
import { hasBrowser, openBrowser, titled } from '../preview/browser.ts'

/** The folder of the client, and an API beside it. */
const serveAll = () =>
  listen((request, response) => {
    const { pathname } = new URL(request.url!, 'http://x')
    if (pathname === '/api/username/ana') response.end(JSON.stringify(exampleUser()))
    else if (pathname === '/api/username/ana/shots')
      response.end(
        JSON.stringify({ Shots: Array(15).fill({ ...exampleShot(), title: '<b>Poster' }) }),
      )
    else if (/^\/(?:widget\.html|shotpress\.js)$/.test(pathname)) {
      const type = pathname.endsWith('html') ? 'text/html' : 'text/javascript'
      response.setHeader('Content-Type', type)
      response.end(readFileSync(`clients${pathname}`))
    } else response.writeHead(404).end('{"error":"not_found"}')
  })

test.runIf(hasBrowser)(
  titled('the example page shows a name and six works in Chromium'),
  async () => {
    const server = await serveAll()
    try {
      const page = await (await openBrowser()).context.newPage()
      const address = `${server.origin.origin}/widget.html?api=${server.origin.origin}`
      await page.goto(address)
      await page.locator('li').first().waitFor()
      expect(await page.locator('h1').textContent()).toBe('Ana Example')
      expect(await page.locator('li').allTextContents()).toEqual(Array(6).fill('<b>Poster'))
      await page.goto(`${address}&username=nobody`)
      await page.getByText('There is no such member.').waitFor()
    } finally {
      await server.close()
    }
  },
)

test.runIf(hasBrowser)(
  titled('the example page says what to do when it is opened from the disk in Chromium'),
  async () => {
    const page = await (await openBrowser()).context.newPage()
    await page.goto(pathToFileURL('clients/widget.html').href)
    await page.getByText('Serve this folder').waitFor()
  },
)

const miniflare = await import('miniflare').catch(() => undefined)
if (miniflare === undefined && inCi) throw new Error('miniflare is missing')

test.skipIf(miniflare === undefined)('the client asks from a worker', async () => {
  const server = await serveAll()
  const worker = new miniflare!.Miniflare({
    compatibilityDate: '2026-04-01',
    modules: [
      {
        type: 'ESModule',
        path: 'worker.js',
        contents: `import { createClient } from './shotpress.js'
const client = createClient('${server.origin.origin}')
export default { fetch: async () => Response.json([(await client.profile('ana')).name, await client.shots('nobody')]) }`,
      },
      {
        type: 'ESModule',
        path: 'shotpress.js',
        contents: readFileSync('clients/shotpress.js', 'utf8'),
      },
    ],
  })
  try {
    const answer = await worker.dispatchFetch('http://worker/')
    expect(await answer.json()).toEqual(['Ana Example', 'not_found'])
  } finally {
    await worker.dispose()
    await server.close()
  }
})
