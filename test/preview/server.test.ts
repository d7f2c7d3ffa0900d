import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadCertificate } from '../../scripts/preview/serving/certificate.ts'
import { prepareRoot } from '../../scripts/preview/serving/roots.ts'
import { startServer } from '../../scripts/preview/serving/server.ts'
import { createServers } from '../../scripts/preview/serving/servers.ts'
import { resolveFolders } from '../../scripts/snapshot/state/folders.ts'
import { ask } from '../hosts/servers/ask.ts'
import { until } from '../processes.ts'
import { sandbox } from '../sandbox.ts'
import { buildIn } from '../snapshot/building.ts'
import { childrenOf, content, schemePorts } from './previewing.ts'

const prepare = async ({ basePath = '' } = {}) => {
  const folder = sandbox(content)
  await buildIn(folder)
  const ports = await schemePorts()
  const { pem } = await loadCertificate({ folder: path.join(folder, 'own'), name: 'localhost.pem' })
  const servers = createServers({
    folders: resolveFolders({ content: `${folder}/content`, out: `${folder}/dist` }),
    ports,
    pem,
    basePath: () => basePath,
    pages: () => false,
    onDeath: () => {},
  })
  onTestFinished(() => servers.end())
  const get = (path: string, { host = `localhost:${ports.http}`, method = 'GET', headers = {} } = {}) =>
    ask({ scheme: 'http', port: ports.http, path, host, method, headers: Object.entries<string>(headers) })
  return { folder, ports, servers, get }
}

const notFound = { status: 404, body: Buffer.from('{"error":"not_found"}\n') }

test('a port that is taken at the last moment is refused, not exchanged for another', async () => {
  const { ports, servers } = await prepare()
  const stranger = net.createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => stranger.listen(ports.http, '127.0.0.1', resolve))
  onTestFinished(() => void stranger.close())
  await expect(servers.start()).rejects.toThrow(`port ${ports.http} is in use`)
}, 60_000)

test('servers that are ended while they start are gone, and start no more', async () => {
  const { servers, get } = await prepare()
  const started = servers.start().catch(() => {})
  await servers.end()
  await servers.start()
  void started
  await until(
    () => process.getActiveResourcesInfo(),
    (kinds) => !kinds.includes('ProcessWrap'), // a process that this one has started
  )
  await expect(get('/')).rejects.toThrow('ECONNREFUSED')
}, 60_000)

