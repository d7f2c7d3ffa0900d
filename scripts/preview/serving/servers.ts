import { randomBytes } from 'node:crypto'
import { type Variant, variants } from '../../api/routes.ts'
import type { UserError } from '../../problems/user-error.ts'
import type { Folders } from '../../snapshot/state/folders.ts'
import { type Front, type Handler, startFront } from './front.ts'
import { pass, servedPath, targetOf } from './pass.ts'
import type { Ports } from './ports.ts'
import { hasRoot, prepareRoot } from './roots.ts'
import { type Server, startServer } from './server.ts'

/** A server of ours on each port; they pass requests on to `serve`. */
export type Servers = {
  /** Starts them; settled when all of them listen. */
  readonly start: () => Promise<void>
  /** Ends them for good; settled when they are gone. */
  readonly end: () => Promise<void>
}

/** Answers what is not the API's, or says that it can't. */
export type PagesHandler = (scheme: Variant, ...args: Parameters<Handler>) => boolean

export type ServersOptions = {
  readonly folders: Folders
  readonly ports: Ports
  readonly pem: string
  /** The path of base_url, as it is now. */
  readonly basePath: () => string
  readonly pages: PagesHandler
  /** `serve` has ended by itself. */
  readonly onDeath: (error: UserError) => void
}

export const createServers = ({ folders, ports, pem, basePath, pages, onDeath }: ServersOptions): Servers => {
  const key = randomBytes(16).toString('hex')
  let server: Server | undefined
  let fronts: readonly Front[] = []
  let ended = false

  const handlerFor =
    (scheme: Variant, port: number): Handler =>
    (request, response) => {
      const target = targetOf(pathOf(request.url!), { basePath: basePath(), variant: scheme })
      if (target === undefined && pages(scheme, request, response)) return
      renewRoot(folders)
      const path = servedPath(target, { variant: scheme, out: folders.out })
      void pass(request, response, { backend: { port, key }, path })
    }

  return {
    start: async () => {
      if (ended) return
      server = startServer({ root: prepareRoot(folders), key, onDeath })
      const port = await server.ready
      if (ended) return
      fronts = variants.map((scheme) =>
        startFront({ scheme, port: ports[scheme], pem, handle: handlerFor(scheme, port) }),
      )
      await Promise.all(fronts.map(({ ready }) => ready))
    },
    end: async () => {
      ended = true
      for (const front of fronts) front.close()
      await server?.stop()
    },
  }
}

/** The state's folder holds the root, and may be deleted at any time. */
const renewRoot = (folders: Folders): void => {
  try {
    if (!hasRoot(folders)) prepareRoot(folders)
  } catch {
    // a full disk, or a stranger in the way: `serve` answers 404
  }
}

/** The path that a request names, without a query; escapes are read. One that can't be read is none that we know. */
const pathOf = (url: string): string => {
  const [path = ''] = url.split('?', 1)
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
