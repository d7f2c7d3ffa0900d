import http from 'node:http'
import net from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createHandler } from '../../scripts/preview/pages/handle.ts'
import { createPages } from '../../scripts/preview/pages/pages.ts'
import { ask } from '../hosts/servers/ask.ts'
import { until } from '../processes.ts'

/** A server of the pages of an empty site; what fails is gathered. */
const serving = async () => {
  const content = { path: '/nowhere/content', name: 'content' }
  const pages = createPages({ content, out: '/nowhere/dist', hostNames: [], start: 'test' })
  const failures: unknown[] = []
  const server = http.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as net.AddressInfo
  const handle = createHandler(
    { pages, content, ports: { http: port, https: 1 }, certificate: undefined },
    { ready: Promise.resolve(), onFailure: (error) => failures.push(error) },
  )
  let closed = 0
  server.on('request', (request, response) => {
    response.on('close', () => closed++)
    handle('http', request, response)
  })
  return { port, failures, closed: () => closed }
}

test('a form that breaks off is nobody’s failure', async () => {
  const { port, failures, closed } = await serving()
  const head = `POST /images HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: http://localhost:${port}\r\n`
  for (const text of [
    `${head}Content-Length: 100\r\n\r\nhost=a`,
    `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nho`,
  ]) {
    const before = closed()
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text, () => socket.destroy()))
    await until(closed, (count) => count > before)
  }
  expect((await ask({ scheme: 'http', port, path: '/live' })).status).toBe(200)
  expect(failures).toEqual([])
})

test('a form that is too long is refused, with an answer', async () => {
  const { port, failures } = await serving()
  const { status } = await ask({
    ...{ scheme: 'http', port, path: '/images', method: 'POST', host: `localhost:${port}` },
    headers: [['Origin', `http://localhost:${port}`]],
    body: `host=cdn.example.com&value=allow&back=${'x'.repeat(1 << 20)}`,
  })
  expect(status).toBe(400)
  expect(failures).toEqual([])
})
