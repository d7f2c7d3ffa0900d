import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Variant } from '../../scripts/api/routes.ts'
import type { Texts } from '../sandbox.ts'

export type Question = {
  readonly port: number
  /** `127.0.0.1` if absent. */
  readonly address?: string
  readonly scheme: Variant
  /** Sent as it stands. */
  readonly method?: string
  /** Sent as it stands: odd escapes, dots and slashes stay. */
  readonly path: string
  readonly host?: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: string
}

export type Answer = {
  readonly status: number
  /** Names in lower case; several of a name are joined by a comma, as they may be. */
  readonly headers: Texts
  readonly body: Buffer
}

/**
 * Sends one request over a socket of its own and reads the whole answer. A server that
 * refuses a body unread may reset the connection before its answer was read: then it is asked
 * again.
 */
export const ask = async (question: Question, tries = 40): Promise<Answer> => {
  try {
    return await askOnce(question)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET' || tries === 1) throw error
    return ask(question, tries - 1)
  }
}

/** Asks for the profile of ana. */
export const askAna = (
  ports: Readonly<Record<Variant, number>>,
  scheme: Variant,
  more: Partial<Question> = {},
): Promise<Answer> => ask({ port: ports[scheme], scheme, path: '/api/username/ana', ...more })

const askOnce = (question: Question): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const {
      port,
      address = '127.0.0.1',
      scheme,
      method = 'GET',
      path,
      host = 'localhost',
    } = question
    const { headers = [], body = '' } = question
    const chunks: Buffer[] = []
    const finish = () => {
      try {
        resolve(parse(Buffer.concat(chunks), method))
      } catch (cause) {
        reject(new Error(`no answer to ${method} ${path}`, { cause }))
      }
    }
    const target = { port, host: address }
    const socket =
      scheme === 'https'
        ? connectTls({ ...target, rejectUnauthorized: false })
        : connect(target)
    socket.setTimeout(10_000, () =>
      socket.destroy(new Error(`no answer to ${method} ${path} in 10 s`)),
    )
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      // some keep the connection open in spite of what they are asked
      if (isWhole(Buffer.concat(chunks), method)) socket.end(finish)
    })
    // a server that refuses early may reset the connection after its answer
    socket.on('error', (error) => (chunks.length > 0 ? finish() : reject(error)))
    socket.on('end', finish)
    const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close']
    for (const [name, value] of headers) lines.push(`${name}: ${value}`)
    if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  })

const parse = (bytes: Buffer, method: string) => {
  const split = bytes.indexOf('\r\n\r\n')
  if (split < 0) throw new Error(`not HTTP: ${bytes.subarray(0, 200).toString('latin1')}`)
  const [first, ...lines] = bytes.subarray(0, split).toString('latin1').split('\r\n')
  const status = Number(first!.split(' ')[1])
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  const rest = bytes.subarray(split + 4)
  const chunked = headers['transfer-encoding'] === 'chunked' && method !== 'HEAD'
  return { status, headers, body: chunked ? joinChunks(rest) : rest }
}

const isWhole = (bytes: Buffer, method: string) => {
  if (!bytes.includes('\r\n\r\n')) return false
  const { status, headers, body } = parse(bytes, 'HEAD')
  if (method === 'HEAD' || status === 204 || status === 304) return true
  return headers['transfer-encoding'] === 'chunked'
    ? body.subarray(-5).equals(Buffer.from('0\r\n\r\n'))
    : body.length >= Number(headers['content-length'])
}

const joinChunks = (bytes: Buffer) => {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const line = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.subarray(at, line).toString(), 16)
    if (!(size > 0)) return Buffer.concat(parts)
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
}

/** Headers by their names in lower case. */
export const lowerCase = (headers: Texts): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
