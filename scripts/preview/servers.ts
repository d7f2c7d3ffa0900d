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

export type Servers = {
  /** Begins to answer. `pem` is a certificate and its key. */
  readonly serve: (options: {
    readonly pem: string
    readonly handle: Handler
    readonly onFailure: (error: unknown) => void
  }) => void
  readonly close: () => void
}

/** Listens on both ports; refuses those that are taken or not allowed. */
export const openServers = async (ports: Ports): Promise<Servers> => {
  if (ports.http === ports.https) {
    throw new UserError(`--http and --https are both ${ports.http}`, { hint: 'give each its own port' })
  }
  const servers = { https: https.createServer(), http: http.createServer() }
  const close = (): void => {
    for (const server of Object.values(servers)) {
      server.close()
      server.closeAllConnections()
    }
  }
  try {
    for (const scheme of variants) {
      await requireFree(scheme, ports)
      await listen(servers[scheme], { host: address, scheme, ports })
    }
  } catch (error) {
    close()
    throw error
  }
  return {
    close,
    serve: ({ pem, handle, onFailure }) => {
      servers.https.setSecureContext({ key: pem, cert: pem })
      for (const scheme of variants) {
        // nobody would ever answer who asked before: a tab asks again
        servers[scheme].closeAllConnections()
        servers[scheme].on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
          // any page of the web can have its own name lead here (DNS rebinding), and would be taken for one of ours
          if (!isOwnHost(request.headers.host, scheme, ports)) {
            response.writeHead(421, { 'Content-Type': 'text/plain; charset=utf-8', ...otherErrorHeaders })
            response.end('The preview answers to localhost, 127.0.0.1 and [::1] only.\n')
            return
          }
          handle(request, response, { scheme, ...readUrl(request.url ?? '') }).catch((error: unknown) => {
            if (request.destroyed && !request.complete) return void response.destroy()
            onFailure(error)
            if (!response.headersSent)
              response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' })
            response.end('This could not be made: the terminal says why.\n')
          })
        })
      }
    },
  }
}

type At = { readonly host: string; readonly scheme: Variant; readonly ports: Ports }

const listen = (server: net.Server, { host, scheme, ports }: At): Promise<void> =>
  new Promise((resolve, reject) => {
    const port = ports[scheme]
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(refusals[error.code ?? '']?.(port, scheme) ?? error),
    )
    server.listen({ port, host, exclusive: true }, resolve)
  })

/** Browsers take `localhost` for `::1` first: a stranger there would answer in our place. */
const requireFree = async (scheme: Variant, ports: Ports): Promise<void> => {
  const server = net.createServer()
  try {
    await listen(server, { host: '::1', scheme, ports })
    await new Promise((resolve) => server.close(resolve))
  } catch (error) {
    if (error instanceof UserError) throw error // else there is no such address
  }
}

const refusals: Readonly<Record<string, (port: number, scheme: Variant) => UserError>> = {
  EADDRINUSE: (port, scheme) =>
    new UserError(`port ${port} is in use`, {
      hint: `stop what listens there, or choose another port: --${scheme} PORT`,
    }),
  EACCES: (port, scheme) =>
    new UserError(`port ${port} is not yours to listen on`, {
      hint: `choose one above 1023: --${scheme} PORT`,
    }),
}

/** A path that can't be read is none that anybody knows. */
const readUrl = (url: string): { readonly path: string; readonly query: URLSearchParams } => {
  const [path = '', query] = url.split(/\?(.*)/s)
  try {
    return { path: decodeURIComponent(path), query: new URLSearchParams(query) }
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
