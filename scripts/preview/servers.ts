import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { otherErrorHeaders, type Variant, variants } from '../api/routes.ts'
import { UserError } from '../problems/user-error.ts'

export type Ports = Readonly<Record<Variant, number>>

/** Answers a request that came by a name of this machine; `path` is without its query, and escapes are read. */
export type Handler = (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  asked: { readonly scheme: Variant; readonly path: string; readonly query: URLSearchParams },
) => Promise<void>

/** Where the preview listens: this machine only. */
export const address = '127.0.0.1'

/**
 * Listens on both ports; settled when both do. Only names of this machine are answered: any page of the web can have its
 * own name lead here (DNS rebinding), and would be taken for a page of the preview.
 */
export const startServers = async (
  ports: Ports,
  { pem, handle, onFailure }: ServersOptions,
): Promise<{ readonly close: () => void }> => {
  const servers = variants.map((scheme) => {
    const onRequest = (request: http.IncomingMessage, response: http.ServerResponse): void => {
      if (!isOwnHost(request.headers.host, scheme, ports)) {
        response.writeHead(421, { 'Content-Type': 'text/plain; charset=utf-8', ...otherErrorHeaders })
        response.end('The preview answers to localhost, 127.0.0.1 and [::1] only.\n')
        return
      }
      handle(request, response, { scheme, ...readUrl(request.url ?? '') }).catch((error: unknown) => {
        if (request.destroyed && !request.complete) return void response.destroy()
        onFailure(error)
        if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' })
        response.end('This could not be made: the terminal says why.\n')
      })
    }
    return scheme === 'https'
      ? https.createServer({ key: pem, cert: pem }, onRequest)
      : http.createServer(onRequest)
  })
  const close = (): void => {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
  }
  try {
    for (const [at, scheme] of variants.entries()) await listen(servers[at]!, scheme, ports)
  } catch (error) {
    close()
    throw error
  }
  return { close }
}

export type ServersOptions = {
  /** A certificate and its key. */
  readonly pem: string
  readonly handle: Handler
  readonly onFailure: (error: unknown) => void
}

const listen = (server: net.Server, scheme: Variant, ports: Ports): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? portInUse(scheme, ports) : error),
    )
    server.listen({ port: ports[scheme], host: address, exclusive: true }, resolve)
  })

/** A path that can't be read is none that anybody knows. */
const readUrl = (url: string): { readonly path: string; readonly query: URLSearchParams } => {
  const [path = '', ...query] = url.split('?')
  try {
    return { path: decodeURIComponent(path), query: new URLSearchParams(query.join('?')) }
  } catch {
    return { path: '', query: new URLSearchParams() }
  }
}

/** Whether a `Host` header names this machine, at the port of a scheme. */
const isOwnHost = (host: string | undefined, scheme: Variant, ports: Ports): boolean => {
  const authority = host?.toLowerCase() ?? ''
  const standard = ports[scheme] === (scheme === 'https' ? 443 : 80)
  return ['localhost', address, '[::1]'].some(
    (name) => authority === `${name}:${ports[scheme]}` || (standard && authority === name),
  )
}

/** Whether an `Origin` header is that of the preview's own pages; a page of another site can't send it. */
export const isOwnOrigin = (origin: string | undefined, scheme: Variant, ports: Ports): boolean =>
  origin?.startsWith(`${scheme}://`) === true && isOwnHost(origin.slice(scheme.length + 3), scheme, ports)

/**
 * Refuses ports that are taken or not allowed, before anything is started. Browsers take `localhost` for `::1`
 * first: a stranger there would answer in our place, so it has to be free as well.
 */
export const requireFree = async (ports: Ports): Promise<void> => {
  if (ports.http === ports.https) {
    throw new UserError(`--http and --https are both ${ports.http}`, { hint: 'give each its own port' })
  }
  for (const scheme of variants) {
    for (const host of [address, '::1']) {
      const code = await tryPort(ports[scheme], host)
      if (code === 'EADDRINUSE') throw portInUse(scheme, ports)
      if (code === 'EACCES') {
        throw new UserError(`port ${ports[scheme]} is not yours to listen on`, {
          hint: `choose one above 1023: --${scheme} PORT`,
        })
      }
    }
  }
}

const portInUse = (scheme: Variant, ports: Ports): UserError =>
  new UserError(`port ${ports[scheme]} is in use`, {
    hint: `stop what listens there, or choose another port: --${scheme} PORT`,
  })

/** Why a port can't be listened on; `undefined` if it can. */
const tryPort = (port: number, host: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
