import {
  contentType,
  type Encoding,
  errors,
  indexFile,
  okHeaders,
  prefix,
  preflight,
  routes,
  type SiteRoute,
  siteRoutes,
  usernamePattern,
  type Variant,
  variantFolder,
  variants,
} from '../api/routes.ts'

/** What all that is made for a host may depend on, besides the route table. */
export type HostFacts = {
  /** The host that clients ask, as in `base_url`: `api.example.com`, perhaps with a port. */
  readonly authority: string
  /** Path of `base_url` in front of the routes, without a trailing slash; `''` is none. */
  readonly basePath: string
  /** Encodings that the snapshot holds beside each JSON file. */
  readonly precompress: readonly Encoding[]
  /** The schemes that the site has. Without http, its clients are sent to https, or refused. */
  readonly schemes: readonly Variant[]
  /** The site's own paths that it may have. */
  readonly siteRoutes: readonly SiteRoute[]
  /** Sorted by code unit. */
  readonly usernames: readonly string[]
}

/** What a server's config may depend on. */
export type HostOptions = HostFacts & {
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
}

/** Where nothing is known of the site. */
export const noFacts: HostFacts = {
  ...{ authority: '', basePath: '', precompress: [], schemes: variants },
  ...{ siteRoutes: [], usernames: [] },
}

export type HostFile = {
  /** Path below the snapshot's root, without a leading slash. */
  readonly path: string
  readonly text: string
}

/**
 * What the contract asks of a host, in the columns of `npm run host`: the variant of each scheme, a path answered at once,
 * the JSON errors, OPTIONS, the headers of every answer, and no file under its own name.
 */
export const abilities = ['https', 'http', 'path', '404', '405', 'OPTIONS', 'headers', 'hides'] as const
export type Ability = (typeof abilities)[number]

export type Host = {
  /** As in `npm run host -- NAME` and in site.yaml. */
  readonly name: string
  readonly title: string
  /** Proved on the real engine; generated and checked by parser or emulation; documented only. */
  readonly support: 'proved' | 'generated' | 'documented' | 'impossible'
  /** What of the contract it can't do, or only a part of; the rest it can. */
  readonly lacks: Readonly<Partial<Record<Ability, 'no' | 'part'>>>
  /** What it cannot do, in plain words, a phrase each. The generated file says the same. */
  readonly cannot: readonly string[]
  /** What a client over http gets where the site has https alone. */
  readonly overHttp: string
  /** Limits that the build compares the snapshot with; absent is no limit. */
  readonly limits?: {
    readonly files?: number
    readonly fileBytes?: number
    readonly rules?: number
  }
  /** How many rules its files hold for so many paths of members, where there is a limit on them. */
  readonly rules?: (paths: number, siteRoutes: readonly SiteRoute[]) => number
  /**
   * How `verify` knows it by its answers: what it is called, and headers of which one is enough, `cf-ray`, or with the
   * start of the value: `server: nginx`.
   */
  readonly seen?: { readonly as: string; readonly by: readonly string[] }
  /** Whether the config can read the snapshot from `origin`. */
  readonly takesOrigin?: true
  /** The config that `npm run host -- NAME` prints. */
  readonly config?: (options: HostOptions) => string
  /** The files that the build adds to the snapshot for `hosts: [NAME]`. */
  readonly files?: (facts: HostFacts) => readonly HostFile[]
}

/** The head of a generated file: what it is for, then what the host cannot do; each line begins with `lead`. */
export const comment = (
  lead: string,
  lines: readonly string[],
  { host, schemes }: { readonly host: Host; readonly schemes: readonly Variant[] },
): string =>
  [
    ...lines,
    ...(schemes.includes('http') ? [] : [`Clients over http get ${host.overHttp}.`]),
    ...(host.cannot.length === 0 ? [] : ['', 'What this host cannot do:']),
    ...host.cannot.map((text) => `- ${text}`),
  ]
    .map((line) => `${lead} ${line}`.trimEnd())
    .join('\n')

/** A config line by line; a list in a list is indented, and `false` is no line. */
export type Lines = readonly (string | false | Lines)[]

/** The text of a config, which ends with a newline. */
export const textOf = (lines: Lines, indent = '  '): string => `${flat(lines, indent).join('\n')}\n`

