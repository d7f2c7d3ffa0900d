import net from 'node:net'
import { type Variant, variants } from '../../api/routes.ts'
import { UserError } from '../../problems/user-error.ts'

export type Ports = Readonly<Record<Variant, number>>

/** Where the preview listens: this machine only. */
export const address = '127.0.0.1'

/**
 * Refuses ports that are taken or not allowed, before anything is started. Browsers take `localhost` for `::1`
 * first: a stranger there would answer in our place, so it has to be free as well.
 */
export const requireFree = async (ports: Ports): Promise<void> => {
  if (ports.http === ports.https) {
    throw new UserError(`--http and --https are both ${ports.http}`, { hint: 'give each its own port' })
  }
  for (const scheme of variants) {
    for (const host of [address, '::1']) {
      const code = await tryPort(ports[scheme], host)
      if (code === 'EADDRINUSE') throw portInUse(scheme, ports[scheme])
      if (code === 'EACCES') {
        throw new UserError(`port ${ports[scheme]} is not yours to listen on`, {
          hint: `choose one above 1023: --${scheme} PORT`,
        })
      }
    }
  }
}

export const portInUse = (scheme: Variant, port: number): UserError =>
  new UserError(`port ${port} is in use`, {
    hint: `stop what listens there, or choose another port: --${scheme} PORT`,
  })

/** Why a port can't be listened on; `undefined` if it can. */
const tryPort = (port: number, host: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
