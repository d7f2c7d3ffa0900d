import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { afterAll, beforeAll } from 'vitest'
import * as api from '../../scripts/api/routes.ts'
import { makeCertificate, temporaryFolder } from '../hosts/engine.ts'
import { siteRequests } from '../hosts/managed.ts'
import { bytesOf, members } from './snapshot.ts'

/** A request as a host sees it. */
export type Asked = {
  readonly scheme: api.Variant
  readonly method: string
  /** As it was sent, query included. */
  readonly target: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Buffer
  /** Bytes for the socket after the answer. */
  readonly surplus?: string
  /** Whether to hang up instead. */
  readonly hangUp?: boolean
}

export type Handler = (asked: Asked) => Reply

type ReferenceOptions = {
  readonly compress?: boolean
  readonly basePath?: string
  readonly usernames?: readonly string[]
  readonly bytes?: typeof bytesOf
  /** The site's own paths that it has. */
  readonly site?: typeof siteRequests
}

/**
 * A host that does all that the contract says, made from the route table: what mutations
 * start from.
 */
export const referenceHandler =
  ({ compress = true, basePath = '', ...content }: ReferenceOptions = {}): Handler =>
  (asked) => {
    if (asked.method === 'OPTIONS') {
      const headers = { ...api.commonHeaders, ...api.preflight.headers }
      return { status: api.preflight.status, headers, body: Buffer.alloc(0) }
    }
    if (!(api.methods as readonly string[]).includes(asked.method))
      return errorReply(api.errors.methodNotAllowed)
    const file = findFile(asked, { basePath, ...content })
    return file === undefined
      ? errorReply(api.errors.notFound)
      : fileReply(file, asked, compress)
  }

/** The file that a path stands for, in the variant of the scheme. */
export const findFile = (
  asked: Pick<Asked, 'scheme' | 'target'>,
  {
    basePath = '',
    usernames = members,
    bytes = bytesOf,
    site = siteRequests,
  }: Omit<ReferenceOptions, 'compress'> = {},
): string | undefined => {
  const [path] = asked.target.split('?')
  const own = site.find((one) => path!.replace(/\/$/, '') === basePath + one.path)
  if (own !== undefined) return own.text(asked.scheme)
  const found = new RegExp(
    `^${basePath}${api.prefix}(${api.usernamePattern})(/shots)?/?$`,
  ).exec(path!)
  const username = usernames.find((name) => name === found?.[1])
  const route = api.routes.find(({ suffix }) => suffix === (found?.[2] ?? ''))!
  return username && bytes(route, asked.scheme, username)
}

const encode = (plain: Buffer, coding: string) => {
  if (coding === 'br')
    return brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
  return coding === 'gzip' ? gzipSync(plain) : plain
}

/** A 200 or 304 with these bytes. */
export const fileReply = (text: string, asked: Asked, compress = true): Reply => {
  const coding = compress ? chooseCoding(asked.headers['accept-encoding']) : 'identity'
  const plain = Buffer.from(text)
  const sum = hash('sha1', `${coding} ${text}`)
  const path = asked.target.replace(/\/?(?:\?.*)?$/, '')
  const { route = api.routes[0]! } = siteRequests.find((one) => path.endsWith(one.path)) ?? {}
  const { 'Content-Type': type, ...kept } = route.headers
  const headers = {
    ...api.commonHeaders,
    ...kept,
    ETag: `"${sum}"`,
    ...(compress && { Vary: 'Accept-Encoding' }),
  }
  if (asked.headers['if-none-match'] === headers.ETag)
    return { status: 304, headers, body: Buffer.alloc(0) }
  const body = encode(plain, coding)
  const encoded = coding === 'identity' ? {} : { 'Content-Encoding': coding }
  return { status: 200, headers: { ...headers, 'Content-Type': type, ...encoded }, body }
}

export const errorReply = ({ status, headers, body }: api.ErrorAnswer): Reply => ({
  status,
  headers: { ...api.commonHeaders, 'Content-Type': api.contentType, ...headers },
  body: Buffer.from(body),
})

const chooseCoding = (accepted = '') =>
  ['br', 'gzip'].find((coding) => accepted.split(', ').includes(coding)) ?? 'identity'

/** Serves a handler over both schemes on free ports of 127.0.0.1. */
export const startReference = async (certificate: { cert: string; key: string }) => {
  let handler = referenceHandler()
  const listener =
    (scheme: api.Variant): http.RequestListener =>
    (request, response) => {
      const asked = {
        scheme,
        method: request.method!,
        target: request.url!,
        headers: request.headers,
      }
      write(handler(asked as Asked), request.method!, response)
    }
  const pem = { cert: await readFile(certificate.cert), key: await readFile(certificate.key) }
  const servers = {
    https: https.createServer(pem, listener('https')),
    http: http.createServer(listener('http')),
  }
  const port = async (server: http.Server) => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  return {
    ports: { https: await port(servers.https), http: await port(servers.http) },
    /** Answers with another handler from now on. */
    use: (other: Handler) => {
      handler = other
    },
    stop: async () => {
      for (const server of Object.values(servers)) {
        server.closeAllConnections()
        await once(server.close(), 'close')
      }
    },
  }
}

export type Running = Awaited<ReturnType<typeof startReference>>

/** The same while the tests of a file run. */
export const runningReference = () => {
  let running: Running
  beforeAll(async () => {
    const folder = await temporaryFolder()
    running = await startReference(await makeCertificate(folder))
    await rm(folder, { recursive: true })
  })
  afterAll(() => running.stop())
  return {
    get ports() {
      return running.ports
    },
    use: (handler: Handler) => running.use(handler),
  }
}

/** Whether a reply has no body, and its headers in the order in which they are sent. */
export const onWire = ({ status, headers, body }: Reply) => {
  const bodiless = status === 204 || status === 304
  const length = bodiless ? {} : { 'Content-Length': String(body.length) }
  const lines = Object.entries({ ...length, ...headers }).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  )
  return { bodiless, lines }
}

/** Writes a reply as it stands: node would correct some of what a test wants wrong. */
const write = (reply: Reply, method: string, response: http.ServerResponse) => {
  const socket = response.socket!
  if (reply.hangUp) {
    socket.destroy()
    return
  }
  const { bodiless, lines } = onWire(reply)
  if (reply.surplus !== undefined) {
    const head = [...lines, ['Connection', 'close']].map((line) => `${line.join(': ')}\r\n`)
    socket.end(`HTTP/1.1 ${reply.status} Odd\r\n${head.join('')}\r\n${reply.surplus}`)
    return
  }
  response.sendDate = false
  response.writeHead(reply.status, lines.flat())
  response.end(bodiless || method === 'HEAD' ? undefined : reply.body)
}
