import * as api from '../api/routes.ts'
import type { Host, HostFacts } from './host.ts'
import { about, type Lines, textOf } from './lines.ts'
import type { Headers } from './rules.ts'

export const netlify: Host = {
  name: 'netlify',
  title: 'Netlify',
  support: 'generated',
  no: ['http', '405', 'OPTIONS'],
  part: ['404'],
  cannot: [
    'answer plain http: once a domain has a certificate, http is redirected to https and HSTS is set',
    'answer by method: OPTIONS, POST and others get the answers of Netlify itself (preflight headers are on all)',
    'choose headers by status: a 404 below the path of the API is cached like a 200, elsewhere by the default',
    'answer a picture that is not there with the JSON 404, or give the JSON 404 of other paths its charset',
  ],
  overHttp: 'a redirect (301) to https',
  limits: { rules: 10_000 },
  // besides, one is for pictures and one for the 404
  rules: (paths, siteRoutes) => paths + siteRoutes.flatMap((route) => route.paths).length + 2,
  files: (facts) => [
    { path: '_redirects', text: textOf(redirects(facts)) },
    { path: '_headers', text: textOf(headers(facts)) },
  ],
}

/** The folder of the pictures, with a slash at each end. */
const pictures = api.pictureRoutes[0]!.path.replace(/[^/]+$/, '')

const head = (purpose: string, schemes: readonly api.Variant[]): string =>
  about(netlify, { schemes }, `${purpose} Made by Shotpress from its route table: do not edit.`)

/** One rule for each path that exists, since a rewrite with a placeholder can't fall back to the JSON 404. */
const redirects = ({ basePath, schemes, siteRoutes, usernames }: HostFacts): Lines => [
  head('What is served at which path.', schemes),
  [
    ...usernames.flatMap((username) =>
      api.routes.map((route) => [
        api.requestPath(route, username),
        api.filePath(route, 'https', username),
      ]),
    ),
    ...siteRoutes.flatMap((route) =>
      route.paths.map((request) => [request, api.fileOf(route, { request })]),
    ),
    [`${pictures}:name`, `${pictures.slice(1)}:name`],
  ].map(([path, file]) => `${basePath}${path} /${file} 200!`),
  `/* /${api.errors.notFound.file} 404!`,
]

/** No header is set for a path by two rules: which one counts is not documented. */
const headers = ({ basePath, schemes, siteRoutes }: HostFacts): Lines => {
  const rule = (path: string, headers: Headers): Lines => [
    path,
    { indented: Object.entries(headers).map(([name, value]) => `${name}: ${value}`) },
  ]
  return [
    head('Headers by path.', schemes),
    rule('/*', { ...api.commonHeaders, ...api.preflight.headers }),
    rule(`${basePath}${api.prefix}*`, api.userRoute.headers),
    siteRoutes.flatMap((route) =>
      route.paths.flatMap((path) => rule(basePath + path, route.headers)),
    ),
    rule(`${basePath}${pictures}*`, {
      'Cache-Control': api.pictureRoutes[0]!.headers['Cache-Control'],
    }),
  ]
}
