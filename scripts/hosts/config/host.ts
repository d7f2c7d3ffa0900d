import type { Encoding, SiteRoute } from '../../api/routes.ts'

/** Everything that a host's config may depend on, besides the route table. */
export type HostOptions = {
  /** Absolute path of the snapshot's folder. */
  readonly root: string
  /** Where a store answers the snapshot's files, instead of `root`: `https://bucket.example.com/path`, no slash after it. */
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
  /** Path of `base_url` in front of the routes, without a trailing slash; `''` is none. */
  readonly basePath: string
  /** Encodings that the snapshot holds beside each JSON file. */
  readonly precompress: readonly Encoding[]
}

/** What the files that a host reads from the snapshot may depend on, besides the route table. */
export type SnapshotFacts = {
  readonly basePath: string
  readonly precompress: readonly Encoding[]
  /** The site's own paths that it has. */
  readonly siteRoutes: readonly SiteRoute[]
  /** Sorted by code unit. */
  readonly usernames: readonly string[]
}

export type HostFile = {
  /** Path below the snapshot's root, without a leading slash. */
  readonly path: string
  readonly text: string
}

export type Host = {
  /** As in `npm run host -- NAME` and in site.yaml. */
  readonly name: string
  readonly title: string
  /** Proved on the real engine; generated and checked by parser or emulation; documented only. */
  readonly support: 'proved' | 'generated' | 'documented' | 'impossible'
  /** What it does of the contract, a phrase each. */
  readonly can: readonly string[]
  /** What it cannot do, in plain words, a phrase each. The generated file says the same. */
  readonly cannot: readonly string[]
  /** Limits that the build compares the snapshot with; absent is no limit. */
  readonly limits?: {
    readonly files?: number
    readonly fileBytes?: number
    readonly rules?: number
  }
  /** How many rules its files hold for so many paths, where there is a limit on them. */
  readonly rules?: (paths: number) => number
  /** Whether the config can read the snapshot from `origin`. */
  readonly takesOrigin?: true
  /** The config that `npm run host -- NAME` prints. */
  readonly config?: (options: HostOptions) => string
  /** The files that the build adds to the snapshot for `hosts: [NAME]`. */
  readonly files?: (facts: SnapshotFacts) => readonly HostFile[]
}
