import path from 'node:path'
import { variants } from '../api/routes.ts'
import type { UserError } from '../diagnostics/user-error.ts'
import type { Folders } from '../snapshot/state/folders.ts'
import { ensureCertificate } from './certificate.ts'
import type { Ports } from './ports.ts'
import { prepareFolder, prepareRoot } from './roots.ts'
import { type Server, startServer } from './server.ts'

/** The snapshot, served by one process a scheme. */
export type Servers = {
  /** Serves it below a path (that of `base_url`), from now on; settled when both schemes are up. */
  readonly serve: (basePath: string) => Promise<void>
  /** Ends them for good; settled when they are gone. */
  readonly end: () => Promise<void>
}

export const createServers = (options: {
  readonly folders: Folders
  readonly ports: Ports
  readonly onDeath: (error: UserError) => void
}): Servers => {
  const { folders, ports, onDeath } = options
  const running: Server[] = []
  let ended = false
  const stop = async () => {
    await Promise.all(running.splice(0).map((server) => server.stop()))
  }
  return {
    serve: async (basePath) => {
      const folder = prepareFolder(folders)
      const pem = path.join(folder, 'localhost.pem')
      await Promise.all([stop(), ensureCertificate(pem)])
      if (ended) return
      for (const scheme of variants) {
        const root = prepareRoot(scheme, { folder, out: folders.out, basePath })
        running.push(startServer({ scheme, port: ports[scheme], root, pem, onDeath }))
      }
      await Promise.all(running.map(({ ready }) => ready))
    },
    end: () => {
      ended = true
      return stop()
    },
  }
}
