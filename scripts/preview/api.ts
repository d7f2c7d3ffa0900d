import { hash } from 'node:crypto'
import http from 'node:http'
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
  requestPath,
  routeOf,
  routes,
  type Variant,
  variants,
} from '../api/routes.ts'
import { readFile, realPath } from '../files/folder.ts'
import { createSender, failed, requestFor, sameTag } from '../http/exchange.ts'
import { amount } from '../text/amounts.ts'
import { type Html, html } from '../text/html.ts'
import { jsonIn } from '../text/json.ts'
import { attempt } from './attempt.ts'
import { address, type Ports } from './servers.ts'

type Api = {
  /** The snapshot, a real path. */
  readonly out: string
  /** The path of `base_url`; `''` is none. */
  readonly basePath: string
  readonly variant: Variant
  /** As it was asked for, without its query; escapes are read. */
  readonly path: string
}

type Sent = { readonly status: number; readonly headers: object; readonly body?: string }

/** Answers a request as every host does, below `base_url`. */
export const answerApi = async (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { path: asked, out, basePath, variant }: Api,
): Promise<void> => {
  const send = ({ status, headers, body }: Sent): void => {
    const kind =
      body === undefined ? {} : { 'Content-Type': contentType, 'Content-Length': body.length }
    response.writeHead(status, { ...commonHeaders, ...headers, ...kind }).end(body)
  }
  const { method = '' } = request
  if (method === 'OPTIONS') return send(preflight)
  if (!(methods as readonly string[]).includes(method)) return send(errors.methodNotAllowed)
  const below = asked.startsWith(`${basePath}/`)
    ? asked.slice(basePath.length).replace(/\/$/, '')
    : ''
  const route = routeOf(below)
  if (route === undefined) return send(errors.notFound)
  const file = fileOf(route, { variant, request: below })
  const place = path.join(out, file)
  // spelt as on the disk, and no link leads there
  const bytes = attempt(() =>
    realPath(place) === place ? readFile(out, file, { limit: 2 ** 30 }) : undefined,
  )
  if (bytes === undefined) return send(errors.notFound)
  const { 'Content-Type': type, ...others } = route.headers
  const kept = { ...others, ETag: `"${hash('sha1', bytes)}"` }
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim()) ?? []
  if (known.some((one) => one === '*' || sameTag(one, kept.ETag)))
    return send({ status: 304, headers: kept })
  const headers = { ...noHeaders, ...commonHeaders, ...kept, 'Content-Type': type }
  // the handler gets the bytes that the tag is of: it can neither mix two versions of a file nor leave one open
  const stat = {
    size: bytes.length,
    mtime: new Date(0),
    isDirectory: () => false,
    isSymbolicLink: () => false,
  }
  await serveHandler(
    { url: `/${file}`, headers: {} } as http.IncomingMessage,
    response,
    {
      public: out,
      cleanUrls: false,
      directoryListing: false,
      headers: [
        { source: '**', headers: Object.entries(headers).map(([key, value]) => ({ key, value })) },
      ],
    },
    { lstat: async () => stat, createReadStream: () => Readable.from([bytes]) },
  )
}

/** Headers of `serve` that no other host sends. */
const noHeaders = { 'Content-Disposition': null, 'Accept-Ranges': null, 'Last-Modified': null }

/**
 * What the API answers for a member, in both variants: asked for over the network, as a client does. Lines that only one
 * of the two has are marked.
 */
export const apiView = async (
  username: string,
  { ports, basePath }: { readonly ports: Ports; readonly basePath: string },
): Promise<Html> => {
  const name = encodeURIComponent(username)
  const place = (scheme: Variant) => ({ hostname: address, port: ports[scheme], path: '' })
  const addresses = { https: place('https'), http: place('http') }
  const sender = createSender({ addresses, insecure: true, timeoutMs: 10_000 })
  const hear = async (scheme: Variant, path: string) => {
    const answer = await sender.send(requestFor(scheme, path, { limit: 1 << 24 }))
    const url = `${scheme}://${address}:${ports[scheme]}${path}`
    if (failed(answer)) return { url, scheme, status: answer.detail, headers: [], lines: [''] }
    const status = `${answer.status} ${http.STATUS_CODES[answer.status]}`
    const body = Buffer.from(answer.body).toString()
    const data = jsonIn(body)
    const text = data === undefined ? body : JSON.stringify(data, null, 2)
    return { url, scheme, status, headers: answer.headers, lines: text.split('\n') }
  }
  const pairs = await Promise.all(
    routes.map((route) =>
      Promise.all(variants.map((scheme) => hear(scheme, basePath + requestPath(route, name)))),
    ),
  )
  sender.close()
  return html`<p>Each answer was asked for just now. <a class="sp-button" href="/-/api/${name}">Send the requests again</a></p>${pairs.map(
    (pair) =>
      html`<div class="sp-pair">${pair.map(({ url, scheme, status, headers, lines }, at) => {
        const others = new Set(pair[1 - at]?.lines)
        const curl = `curl ${scheme === 'https' ? '--insecure ' : ''}${url}`
        return html`<section><h2><bdi>${url}</bdi></h2><p><b>${status}</b> <button type="button" data-copy="${curl}">Copy as curl</button></p><details><summary>${amount(headers.length, 'header')}</summary><dl>${headers.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></details><pre tabindex="0">${lines.map((line) => html`${others.has(line) ? line : html`<mark>${line}</mark>`}\n`)}</pre></section>`
      })}</div>`,
  )}`
}
