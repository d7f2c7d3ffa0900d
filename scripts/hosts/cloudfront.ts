import * as api from '../api/routes.ts'
import type { Host, HostOptions } from './host.ts'
import { json, limitsOf, literal } from './lines.ts'
import { folderOf, type Headers, otherTypes, rulesAsCode } from './rules.ts'

const code = ({ basePath, hasHttp }: HostOptions) => `\
// CloudFront function, runtime cloudfront-js-2.0. Made by Shotpress from its route table: do
// not edit. Associate it with viewer request and viewer response. The cache behaviour around
// it is in docs/hosting/managed.md: above all, its cache policy must list the header
// CloudFront-Forwarded-Proto, and its viewer protocol policy must be "HTTP and HTTPS".
${limitsOf(cloudfront, hasHttp).join('\n')}

// where the file of a path is: in the folder of the scheme or not, and what follows the path
const rules = ${rulesAsCode(basePath)}
const folders = ${json({ https: folderOf('https'), http: folderOf('http') })}
const ok = ${json(headerTable({ ...api.commonHeaders, ...api.okHeaders, 'Content-Type': api.contentType }))}
const otherTypes = [
${otherTypes.map(typeAsCode).join('\n')}
]
const preflight = ${json(answer(api.preflight.status, 'No Content', { ...api.commonHeaders, ...api.preflight.headers }))}
const notFound = ${json(failure('Not Found', api.errors.notFound))}
const methodNotAllowed = ${json(failure('Method Not Allowed', api.errors.methodNotAllowed))}
const misconfigured = ${json(answer(500, 'Internal Server Error', api.otherErrorHeaders, unset))}

function handler(event) {
  return event.response ? completed(event.response, event.request.uri) : routed(event.request)
}

function routed(request) {
  if (request.method === 'OPTIONS') return preflight
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed

  const scheme = request.headers['cloudfront-forwarded-proto']
${!hasHttp ? "  if (scheme && scheme.value === 'http') return redirect(request)\n" : ''}\
  for (const rule of rules) {
    const found = rule.path.exec(request.uri)
    if (!found) continue
    const folder = rule.variants ? scheme && folders[scheme.value] : ''
    if (typeof folder !== 'string') return misconfigured
    request.uri = folder + found[1] + rule.ending
    request.querystring = {}
    return request
  }
  return request.method === 'HEAD' ? withoutBody(notFound) : notFound
}

function redirect(request) {
  const location = 'https://' + request.headers.host.value + request.uri
  return { statusCode: 308, statusDescription: 'Permanent Redirect', headers: { location: { value: location } } }
}

${completing}`

const completing = `function completed(response, uri) {
  if (response.statusCode >= 400) return response
  const other = otherTypes.find(({ path }) => path.test(uri))
  const headers = Object.assign({}, ok, other && other.headers)
  for (const name in headers) {
    if (name !== 'content-type' || response.statusCode !== 304) response.headers[name] = headers[name]
  }
  return response
}

function withoutBody(answer) {
  return { statusCode: answer.statusCode, statusDescription: answer.statusDescription, headers: answer.headers }
}
`

const typeAsCode = ({ ending, headers }: (typeof otherTypes)[number]) => {
  const path = new RegExp(`${literal(ending)}/?$`)
  return `  { path: ${path}, headers: ${JSON.stringify(headerTable(headers))} },`
}

const unset = '{"error":"the cache policy lacks the header CloudFront-Forwarded-Proto"}\n'

const failure = (text: string, { status, body, headers }: api.ErrorAnswer) =>
  answer(
    status,
    text,
    { ...api.commonHeaders, 'Content-Type': api.contentType, ...headers },
    body,
  )

const answer = (
  statusCode: number,
  statusDescription: string,
  headers: Headers,
  body?: string,
) => ({
  statusCode,
  statusDescription,
  headers: headerTable(headers),
  ...(body !== undefined && { body }),
})

const headerTable = (headers: Headers) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { value }]),
  )

export const cloudfront: Host = {
  name: 'cloudfront',
  title: 'Amazon CloudFront with S3',
  support: 'generated',
  lead: '//',
  part: ['404', '405'],
  cannot: [
    'answer methods that CloudFront itself refuses (TRACE, PROPFIND, …) with the JSON 405: it sends its own 403',
    'run the function on errors of S3: without an Origin header, the 404 of an unknown username lacks the CORS headers',
  ],
  config: code,
}
