import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves on a free port of this machine only. */
export const listen = async (
  listener: RequestListener,
): Promise<{ origin: URL; close: () => Promise<void> }> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
