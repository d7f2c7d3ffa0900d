import path from 'node:path'
import {
  commonHeaders,
  contentType,
  type ErrorAnswer,
  encodings,
  errors,
  indexFile,
  prefix,
  preflight,
  requestPath,
  routes,
  shotsRoute,
  siteRoutes,
  type Variant,
  variantFolder,
} from '../api/routes.ts'
import {
  type Answer,
  failed,
  type Request,
  requestFor,
  type Sender,
} from '../http/exchange.ts'
import type { Cause } from './causes.ts'
import {
  type Difference,
  differ,
  excerpt,
  type Finding,
  isOk,
  judgeExchange,
  judgeHeaders,
  preflightHeaders,
  statusOf,
  textOf,
  unless,
} from './judge.ts'
import type { Snapshot } from './snapshot.ts'

// What no file of the snapshot answers: unknown names, folders, hidden files, OPTIONS and
// other methods.

type Site = Pick<Snapshot, 'usernames' | 'site' | 'private'> & {
  readonly basePath: string
  /** Members to ask about, a few. */
  readonly sample: readonly string[]
}

/** Asks all of it over one scheme, one request after another. */
export const checkSite = async (
  site: Site,
  scheme: Variant,
  send: Sender['send'],
): Promise<Finding[]> => {
  const found: (readonly Finding[])[] = []
  let usual: Answer | undefined
  for (const [judge, path, more] of probes(site)) {
    const request = requestFor(scheme, site.basePath + path, more)
    const outcome = await send(request)
    if (!failed(outcome)) usual ??= outcome
    found.push(
      judgeExchange({ request, outcome }, (answer) => judge(answer, { usual, request })),
    )
  }
  return found.flat().map((finding) => ({ ...finding, elsewhere: true }))
}

/** Judges the answer to a request; `usual` is what an unknown username got. */
type Judge = (
  answer: Answer,
  context: { readonly usual: Answer | undefined; readonly request: Request },
) => readonly Difference[]

/** A request, and how its answer is judged. */
type Probe = readonly [judge: Judge, path: string, more?: Partial<Request>]

/** The first asks for a username that nobody has: all other errors are compared with its answer. */
const probes = (site: Site): readonly Probe[] => {
  const real = new Set([
    ...site.usernames.flatMap(pathsOf),
    ...site.site.map(({ path }) => path),
  ])
  const gets = (judge: Judge, paths: readonly string[]): readonly Probe[] =>
    [...new Set(paths)]
      .filter((path) => !real.has(path.replace(/\/$/, '')))
      .map((path) => [judge, path])
  const unknown = unknownName(site.usernames)
  const someone = site.sample.slice(0, 1)
  const known = new Set([
    ...someone.flatMap(pathsOf),
    ...new Map(site.site.map(({ route, path }) => [route.name, path])).values(),
  ])
  return [
    ...gets(judgeNotFound('soft-404'), [
      ...pathsOf(unknown),
      ...elsewhere,
      `${prefix}${unknown}.json`,
      ...someone.flatMap(beside),
      ...folders,
    ]),
    ...gets(judgeNotFound('wrong-case'), site.sample.flatMap(wrongCase)),
    ...gets(judgeNotFound('hidden-path'), hidden(site)),
    ...gets(judgeClimb, someone.flatMap(climbs)),
    [judgeUnknownHead, prefix + unknown, { method: 'HEAD' }],
    ...[...known, prefix + unknown, '/'].flatMap((path): readonly Probe[] => [
      [judgeOptions, path, { method: 'OPTIONS', headers: preflightHeaders }],
      [judgeOptions, path, { method: 'OPTIONS' }],
      // methods that change things elsewhere; here they are all refused
      ...['POST', 'PUT', 'PATCH', 'DELETE'].map(
        (method): Probe => [
          judgeMethod,
          path,
          { method, headers: { 'Content-Length': '0' } },
        ],
      ),
    ]),
    ...[...known].slice(0, 1).map((path): Probe => [judgeTrace, path, { method: 'TRACE' }]),
  ]
}

const pathsOf = (username: string): readonly string[] =>
  routes.map((route) => requestPath(route, username))

/** A name that no member has, in whatever letter case. */
const unknownName = (usernames: readonly string[]) => {
  let name = 'no-such-member'
  while (usernames.some((username) => username.toLowerCase() === name)) name += '-0'
  return name
}

/** Above `/api/username/` are `/api`, `/api/`, `/api/username` and `/api/username/`. */
const folders = [`${prefix}ana`, ...siteRoutes.map(({ path }) => path)]
  .flatMap((file) => [path.posix.dirname(file), path.posix.join(file, '../..')])
  .flatMap((folder) => [folder, path.posix.join(folder, '/')])

