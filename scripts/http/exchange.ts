import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { methods, type Variant } from '../api/routes.ts'
import type { Addresses } from './addresses.ts'

/** One request as it goes over the wire. */
export type Request = {
  readonly scheme: Variant
  readonly method: string
  /** The request target, sent as it stands: base path, path, query. */
  readonly path: string
  /**
   * `shared` sends the host's bare name on both schemes, as a cache in front of two ports
   * would see it.
   */
  readonly host: 'own' | 'shared'
  readonly headers: Readonly<Record<string, string>>
  /** Most bytes of a body that are read. */
  readonly limit: number
  /** Whether it takes a connection that others use, too, even if its answer may have no body. */
  readonly pooled?: boolean
}

export type Answer = {
  readonly status: number
  /** In the order of arrival, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  /** The body without its content codings; `undefined` when it could not be decoded. */
  readonly content: Uint8Array | undefined
  /** Whether there was more than the request's limit. */
  readonly cut: boolean
  /** Whether bytes followed an answer that has no body (HEAD, 204, 304). */
  readonly surplus: boolean
}

/** Why there is no answer. */
export type Failure = {
  readonly failure:
    | 'refused'
    | 'name'
    | 'certificate'
    | 'tls'
    | 'timeout'
    | 'closed'
    | 'garbled'
    | 'gave-up'
  readonly detail: string
}

export type Outcome = Answer | Failure

export const failed = (outcome: Outcome): outcome is Failure => 'failure' in outcome

type SenderOptions = {
  readonly addresses: Addresses
  readonly insecure: boolean
  /** For one request as a whole. */
  readonly timeoutMs: number
  /** For all of them, besides a fifth of a second for each. Default: no limit. */
  readonly runLimitMs?: number
  /** How often a request is sent again at once if the connection fails. Default: 2. */
  readonly repeats?: number
  /** After so many requests in a row without an answer a scheme is given up. Default: 8. */
  readonly mostUnanswered?: number
  /** Finds the addresses of a host's name. Default: the system's. */
  readonly lookup?: LookupFunction | undefined
}

export type Sender = ReturnType<typeof createSender>

/**
 * Sends requests to the addresses and nowhere else: no redirect is followed, and no proxy
 * setting is looked at. A request that changes nothing is sent again when the connection
 * fails.
 */
export const createSender = (options: SenderOptions) => {
  const agents = {
    https: new https.Agent({ keepAlive: true }),
    http: new http.Agent({ keepAlive: true }),
  }
  const unanswered: Record<Variant, number> = { https: 0, http: 0 }
  const { mostUnanswered = 8, repeats = 2, runLimitMs = Number.POSITIVE_INFINITY } = options
  let sent = 0
  let certificate: { readonly from: number; readonly to: number } | undefined
  const onSecure = (socket: TLSSocket) => {
    if (certificate !== undefined) return
    const { valid_from, valid_to } = socket.getPeerCertificate()
    if (valid_to !== undefined)
      certificate = { from: Date.parse(valid_from), to: Date.parse(valid_to) }
  }
  const began = performance.now()
  return {
    send: async (request: Request): Promise<Outcome> => {
      if (unanswered[request.scheme] >= mostUnanswered)
        return gaveUp(`no answer to ${mostUnanswered} requests in a row`)
      if (performance.now() - began > runLimitMs + sent * 200)
        return gaveUp(
          'it takes more than a fifth of a second for each request, which would never end',
        )
      sent++
      let left = (methods as readonly string[]).includes(request.method) ? repeats : 0
      let outcome: Outcome
      do outcome = await exchange(request, { ...options, agents, onSecure })
      while (
        failed(outcome) &&
        ['closed', 'garbled', 'refused'].includes(outcome.failure) &&
        left-- > 0
      )
      unanswered[request.scheme] = failed(outcome) ? unanswered[request.scheme] + 1 : 0
      return outcome
    },
    /** Requests sent so far, without repetitions. */
    count: () => sent,
    /**
     * When the certificate of the first answer over https begins and ends, in milliseconds
     * since 1970.
     */
    certificate: () => certificate,
    close: () => {
      agents.https.destroy()
      agents.http.destroy()
    },
  }
}

const gaveUp = (detail: string): Failure => ({ failure: 'gave-up', detail })

type Exchanging = SenderOptions & {
  readonly agents: Readonly<Record<Variant, http.Agent>>
  readonly onSecure: (socket: TLSSocket) => void
}

const exchange = (
  request: Request,
  { addresses, timeoutMs, insecure, lookup, agents, onSecure }: Exchanging,
): Promise<Outcome> =>
  new Promise((resolve) => {
    const { scheme, method, headers, limit, pooled } = request
    const { hostname, port } = addresses[scheme]
    // an answer without a body gets a connection of its own, so that bytes after it are noticed
    const alone = !pooled && (method !== 'GET' || 'If-None-Match' in headers)
    const outgoing = (scheme === 'https' ? https : http).request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: request.path,
      method,
      headers: request.host === 'shared' ? { ...headers, Host: hostname } : headers,
      agent: alone ? false : agents[scheme],
      rejectUnauthorized: !insecure,
      ...(lookup && { lookup }),
      maxHeaderSize: 65536,
    })
    let outcome: Outcome | undefined
    const timer = setTimeout(() => {
      outcome = { failure: 'timeout', detail: `no whole answer within ${timeoutMs / 1000} s` }
      outgoing.destroy()
    }, timeoutMs)
    const finish = () => {
      clearTimeout(timer)
      resolve(outcome ?? { failure: 'closed', detail: 'the connection was closed' })
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
          outcome = toAnswer(incoming, Buffer.concat(chunks), limit)
          outgoing.destroy()
        }
      })
      incoming.on('end', () => {
        outcome ??= toAnswer(incoming, Buffer.concat(chunks), limit)
        if (!alone) finish()
      })
      incoming.on('error', () => {})
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // the answer is whole, and something follows it
      if (head?.complete && error.code?.startsWith('HPE_')) {
        outcome = { ...toAnswer(head, Buffer.concat(chunks), limit), surplus: true }
      } else outcome ??= explain(error)
    })
    outgoing.on('close', finish)
    outgoing.end()
  })

