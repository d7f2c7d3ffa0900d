import type * as api from '../api/routes.ts'

/** A file that a host reads from the snapshot. */
export type HostFile = { readonly path: string; readonly text: string }

/** What all that is made for a host may depend on, besides the route table. */
export type HostFacts = {
  /** The host that clients ask, as in `base_url`: `api.example.com`, perhaps with a port. */
  readonly authority: string
  /** Path of `base_url` in front of the routes, without a trailing slash; `''` is none. */
  readonly basePath: string
  /** Encodings that the snapshot holds beside each JSON file. */
  readonly precompress: readonly api.Encoding[]
  /**
   * Whether the site has plain http; where it has not, its clients are sent to https, or
   * refused.
   */
  readonly hasHttp: boolean
  /** The site's own paths that it may have. */
  readonly siteRoutes: readonly api.SiteRoute[]
  /** Sorted by code unit. */
  readonly usernames: readonly string[]
}

/** What a server's config may depend on. */
export type HostOptions = HostFacts & {
  /** Absolute path of the snapshot's folder. */
  readonly root: string
  /**
   * Where a store answers the snapshot's files, instead of `root`:
   * `https://bucket.example.com/path`, no slash after it.
   */
  readonly origin: string | undefined
  /** The name that clients ask for: `api.example.com`. */
  readonly name: string
  /** Address to bind; `undefined` is all. */
  readonly listen: string | undefined
  readonly http: number
  readonly https: number
  /** Absolute paths of the certificate chain and its key, PEM. */
  readonly cert: string
  readonly key: string
  /** Proxies whose `X-Forwarded-Proto` is believed: addresses or CIDR blocks, checked. */
  readonly trust: readonly string[]
}

/** Where nothing is known of the site. */
export const noFacts: HostFacts = {
  authority: 'api.example.com',
  basePath: '',
  precompress: [],
  hasHttp: true,
  siteRoutes: [],
  usernames: [],
}

/**
 * What the contract asks of a host, in the columns of `npx shotpress host`: the variant of
 * each scheme, a path answered at once, the JSON errors, OPTIONS, the headers of every
 * answer, and no file under its own name.
 */
export const abilities = [
  'https',
  'http',
  'path',
  '404',
  '405',
  'OPTIONS',
  'headers',
  'hides',
] as const
export type Ability = (typeof abilities)[number]

/** The figures of a snapshot. */
export type Extent = {
  readonly files: number
  /** Bytes of the largest file. */
  readonly largest: number
  /** Usernames and aliases. */
  readonly names: number
}

type Limit = readonly [what: string, count: number, limit: number]

export type Host = {
  /** As in `npx shotpress host NAME` and in site.yaml. */
  readonly name: string
  readonly title: string
  /**
   * Proved on the real engine; generated and checked by parser or emulation. Default:
   * documented only.
   */
  readonly support?: 'proved' | 'generated' | 'impossible'
  /** What of the contract it can't do, and what only in part; the rest it can. */
  readonly no?: readonly Ability[]
  readonly part?: readonly Ability[]
  /**
   * What it cannot do, in plain words, a phrase each, as its files say it; where they take no
   * comments, the docs do.
   */
  readonly cannot?: readonly string[]
  /**
   * What a client over http gets where the site has https alone. Default: a redirect (308) to
   * https.
   */
  readonly overHttp?: string
  /**
   * How much of what a snapshot has, and the most that the host takes. Default: it has no
   * limits.
   */
  readonly limits?: (extent: Extent, siteRoutes: readonly api.SiteRoute[]) => readonly Limit[]
  /** Whether the config can read the snapshot from `origin`. */
  readonly takesOrigin?: true
  /** How a comment begins in its files. Default: `#`. */
  readonly lead?: '//'
  /** The config that `npx shotpress host NAME` prints. */
  readonly config?: (options: HostOptions) => string
  /** The files that the build adds to the snapshot for `hosts: [NAME]`. */
  readonly files?: (facts: HostFacts) => readonly HostFile[]
}

/** What a client over http gets where the site has https alone. */
export const overHttp = (host: Host): string => host.overHttp ?? 'a redirect (308) to https'

/**
 * Where a server's clients over http are sent: the name, and the port if it is not the usual
 * one.
 */
export const secureAuthority = ({ name, https }: HostOptions): string =>
  `${bracketed(name)}:${https}`.replace(/:443$/, '')

/** An address as it stands in a URL. */
export const bracketed = (address: string): string =>
  address.includes(':') ? `[${address}]` : address