const elsewhere = [
  ...['/index.html', '/robots.txt', '/favicon.ico'],
  ...siteRoutes
    // a host may tell when it was published, whatever the snapshot in --out says
    .filter(({ name }) => name !== 'published' && name !== 'signature')
    .map(({ path }) => path.replace('<xx>', '00').replace('<h>', '0'.repeat(32))),
  `${prefix}constructor`,
  prefix + shotsRoute.suffix,
]

/** Beside a member's paths. */
const beside = (username: string): readonly string[] => {
  const [member, shots] = pathsOf(username)
  return [
    `/${username}`,
    `${member}/other`,
    `${shots}/1`,
    `${shots}${shotsRoute.suffix}`,
    `${prefix.slice(0, -1)}${username}`,
    `${prefix.replace('/username', '')}${username}`,
  ]
}

/** The member's paths with the case of some letters changed. */
const wrongCase = (username: string): readonly string[] => [
  ...[username.toUpperCase(), username.toLowerCase()].flatMap(pathsOf),
  prefix + username + shotsRoute.suffix.toUpperCase(),
  prefix.toUpperCase() + username,
]

/** Files of the snapshot by their own names, and the folder of the http variant. */
const hidden = ({ sample, private: names, site }: Site): readonly string[] => {
  const http = `/${variantFolder.http}`
  const suffixes = ['', ...encodings.map(({ suffix }) => suffix)]
  return [
    ...names.map((name) => `/${encodeURIComponent(name)}`),
    ...site.map(({ files }) => `/${files.https}`),
    ...[http, `${http}/`, http + prefix],
    ...sample
      .slice(0, 2)
      .flatMap(pathsOf)
      .flatMap((path) => [
        http + path,
        ...['', http].flatMap((folder) =>
          suffixes.map((end) => `${folder}${path}/${indexFile}${end}`),
        ),
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

const judgeNotFound =
  (found: Cause): Judge =>
  (answer, { usual, request }) => {
    const likely = isAsUsual(answer, usual) ? 'soft-404' : found
    const cause = listing.some((words) => words.test(textOf(answer))) ? 'listing' : likely
    return judgeError(answer, errors.notFound, {
      cause: isOk(answer) ? cause : 'not-found-status',
      expected: `404 for ${request.path}`,
    })
  }

/**
 * An error, its body and its headers; another body has another type, which would say nothing
 * new.
 */
const judgeError = (
  answer: Answer,
  { status, file, body, headers }: ErrorAnswer,
  { cause, expected }: Pick<Difference, 'cause' | 'expected'>,
) => {
  if (answer.status !== status)
    return [differ(cause, expected, statusOf(answer)), ...judgeHeaders(answer)]
  const wanted = { ...commonHeaders, ...headers }
  if (textOf(answer) === body)
    return judgeHeaders(answer, { 'Content-Type': contentType, ...wanted })
  const got = answer.body.length === 0 ? 'no body' : `another body: ${excerpt(answer)}`
  return [differ('error-body', `the body of ${file}`, got), ...judgeHeaders(answer, wanted)]
}

const judgeMethod: Judge = (answer) =>
  judgeError(answer, errors.methodNotAllowed, { cause: 'method-status', expected: '405' })

const judgeClimb: Judge = (answer, { usual }) =>
  unless(!isOk(answer) || isAsUsual(answer, usual), 'hidden-path', '404', statusOf(answer))

const judgeUnknownHead: Judge = (answer, { usual = answer }) =>
  unless(
    answer.status === usual.status,
    'head-differs',
    `${usual.status}, as GET`,
    statusOf(answer),
  )

const judgeOptions: Judge = (answer, { request }) => {
  if (answer.status !== preflight.status)
    return [differ('options-status', `${preflight.status}`, statusOf(answer))]
  const asked = 'Access-Control-Request-Method' in request.headers
  const cors = 'Access-Control-Allow-Origin'
  return judgeHeaders(answer, {
    [cors]: commonHeaders[cors],
    ...(asked && preflight.headers),
  })
}

const judgeTrace: Judge = (answer) =>
  unless(!isOk(answer), 'trace-answered', '405', statusOf(answer))

/**
 * Whether this is the page that an unknown username gets, a fallback that says nothing about
 * the path.
 */
const isAsUsual = (answer: Answer, usual: Answer | undefined) =>
  usual !== undefined && isOk(usual) && textOf(answer) === textOf(usual)

/** What the listing of a folder says, as the common servers write it. */
const listing = [
  /<(?:title|h1)>\s*Index of/i,
  /Directory listing/i,
  /"(?:type|is_dir)":\s*(?:"directory"|true)/i,
  /<a href="\.\.?\/?/i,
]
