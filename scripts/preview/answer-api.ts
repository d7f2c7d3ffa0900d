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
  fileOf,
  methods,
  preflight,
  routeOf,
  type Variant,
} from '../api/routes.ts'
import { readFile, realPath } from '../files/folder.ts'
import { sameTag } from '../http/exchange.ts'
import { attempt } from './content.ts'

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
  const send = ({ status, headers, body }: Fixed): void => {
    const kind = body === undefined ? {} : { 'Content-Type': contentType, 'Content-Length': body.length }
    response.writeHead(status, { ...commonHeaders, ...headers, ...kind }).end(body)
  }
  const { method = '' } = request
  if (method === 'OPTIONS') return send(preflight)
  if (!(methods as readonly string[]).includes(method)) return send(errors.methodNotAllowed)
  const isBelow = asked.startsWith(`${basePath}/`)
  const target = isBelow ? targetOf(asked.slice(basePath.length), variant) : undefined
  if (target === undefined) return send(errors.notFound)
  // spelt as on the disk, and no link leads there
  const place = path.join(out, target.file)
  const bytes = attempt(() =>
    realPath(place) === place ? readFile(out, target.file, { limit: mostBytes }) : undefined,
  )
  if (bytes === undefined) return send(errors.notFound)
  const { 'Content-Type': type, ...others } = target.headers
  const kept = { ...others, ETag: `"${hash('sha1', bytes)}"` }
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim()) ?? []
  if (known.some((one) => one === '*' || sameTag(one, kept.ETag))) return send({ status: 304, headers: kept })
  const headers = { ...noHeaders, ...commonHeaders, ...kept, 'Content-Type': type }
  // the handler gets the bytes that the tag is of: it can neither mix two versions of a file nor leave one open
  const stat = {
    size: bytes.length,
    mtime: new Date(0),
    isDirectory: () => false,
    isSymbolicLink: () => false,
  }
  await serveHandler(
    { url: `/${target.file}`, headers: {} } as http.IncomingMessage,
    response,
    {
      public: out,
      cleanUrls: false,
      directoryListing: false,
      headers: [{ source: '**', headers: Object.entries(headers).map(([key, value]) => ({ key, value })) }],
    },
    { lstat: async () => stat, createReadStream: () => Readable.from([bytes]) },
  )
}

type Fixed = { readonly status: number; readonly headers: object; readonly body?: string }

/** Headers of `serve` that no other host sends. */
const noHeaders = { 'Content-Disposition': null, 'Accept-Ranges': null, 'Last-Modified': null }

/** What answers a path below `base_url`, with or without a slash at its end. */
const targetOf = (asked: string, variant: Variant): Target | undefined => {
  const request = asked.replace(/\/$/, '')
  const route = routeOf(request)
  return route && { file: fileOf(route, { variant, request }), headers: route.headers }
}

type Target = { readonly file: string; readonly headers: FileHeaders }

const mostBytes = 2 ** 30
