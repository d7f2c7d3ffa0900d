import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type net from 'node:net'
import { otherErrorHeaders, type Variant, variants } from '../api/routes.ts'
import { createCertificate } from '../files/certificate.ts'
import { codeOf, UserError } from '../problems/diagnostic.ts'

export type Ports = Readonly<Record<Variant, number>>

/** What a request asks for; `path` is without its query, and escapes are read. */
export type Asked = {
  readonly scheme: Variant
  readonly path: string
  readonly query: URLSearchParams
}

/** Answers a request that came by a name of this machine. */
export type Handler = (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  asked: Asked,
) => Promise<void>

/** Where pages are opened. A browser takes `localhost` for `::1` or for this, as it likes. */
export const address = '127.0.0.1'

/**
 * The addresses of this machine alone. Nobody else may answer at one of them: pages there are
 * sent the key to edit.
 */
const loopback = [address, '::1'] as const

type Serving = {
  readonly ports: Ports
  readonly handle: Handler
  readonly onFailure: (error: unknown) => void
}

/** Answers on both ports; refuses ports that are taken or not allowed. */
export const openServers = async ({ ports, handle, onFailure }: Serving) => {
  if (ports.http === ports.https) {
    throw new UserError(`--http and --https are both ${ports.http}`, {
      hint: 'give each its own port',
    })
  }
  const answer =
    (scheme: Variant): http.RequestListener =>
    async (request, response) => {
      const end = (status: number, words: string): void => {
        const type = { 'Content-Type': 'text/plain; charset=utf-8' }
        if (!response.headersSent)
          response.writeHead(status, { ...type, ...otherErrorHeaders })
        response.end(words)
      }
      // any page of the web can have its own name lead here (DNS rebinding), and would be
      // taken for one of ours
      if (!isOwnHost(request.headers.host, scheme, ports))
        return end(421, 'The preview answers to localhost, 127.0.0.1 and [::1] only.\n')
      try {
        await handle(request, response, { scheme, ...readUrl(request.url ?? '') })
      } catch (error) {
        if (request.destroyed && !request.complete) return void response.destroy()
        onFailure(error)
        end(500, 'This could not be made: the terminal says why.\n')
      }
    }
  // for this preview alone: no key lies on the disk
  const certificate = createCertificate()
  const make = {
    https: () => https.createServer(certificate),
    http: () => http.createServer(),
  }
  const servers: http.Server[] = []
  const close = (): void => {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
  }
  try {
    for (const scheme of variants) {
      for (const host of loopback) {
        const server = make[scheme]().on('request', answer(scheme))
        const origin = { scheme, port: ports[scheme], host }
        if (await listen(server, origin)) servers.push(server)
      }
    }
  } catch (error) {
    close()
    throw error
  }
  return { close }
}

type Origin = { readonly scheme: Variant; readonly port: number; readonly host: string }

/**
 * Whether this machine has the address, which many without IPv6 do not. A port that somebody
 * has is refused.
 */
const listen = async (
  server: net.Server,
  { scheme, port, host }: Origin,
): Promise<boolean> => {
  try {
    server.listen({ port, host, exclusive: true })
    await once(server, 'listening')
    return true
  } catch (error) {
    const code = codeOf(error)
    const refusal = refusals[code]
    if (refusal !== undefined)
      throw new UserError(`port ${port} is ${refusal}`, {
        hint: `choose another one, above 1023: --${scheme} PORT`,
      })
    if (host !== address && noSuchAddress.includes(code)) return false
    throw error
  }
}

const noSuchAddress = [
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EPROTONOSUPPORT',
  'EINVAL',
  'ENOTSUP',
]

const refusals: Readonly<Record<string, string>> = {
  EADDRINUSE: 'in use',
  EACCES: 'not yours to listen on',
}

/** A path that can't be read is none that anybody knows. */
const readUrl = (url: string) => {
  const [path = '', text] = url.split(/\?(.*)/s)
  const query = new URLSearchParams(text)
  try {
    return { path: decodeURIComponent(path), query }
  } catch {
    return { path: '', query }
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

/**
 * Whether an `Origin` header is that of the preview's own pages; a page of another site can't
 * send it.
 */
export const isOwnOrigin = (
  origin: string | undefined,
  scheme: Variant,
  ports: Ports,
): boolean =>
  origin?.startsWith(`${scheme}://`) === true &&
  isOwnHost(origin.slice(scheme.length + 3), scheme, ports)
