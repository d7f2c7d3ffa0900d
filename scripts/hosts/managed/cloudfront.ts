import {
  commonHeaders,
  contentType,
  errors,
  indexFile,
  okHeaders,
  otherErrorHeaders,
  preflight,
  variantFolder,
} from '../../api/routes.ts'
import { comment } from '../config/comment.ts'
import type { Host, HostOptions } from '../config/host.ts'
import { sentPath, sentSitePath } from '../config/sent-path.ts'

const about: Host = {
  name: 'cloudfront',
  title: 'Amazon CloudFront with S3',
  support: 'generated',
  can: [
    'both schemes, chosen before the cache look-up',
    'GET, HEAD, OPTIONS and 405 in the function; ETag and 304 from S3 and the cache',
    'the JSON 404 of an unknown username by a custom error response',
  ],
  cannot: [
    'answer methods that CloudFront itself refuses (TRACE, PROPFIND, …) with the JSON 405: it sends its own 403',
    'run the function on errors of S3: without an Origin header, the 404 of an unknown username lacks the CORS headers',
  ],
}

/** The scheme that the client used, as CloudFront tells it to a function whose cache policy lists this header. */
const schemeHeader = 'cloudfront-forwarded-proto'

const code = ({ basePath }: HostOptions): string => `${comment(
  '//',
  [
    'CloudFront function, runtime cloudfront-js-2.0. Made by Shotpress from its route table: do not edit.',
    'Associate it with viewer request and viewer response. The cache behaviour around it is in',
    'docs/hosting/managed.md: above all, its cache policy must list the header CloudFront-Forwarded-Proto, and its',
    'viewer protocol policy must be "HTTP and HTTPS".',
  ],
  about,
)}

const memberPath = ${new RegExp(sentPath(basePath))}
const sitePath = ${new RegExp(sentSitePath(basePath))}
const folders = ${json({ https: variantFolder.https, http: variantFolder.http })}
const ok = ${json(headerTable({ ...commonHeaders, ...okHeaders, 'Content-Type': contentType }))}
const preflight = ${json(answer(preflight.status, 'No Content', { ...commonHeaders, ...preflight.headers }))}
const notFound = ${json(failure('Not Found', errors.notFound))}
const methodNotAllowed = ${json(failure('Method Not Allowed', errors.methodNotAllowed))}
const misconfigured = ${json(answer(500, 'Internal Server Error', otherErrorHeaders, unset))}

function handler(event) {
  return event.response ? completed(event.response) : routed(event.request)
}

function routed(request) {
  if (request.method === 'OPTIONS') return preflight
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed

  const site = sitePath.exec(request.uri)
  if (site) return asking(request, site[1])
  const member = memberPath.exec(request.uri)
  if (!member) return request.method === 'HEAD' ? withoutBody(notFound) : notFound

  const scheme = request.headers['${schemeHeader}']
  const folder = scheme && folders[scheme.value]
  if (typeof folder !== 'string') return misconfigured
  return asking(request, (folder && '/' + folder) + member[1] + '/${indexFile}')
}

function asking(request, file) {
  request.uri = file
  request.querystring = {}
  return request
}

function completed(response) {
  if (response.statusCode >= 400) return response
  for (const name in ok) {
    if (name !== 'content-type' || response.statusCode !== 304) response.headers[name] = ok[name]
  }
  return response
}

function withoutBody(answer) {
  return { statusCode: answer.statusCode, statusDescription: answer.statusDescription, headers: answer.headers }
}
`

const unset = '{"error":"the cache policy lacks the header CloudFront-Forwarded-Proto"}\n'

const failure = (text: string, { status, body, headers }: (typeof errors)[keyof typeof errors]) =>
  answer(status, text, { ...commonHeaders, 'Content-Type': contentType, ...headers }, body)

/** A response as functions return it. */
const answer = (
  statusCode: number,
  statusDescription: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
) => ({
  statusCode,
  statusDescription,
  headers: headerTable(headers),
  ...(body !== undefined && { body }),
})

const headerTable = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { value }]))

const json = (value: object): string => JSON.stringify(value, null, 2)

export const cloudfront: Host = { ...about, config: code }
