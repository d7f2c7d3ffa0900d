import { commonHeaders, contentType, errors, indexFile, preflight, variantFolder } from '../api/routes.ts'
import { comment } from './comment.ts'
import type { Host, HostOptions } from './host.ts'
import { sentPath } from './sent-path.ts'

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
    'set headers by itself: the cache control comes from S3 metadata, the CORS headers from a response headers policy',
  ],
}

/** The scheme that the client used, as CloudFront tells it to a function whose cache policy lists this header. */
const schemeHeader = 'cloudfront-forwarded-proto'

const code = ({ basePath }: HostOptions): string => `${comment(
  '//',
  [
    'CloudFront function, runtime cloudfront-js-2.0, event type viewer request. Made by Shotpress: do not edit.',
    'The cache behaviour around it is in docs/hosting/managed.md; its cache policy must list the header',
    'CloudFront-Forwarded-Proto, and its viewer protocol policy must be "HTTP and HTTPS".',
  ],
  about,
)}

const route = ${new RegExp(sentPath(basePath))}
const folders = ${json({ https: variantFolder.https, http: variantFolder.http })}
const preflight = ${json(answer(preflight.status, 'No Content', { ...commonHeaders, ...preflight.headers }))}
const notFound = ${json(failure('Not Found', errors.notFound))}
const methodNotAllowed = ${json(failure('Method Not Allowed', errors.methodNotAllowed))}
const misconfigured = ${json(answer(500, 'Internal Server Error', { 'Cache-Control': 'no-store' }, unset))}

function handler(event) {
  const request = event.request
  if (request.method === 'OPTIONS') return preflight
  if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed

  const found = route.exec(request.uri)
  if (!found) return request.method === 'HEAD' ? withoutBody(notFound) : notFound

  const scheme = request.headers['${schemeHeader}']
  if (!scheme || folders[scheme.value] === undefined) return misconfigured
  const folder = folders[scheme.value]
  request.uri = (folder && '/' + folder) + found[1] + '/${indexFile}'
  request.querystring = {}
  return request
}

function withoutBody(answer) {
  return { statusCode: answer.statusCode, statusDescription: answer.statusDescription, headers: answer.headers }
}
`

const unset = '{"error":"the cache policy lacks the header CloudFront-Forwarded-Proto"}\n'

const failure = (text: string, { status, body, headers }: (typeof errors)[keyof typeof errors]) =>
  answer(status, text, { ...commonHeaders, 'Content-Type': contentType, ...headers }, body)

/** A response as functions return it: header names in lower case. */
const answer = (
  statusCode: number,
  statusDescription: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
) => ({
  statusCode,
  statusDescription,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { value }]),
  ),
  ...(body !== undefined && { body }),
})

const json = (value: object): string => JSON.stringify(value, null, 2)

export const cloudfront: Host = { ...about, config: code }
