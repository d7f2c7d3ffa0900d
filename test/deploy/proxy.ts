import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it passes. */
export type Passing = {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
}

/** What the proxy answers itself, or `undefined` to pass a request on. */
export type Fault = (
  request: Passing,
  number: number,
) => { readonly status: number; readonly body: string } | undefined

export type FaultyProxy = {
  readonly endpoint: string
  /** What was asked since it was emptied, as `PUT /bucket/key`; listings as `LIST`. */
  readonly requests: Passing[]
  fault: Fault
  readonly close: () => Promise<void>
}

/** Stands in front of a store, keeps what it was asked, and answers in its place where a test wants a fault. */
export const startProxy = async (target: string): Promise<FaultyProxy> => {
  const { hostname, port } = new URL(target)
  const requests: Passing[] = []
  const server = http.createServer((request, response) => {
    const passing = {
      method: request.method!,
      path: decodeURIComponent(request.url!),
      headers: request.headers,
    }
    const fault = proxy.fault(passing, requests.length)
    requests.push(passing)
    if (fault !== undefined) {
      request.resume().on('end', () => {
        response.writeHead(fault.status, { 'Content-Type': 'application/xml' })
        response.end(fault.body)
      })
      return
    }
    const forwarded = http.request(
      { hostname, port, method: request.method, path: request.url, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.rawHeaders)
        answer.pipe(response)
      },
    )
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: FaultyProxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fault: () => undefined,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return proxy
}

/** An error as S3 writes it. */
export const s3Error = (status: number, code: string) => ({
  status,
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
})
