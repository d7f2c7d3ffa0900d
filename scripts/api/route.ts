import { usernamePattern } from '../content/username.ts'

// What HTTP says of every path, and what a route is. The paths themselves are the outputs':
// see `routes.ts`.

/** The two schemes of a request; each has its own files, whose URLs carry that scheme. */
export const variants = ['https', 'http'] as const
export type Variant = (typeof variants)[number]

/**
 * Folder of a variant below the snapshot's root, without slashes at its ends; `''` is the
 * root itself.
 */
export const variantFolder: Readonly<Record<Variant, string>> = { https: '', http: 'http' }

export const contentType = 'application/json; charset=utf-8'

/** Headers of a 200 and a 304 besides {@link commonHeaders}; the content type is not on a 304. */
export const okHeaders = { 'Cache-Control': 'public, max-age=300' } as const

/** What comes with the 200 of a file besides {@link commonHeaders}. */
export type FileHeaders = Readonly<Record<'Content-Type' | 'Cache-Control', string>>
export const jsonHeaders: FileHeaders = { 'Content-Type': contentType, ...okHeaders }

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

/** A kind of path that files of the snapshot answer. Without its file, a 404 answers. */
export type PathRoute<Name extends string = string> = {
  readonly name: Name
  /** From the root of `base_url`, for people; what varies is in angle brackets. */
  readonly path: `/${string}`
  /**
   * Matches the path as clients send it: a regular expression without anchors and captures,
   * the same in PCRE, RE2 and JavaScript.
   */
  readonly pattern: string
  /** Every such path of a site, in full, if what varies is known. */
  readonly paths: readonly string[]
  /** Whether each scheme has a file of its own, in its folder. */
  readonly variants: boolean
  /**
   * Whether the file is the {@link indexFile} of a folder with the path's name; otherwise it
   * has the path itself.
   */
  readonly index: boolean
  readonly headers: FileHeaders
  /**
   * When it is published: those with a lower rank first, and removed in the other order, so
   * that no client sees what leads nowhere. What others name comes before them, and a list of
   * them after them.
   */
  readonly rank: number
}

/** What comes before the username in every request path of a member. */
export const prefix = '/api/username/'

/** A path of a member's: {@link prefix}, the username, the suffix; see {@link requestPath}. */
export type Route = PathRoute<'user' | 'shots'> & { readonly suffix: '' | '/shots' }

/**
 * A path that belongs to the site and to no member, or the form of many. Its answers have
 * headers of its own.
 */
export type SiteRoute = PathRoute

export const pathRoute = <Name extends string>(
  name: Name,
  path: PathRoute['path'],
  more: Partial<PathRoute> = {},
): PathRoute<Name> => ({
  path,
  pattern: path.replaceAll('.', '\\.').replace(/<\w+>/, (what) => varying[what]!),
  paths: path.includes('<') ? [] : [path],
  variants: false,
  index: false,
  headers: jsonHeaders,
  rank: 1,
  ...more,
  name,
})

const varying: Readonly<Record<string, string>> = {
  '<username>': usernamePattern,
  '<xx>': '[0-9a-f]{2}',
  '<h>': '[0-9a-f]{32}',
}

/** The name of the file that answers a route, in the folder that the request path names. */
export const indexFile = 'index.json'

/** Request path of a route, from the root of `base_url`: `/api/username/ana/shots`. */
export const requestPath = (route: Route, username: string): string =>
  prefix + username + route.suffix

/**
 * Path of the file that answers a path of a route, below the snapshot's root, without a
 * leading slash.
 */
export const fileOf = (
  { path, variants, index }: PathRoute,
  {
    variant = 'https',
    request = path,
  }: { readonly variant?: Variant; readonly request?: string } = {},
): string => {
  const folder = variants ? variantFolder[variant] : ''
  return [...(folder ? [folder] : []), request.slice(1), ...(index ? [indexFile] : [])].join(
    '/',
  )
}

/** The file that answers a route for a member. */
export const filePath = (route: Route, variant: Variant, username: string): string =>
  fileOf(route, { variant, request: requestPath(route, username) })

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

/**
 * What a server in front of a store answers where the store fails: no file of the snapshot,
 * and never kept.
 */
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
