import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { createContext, runInContext } from 'node:vm'
import { parseAllRedirects } from '@netlify/redirect-parser'
import { getTransformedRoutes, isHandler, type Route as Rule } from '@vercel/routing-utils'
import { parseJSON } from 'netlify-redirector'
import serveHandler from 'serve-handler'
import superstatic from 'superstatic'
import type { Variant } from '../../scripts/api/routes.ts'
import { cloudfront } from '../../scripts/hosts/cloudfront.ts'
import { firebase } from '../../scripts/hosts/firebase.ts'
import type { Host } from '../../scripts/hosts/host.ts'
import { netlify } from '../../scripts/hosts/netlify.ts'
import { serve } from '../../scripts/hosts/serve.ts'
import { vercel } from '../../scripts/hosts/vercel.ts'
import { type Texts, writeTree } from '../sandbox.ts'
import { ask, lowerCase } from './ask.ts'
import { temporaryFolder } from './engine.ts'
import { listen, snapshotFiles } from './managed.ts'
import { hostOptions } from './options.ts'

/** A request for a path of the origin, with the path of base_url if there is one. */
export type Asked = {
  readonly path: string
  readonly variant: Variant
  readonly method?: string
  readonly headers?: readonly (readonly [string, string])[]
}
/** What comes: names of headers in lower case, none where only the host itself would set them. */
export type Reply = {
  readonly status: number
  readonly body: string
  readonly headers?: Texts
}
export type Emulated = {
  readonly answer: (asked: Asked) => Reply | Promise<Reply>
  readonly close?: () => Promise<void>
}

type Tree = ReadonlyMap<string, string>
type ByName = Record<string, { value: string }>

/** Serves the files of a host over a socket, by the host's own code. */
const overSocket = async (
  host: Host,
  listenerFor: (root: string, files: Tree) => RequestListener,
): Promise<Emulated> => {
  const root = await temporaryFolder()
  const files = snapshotFiles(host)
  writeTree(root, Object.fromEntries(files))
  const server = await listen(listenerFor(root, files))
  return {
    answer: async ({ variant: _, ...asked }) => {
      const answer = await ask({ port: Number(server.origin.port), scheme: 'http', ...asked })
      return { ...answer, body: `${answer.body}` }
    },
    close: async () => {
      await server.close()
      rmSync(root, { recursive: true })
    },
  }
}

/** What `serve` does around its handler: it hands on the parsed config, with ETags on. */
export const emulateServe = (folder: string): Promise<Emulated> =>
  overSocket(serve, (root, files) => {
    const config = JSON.parse(files.get(`${folder}serve.json`)!)
    const own = { ...config, public: `${root}/${folder}`, etag: true }
    return (request, response) => serveHandler(request, response, own)
  })

export const emulateFirebase = (): Promise<Emulated> =>
  overSocket(firebase, (cwd, files) => {
    const config = JSON.parse(files.get('firebase.json')!).hosting
    const answer = superstatic({ cwd, config, fallthrough: false })
    return (request, response) => answer(request, response, () => response.destroy())
  })

/** Matches by Netlify's own parser and matcher; headers are Netlify's to set. */
export const emulateNetlify = async (basePath: string): Promise<Emulated> => {
  const files = snapshotFiles(netlify, basePath)
  const folder = mkdtempSync(`${tmpdir()}/shotpress-netlify-`)
  const file = `${folder}/_redirects`
  writeFileSync(file, files.get('_redirects')!)
  const { errors, redirects } = await parseAllRedirects({
    redirectsFiles: [file],
    configRedirects: [],
    minimal: false,
  })
  rmSync(folder, { recursive: true })
  if (errors.length > 0) throw new Error(String(errors))
  // the engine names two fields otherwise than the parser
  const rules = (redirects as { from: string; query: object }[]).map(
    ({ from, query, ...rule }) => {
      return { ...rule, origin: from, params: query }
    },
  )
  const matcher = await parseJSON(JSON.stringify(rules), { jwtSecret: '', jwtRole: '' })
  return {
    answer: ({ path, variant }) => {
      const common = { host: 'api.example.com', query: '', headers: {}, cookieValues: {} }
      const { status, to, force } = matcher.match({ ...common, scheme: variant, path })!
      if (!force) throw new Error(`a file would come before the rule for ${path}`)
      return { status, body: files.get(to.slice(1))! }
    },
  }
}

