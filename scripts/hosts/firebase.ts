import {
  commonHeaders,
  contentType,
  encodings,
  errors,
  filePath,
  okHeaders,
  prefix,
  preflight,
  requestPath,
  routes,
  signatureFile,
  siteFile,
  sumsFile,
  variantFolder,
} from '../api/routes.ts'
import { type Host, type HostFacts, literal } from './host.ts'

const configFile = 'firebase.json'
const notFoundFile = '404.html'

/** firebase.json, deployed from inside the snapshot. A rewrite can't capture, so each path has one of its own. */
const config = ({ basePath, siteRoutes, usernames }: HostFacts): object => ({
  hosting: {
    public: '.',
    ignore: [
      configFile,
      '**/.*',
      `${variantFolder.http}/**`,
      sumsFile,
      signatureFile,
      ...encodings.map(({ suffix }) => `**/*${suffix}`),
      ...Object.values(errors).map((error) => error.file),
    ],
    rewrites: [
      ...usernames.flatMap((username) =>
        routes.map((route) => ({
          path: requestPath(route, username),
          file: filePath(route, 'https', username),
        })),
      ),
      // the other paths of the site are those of their files
      ...siteRoutes
        .filter(({ index }) => index)
        .map((route) => ({ path: route.path, file: siteFile(route) })),
    ].map(({ path, file }) => ({ regex: `^${literal(basePath + path)}/?$`, destination: `/${file}` })),
    headers: [
      {
        regex: '^/',
        headers: list({
          ...commonHeaders,
          ...preflight.headers,
          'Content-Type': contentType,
          ...errors.notFound.headers,
        }),
      },
      { regex: `^${literal(basePath + prefix)}`, headers: list(okHeaders) },
      ...siteRoutes.map(({ pattern, headers }) => ({
        regex: `^${literal(basePath)}${pattern}/?$`,
        headers: list(headers),
      })),
    ],
  },
})

const list = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([key, value]) => ({ key, value }))

export const firebase: Host = {
  name: 'firebase',
  title: 'Firebase Hosting',
  support: 'generated',
  lacks: { http: 'no', 404: 'part', 405: 'no', OPTIONS: 'no', hides: 'no' },
  cannot: [
    'answer plain http: it redirects to https and sets HSTS',
    'hide …/index.json, which answers under its own name too',
    'answer by method: OPTIONS and POST get what GET gets (preflight headers are on all), there is no 405',
    'choose headers by status: a 404 below the path of the API is cached like a 200',
  ],
  overHttp: 'a redirect (301) to https',
  seen: { as: 'Firebase', by: ['vary: x-fh-requested-host'] },
  limits: { fileBytes: 2 * 1024 ** 3 },
  files: (facts) => [
    { path: configFile, text: `${JSON.stringify(config(facts), null, 2)}\n` },
    { path: notFoundFile, text: errors.notFound.body },
  ],
}
