import * as api from '../api/routes.ts'
import type { Host, HostFacts } from './host.ts'
import { type Lines, limitsOf, lines, textOf } from './lines.ts'
import { type Headers, memberFiles } from './rules.ts'

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
  limits: ({ names }, siteRoutes) => {
    const paths =
      names * api.routes.length + siteRoutes.flatMap((route) => route.paths).length
    // besides, one is for pictures and one for the 404
    return [['rules', paths + 2, 10_000]]
  },
  files: (facts) => [
    { path: '_redirects', text: textOf(redirects(facts)) },
    { path: '_headers', text: textOf(headers(facts)) },
  ],
}

/** The folder of the pictures, with a slash at each end. */
const pictures = api.pictureRoutes[0]!.path.replace(/[^/]+$/, '')

/**
 * One rule for each path that exists, since a rewrite with a placeholder can't fall back to
 * the JSON 404.
 */
const redirects = ({ basePath, hasHttp, siteRoutes, usernames }: HostFacts) => {
  const files = [
    ...memberFiles(usernames),
    ...siteRoutes.flatMap((route) =>
      route.paths.map((path) => ({ path, file: api.fileOf(route, { request: path }) })),
    ),
    { path: `${pictures}:name`, file: `${pictures.slice(1)}:name` },
  ]
  return lines`
    # What is served at which path. Made by Shotpress from its route table: do not edit.
    ${limitsOf(netlify, hasHttp)}
    ${basePath}${files.map(({ path, file }) => [path, file].join(' /'))} 200!
    /* /${api.errors.notFound.file} 404!
    `
}

/** No header is set for a path by two rules: which one counts is not documented. */
const headers = ({ basePath, hasHttp, siteRoutes }: HostFacts) => {
  const site = siteRoutes.flatMap(({ paths, headers }) =>
    paths.map(
      (path) => lines`
    ${basePath}${path}
      ${linesOf(headers)}
    `,
    ),
  )
  return lines`
    # Headers by path. Made by Shotpress from its route table: do not edit.
    ${limitsOf(netlify, hasHttp)}
    /*
      ${linesOf({ ...api.commonHeaders, ...api.preflight.headers })}
    ${basePath}${api.prefix}*
      ${linesOf(api.userRoute.headers)}
    ${site}
    ${basePath}${pictures}*
      Cache-Control: ${api.pictureRoutes[0]?.headers['Cache-Control']}
    `
}

const linesOf = (headers: Headers): Lines =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