describe('the servers', () => {
  test.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])('answer to %s', async (name) => {
    const { ports, servers, get } = await prepare()
    await servers.start()
    expect(await get('/api/username/ana', { host: `${name}:${ports.http}` })).toMatchObject({ status: 200 })
  })

  test('answer to no other name, so that no page of the web reaches them by its own', async () => {
    const { ports, servers, get } = await prepare()
    await servers.start()
    for (const host of [
      'evil.example',
      `evil.example:${ports.http}`,
      'localhost',
      'localhost:1',
      `localhost.evil.example:${ports.http}`,
      '',
    ]) {
      const { status, headers } = await get('/api/username/ana', { host })
      expect([400, 421], host).toContain(status)
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  test('hide what serve reads itself, and the snapshot under its own names', async () => {
    const { servers, get } = await prepare()
    await servers.start()
    for (const path of [
      ...[
        '/serve.json',
        '/serve%2ejson',
        '/%73erve.json',
        '/404.html',
        '/http',
        '/https',
        '/https/SHA256SUMS',
      ],
      ...['/https/api/username/ana', '/api/username/ana/index.json', '/api/username/../../serve.json', '/-'],
      ...['/api/username/ana/..%2f..%2f..%2f..%2fserve.json', '/API/username/ana', '/%', '//serve.json'],
    ]) {
      expect(await get(path), path).toMatchObject(notFound)
    }
  })

  test('follow no link that somebody placed in the snapshot', async () => {
    const { folder, ports, servers, get } = await prepare()
    await servers.start()
    fs.mkdirSync(path.join(folder, 'secret/shots'), { recursive: true })
    fs.writeFileSync(path.join(folder, 'secret/index.json'), 'secret')
    fs.writeFileSync(path.join(folder, 'secret/shots/index.json'), 'secret')
    fs.symlinkSync(path.join(folder, 'secret'), path.join(folder, 'dist/api/username/linked'), 'junction')
    fs.rmSync(path.join(folder, 'dist/api/username/ana/shots'), { recursive: true })
    fs.symlinkSync(
      path.join(folder, 'secret/shots'),
      path.join(folder, 'dist/api/username/ana/shots'),
      'junction',
    )
    const paths = ['/api/username/linked', '/api/username/linked/shots', '/api/username/ana/shots']
    for (const path of paths) {
      const answer = await ask({ scheme: 'https', port: ports.https, path, host: `localhost:${ports.https}` })
      expect(answer, path).toMatchObject(notFound)
    }
    expect(await get('/api/username/ana')).toMatchObject({ status: 200 })
  })

  test('answer below the path of base_url, with a slash at the end and a query too', async () => {
    const { servers, get } = await prepare({ basePath: '/v1' })
    await servers.start()
    for (const path of [
      '/v1/api/username/ana',
      '/v1/api/username/ana/',
      '/v1/api/username/ana?a=b',
      '/v1/api/username/%61na',
    ]) {
      expect(await get(path), path).toMatchObject({ status: 200 })
    }
    expect(await get('/api/username/ana')).toMatchObject(notFound)
  })

  test('give the files of the site as a whole, over both schemes', async () => {
    const { folder, ports, servers } = await prepare({ basePath: '/v1' })
    await servers.start()
    fs.writeFileSync(path.join(folder, 'dist/openapi.json'), '{}')
    for (const scheme of ['http', 'https'] as const) {
      const question = {
        scheme,
        port: ports[scheme],
        path: '/v1/openapi.json',
        host: `localhost:${ports[scheme]}`,
      }
      expect(await ask(question)).toMatchObject({ status: 200, body: Buffer.from('{}') })
    }
  })

  test('keep a key for the serve that they ask, which answers nobody else', async () => {
    const { folder } = await prepare()
    const folders = resolveFolders({ content: `${folder}/content`, out: `${folder}/dist` })
    const server = startServer({ root: prepareRoot(folders), key: 'right', onDeath: () => {} })
    onTestFinished(() => server.stop())
    const question = { scheme: 'http', port: await server.ready, path: '/https/api/username/ana' } as const
    expect(await ask({ ...question, headers: [['preview-key', 'right']] })).toMatchObject({ status: 200 })
    await expect(ask({ ...question, headers: [['preview-key', 'wrong']] })).rejects.toThrow()
    await expect(ask(question)).rejects.toThrow()
  })

  test('answer although the state was deleted, in which they keep what serve reads', async () => {
    const { folder, servers, get } = await prepare()
    await servers.start()
    fs.rmSync(`${folder}/.shotpress`, { recursive: true })
    for (const path of ['/api/username/ana', '/api/username/ana/shots'])
      expect(await get(path), path).toMatchObject({ status: 200 })
    expect(await get('/nowhere')).toMatchObject(notFound)
    fs.rmSync(`${folder}/.shotpress`, { recursive: true })
    fs.writeFileSync(`${folder}/.shotpress`, 'in the way')
    expect(await get('/nowhere')).toMatchObject({ status: 404 })
    fs.rmSync(`${folder}/.shotpress`)
    expect(await get('/api/username/ana')).toMatchObject({ status: 200 })
  })

  test('answer 304 to a tag that they gave, until the file changes', async () => {
    const { folder, servers, get } = await prepare()
    await servers.start()
    const path = '/api/username/ana'
    const { headers, body } = await get(path)
    const known = `${headers.etag}`
    for (const tag of [known, `W/${known}`, `"other", ${known}`, '*']) {
      const answer = await get(path, { headers: { 'if-none-match': tag } })
      expect(answer, tag).toMatchObject({ status: 304, headers: { etag: known }, body: Buffer.of() })
    }
    fs.writeFileSync(`${folder}/dist/http/api/username/ana/index.json`, `${body}\n`)
    expect(await get(path, { headers: { 'if-none-match': known } })).toMatchObject({
      status: 200,
      body: Buffer.from(`${body}\n`),
    })
  })

  test.skipIf(process.platform !== 'linux')('leave no file open (seen in /proc)', async () => {
    const { servers, get } = await prepare()
    await servers.start()
    const path = '/api/username/ana'
    const { etag } = (await get(path)).headers
    const child = childrenOf(process.pid).find(({ args }) => args.includes('serve-while-connected'))!
    for (let turn = 0; turn < 10; turn++) {
      await get(path, { headers: { 'if-none-match': `${etag}` } })
      await get(path, { method: 'HEAD' })
      await get(path, { headers: { range: 'bytes=0-3' } })
    }
    const open = () =>
      fs.readdirSync(`/proc/${child.pid}/fd`).flatMap((file) => {
        const target = fs.readlinkSync(`/proc/${child.pid}/fd/${file}`)
        return target.endsWith('.json') ? [target] : []
      })
    expect(await until(open, (files) => files.length === 0)).toEqual([])
  })

  test('give the whole file to requests with headers that mean nothing here', async () => {
    const { folder, servers, get } = await prepare()
    await servers.start()
    const body = fs.readFileSync(`${folder}/dist/http/api/username/ana/index.json`)
    for (const headers of [
      { range: 'bytes=0-3' },
      { trailer: 'x-checksum' },
      { connection: 'upgrade', upgrade: 'websocket' },
      { 'x-filling': 'x'.repeat(15_000) },
    ]) {
      const question = Object.keys(headers).join()
      expect(await get('/api/username/ana', { headers }), question).toMatchObject({ status: 200, body })
      const { headers: own } = await get('/api/username/ana', { headers, method: 'HEAD' })
      expect(own['content-length'], question).toBe(`${body.length}`)
    }
  })

  test.skipIf(process.platform === 'win32')(
    'wait for no pipe, and for no file that can not be opened (Windows has neither)',
    async () => {
      const { folder, servers, get } = await prepare()
      await servers.start()
      const file = path.join(folder, 'dist/http/api/username/ana/index.json')
      fs.rmSync(file)
      execFileSync('mkfifo', [file])
      expect(await get('/api/username/ana')).toMatchObject(notFound)
      fs.rmSync(file)
      const socket = net.createServer()
      // a socket's path may not be long, but its file may be moved
      await new Promise<void>((resolve) => socket.listen(path.join(folder, 's'), resolve))
      fs.renameSync(path.join(folder, 's'), file)
      onTestFinished(() => void socket.close())
      expect(await get('/api/username/ana')).toMatchObject(notFound)

      const folders = resolveFolders({ content: `${folder}/content`, out: `${folder}/dist` })
      const server = startServer({ root: prepareRoot(folders), key: 'right', onDeath: () => {} })
      onTestFinished(() => server.stop())
      const port = await server.ready
      const askFor = (username: string) =>
        ask(
          {
            scheme: 'http',
            port,
            path: `/http/api/username/${username}`,
            headers: [['preview-key', 'right']],
          },
          1,
        ).then(
          ({ status }) => status,
          () => 'broken off',
        )
      const names = Array.from({ length: 20 }, () => ['ana', 'b.c']).flat()
      const answers = await Promise.all(names.map(askFor))
      expect(answers).toEqual(names.map((name) => (name === 'ana' ? 'broken off' : 200)))
    },
  )

  test('give the whole of a file that is replaced or removed meanwhile, and stay up', async () => {
    const { folder, servers, get } = await prepare()
    await servers.start()
    const file = path.join(folder, 'dist/http/api/username/ana/shots/index.json')
    const bodies = ['{"Shots": []}\n', `{"Shots": ["${'x'.repeat(1000)}"]}\n`]
    const replace = (body: string) => {
      fs.writeFileSync(`${file}~`, body)
      fs.renameSync(`${file}~`, file)
    }
    replace(bodies[0]!)
    for (let turn = 0; turn < 100; turn++) {
      const answers = [1, 2, 3].map(() => get('/api/username/ana/shots'))
      await new Promise((resolve) => setTimeout(resolve, turn % 5))
      if (turn % 3 === 0) fs.rmSync(file)
      replace(bodies[turn % 2]!)
      for (const { status, body } of await Promise.all(answers)) {
        const right = status === 404 ? notFound.body.toString() : bodies.find((text) => text === `${body}`)
        expect(`${body}`).toBe(right)
      }
    }
    expect(await get('/api/username/ana')).toMatchObject({ status: 200 })
  }, 60_000)
})
