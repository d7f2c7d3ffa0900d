import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { methods, type Variant } from '../api/routes.ts'
import type { Addresses } from './addresses.ts'
import { type Answer, decode, type Failure, failed, type Outcome, type Request } from './exchange.ts'

type SenderOptions = {
  readonly addresses: Addresses
  /** Whether any certificate will do. */
  readonly insecure: boolean
  /** For one request as a whole. */
  readonly timeoutMs: number
  /** For all of them, besides a fifth of a second for each. Default: no limit. */
  readonly runLimitMs?: number
  /** How often a request is sent again at once if the connection fails. Default: 2. */
  readonly repeats?: number
  /** After so many requests in a row without an answer a scheme is given up. Default: 8. */
  readonly patience?: number
  /** Finds the addresses of a host's name. Default: the system's. */
  readonly lookup?: LookupFunction | undefined
}

export type Sender = {
  readonly send: (request: Request) => Promise<Outcome>
  /** Requests sent so far, without repetitions. */
  readonly count: () => number
  /** When the certificate of the first answer over https begins and ends, in milliseconds since 1970. */
  readonly certificate: () => { readonly from: number; readonly to: number } | undefined
  readonly close: () => void
}

/**
 * Sends requests to the addresses and nowhere else: no redirect is followed, and no proxy setting is looked at.
 * A request that changes nothing is sent again when the connection fails.
 */
export const createSender = (options: SenderOptions): Sender => {
  const agents = { lasting: createAgents(true), single: createAgents(false) }
  const silent: Record<Variant, number> = { https: 0, http: 0 }
  const { patience = 8, repeats = 2, runLimitMs = Number.POSITIVE_INFINITY } = options
  let sent = 0
  let certificate: ReturnType<Sender['certificate']>
  const onSecure = (socket: TLSSocket): void => {
    if (certificate !== undefined) return
    const { valid_from, valid_to } = socket.getPeerCertificate()
    if (valid_to !== undefined) certificate = { from: Date.parse(valid_from), to: Date.parse(valid_to) }
  }
  const began = performance.now()
  return {
    send: async (request) => {
      if (silent[request.scheme] >= patience) {
        return { failure: 'gave-up', detail: `no answer to ${patience} requests in a row` }
      }
      if (performance.now() - began > runLimitMs + sent * 200) {
        return {
          failure: 'gave-up',
          detail: 'it takes more than a fifth of a second for each request, which would never end',
        }
      }
      sent++
      let left = (methods as readonly string[]).includes(request.method) ? repeats : 0
      let outcome: Outcome
      do outcome = await exchange(request, { ...options, agents, onSecure })
      while (failed(outcome) && passing.includes(outcome.failure) && left-- > 0)
      silent[request.scheme] = failed(outcome) ? silent[request.scheme] + 1 : 0
      return outcome
    },
    count: () => sent,
    certificate: () => certificate,
    close: () => {
      for (const { https, http } of Object.values(agents)) {
        https.destroy()
        http.destroy()
      }
    },
  }
}

const passing: readonly string[] = ['closed', 'garbled', 'refused']

const createAgents = (keepAlive: boolean) => ({
  https: new https.Agent({ keepAlive }),
  http: new http.Agent({ keepAlive }),
})

type Exchanging = SenderOptions & {
  readonly agents: Readonly<Record<'lasting' | 'single', ReturnType<typeof createAgents>>>
  readonly onSecure: (socket: TLSSocket) => void
}

const exchange = (
  request: Request,
  { addresses, timeoutMs, insecure, lookup, agents, onSecure }: Exchanging,
): Promise<Outcome> =>
  new Promise((resolve) => {
    const { scheme, method, headers, limit, shared } = request
    const { hostname, port } = addresses[scheme]
    // an answer without a body gets a connection of its own, so that bytes after it are noticed
    const alone = !shared && (method !== 'GET' || 'If-None-Match' in headers)
    const outgoing = (scheme === 'https' ? https : http).request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: request.path,
      method,
      headers: request.host === 'shared' ? { ...headers, Host: hostname } : headers,
      agent: agents[alone ? 'single' : 'lasting'][scheme],
      rejectUnauthorized: !insecure,
      ...(lookup && { lookup }),
      maxHeaderSize: 65536,
    })
    let answer: Answer | undefined
    let failure: Failure | undefined
    const timer = setTimeout(() => {
      failure = { failure: 'timeout', detail: `no whole answer within ${timeoutMs / 1000} s` }
      outgoing.destroy()
    }, timeoutMs)
    const finish = () => {
      clearTimeout(timer)
      resolve(failure ?? answer ?? { failure: 'closed', detail: 'the connection was closed' })
    }
    const chunks: Buffer[] = []
    let head: http.IncomingMessage | undefined
    outgoing.on('response', (incoming) => {
      head = incoming
      if (scheme === 'https') onSecure(incoming.socket as TLSSocket)
      let length = 0
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length > limit) {
          answer = toAnswer(incoming, Buffer.concat(chunks), limit)
          outgoing.destroy()
        }
      })
      incoming.on('end', () => {
        answer ??= toAnswer(incoming, Buffer.concat(chunks), limit)
        if (!alone) finish()
      })
      incoming.on('error', () => {})
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // the answer is whole, and something follows it
      if (head?.complete && error.code?.startsWith('HPE_')) {
        answer = { ...toAnswer(head, Buffer.concat(chunks), limit), surplus: true }
      } else if (answer === undefined) failure ??= explain(error)
    })
    outgoing.on('close', finish)
    outgoing.end()
  })

const toAnswer = (incoming: http.IncomingMessage, body: Buffer, limit: number): Answer => {
  const raw = incoming.rawHeaders
  const headers: [name: string, value: string][] = []
  for (let i = 0; i < raw.length; i += 2) headers.push([raw[i]!.toLowerCase(), raw[i + 1]!])
  const content = decode({ headers, body }, limit)
  return { status: incoming.statusCode!, headers, body, content, cut: body.length > limit, surplus: false }
}

const explain = ({ code = '', message }: NodeJS.ErrnoException): Failure => {
  const reasons: readonly (readonly [codes: RegExp, failure: Failure['failure'], detail: string])[] = [
    [/^ECONNREFUSED$/, 'refused', 'the connection was refused'],
    [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'name', 'the host name is not known'],
    [
      /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ALTNAME/,
      'certificate',
      `its certificate is not trusted (${message})`,
    ],
    [/^(?:EPROTO$|ERR_SSL)/, 'tls', 'it does not speak TLS there'],
    [/^HPE_/, 'garbled', `this is not HTTP (${code})`],
    [/^(?:E(?:HOST|NET)UNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/, 'refused', `there is no way to it (${code})`],
    [/^EPRIVATE$/, 'refused', message],
  ]
  const [, failure, detail] = reasons.find(([codes]) => codes.test(code)) ?? []
  return { failure: failure ?? 'closed', detail: detail ?? `the connection broke (${code || message})` }
}
