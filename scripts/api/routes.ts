/**
 * The interface as it is served. Host configs, the preview, the verifier's expectations and the tables in the
 * docs are all made from this table. No other module names a path, a header's value, an error body or a file of the
 * snapshot, but for the few that test/routes.test.ts lists, each with its reason.
 */

import type { Site } from '../content/site.ts'

export { usernameMaxLength, usernamePattern } from '../content/username.ts'

/** The two schemes of a request; each has its own files, whose URLs carry that scheme. */
export const variants = ['https', 'http'] as const
export type Variant = (typeof variants)[number]

/** Folder of a variant below the snapshot's root, without slashes at its ends; `''` is the root itself. */
export const variantFolder: Readonly<Record<Variant, string>> = { https: '', http: 'http' }

export const contentType = 'application/json; charset=utf-8'

/** Headers of a 200 and a 304 besides {@link commonHeaders}; the content type is not on a 304. */
export const okHeaders = { 'Cache-Control': 'public, max-age=300' } as const

/** What comes with the 200 of a file besides {@link commonHeaders}. */
export type FileHeaders = Readonly<Record<'Content-Type' | 'Cache-Control', string>>
const jsonHeaders: FileHeaders = { 'Content-Type': contentType, ...okHeaders }

export type Route = {
  readonly name: 'user' | 'shots'
  /** What follows the username in the request path. */
  readonly suffix: '' | '/shots'
  readonly headers: FileHeaders
}

/** The request path of every route is `prefix + username + suffix`; see {@link requestPath}. */
export const routes: readonly Route[] = [
  { name: 'user', suffix: '', headers: jsonHeaders },
  { name: 'shots', suffix: '/shots', headers: jsonHeaders },
]
export const shotsRoute = routes[1]!

/** What comes before the username in every request path. */
export const prefix = '/api/username/'

/** The name of the file that answers a route, in the folder that the request path names. */
export const indexFile = 'index.json'

/** Request path of a route, from the root of `base_url`: `/api/username/ana/shots`. */
export const requestPath = (route: Route, username: string): string => prefix + username + route.suffix

/** Name of the list of checksums, at the snapshot's root. */
export const sumsFile = 'SHA256SUMS'

/** Name of its signature beside it, which `ssh-keygen -Y sign -n file` makes. */
export const signatureFile = 'SHA256SUMS.sig'

/** Path of the file that answers a route, below the snapshot's root, without a leading slash. */
export const filePath = (route: Route, variant: Variant, username: string): string => {
  const folder = variantFolder[variant]
  return `${folder && `${folder}/`}${requestPath(route, username).slice(1)}/${indexFile}`
}

/** Methods that are answered; every other one gets the `method_not_allowed` error. */
export const methods = ['GET', 'HEAD', 'OPTIONS'] as const

/** Headers of every response, whatever its status. */
export const commonHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag',
  'X-Content-Type-Options': 'nosniff',
} as const

/**
 * A path that belongs to the site and to no member, or the form of many. Without its file, a 404 answers. Its answers
 * have headers of its own; all else is as with a member's.
 */
export type SiteRoute = {
  readonly name: 'openapi' | 'members' | 'all' | 'bins' | 'pictures'
  /** From the root of `base_url`, for people; what varies is in angle brackets. */
  readonly path: `/${string}`
  /** Matches the path as clients send it: a regular expression without anchors and groups, the same in PCRE, RE2 and JavaScript. */
  readonly pattern: string
  /** Whether each scheme has a file of its own, in its folder. */
  readonly variants: boolean
  /** Whether the file is the {@link indexFile} of a folder with the path's name; otherwise it has the path itself. */
  readonly index: boolean
  readonly headers: FileHeaders
}

/** Content types of pictures, by the ending of their files. */
export const pictureTypes = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
} as const

const siteRoute = (
  name: SiteRoute['name'],
  path: SiteRoute['path'],
  more: Partial<SiteRoute> = {},
): SiteRoute => ({
  name,
  path,
  pattern: path.replace('.', '\\.').replace('<xx>', hex(2)).replace('<h>', hex(32)),
  variants: false,
  index: false,
  headers: jsonHeaders,
  ...more,
})

const hex = (digits: number): string => `[0-9a-f]{${digits}}`

export const openapiRoute = siteRoute('openapi', '/openapi.json')
export const membersRoute = siteRoute('members', '/api/members', { index: true })
export const allRoute = siteRoute('all', '/api/all', { variants: true, index: true })
/** Every published body of the members whose names hash to the same two digits, a member a line. */
export const binsRoute = siteRoute('bins', '/api/all/<xx>.ndjson', {
  variants: true,
  headers: { ...jsonHeaders, 'Content-Type': 'application/x-ndjson' },
})
/** A picture's name is made of its bytes, so they never change: caches may keep it for ever. */
export const pictureRoutes = Object.entries(pictureTypes).map(([ending, type]) =>
  siteRoute('pictures', `/pictures/<h>.${ending}`, {
    headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
  }),
)

export const siteRoutes: readonly SiteRoute[] = [
  openapiRoute,
  membersRoute,
  allRoute,
  binsRoute,
  ...pictureRoutes,
]

/** What of a site decides which paths of its own it has. */
export type SiteSwitches = Pick<Site, 'openapi' | 'members' | 'all'>

/** The site routes that a site may have; which pictures there are is a matter of its members. */
export const siteRoutesOf = ({ openapi, members, all }: SiteSwitches): readonly SiteRoute[] => {
  const has = { openapi, members, all, bins: all, pictures: true }
  return siteRoutes.filter(({ name }) => has[name])
}

/** Path of the file that answers a path of a site route, below the snapshot's root, without a leading slash. */
export const siteFile = (
  { path, variants, index }: SiteRoute,
  { variant = 'https', request = path }: { readonly variant?: Variant; readonly request?: string } = {},
): string => {
  const folder = variants ? variantFolder[variant] : ''
  return `${folder && `${folder}/`}${request.slice(1)}${index ? `/${indexFile}` : ''}`
}

/** The site route that a request path belongs to; the path has no query, and no slash at its end. */
export const siteRouteOf = (request: string): SiteRoute | undefined =>
  siteRoutes.find((_, number) => sitePatterns[number]!.test(request))

const sitePatterns = siteRoutes.map(({ pattern }) => new RegExp(`^${pattern}$`))

/** The site route whose file a path below the snapshot's root names, and the request path that it answers. */
export const siteRouteAt = (
  file: string,
): { readonly route: SiteRoute; readonly variant: Variant; readonly request: string } | undefined => {
  const variant = file.startsWith(`${variantFolder.http}/`) ? 'http' : 'https'
  const own = variant === 'http' ? file.slice(variantFolder.http.length) : `/${file}`
  const request = own.endsWith(`/${indexFile}`) ? own.slice(0, -indexFile.length - 1) : own
  const route = siteRouteOf(request)
  return route && siteFile(route, { variant, request }) === file ? { route, variant, request } : undefined
}

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
