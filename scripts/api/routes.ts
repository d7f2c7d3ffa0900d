/**
 * The interface as it is served. Host configs, the preview, the verifier's expectations and the tables in the
 * docs are all made from this table. No other module names a path, a header's value, an error body or a file of the
 * snapshot, but for the few that test/routes.test.ts lists, each with its reason.
 */

export { usernameMaxLength, usernamePattern } from '../content/username.ts'

/** The two schemes of a request; each has its own files, whose URLs carry that scheme. */
export const variants = ['https', 'http'] as const
export type Variant = (typeof variants)[number]

/** Folder of a variant below the snapshot's root, without slashes at its ends; `''` is the root itself. */
export const variantFolder: Readonly<Record<Variant, string>> = { https: '', http: 'http' }

export type Route = {
  readonly name: 'user' | 'shots'
  /** What follows the username in the request path. */
  readonly suffix: '' | '/shots'
}

/** The request path of every route is `prefix + username + suffix`; see {@link requestPath}. */
export const routes: readonly Route[] = [
  { name: 'user', suffix: '' },
  { name: 'shots', suffix: '/shots' },
]
export const shotsRoute = routes[1]!

/** A path that belongs to the site and to no member. One file answers it over both schemes; without it, a 404 does. */
export type SiteRoute = {
  readonly name: 'openapi'
  /** From the root of `base_url`; the file has the same path from the snapshot's root. */
  readonly path: `/${string}`
}

export const siteRoutes: readonly SiteRoute[] = [{ name: 'openapi', path: '/openapi.json' }]

/** The site routes that a site has: each is a key of site.yaml. */
export const siteRoutesOf = (site: Readonly<Record<SiteRoute['name'], boolean>>): readonly SiteRoute[] =>
  siteRoutes.filter(({ name }) => site[name])

/** Path of the file that answers a site route, below the snapshot's root, without a leading slash. */
export const siteFile = ({ path }: SiteRoute): string => path.slice(1)

/** What comes before the username in every request path. */
export const prefix = '/api/username/'

/** The name of the file that answers a route, in the folder that the request path names. */
export const indexFile = 'index.json'

/** Request path of a route, from the root of `base_url`: `/api/username/ana/shots`. */
export const requestPath = (route: Route, username: string): string => prefix + username + route.suffix

/** Name of the list of checksums, at the snapshot's root. */
export const sumsFile = 'SHA256SUMS'

/** Names of its signature beside it, by the program that makes it. */
export const signatureFiles = { minisign: 'SHA256SUMS.minisig', 'ssh-keygen': 'SHA256SUMS.sig' } as const

/** Path of the file that answers a route, below the snapshot's root, without a leading slash. */
export const filePath = (route: Route, variant: Variant, username: string): string => {
  const folder = variantFolder[variant]
  return `${folder && `${folder}/`}${requestPath(route, username).slice(1)}/${indexFile}`
}

/** Methods that are answered; every other one gets the `method_not_allowed` error. */
export const methods = ['GET', 'HEAD', 'OPTIONS'] as const

export const contentType = 'application/json; charset=utf-8'

/** Headers of every response, whatever its status. */
export const commonHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag',
  'X-Content-Type-Options': 'nosniff',
} as const

/** Headers of a 200 and a 304 besides {@link commonHeaders}; the content type is not on a 304. */
export const okHeaders = { 'Cache-Control': 'public, max-age=300' } as const

/** Headers of a host's own errors, such as 400, besides {@link commonHeaders}. */
export const otherErrorHeaders = { 'Cache-Control': 'no-store' } as const

/** The answer to OPTIONS on any path: 204, no body, {@link commonHeaders} and these. */
export const preflight = {
  status: 204,
  headers: {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  },
} as const

export type ErrorAnswer = {
  readonly status: number
  readonly file: string
  readonly body: string
  /** Besides {@link commonHeaders} and the content type. */
  readonly headers: Readonly<Record<string, string>>
}

/** The error bodies: files at the snapshot's root, and what is sent with them. */
export const errors = {
  notFound: {
    status: 404,
    file: '404.json',
    body: '{"error":"not_found"}\n',
    headers: { 'Cache-Control': 'public, max-age=60' },
  },
  methodNotAllowed: {
    status: 405,
    file: '405.json',
    body: '{"error":"method_not_allowed"}\n',
    headers: { 'Cache-Control': 'no-store', Allow: methods.join(', ') },
  },
} as const satisfies Record<string, ErrorAnswer>

/** What a server in front of a store answers where the store fails: no file of the snapshot, and never kept. */
export const storeFailure = {
  status: 502,
  body: '{"error":"store_unavailable"}\n',
  headers: otherErrorHeaders,
} as const

/** Precompressed siblings of a file: the content coding and the file name's ending. Best first. */
export const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const
export type Encoding = (typeof encodings)[number]['name']
