import type { Addresses } from '../../scripts/http/addresses.ts'
import {
  type Answer,
  decode,
  type Outcome,
  type Request,
  type Sender,
} from '../../scripts/http/exchange.ts'
import { lowerCase } from '../hosts/ask.ts'
import { type Handler, onWire } from './reference-host.ts'

/** Two schemes of a name that nobody asks over the network. */
export const addresses: Addresses = {
  https: { hostname: 'api.example.com', port: 8443, path: '' },
  http: { hostname: 'api.example.com', port: 8080, path: '' },
}

/** Sends to a handler in this process what would go over the wire, and notes it. */
export const sendTo = (handler: Handler) => {
  const requests: Request[] = []
  const sender: Sender = {
    send: async (request) => {
      requests.push(request)
      return exchange(handler, request)
    },
    count: () => requests.length,
    certificate: () => undefined,
    close: () => {},
  }
  return { sender, requests }
}

const exchange = (handler: Handler, request: Request): Outcome => {
  const { scheme, method, path, host, limit } = request
  const { hostname, port } = addresses[scheme]
  const Host = host === 'own' ? `${hostname}:${port}` : hostname
  const headers = lowerCase({ Host, ...request.headers })
  const reply = handler({ scheme, method, target: path, headers })
  if (reply.hangUp) return { failure: 'closed', detail: 'the connection was closed' }
  const { bodiless, lines } = onWire(reply)
  const answer: Omit<Answer, 'content'> = {
    status: reply.status,
    headers: lines.map(([name, value]) => [name.toLowerCase(), value]),
    body: bodiless || method === 'HEAD' ? Buffer.alloc(0) : reply.body,
    cut: false,
    surplus: reply.surplus !== undefined,
  }
  return { ...answer, content: decode(answer, limit) }
}