const toAnswer = (incoming: http.IncomingMessage, body: Buffer, limit: number): Answer => {
  const raw = incoming.rawHeaders
  const headers: [name: string, value: string][] = []
  for (let i = 0; i < raw.length; i += 2) headers.push([raw[i]!.toLowerCase(), raw[i + 1]!])
  const content = decode({ headers, body }, limit)
  return {
    status: incoming.statusCode!,
    headers,
    body,
    content,
    cut: body.length > limit,
    surplus: false,
  }
}

const explain = ({ code = '', message }: NodeJS.ErrnoException): Failure => {
  const reasons: readonly (readonly [
    codes: RegExp,
    failure: Failure['failure'],
    detail: string,
  ])[] = [
    [/^ECONNREFUSED$/, 'refused', 'the connection was refused'],
    [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'name', 'the host name is not known'],
    [
      /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/,
      'certificate',
      `its certificate is not trusted (${message})`,
    ],
    [/^(?:EPROTO$|ERR_SSL)/, 'tls', 'it does not speak TLS there'],
    [/^HPE_/, 'garbled', `this is not HTTP (${code})`],
    [
      /^(?:E(?:HOST|NET)UNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/,
      'refused',
      `there is no way to it (${code})`,
    ],
    [/^EPRIVATE$/, 'refused', message],
  ]
  const [, failure, detail] = reasons.find(([codes]) => codes.test(code)) ?? []
  return {
    failure: failure ?? 'closed',
    detail: detail ?? `the connection broke (${code || message})`,
  }
}

/** A GET of a path, without headers, unless `more` says otherwise. */
export const requestFor = (
  scheme: Variant,
  path: string,
  more: Partial<Request> = {},
): Request => ({
  scheme,
  method: 'GET',
  path,
  host: 'own',
  headers: {},
  limit: 262144,
  ...more,
})

/** All values of a header, one an occurrence. */
export const values = (answer: Pick<Answer, 'headers'>, name: string): readonly string[] => {
  const wanted = name.toLowerCase()
  return answer.headers.filter(([key]) => key === wanted).map(([, value]) => value)
}

/** The one value of a header, several occurrences joined as HTTP says; `undefined` when absent. */
export const header = (answer: Pick<Answer, 'headers'>, name: string): string | undefined => {
  const all = values(answer, name)
  return all.length === 0 ? undefined : all.join(', ')
}

/** The elements of a comma-separated header, in lower case. */
export const elements = (value: string | undefined): readonly string[] =>
  (value ?? '')
    .split(',')
    .map((element) => element.trim().toLowerCase())
    .filter((element) => element !== '')

/** The headers by which a request differs from the plainest one of its method and path. */
export const tellingHeaders = ({
  headers,
}: Request): readonly (readonly [name: string, value: string])[] =>
  Object.entries(headers).filter(
    ([name, value]) =>
      name !== 'Content-Length' && !(name === 'Accept-Encoding' && value === 'identity'),
  )

/**
 * The opaque part of an entity tag, quotes included; `undefined` when it is not one (RFC
 * 9110, 8.8.3).
 */
export const opaque = (tag: string): string | undefined =>
  /^(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")$/.exec(tag)?.[1]

/**
 * Whether two tags name the same thing, by weak comparison: Apache's are weak as long as a
 * file is young.
 */
export const sameTag = (a: string, b: string): boolean =>
  (opaque(a) ?? a) === (opaque(b) ?? b)

/**
 * The content of an answer without its codings; `undefined` where they can't be undone within
 * the limit.
 */
export const decode = (
  answer: Pick<Answer, 'headers' | 'body'>,
  limit: number,
): Uint8Array | undefined => {
  const codings = elements(header(answer, 'Content-Encoding')).filter(
    (coding) => coding !== 'identity',
  )
  if (answer.body.length === 0 || codings.length === 0) return answer.body
  // no host has a reason for more; each may make a thousand times the bytes of the one before
  if (codings.length > 3) return undefined
  try {
    return codings.reduceRight<Uint8Array>((bytes, coding) => {
      if (coding === 'br') return brotliDecompressSync(bytes, { maxOutputLength: limit })
      if (coding === 'gzip' || coding === 'x-gzip')
        return gunzipSync(bytes, { maxOutputLength: limit })
      if (coding === 'deflate') return inflate(bytes, { maxOutputLength: limit })
      throw new RangeError(`unknown coding ${coding}`)
    }, answer.body)
  } catch {
    return undefined
  }
}

/** What is called deflate should have the head of zlib, and often has none. */
const inflate: typeof inflateSync = (bytes, options) =>
  ((bytes as Uint8Array)[0]! & 0x0f) === 8
    ? inflateSync(bytes, options)
    : inflateRawSync(bytes, options)
