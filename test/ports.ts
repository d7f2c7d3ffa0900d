import { once } from 'node:events'
import { createServer } from 'node:net'

/** Two ports of 127.0.0.1 that were free a moment ago. */
export const freePorts = async () => {
  const servers = [createServer(), createServer()].map((server) =>
    server.listen(0, '127.0.0.1'),
  )
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports as [number, number]
}
