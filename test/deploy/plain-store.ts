import { createHash } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came. */
export type Asked = {
  readonly method: string
  /** The key, with `/` and the bucket in front, and a query if there is one. */
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
}

/** As much of S3 as a deployment asks for; it looks at no signature. An object is there when all of it has come. */
export type PlainStore = {
  readonly endpoint: string
  /** By key, the bucket in front. */
  readonly objects: Map<string, string>
  /** What was asked since it was emptied. */
  readonly requests: Asked[]
  /** An error that is answered in place of what was asked for. */
  fault: (
    asked: Asked,
    number: number,
  ) => { readonly status: number; readonly code: string } | undefined
  readonly close: () => Promise<void>
}

/** `headers` are those of every object, besides its own. */
export const startPlainStore = async (
  headers: Readonly<Record<string, string>> = {},
): Promise<PlainStore> => {
  const objects = new Map<string, string>()
  const requests: Asked[] = []
  const server = http.createServer((request, response) => {
    const key = decodeURIComponent(new URL(request.url!, 'http://store').pathname.slice(1))
    const { method = '', url = '' } = request
    const asked = { method, path: decodeURIComponent(url), headers: request.headers }
    const fault = store.fault(asked, requests.length)
    requests.push(asked)
    const fail = (status: number, code: string) => {
      response.writeHead(status, { 'Content-Type': 'application/xml' })
      response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
    }
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = objects.get(key)
      if (fault !== undefined) fail(fault.status, fault.code)
      else if (request.method === 'PUT') {
        const bytes = Buffer.concat(parts)
        objects.set(key, bytes.toString())
        response.setHeader('ETag', `"${createHash('md5').update(bytes).digest('hex')}"`).end()
      } else if (request.method === 'DELETE') {
        objects.delete(key)
        response.writeHead(204).end()
      } else if (body === undefined) fail(404, 'NoSuchKey')
      else {
        const tag = `"${createHash('md5').update(body).digest('hex')}"`
        const own = { ...headers, ETag: tag, 'Last-Modified': new Date(0).toUTCString() }
        if (request.headers['if-none-match'] === tag) response.writeHead(304, own).end()
        else
          response.writeHead(200, { ...own, 'Content-Length': Buffer.byteLength(body) }).end(body)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const store: PlainStore = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    fault: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return store
}

/** Settings of rclone for the remote `store:`, which is that store. */
export const settingsFor = ({ endpoint }: PlainStore, config: string): NodeJS.ProcessEnv => ({
  AWS_CA_BUNDLE: undefined,
  RCLONE_CONFIG: config,
  RCLONE_CONFIG_STORE_TYPE: 's3',
  RCLONE_CONFIG_STORE_PROVIDER: 'Other',
  RCLONE_CONFIG_STORE_ENDPOINT: endpoint,
  RCLONE_CONFIG_STORE_ACCESS_KEY_ID: 'key',
  RCLONE_CONFIG_STORE_SECRET_ACCESS_KEY: 'secret',
})
