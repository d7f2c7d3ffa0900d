import { hash } from 'node:crypto'
import type http from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../hosts/managed.ts'

/** A request as it came. */
export type Asked = {
  readonly method: string
  /** The key, with `/` and the bucket in front, and a query if there is one. */
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
}

/**
 * As much of S3 as a deployment asks for; it looks at no signature. An object is there when
 * all of it has come.
 */
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
  const { origin, close } = await listen((request, response) => {
    const key = decodeURIComponent(new URL(request.url!, 'http://store').pathname.slice(1))
    const { method = '', url = '' } = request
    const asked = { method, path: decodeURIComponent(url), headers: request.headers }
    const fault = store.fault(asked, requests.length)
    requests.push(asked)
    const fail = (status: number, code: string) => {
      response.writeHead(status, { 'Content-Type': 'application/xml' })
      response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
    }
    const tagOf = (body: string) => `"${hash('md5', body)}"`
    void text(request).then((sent) => {
      const body = objects.get(key)
      if (fault !== undefined) fail(fault.status, fault.code)
      else if (request.method === 'PUT') {
        objects.set(key, sent)
        response.setHeader('ETag', tagOf(sent)).end()
      } else if (request.method === 'DELETE') {
        objects.delete(key)
        response.writeHead(204).end()
      } else if (body === undefined) fail(404, 'NoSuchKey')
      else {
        const tag = tagOf(body)
        const own = { ...headers, ETag: tag, 'Last-Modified': new Date(0).toUTCString() }
        if (request.headers['if-none-match'] === tag) response.writeHead(304, own).end()
        else
          response
            .writeHead(200, { ...own, 'Content-Length': Buffer.byteLength(body) })
            .end(body)
      }
    })
  })
  const store: PlainStore = {
    endpoint: origin.origin,
    objects,
    requests,
    fault: () => undefined,
    close,
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
