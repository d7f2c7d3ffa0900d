import { hash } from 'node:crypto'
import type http from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import serveHandler from 'serve-handler'
import {
  commonHeaders,
  contentType,
  errors,
  fileOf,
  methods,
  preflight,
  routeOf,
  type Variant,
} from '../api/routes.ts'
import { readFile, realPath } from '../files/folder.ts'
import { sameTag } from '../http/exchange.ts'
import type { Answer } from './answers.ts'
import { attempt } from './attempt.ts'

/** The API as the last snapshot has it. */
type Api = {
  /** The snapshot, a real path. */
  readonly out: string
  /** The path of `base_url`; `''` is none. */
  readonly basePath: string
  /** Those that the site is for; the https variant is served over the other one. */
  readonly schemes: readonly Variant[]
}

type ApiRequest = {
  /** Without its query; escapes are read. */
  readonly path: string
  readonly scheme: Variant
  readonly method?: string | undefined
  /** What `If-None-Match` says. */
  readonly known?: string | undefined
}

/** What every host answers, below `base_url`. */
export const apiAnswer = (
  { path: asked, scheme, method = 'GET', known = '' }: ApiRequest,
  { out, basePath, schemes }: Api,
): Answer => {
  if (method === 'OPTIONS') return told(preflight)
  if (!(methods as readonly string[]).includes(method)) return told(errors.methodNotAllowed)
  const below = asked.startsWith(`${basePath}/`)
    ? asked.slice(basePath.length).replace(/\/$/, '')
    : ''
  const route = routeOf(below)
  if (route === undefined) return told(errors.notFound)
  const variant = schemes.includes(scheme) ? scheme : 'https'
  const file = fileOf(route, { variant, request: below })
  const place = path.join(out, file)
  // spelt as on the disk, and no link leads there
  const body = attempt(() =>
    realPath(place) === place ? readFile(out, file, { limit: 2 ** 30 }) : undefined,
  )
  if (body === undefined) return told(errors.notFound)
  const { 'Content-Type': type, ...others } = route.headers
  const tag = `"${hash('sha1', body)}"`
  const headers = { ...commonHeaders, ...others, ETag: tag }
  const isKnown = known
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === '*' || sameTag(one, tag))
  return isKnown
    ? { status: 304, headers }
    : { status: 200, headers: { ...headers, 'Content-Type': type }, body }
}

type Told = { readonly status: number; readonly headers: object; readonly body?: string }

const told = ({ status, headers, body }: Told): Answer => {
  const kind = body && { 'Content-Type': contentType, 'Content-Length': body.length }
  return { status, headers: { ...commonHeaders, ...headers, ...kind }, body }
}

/**
 * The handler of `serve` sends a file; it gets the bytes that the tag is of, so two versions
 * of it can't mix.
 */
export const sendApi = async (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { status, headers, body }: Answer,
): Promise<void> => {
  if (status !== 200) return void response.writeHead(status, headers).end(body)
  delete request.headers.range
  const bytes = Buffer.from(body ?? '')
  const stat = { size: bytes.length, isDirectory: () => false, isSymbolicLink: () => false }
  const sent = Object.entries({ ...noHeaders, ...headers })
  await serveHandler(
    request,
    response,
    {
      cleanUrls: false,
      directoryListing: false,
      headers: [{ source: '**', headers: sent.map(([key, value]) => ({ key, value })) }],
    },
    {
      lstat: async () => ({ ...stat, mtime: new Date(0) }),
      createReadStream: () => Readable.from([bytes]),
    },
  )
}

/** Headers of `serve` that no other host sends. */
const noHeaders = {
  'Content-Disposition': null,
  'Accept-Ranges': null,
  'Last-Modified': null,
}
