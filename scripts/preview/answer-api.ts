import { hash } from 'node:crypto'
import type http from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import serveHandler from 'serve-handler'
import {
  commonHeaders,
  contentType,
  errors,
  type FileHeaders,
  filePath,
  methods,
  prefix,
  preflight,
  routes,
  siteFile,
  siteRouteOf,
  storeFailure,
  type Variant,
} from '../api/routes.ts'
import { isUsername } from '../content/username.ts'
import { readFile, realPath } from '../files/folder.ts'
import { sameTag } from '../http/etag.ts'
import { mayPass } from '../problems/user-error.ts'

type Api = {
  /** The snapshot, a real path. */
  readonly out: string
  /** The path of `base_url`; `''` is none. */
  readonly basePath: string
  readonly variant: Variant
  /** As it was asked for, without its query; escapes are read. */
  readonly path: string
}

/** Answers a request as every host does, below `base_url`. */
export const answerApi = async (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { path: asked, out, basePath, variant }: Api,
): Promise<void> => {
  const send = (status: number, headers: object, body?: string): void => {
    const kind = body === undefined ? {} : { 'Content-Type': contentType, 'Content-Length': body.length }
    response.writeHead(status, { ...commonHeaders, ...headers, ...kind }).end(body)
  }
  const notFound = (): void => send(404, errors.notFound.headers, errors.notFound.body)
  const method = request.method ?? ''
  if (method === 'OPTIONS') return send(preflight.status, preflight.headers)
  if (!(methods as readonly string[]).includes(method)) {
    return send(405, errors.methodNotAllowed.headers, errors.methodNotAllowed.body)
  }
  const target = asked.startsWith(`${basePath}/`)
    ? targetOf(asked.slice(basePath.length), variant)
    : undefined
  if (target === undefined) return notFound()
  let bytes: Buffer | undefined
  try {
    // spelt as on the disk, and no link leads there
    const place = path.join(out, target.file)
    if (realPath(place) === place) bytes = readFile(out, target.file, { limit: mostBytes })
  } catch (error) {
    if (!mayPass(error)) throw error
    const isThere = !['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')
    if (isThere) return send(storeFailure.status, storeFailure.headers, storeFailure.body)
  }
  if (bytes === undefined) return notFound()
  const { 'Content-Type': type, ...kept } = target.headers
  const tag = `"${hash('sha1', bytes)}"`
  if (knows(request.headers['if-none-match'], tag)) return send(304, { ...kept, ETag: tag })
  // the handler gets the bytes that the tag is of: it can neither mix two versions of a file nor leave one open
  const headers = { ...noHeaders, ...commonHeaders, ...kept, 'Content-Type': type, ETag: tag }
  await serveHandler(
    { url: `/${target.file}`, headers: {} } as http.IncomingMessage,
    response,
    {
      public: out,
      cleanUrls: false,
      directoryListing: false,
      headers: [{ source: '**', headers: Object.entries(headers).map(([key, value]) => ({ key, value })) }],
    },
    {
      lstat: async () => ({
        size: bytes.length,
        mtime: new Date(0),
        isDirectory: () => false,
        isSymbolicLink: () => false,
      }),
      createReadStream: () => Readable.from([bytes]),
    },
  )
}

/** Headers of `serve` that no other host sends. */
const noHeaders = { 'Content-Disposition': null, 'Accept-Ranges': null, 'Last-Modified': null }

/** What answers a path below `base_url`, with or without a slash at its end. */
const targetOf = (asked: string, variant: Variant): Target | undefined => {
  const request = asked.replace(/\/$/, '')
  const site = siteRouteOf(request)
  if (site !== undefined) return { ...site, file: siteFile(site, { variant, request }) }
  const nameIn = (suffix: string): string => request.slice(prefix.length, request.length - suffix.length)
  const route = routes.find(
    ({ suffix }) => request.startsWith(prefix) && request.endsWith(suffix) && isUsername(nameIn(suffix)),
  )
  if (route === undefined) return undefined
  return { file: filePath(route, variant, nameIn(route.suffix)), headers: route.headers }
}

type Target = { readonly file: string; readonly headers: FileHeaders }

const mostBytes = 2 ** 30

/** Whether an `If-None-Match` header names a tag. */
const knows = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((one) => one.trim() === '*' || sameTag(one.trim(), tag)) === true
