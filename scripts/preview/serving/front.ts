import http from 'node:http'
import https from 'node:https'
import { otherErrorHeaders, type Variant } from '../../api/routes.ts'
import { address, portInUse } from './ports.ts'

/** Answers a request that came to the right host. */
export type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void

/** The server that a browser talks to, on one port of this machine. */
export type Front = {
  /** Settled when it listens. */
  readonly ready: Promise<void>
  /** Ends it, and every connection to it. */
  readonly close: () => void
}

export type FrontOptions = {
  readonly scheme: Variant
  readonly port: number
  /** A certificate and its key; for https. */
  readonly pem: string
  readonly handle: Handler
}

/**
 * Starts a server that answers only to names of this machine. Any page of the web can have its own name lead here
 * (DNS rebinding), and would be taken for the preview's own page: by the name it is known.
 */
export const startFront = ({ scheme, port, pem, handle }: FrontOptions): Front => {
  const check: Handler = (request, response) => {
    if (isOwnHost(request.headers.host, { scheme, port })) return handle(request, response)
    response.writeHead(421, { 'Content-Type': 'text/plain; charset=utf-8', ...otherErrorHeaders })
    response.end('The preview answers to localhost, 127.0.0.1 and [::1] only.\n')
  }
  const server =
    scheme === 'https' ? https.createServer({ key: pem, cert: pem }, check) : http.createServer(check)
  const ready = new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? portInUse(scheme, port) : error),
    )
    server.listen({ port, host: address, exclusive: true }, resolve)
  })
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { ready, close }
}

type Port = Pick<FrontOptions, 'scheme' | 'port'>

/** Whether a `Host` header names this machine, at this port. */
const isOwnHost = (host: string | undefined, { scheme, port }: Port): boolean => {
  const authority = host?.toLowerCase() ?? ''
  const standard = port === (scheme === 'https' ? 443 : 80)
  return names.some((name) => authority === `${name}:${port}` || (standard && authority === name))
}

/** Whether a request says that it comes from the preview's own page; a page of another origin can't say that. */
export const isOwnOrigin = (origin: string | undefined, { scheme, port }: Port): boolean =>
  origin?.startsWith(`${scheme}://`) === true && isOwnHost(origin.slice(scheme.length + 3), { scheme, port })

const names = ['localhost', address, '[::1]']
