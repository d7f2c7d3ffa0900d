import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { text } from 'node:stream/consumers'

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends one request over a socket of its own, the path exactly as given. */
export const ask = (
  origin: URL,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: OutgoingHttpHeaders } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const send = origin.protocol === 'https:' ? secure : plain
    const request = send(
      {
        host: origin.hostname,
        port: origin.port,
        path,
        method,
        headers,
        agent: false,
        rejectUnauthorized: false,
      },
      async (response) =>
        resolve({ status: response.statusCode!, headers: response.headers, body: await text(response) }),
    )
    request.on('error', reject)
    request.end()
  })
