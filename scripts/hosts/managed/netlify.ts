import {
  commonHeaders,
  contentType,
  errors,
  filePath,
  okHeaders,
  prefix,
  preflight,
  requestPath,
  routes,
  siteFile,
} from '../../api/routes.ts'
import { comment } from '../config/comment.ts'
import type { Host, SnapshotFacts } from '../config/host.ts'

const about: Host = {
  name: 'netlify',
  title: 'Netlify',
  support: 'generated',
  can: [
    'the https variant, without redirects, with the headers of the contract',
    'the JSON 404 for every other path, and for every file under its own name',
    'ETag, 304 and HEAD',
  ],
  cannot: [
    'answer plain http: once a domain has a certificate, http is redirected to https and HSTS is set',
    'answer by method: OPTIONS, POST and others get the answers of Netlify itself (preflight headers are on all)',
    'choose headers by status: a 404 below the path of the API is cached like a 200, elsewhere by the default',
  ],
  limits: { rules: 10_000 },
  // one of the rules is for the 404
  rules: (paths) => paths + 1,
}

const head = (purpose: string): string =>
  comment('#', [`${purpose} Made by Shotpress from its route table: do not edit.`], about)

/** One rule for each path that exists, since a rewrite with a placeholder can't fall back to the JSON 404. */
const redirects = ({ basePath, siteRoutes, usernames }: SnapshotFacts): string =>
  `${[
    head('What is served at which path.'),
    ...usernames.flatMap((username) =>
      routes.map(
        (route) => `${basePath}${requestPath(route, username)} /${filePath(route, 'https', username)} 200!`,
      ),
    ),
    ...siteRoutes.map((route) => `${basePath}${route.path} /${siteFile(route)} 200!`),
    `/* /${errors.notFound.file} 404!`,
  ].join('\n')}\n`

const headers = ({ basePath, siteRoutes }: SnapshotFacts): string => `${head('Headers by path.')}
/*
${lines({ ...commonHeaders, ...preflight.headers, 'Content-Type': contentType })}
${[`${prefix}*`, ...siteRoutes.map(({ path }) => path)].map((path) => `${basePath}${path}\n${lines(okHeaders)}\n`).join('')}`

const lines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `  ${name}: ${value}`)
    .join('\n')

export const netlify: Host = {
  ...about,
  files: (facts) => [
    { path: '_redirects', text: redirects(facts) },
    { path: '_headers', text: headers(facts) },
  ],
}
