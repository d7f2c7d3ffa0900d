import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ask } from '../hosts/ask.ts'
import { isPosix } from '../posix.ts'
import { makeFolder, writeTree } from '../sandbox.ts'
import { content } from './previewing.ts'
import { startSite } from './site.ts'

/** A preview of a site with an address below this path. */
const serving = async (below = '') => {
  const site = { 'content/site.yaml': `base_url: https://api.example.com${below}\n` }
  const { at: folder, ports, failures } = await startSite({ ...content, ...site })
  onTestFinished(() => expect(failures).toEqual([]))
  const get = (
    path: string,
    { host = `localhost:${ports.http}`, method = 'GET', headers = {} } = {},
  ) =>
    ask({
      scheme: 'http',
      port: ports.http,
      path,
      host,
      method,
      headers: Object.entries<string>(headers),
    })
  return {
    folder,
    ports,
    get,
    file: `${folder}/dist/http/api/username/ana/index.json`,
  }
}

const notFound = { status: 404, body: Buffer.from('{"error":"not_found"}\n') }
const ana = '/api/username/ana'

test('names of this machine are answered, and no other, so that no page of the web gets here by its own', async () => {
  const { ports, get } = await serving()
  for (const name of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST']) {
    expect(await get(ana, { host: `${name}:${ports.http}` }), name).toMatchObject({
      status: 200,
    })
  }
  const own = [`evil.example:${ports.http}`, `localhost.evil.example:${ports.http}`]
  for (const host of ['evil.example', 'localhost', 'localhost:1', '', ...own]) {
    const { status, headers } = await get(ana, { host })
    expect([400, 421], host).toContain(status)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  }
})

test('both addresses of this machine are held, so that nobody else is sent the key', async () => {
  const { ports } = await serving()
  for (const host of ['127.0.0.1', '::1']) {
    const stranger = net.createServer()
    stranger.listen({ host, port: ports.http })
    onTestFinished(() => void stranger.close())
    // a machine without IPv6 has no second one
    const codes =
      host === '::1' ? ['EADDRINUSE', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'] : ['EADDRINUSE']
    const [error] = await Promise.race([
      once(stranger, 'error'),
      once(stranger, 'listening'),
    ]).catch((one) => [one])
    expect(codes, host).toContain(error?.code)
  }
})

test('the API is answered below the path of base_url, with a slash at the end and a query too', async () => {
  const { folder, get } = await serving('/v1')
  writeTree(folder, { 'dist/openapi.json': '{}' })
  for (const path of [ana, `${ana}/`, `${ana}?a=b`, '/api/username/%61na', '/openapi.json']) {
    expect(await get(`/v1${path}`), path).toMatchObject({ status: 200 })
  }
  expect(await get(ana)).toMatchObject(notFound)
})

test('nothing is found under the names of its file, by odd paths or through links', async () => {
  const { folder, get, file } = await serving()
  makeFolder(folder, 'secret')
  writeTree(folder, { 'secret/index.json': 'secret' })
  fs.symlinkSync(`${folder}/secret`, `${folder}/dist/http/api/username/linked`, 'junction')
  for (const path of [
    '/http',
    '/SHA256SUMS',
    `/http${ana}`,
    `${ana}/index.json`,
    '/%',
    `${ana}/..%2f..%2f..%2f404.json`,
    '/API/username/ana',
    '/api/username/linked',
    '/api/username/Ana',
    '/api/username//shots',
  ]) {
    expect(await get(path), path).toMatchObject(notFound)
  }
  if (isPosix) {
    fs.rmSync(file)
    execFileSync('mkfifo', [file])
    expect(await get(ana)).toMatchObject(notFound)
    fs.rmSync(file)
    fs.mkdirSync(file)
    expect(await get(ana)).toMatchObject(notFound)
  }
})

test('304 answers a tag that was given, until the file changes', async () => {
  const { get, file } = await serving()
  const { headers, body } = await get(ana)
  const known = `${headers.etag}`
  for (const tag of [known, `W/${known}`, `"other", ${known}`, '*']) {
    const answer = await get(ana, { headers: { 'if-none-match': tag } })
    expect(answer, tag).toMatchObject({
      status: 304,
      headers: { etag: known },
      body: Buffer.of(),
    })
  }
  const { mtime } = fs.statSync(file)
  fs.writeFileSync(file, `${body}`.replace('Ana', 'Eva'))
  fs.utimesSync(file, mtime, mtime)
  expect(await get(ana, { headers: { 'if-none-match': known } })).toMatchObject({
    status: 200,
  })
})
