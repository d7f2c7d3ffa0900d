import { createHash } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** As much of S3 as a deployment asks for; it looks at no signature. An object is there when all of it has come. */
export type PlainStore = {
  readonly endpoint: string
  /** By key, the bucket in front. */
  readonly objects: Map<string, string>
  readonly close: () => Promise<void>
}

/** `headers` are those of every object, besides its own. */
export const startPlainStore = async (
  headers: Readonly<Record<string, string>> = {},
): Promise<PlainStore> => {
  const objects = new Map<string, string>()
  const server = http.createServer((request, response) => {
    const key = decodeURIComponent(new URL(request.url!, 'http://store').pathname.slice(1))
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = objects.get(key)
      if (request.method === 'PUT') {
        const bytes = Buffer.concat(parts)
        objects.set(key, bytes.toString())
        response.setHeader('ETag', `"${createHash('md5').update(bytes).digest('hex')}"`).end()
      } else if (request.method === 'DELETE') {
        objects.delete(key)
        response.writeHead(204).end()
      } else if (body === undefined) {
        response.writeHead(404, { 'Content-Type': 'application/xml' })
        response.end('<Error><Code>NoSuchKey</Code><Message>not there</Message></Error>')
      } else {
        const tag = `"${createHash('md5').update(body).digest('hex')}"`
        const own = { ...headers, ETag: tag, 'Last-Modified': new Date(0).toUTCString() }
        if (request.headers['if-none-match'] === tag) response.writeHead(304, own).end()
        else response.writeHead(200, { ...own, 'Content-Length': Buffer.byteLength(body) }).end(body)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
