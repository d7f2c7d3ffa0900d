import type http from 'node:http'
import { isOwnOrigin } from '../serving/front.ts'
import type { PagesHandler } from '../serving/servers.ts'
import { type Answer, isPage, type Question, respond, type Server } from './respond.ts'

/** Answers requests for pages, once `ready` is settled; a page that fails is reported, and the preview goes on. */
export const createHandler =
  (
    server: Server,
    { ready, onFailure }: { readonly ready: Promise<unknown>; readonly onFailure: (error: unknown) => void },
  ): PagesHandler =>
  (scheme, request, response) => {
    const url = URL.parse?.(request.url!, 'http://localhost') ?? parse(request.url!)
    const path = url && unescaped(url.pathname)
    if (url === undefined || path === undefined || !isPage(path)) return false
    const { headers, method = 'GET' } = request
    const own =
      headers.origin === undefined
        ? 'unknown'
        : isOwnOrigin(headers.origin, { scheme, port: server.ports[scheme] })
          ? 'yes'
          : 'no'
    const question: Question = {
      scheme,
      method,
      path,
      query: url.searchParams,
      headers,
      own,
      form: () => readForm(request),
    }
    ready
      .then(() => respond(question, server))
      .then((answer) => send(response, answer, method))
      .catch((error: unknown) => {
        onFailure(error)
        if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' })
        response.end('The page could not be made: the terminal says why.\n')
      })
    return true
  }

const parse = (url: string): URL | undefined =>
  URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost') : undefined

const unescaped = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
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
