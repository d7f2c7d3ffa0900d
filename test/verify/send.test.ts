import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import {
  type Answer,
  createSender,
  type Failure,
  type Request,
  requestFor,
} from '../../scripts/http/exchange.ts'

const open: { close: () => void }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})

const listen = async (server: net.Server) => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(server)
  return (server.address() as AddressInfo).port
}

/** A sender to a server that writes what it is told, byte by byte, for each connection anew. */
const senderTo = async (
  talk: (socket: net.Socket, request: string, connection: number) => void,
  timeoutMs = 10_000,
) => {
  let connections = 0
  const server = net.createServer((socket) => {
    const connection = ++connections
    socket.on('error', () => {})
    socket.on('data', (data) => talk(socket, data.toString('latin1'), connection))
  })
  return senderAt(await listen(server), timeoutMs)
}

const senderAt = (port: number, timeoutMs = 10_000) => {
  const base = { hostname: '127.0.0.1', port, path: '' }
  const sender = createSender({
    addresses: { https: base, http: base },
    insecure: true,
    timeoutMs,
  })
  open.push(sender)
  return sender
}

const request = ({ path = '/', ...given }: Partial<Request> = {}) =>
  requestFor('http', path, { limit: 1000, ...given })

/** What one request to such a server brings. */
const sent = async (talk: Parameters<typeof senderTo>[0], given?: Partial<Request>) =>
  (await (await senderTo(talk)).send(request(given))) as Answer & Failure

const reply = (body: string | Buffer, headers = '') =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${headers}\r\n`),
    Buffer.from(body as string),
  ])

test('odd paths and methods are sent as they stand', async () => {
  const lines: string[] = []
  const sender = await senderTo((socket, text) => {
    lines.push(text.split('\r\n')[0]!)
    socket.end(reply('', 'Connection: close\r\n'))
  })
  for (const path of ['//a/../b/./%2e%2e/c?x=1&y', '/a%5Cb', '/_worker.js'])
    await sender.send(request({ path }))
  await sender.send(request({ method: 'TRACE', path: '/x' }))
  expect(lines).toEqual([
    'GET //a/../b/./%2e%2e/c?x=1&y HTTP/1.1',
    'GET /a%5Cb HTTP/1.1',
    'GET /_worker.js HTTP/1.1',
    'TRACE /x HTTP/1.1',
  ])
})

test('a redirect is an answer and is not followed', async () => {
  let asked = 0
  const elsewhere = http.createServer((_, response) => {
    asked++
    response.end()
  })
  const port = await listen(elsewhere)
  const sender = await senderTo((socket) =>
    socket.end(
      `HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:${port}/\r\nContent-Length: 0\r\n\r\n`,
    ),
  )
  expect(((await sender.send(request())) as Answer).status).toBe(301)
  expect(asked).toBe(0)
})

test.each([
  ['br', brotliCompressSync('hello')],
  ['gzip, br', brotliCompressSync(gzipSync('hello'))],
  ['gzip', gzipSync('hello')],
  ['deflate', deflateSync('hello')],
  ['deflate', deflateRawSync('hello')],
])('content in %s is decoded', async (coding, bytes) => {
  const { content } = await sent((socket) =>
    socket.end(reply(bytes, `Content-Encoding: ${coding}\r\n`)),
  )
  expect(Buffer.from(content!).toString()).toBe('hello')
})

test('content that does not decode, or decodes to more than the limit, is undefined', async () => {
  // no host has a reason for more than three codings
  let four: Buffer = Buffer.from('hello')
  for (let count = 0; count < 4; count++) four = gzipSync(four)
  for (const [body, coding] of [
    [Buffer.from('hello'), 'gzip'],
    [gzipSync('x'.repeat(100_000)), 'gzip'],
    [four, 'gzip, gzip, gzip, gzip'],
  ] as const) {
    const { content } = await sent((socket) =>
      socket.end(reply(body, `Content-Encoding: ${coding}\r\n`)),
    )
    expect(content).toBeUndefined()
  }
})

test.each(['HEAD', 'OPTIONS'])(
  'bytes after the answer to %s come to light',
  async (method) => {
    const status = method === 'HEAD' ? '200 OK' : '204 No Content'
    const text = `HTTP/1.1 ${status}\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello`
    expect((await sent((socket) => socket.end(text), { method })).surplus).toBe(true)
  },
)

test('a GET is sent again when the connection breaks', async () => {
  const { status } = await sent((socket, _, connection) =>
    connection < 3 ? socket.destroy() : socket.end(reply('ok')),
  )
  expect(status).toBe(200)
})

test('a POST is not sent again', async () => {
  let connections = 0
  const sender = await senderTo((socket, _, connection) => {
    connections = connection
    socket.destroy()
  })
  expect(((await sender.send(request({ method: 'POST' }))) as Failure).failure).toBe('closed')
  expect(connections).toBe(1)
})

test('a host that says nothing is given up', async () => {
  let connections = 0
  const sender = await senderTo((_, __, connection) => {
    connections = connection
  }, 20)
  for (let i = 0; i < 8; i++)
    expect(((await sender.send(request())) as Failure).failure).toBe('timeout')
  expect(((await sender.send(request())) as Failure).failure).toBe('gave-up')
  expect(connections).toBe(8)
})

test.each([
  ['closed', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
  ['garbled', '\u0016\u0003\u0001 this is not HTTP\r\n\r\n'],
])('what is not an answer is %s', async (failure, text) =>
  expect((await sent((socket) => socket.end(text))).failure).toBe(failure),
)
