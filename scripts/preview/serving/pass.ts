import { hash } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import {
  filePath,
  otherErrorHeaders,
  prefix,
  routes,
  servedSiteRoutes,
  siteFile,
  type Variant,
} from '../../api/routes.ts'
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
  const site = servedSiteRoutes.find((route) => route.path === path)
  if (site !== undefined) return { path, file: siteFile(site) }
  const route = routes.find(
    ({ suffix }) => path.startsWith(prefix) && path.endsWith(suffix) && isUsername(usernameIn(path, suffix)),
  )
  return route && { path, file: filePath(route, variant, usernameIn(path, route.suffix)) }
}

const usernameIn = (path: string, suffix: string): string =>
  path.slice(prefix.length, path.length - suffix.length)

export type Backend = { readonly port: number; readonly key: string }

/**
 * Lets `serve` answer a request; without a target, as it answers unknown paths. It is asked for the whole file, whatever
 * the request says: a file may change while it is read, and what is compared or left out has to be of one version.
 */
export const pass = async (
  { method, headers }: http.IncomingMessage,
  response: http.ServerResponse,
  { backend, path }: { readonly backend: Backend; readonly path: string },
): Promise<void> => {
  const answer = await askAgain(path, backend)
  if (answer === undefined) {
    response.writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8', ...otherErrorHeaders })
    response.end("The file can't be read: the next build makes it anew.\n")
    return
  }
  const { body } = answer
  for (const [name, value] of Object.entries(answer.headers)) {
    if (!notPassedOn.includes(name)) response.setHeader(name, value!)
  }
  const tag = `"${hash('sha1', body)}"`
  if (answer.status === 200) response.setHeader('ETag', tag)
  const isKnown = answer.status === 200 && namesTag(headers['if-none-match'], tag)
  response.statusCode = isKnown ? 304 : answer.status
  if (!isKnown) response.setHeader('Content-Length', body.length)
  response.end(isKnown || method === 'HEAD' ? undefined : body)
}

/** Headers about the way in which `serve` sent its answer, or about what only it can do. */
const notPassedOn: readonly string[] = [
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length'],
  ...['accept-ranges', 'last-modified'],
]

/** Whether an `If-None-Match` header names a tag. */
const namesTag = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim())) === true

type Answer = {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

/** An answer breaks off where a build replaces or removes the file while `serve` reads it. */
const askAgain = async (path: string, backend: Backend): Promise<Answer | undefined> => {
  for (let tries = 3; tries > 0; tries--) {
    const answer = await ask(path, backend).catch(() => undefined)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** The whole of an answer; rejected if it breaks off. */
const ask = async (path: string, { port, key }: Backend): Promise<Answer> => {
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http
      .get({ host: address, port, path, headers: { [keyHeader]: key }, agent: false }, resolve)
      .on('error', reject)
  })
  return { status: answer.statusCode!, headers: answer.headers, body: await buffer(answer) }
}

/** The path at which `serve` answers for a target; an unknown path if something else than the plain file is there. */
export const servedPath = (
  target: Target | undefined,
  { variant, out }: { readonly variant: Variant; readonly out: string },
): string =>
  target === undefined || isOther(path.join(out, target.file)) ? nowhere : `/${variant}${target.path}`

const nowhere = '/-'

/**
 * Whether something else than a plain file is at a path of the snapshot's folder, itself a real path: `serve` would wait
 * for a pipe. Or the path leads through a link, or is spelt otherwise on disk.
 */
const isOther = (file: string): boolean => {
  try {
    return realPath(file) !== file || !fs.statSync(file).isFile()
  } catch {
    return false // nothing is there
  }
}
