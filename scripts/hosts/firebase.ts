import * as api from '../api/routes.ts'
import type { Host, HostFacts } from './host.ts'
import { jsonFile, literal } from './lines.ts'
import { keyValues, memberFiles } from './rules.ts'

const configFile = 'firebase.json'
const notFoundFile = '404.html'

/**
 * firebase.json, deployed from inside the snapshot. A rewrite can't capture, so each path has
 * one of its own.
 */
const config = ({ basePath, siteRoutes, usernames }: HostFacts): object => ({
  hosting: {
    public: '.',
    ignore: [
      configFile,
      '**/.*',
      `${api.variantFolder.http}/**`,
      api.sumsFile,
      ...api.encodings.map(({ suffix }) => `**/*${suffix}`),
      ...Object.values(api.errors).map((error) => error.file),
    ],
    rewrites: [
      ...memberFiles(usernames),
      // the other paths of the site are those of their files
      ...siteRoutes
        .filter(({ index }) => index)
        .map((route) => ({ path: route.path, file: api.fileOf(route) })),
    ].map(({ path, file }) => ({
      regex: `^${literal(basePath + path)}/?$`,
      destination: `/${file}`,
    })),
    headers: [
      {
        regex: '^/',
        headers: keyValues({
          ...api.commonHeaders,
          ...api.preflight.headers,
          'Content-Type': api.contentType,
          ...api.errors.notFound.headers,
        }),
      },
      { regex: `^${literal(basePath + api.prefix)}`, headers: keyValues(api.okHeaders) },
      ...siteRoutes.map(({ pattern, headers }) => ({
        regex: `^${literal(basePath)}${pattern}/?$`,
        headers: keyValues(headers),
      })),
    ],
  },
})

export const firebase: Host = {
  name: 'firebase',
  title: 'Firebase Hosting',
  support: 'generated',
  no: ['http', '405', 'OPTIONS', 'hides'],
  part: ['404'],
  overHttp: 'a redirect (301) to https',
  limits: ({ largest }) => [['bytes in the largest file', largest, 2 * 1024 ** 3]],
  files: (facts) => [
    { path: configFile, text: jsonFile(config(facts)) },
    { path: notFoundFile, text: api.errors.notFound.body },
  ],
}
