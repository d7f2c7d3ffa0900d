import http from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { filePath, prefix, routes, siteFile, siteRoutes, type Variant } from '../../api/routes.ts'
import { isUsername } from '../../content/username.ts'
import { realPath } from '../../files/real-path.ts'
import { address } from './ports.ts'
import { keyHeader } from './server.ts'

/** What a path of the API asks for. */
export type Target = {
  /** Below base_url, as `serve` knows it. */
  readonly path: string
  /** Below the snapshot's folder. */
  readonly file: string
}

/** Reads a request's path, which may end with a slash; `undefined` if it is none of the API's below `basePath`. */
export const targetOf = (
  pathname: string,
  { basePath, variant }: { readonly basePath: string; readonly variant: Variant },
): Target | undefined => {
  if (!pathname.startsWith(`${basePath}/`)) return undefined
  const path = pathname.slice(basePath.length).replace(/\/$/, '')
  const site = siteRoutes.find((route) => route.path === path)
  if (site !== undefined) return { path, file: siteFile(site) }
  const route = routes.find(
    ({ suffix }) => path.startsWith(prefix) && path.endsWith(suffix) && isUsername(usernameIn(path, suffix)),
  )
  return route && { path, file: filePath(route, variant, usernameIn(path, route.suffix)) }
}

const usernameIn = (path: string, suffix: string): string =>
  path.slice(prefix.length, path.length - suffix.length)

export type Backend = { readonly port: number; readonly key: string }

/** Lets `serve` answer a request; without a target, as it answers unknown paths. */
export const pass = async (
  { method, headers }: http.IncomingMessage,
  response: http.ServerResponse,
  { backend, path }: { readonly backend: Backend; readonly path: string },
): Promise<void> => {
  const { connection, host, 'content-length': _, 'transfer-encoding': __, expect, ...kept } = headers
  const question = { method, path, port: backend.port, headers: { ...kept, [keyHeader]: backend.key } }
  for (let tries = 3; tries > 0; tries--) {
    try {
      const { status, headers, body } = await ask(question)
      const { connection, 'keep-alive': _, 'transfer-encoding': __, ...sent } = headers
      response.statusCode = status
      for (const [name, value] of Object.entries(sent)) response.setHeader(name, value!)
      response.end(body)
      return
    } catch {
      // a build has replaced or removed the file while `serve` read it
    }
  }
  response.writeHead(502).end()
}

type Answer = {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

/** The whole of an answer; rejected if it breaks off. */
const ask = async (question: http.RequestOptions): Promise<Answer> => {
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get({ ...question, host: address, agent: false }, resolve).on('error', reject)
  })
  return { status: answer.statusCode!, headers: answer.headers, body: await buffer(answer) }
}

/** The path at which `serve` answers for a target; an unknown path if a link or another spelling leads there. */
export const servedPath = (
  target: Target | undefined,
  { variant, out }: { readonly variant: Variant; readonly out: string },
): string =>
  target === undefined || isElsewhere(path.join(out, target.file)) ? nowhere : `/${variant}${target.path}`

const nowhere = '/-'

/** Whether a path of the snapshot's folder, itself a real path, leads through a link or is spelt otherwise on disk. */
const isElsewhere = (file: string): boolean => {
  try {
    return realPath(file) !== file
  } catch {
    return false // nothing is there
  }
}