/**
 * Follows the compiled routes as Vercel documents them: in order, then those after the handle
 * `error`.
 */
export const emulateVercel = (basePath: string): Emulated => {
  const files = snapshotFiles(vercel, basePath)
  const { routes, error } = getTransformedRoutes(JSON.parse(files.get('vercel.json')!))
  if (error !== null) throw error
  const handle = routes!.findIndex((route) => isHandler(route))
  return {
    answer: ({ path, method = 'GET' }) => {
      const first = follow(routes!.slice(0, handle), { path, method })
      const isMissing = first.file !== undefined && !files.has(first.file.slice(1))
      const {
        status,
        file = '',
        headers,
      } = isMissing
        ? { ...first, ...follow(routes!.slice(handle + 1), { path, method }, first.headers) }
        : first
      return { status, headers: lowerCase(headers), body: files.get(file.slice(1)) ?? '' }
    },
  }
}

const follow = (
  rules: readonly Rule[],
  { path, method }: { readonly path: string; readonly method: string },
  before = {},
) => {
  let headers: Record<string, string> = before
  for (const rule of rules) {
    if (isHandler(rule) || rule.methods?.includes(method) === false) continue
    const match = new RegExp(`^(?:${rule.src})$`, rule.caseSensitive ? '' : 'i').exec(path)
    if (match === null) continue
    headers = { ...headers, ...rule.headers }
    if (rule.continue) continue
    return {
      status: rule.status ?? 200,
      file: rule.dest?.replace('$1', match[1] ?? ''),
      headers,
    }
  }
  throw new Error(`no route for ${path}`)
}

/** Runs the generated function as CloudFront would, before S3 and after it. */
export const emulateCloudfront = (basePath: string): Emulated => {
  const files = snapshotFiles(cloudfront, basePath)
  return {
    answer: ({ path, variant, method = 'GET' }) => {
      const request = viewerRequest(path, { method, scheme: variant, basePath })
      if (request.statusCode !== undefined) {
        return {
          status: request.statusCode,
          headers: valuesOf(request.headers!),
          body: request.body ?? '',
        }
      }
      if (Object.keys(request.querystring!).length > 0)
        throw new Error('S3 would get the query')
      const body = files.get(request.uri!.slice(1))
      // the distribution's page for errors
      if (body === undefined) return { status: 404, body: files.get('404.json')! }
      const headers = viewerResponse(200, { uri: request.uri!, basePath })
      return { status: 200, headers: valuesOf(headers), body }
    },
  }
}

const valuesOf = (headers: ByName) =>
  Object.fromEntries(Object.entries(headers).map(([name, { value }]) => [name, value]))

type Outcome = {
  readonly uri?: string
  readonly querystring?: object
  readonly statusCode?: number
  readonly headers?: ByName
  readonly body?: string
}

/** Without a scheme CloudFront is not set up to tell it. */
export const viewerRequest = (
  uri: string,
  {
    method = 'GET',
    scheme = '',
    basePath = '',
  }: { method?: string; scheme?: string; basePath?: string },
): Outcome => {
  const told = scheme === '' ? {} : { 'cloudfront-forwarded-proto': { value: scheme } }
  const headers = { host: { value: 'api.example.com' }, ...told }
  const request = { method, uri, querystring: { a: { value: '1' } }, cookies: {}, headers }
  return evaluate({ context: { eventType: 'viewer-request' }, request }, basePath)
}

/** The headers of an answer of S3 as clients get them. */
export const viewerResponse = (
  statusCode: number,
  { uri, basePath = '', headers = {} }: { uri: string; basePath?: string; headers?: ByName },
): ByName => {
  const request = { method: 'GET', uri, headers: {} }
  const response = { statusCode, headers, cookies: {} }
  return evaluate({ context: { eventType: 'viewer-response' }, request, response }, basePath)
    .headers!
}

const evaluate = (event: object, basePath: string) => {
  const given = { event: { version: '1.0', ...event } }
  const sandbox = createContext(given, { codeGeneration: { strings: false, wasm: false } })
  return runInContext(
    `${cloudfront.config!({ ...hostOptions({}), basePath })}\nhandler(event)`,
    sandbox,
  )
}
