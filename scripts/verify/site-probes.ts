import {
  encodings,
  errors,
  indexFile,
  prefix,
  requestPath,
  routes,
  shotsRoute,
  siteRoutes,
  sumsFile,
  type Variant,
  variantFolder,
} from '../api/routes.ts'
import { noFacts } from '../hosts/host.ts'
import { hosts } from '../hosts/hosts.ts'
import { type Request, requestFor } from '../http/exchange.ts'
import type { Probe } from './member-probes.ts'
import type { Snapshot } from './snapshot.ts'

/** What a request that is not about a member's content wants to know. */
export type SiteQuestion =
  /** What nobody has; the first asks for a username, and all other errors are compared with its answer. */
  'nowhere' | 'wrong-case' | 'hidden' | 'climb' | 'head' | 'options' | 'method' | 'trace'

export type Site = Pick<Snapshot, 'usernames' | 'site' | 'private'> & {
  readonly basePath: string
  /** Members to ask about, a few. */
  readonly sample: readonly string[]
}

/** Files that a host's set-up leaves at the root of what it serves. */
const setUpFiles = [
  ...hosts.flatMap(({ files }) => (files?.(noFacts) ?? []).map(({ path }) => path)),
  ...['_routes.json', 'netlify.toml', sumsFile],
  ...Object.values(errors).map(({ file }) => file),
]

/** Methods that change things elsewhere; here they are all refused. */
const refused = ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({
  method,
  headers: { 'Content-Length': '0' },
}))

/** All requests over one scheme that no member's file answers; the first is for an unknown username. */
export const siteProbes = (site: Site, scheme: Variant): readonly Probe<SiteQuestion>[] => {
  const probe = (question: SiteQuestion, path: string, more?: Partial<Request>): Probe<SiteQuestion> => ({
    ...{ question, request: requestFor(scheme, site.basePath + path, more) },
  })
  const unknown = unknownName(site.usernames)
  const known = [
    ...site.sample.slice(0, 1).flatMap(pathsOf),
    ...siteRoutes.flatMap(({ name }) => site.site.find(({ kind }) => kind === name)?.path ?? []),
  ].filter((path, index, all) => all.indexOf(path) === index)
  const gets: readonly (readonly [SiteQuestion, readonly string[]])[] = [
    ['nowhere', [...pathsOf(unknown), ...elsewhere(site), ...folders]],
    ['wrong-case', site.sample.flatMap(wrongCase)],
    ['hidden', hidden(site)],
    ['climb', site.sample.slice(0, 1).flatMap(climbs)],
  ]
  const real = new Set([...site.usernames.flatMap(pathsOf), ...site.site.map(({ path }) => path)])
  return [
    ...gets.flatMap(([question, paths]) =>
      Array.from(new Set(paths))
        .filter((path) => !real.has(path.replace(/\/$/, '')))
        .map((path) => probe(question, path)),
    ),
    probe('head', prefix + unknown, { method: 'HEAD' }),
    ...[...known, prefix + unknown, '/'].flatMap((path) => [
      probe('options', path, preflight),
      probe('options', path, { method: 'OPTIONS' }),
      ...refused.map((refusal) => probe('method', path, refusal)),
    ]),
    ...known.slice(0, 1).map((path) => probe('trace', path, { method: 'TRACE' })),
  ]
}

/** What a browser sends before a request with If-None-Match across origins. */
export const preflightHeaders = {
  Origin: 'https://verify.example',
  'Access-Control-Request-Method': 'GET',
  'Access-Control-Request-Headers': 'if-none-match',
} as const

const preflight = { method: 'OPTIONS', headers: preflightHeaders }

const pathsOf = (username: string): readonly string[] => routes.map((route) => requestPath(route, username))

/** A name that no member has, in whatever letter case. */
const unknownName = (usernames: readonly string[]): string => {
  const taken = new Set(usernames.map((username) => username.toLowerCase()))
  let name = 'no-such-member'
  while (taken.has(name)) name += '-0'
  return name
}

const folders = ['/', ...new Set([prefix, ...siteRoutes.map(({ path }) => path)].flatMap(pathsAbove))]

/** `/api/username/` → `/api`, `/api/`, `/api/username`, `/api/username/`. */
function pathsAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(1, -1)
  return parts.flatMap((_, i) => {
    const above = `/${parts.slice(0, i + 1).join('/')}`
    return [above, `${above}/`]
  })
}

const elsewhere = ({ sample: [username], usernames }: Site): readonly string[] => {
  const shots = shotsRoute.suffix
  const member = `${prefix}${username}`
  return [
    ...['/index.html', '/robots.txt', '/favicon.ico'],
    ...siteRoutes.map(({ path }) => path.replace('<xx>', '00').replace('<h>', '0'.repeat(32))),
    ...[`${prefix}constructor`, `${prefix}${unknownName(usernames)}.json`, prefix + shots],
    ...(username === undefined
      ? []
      : [
          ...[`/${username}`, `${member}/other`, `${member}${shots}/1`, member + shots + shots],
          ...[`${prefix.slice(0, -1)}${username}`, `${prefix.replace('/username', '')}${username}`],
        ]),
  ]
}

/** The member's paths with the case of some letters changed; none for a name without letters. */
const wrongCase = (username: string): readonly string[] => {
  const swapped = swapCase(username)
  return [
    ...(swapped === username ? [] : pathsOf(swapped)),
    ...routes
      .filter(({ suffix }) => suffix !== '')
      .map(({ suffix }) => prefix + username + suffix.toUpperCase()),
    prefix.toUpperCase() + username,
  ]
}

const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))

/** Files of the snapshot by their own names, and the folder of the http variant. */
const hidden = ({ sample, private: names, site }: Site): readonly string[] => {
  const http = `/${variantFolder.http}`
  const suffixes = ['', ...encodings.map(({ suffix }) => suffix)]
  return [
    ...Array.from(new Set([...setUpFiles, ...names]))
      .sort()
      .map((name) => `/${name.split('/').map(encodeURIComponent).join('/')}`),
    ...site.flatMap(({ path, files: { https } }) => (`/${https}` === path ? [] : [`/${https}`])),
    ...[http, `${http}/`, http + prefix],
    ...sample
      .slice(0, 2)
      .flatMap(pathsOf)
      .flatMap((path) => [
        http + path,
        ...['', http].flatMap((folder) => suffixes.map((end) => `${folder}${path}/${indexFile}${end}`)),
      ]),
  ]
}

/** Ways up and out of the API's folder. */
const climbs = (username: string): readonly string[] => [
  `${prefix}%2e%2e/%2e%2e/${errors.notFound.file}`,
  `${prefix}..%2f..%2f${errors.notFound.file}`,
  `${prefix}../../${variantFolder.http}${prefix}${username}/${indexFile}`,
  `${prefix}..%5c..%5c${errors.notFound.file}`,
]
