/**
 * The interface as it is served. Host configs, the preview, the verifier's expectations and the tables in the
 * docs are all made from this table. No other module names a path, a header's value, an error body or a file of the
 * snapshot, but for the few that test/routes.test.ts lists, each with its reason.
 */

import type { Site } from '../content/site.ts'
import { usernamePattern } from '../content/username.ts'

export { usernamePattern }

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

/** A kind of path that files of the snapshot answer. */
type PathRoute<Name extends string> = {
  readonly name: Name
  /** From the root of `base_url`, for people; what varies is in angle brackets. */
  readonly path: `/${string}`
  /** Matches the path as clients send it: a regular expression without anchors and captures, the same in PCRE, RE2 and JavaScript. */
  readonly pattern: string
  /** Whether each scheme has a file of its own, in its folder. */
  readonly variants: boolean
  /** Whether the file is the {@link indexFile} of a folder with the path's name; otherwise it has the path itself. */
  readonly index: boolean
  readonly headers: FileHeaders
}

/** What comes before the username in every request path of a member. */
export const prefix = '/api/username/'

/** A path of a member's: {@link prefix}, the username, the suffix; see {@link requestPath}. */
export type Route = PathRoute<'user' | 'shots'> & { readonly suffix: '' | '/shots' }

/**
 * A path that belongs to the site and to no member, or the form of many. Without its file, a 404 answers. Its answers
 * have headers of its own; all else is as with a member's.
 */
export type SiteRoute = PathRoute<
  'openapi' | 'members' | 'all' | 'bins' | 'published' | 'signature' | 'pictures'
>

const pathRoute = <Name extends string>(
  name: Name,
  path: PathRoute<Name>['path'],
  more: Partial<PathRoute<Name>> = {},
): PathRoute<Name> => ({
  name,
  path,
  pattern: path.replaceAll('.', '\\.').replace(/<\w+>/, (what) => varying[what]!),
  variants: false,
  index: false,
  headers: jsonHeaders,
  ...more,
})

const varying: Readonly<Record<string, string>> = {
  '<username>': usernamePattern,
  '<xx>': '[0-9a-f]{2}',
  '<h>': '[0-9a-f]{32}',
}

const memberRoute = (name: Route['name'], suffix: Route['suffix']): Route => ({
  ...pathRoute(name, `${prefix}<username>${suffix}`, { variants: true, index: true }),
  suffix,
})

export const userRoute = memberRoute('user', '')
export const shotsRoute = memberRoute('shots', '/shots')
export const routes: readonly Route[] = [userRoute, shotsRoute]

/** The name of the file that answers a route, in the folder that the request path names. */
export const indexFile = 'index.json'

/** Request path of a route, from the root of `base_url`: `/api/username/ana/shots`. */
export const requestPath = (route: Route, username: string): string =>
  prefix + username + route.suffix

/** Name of the list of checksums, at the snapshot's root. */
export const sumsFile = 'SHA256SUMS'

/** Methods that are answered; every other one gets the `method_not_allowed` error. */
export const methods = ['GET', 'HEAD', 'OPTIONS'] as const

/** Headers of every response, whatever its status. */
export const commonHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag',
  'X-Content-Type-Options': 'nosniff',
} as const

/** Content types of pictures, by the ending of their files. */
export const pictureTypes = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
} as const

export const openapiRoute = pathRoute('openapi', '/openapi.json')
export const membersRoute = pathRoute('members', '/api/members', { index: true })
export const allRoute = pathRoute('all', '/api/all', { variants: true, index: true })
/** Every published body of the members whose names hash to the same two digits, a member a line. */
export const binsRoute = pathRoute('bins', '/api/all/<xx>.ndjson', {
  variants: true,
  headers: { ...jsonHeaders, 'Content-Type': 'application/x-ndjson' },
})
const soonOld = { 'Cache-Control': 'public, max-age=60' } as const
/** When the snapshot was published, and from what; {@link sumsFile} doesn't list it. */
export const publishedRoute = pathRoute('published', '/published.json', {
  headers: { ...jsonHeaders, ...soonOld },
})
/** What `ssh-keygen -Y sign -n shotpress` makes of it. */
export const signatureRoute = pathRoute('signature', '/published.json.sig', {
  headers: { 'Content-Type': 'application/octet-stream', ...soonOld },
})
/** A picture's name is made of its bytes, so they never change: caches may keep it for ever. */
export const pictureRoutes = Object.entries(pictureTypes).map(([ending, type]) =>
  pathRoute('pictures', `/pictures/<h>.${ending}`, {
    headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
  }),
)

export const siteRoutes = [
  ...[openapiRoute, membersRoute, allRoute, binsRoute],
  ...[publishedRoute, signatureRoute],
  ...pictureRoutes,
] as const

/** What of a site decides which paths of its own it has. */
export type SiteSwitches = Pick<Site, 'openapi' | 'members' | 'all'>

/** The site routes that a site may have; which pictures there are is a matter of its members, and when it is published not of the content. */
export const siteRoutesOf = ({ openapi, members, all }: SiteSwitches): readonly SiteRoute[] => {
  const has = { openapi, members, all, bins: all, published: true, signature: true, pictures: true }
  return siteRoutes.filter(({ name }) => has[name])
}

/** Path of the file that answers a path of a route, below the snapshot's root, without a leading slash. */
export const fileOf = (
  { path, variants, index }: Route | SiteRoute,
  {
    variant = 'https',
    request = path,
  }: { readonly variant?: Variant; readonly request?: string } = {},
): string => {
  const folder = variants ? variantFolder[variant] : ''
  return `${folder && `${folder}/`}${request.slice(1)}${index ? `/${indexFile}` : ''}`
}

/** The file that answers a route for a member. */
export const filePath = (route: Route, variant: Variant, username: string): string =>
  fileOf(route, { variant, request: requestPath(route, username) })

/** The route that a request path belongs to; the path has no query, and no slash at its end. */
export const routeOf = (request: string): Route | SiteRoute | undefined =>
  patterns.find(({ pattern }) => pattern.test(request))?.route

const patterns = [...routes, ...siteRoutes].map((route) => ({
  route,
  pattern: new RegExp(`^${route.pattern}$`),
}))

/**
 * What a file answers, by its path below the snapshot's root; `undefined` if it answers no route. A file of the site has
 * no username, and one that is no compressed copy has no encoding.
 */
export const servedAt = (file: string) => {
  const copy = encodings.find(({ suffix }) => file.endsWith(suffix))
  const plain = copy === undefined ? file : file.slice(0, -copy.suffix.length)
  const variant: Variant = plain.startsWith(`${variantFolder.http}/`) ? 'http' : 'https'
  const own = variant === 'http' ? plain.slice(variantFolder.http.length) : `/${plain}`
  const request = own.endsWith(`/${indexFile}`) ? own.slice(0, -indexFile.length - 1) : own
  const route = routeOf(request)
  if (route === undefined || fileOf(route, { variant, request }) !== plain) return undefined
  const username = 'suffix' in route ? request.slice(prefix.length).split('/')[0] : undefined
  return { route, variant, request, username, encoding: copy?.name }
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