const flat = (lines: Lines, indent: string): readonly string[] =>
  lines.flatMap((line) => {
    if (typeof line === 'string') return [line]
    return line === false ? [] : flat(line, indent).map((inner) => inner && indent + inner)
  })

/** These lines, or none. */
export const when = (condition: boolean, lines: Lines): Lines => (condition ? lines : [])

/** A block between braces. */
export const block = (head: string, inner: Lines): Lines => [`${head} {`, inner, '}']

export const json = (value: object): string => JSON.stringify(value, null, 2)

/** Text as a regular expression that matches it and nothing else. */
export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|#]/g, '\\$&')

/** Request paths whose files are found in the same way. */
export type PathRule = {
  /**
   * The paths as clients send them (nothing decoded, without the query), as a regular expression that PCRE, RE2 and
   * JavaScript read alike. Group 1 is the path that the snapshot knows: without `basePath` and a slash at the end.
   */
  readonly pattern: string
  /** Whether the file is in the folder of the request's scheme. */
  readonly variants: boolean
  /** What follows the path in the file's: `/index.json`, or nothing. */
  readonly ending: string
}

/** Every path that has a file, by how it is found. The members' paths come first. */
export const pathRules = (basePath: string): readonly PathRule[] => {
  const suffixes = routes.flatMap(({ suffix }) => (suffix === '' ? [] : [literal(suffix)])).join('|')
  const member = `${literal(prefix)}${usernamePattern}(?:${suffixes})?`
  return [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ].map(([variants, index]) => {
    const site = siteRoutes.filter((route) => route.variants === variants && route.index === index)
    const patterns = [...(variants && index ? [member] : []), ...site.map(({ pattern }) => pattern)]
    return {
      pattern: `^${literal(basePath)}(${patterns.join('|')})/?$`,
      variants: variants!,
      ending: index ? `/${indexFile}` : '',
    }
  })
}

/** A pattern of whole paths, for paths that a query may follow. */
export const withQuery = (pattern: string): string => pattern.replace(/\$$/, '(?:\\?|$)')

/** Files that are not sent as the JSON of the API is, by the ending of their names. */
export const otherTypes = siteRoutes
  .filter(({ headers }) => headers['Content-Type'] !== contentType)
  .map(({ path, pattern, headers }) => ({ ending: path.slice(path.lastIndexOf('.')), pattern, headers }))

/** The folder of a scheme with a slash before it; `''` is the snapshot's root. */
export const folderOf = (variant: Variant): string => variantFolder[variant] && `/${variantFolder[variant]}`

/** Whether clients over http have to be sent to https. */
export const httpsOnly = ({ schemes }: Pick<HostFacts, 'schemes'>): boolean => !schemes.includes('http')

/** Where a server's clients over http are sent, without the path. */
export const secureOrigin = ({ name, https }: Pick<HostOptions, 'name' | 'https'>): string =>
  `https://${bracketed(name)}${https === 443 ? '' : `:${https}`}`

/** An address as it stands in a URL. */
export const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address)

export type Headers = Readonly<Record<string, string>>

/** The headers that depend on the status, for engines that choose them by it. */
export const headersByStatus = (varies: boolean): ReadonlyMap<number, Headers> => {
  const ok = varies ? { ...okHeaders, Vary: 'Accept-Encoding' } : okHeaders
  return new Map<number, Headers>([
    [200, ok],
    [preflight.status, preflight.headers],
    [304, ok],
    ...Object.values(errors).map((error): [number, Headers] => [error.status, error.headers]),
  ])
}

/** The rules as an array of JavaScript, whose regular expressions stand as they are. */
export const rulesAsCode = (basePath: string): string => `[
${pathRules(basePath)
  .map(({ pattern, ...rest }) => `  { path: ${new RegExp(pattern)}, ${JSON.stringify(rest).slice(1)},`)
  .join('\n')}
]`

/** What every server's config says, since it is the first thing that people add. */
export const noHsts =
  "It never sends Strict-Transport-Security, which would end the http variant; don't add it."

/** The head of the config of a server of one's own. */
export const serverHead = (host: Host, { name, schemes }: HostOptions, ...lines: readonly string[]): string =>
  comment('#', [`${name}, made by Shotpress: npm run host -- ${host.name}`, ...lines, noHsts], {
    ...{ host, schemes },
  })
