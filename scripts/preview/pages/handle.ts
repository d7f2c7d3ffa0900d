import type http from 'node:http'
import { type Handler, isOwnOrigin } from '../servers.ts'
import { type Answer, ownPath, type Question, respond, type Server } from './respond.ts'

/**
 * Whether a request is for a page or for what pages need; the API answers all others. Other methods than a page's are the
 * API's where a page has no form: the preview differs from a host in what it answers to GET only.
 */
export const isPage = (method: string | undefined, path: string): boolean =>
  path.startsWith(ownPath) ||
  ((method === 'GET' || method === 'HEAD') && (path === '/' || path.startsWith('/members/')))

/** Answers requests for pages, once `ready` is settled. */
export const createHandler =
  (server: Server, ready: Promise<unknown>): Handler =>
  async (request, response, { scheme, path, query }) => {
    const { headers, method = 'GET' } = request
    const own =
      headers.origin === undefined
        ? 'unknown'
        : isOwnOrigin(headers.origin, scheme, server.ports)
          ? 'yes'
          : 'no'
    const question: Question = { scheme, method, path, query, headers, own, form: () => readForm(request) }
    await ready
    send(response, await respond(question, server), method)
  }

const send = (
  response: http.ServerResponse,
  { status, headers = {}, body = '' }: Answer,
  method: string,
): void => {
  const bytes = Buffer.from(body)
  const length = status === 304 ? {} : { 'Content-Length': String(bytes.length) }
  const own = Object.entries({ ...headers, ...length }).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : [...value],
  ])
  response.writeHead(status, Object.fromEntries(own))
  response.end(method === 'HEAD' || status === 304 ? undefined : bytes)
}

/** A form's body; one that is too long or breaks off is read as empty. */
const readForm = async (request: http.IncomingMessage): Promise<URLSearchParams> => {
  let text = ''
  try {
    // read it to its end: a browser that still sends may not read the answer
    for await (const chunk of request) if (text.length <= longest) text += chunk
  } catch {
    return new URLSearchParams()
  }
  return new URLSearchParams(text.length <= longest ? text : '')
}

const longest = 5000
