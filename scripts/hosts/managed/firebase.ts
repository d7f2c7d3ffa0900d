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
  signatureFiles,
  siteFile,
  sumsFile,
  variantFolder,
} from '../../api/routes.ts'
import type { Host, SnapshotFacts } from '../config/host.ts'
import { literal } from '../config/sent-path.ts'

const configFile = 'firebase.json'
const notFoundFile = '404.html'

/** firebase.json, deployed from inside the snapshot. A rewrite can't capture, so each path has one of its own. */
const config = ({ basePath, siteRoutes, usernames }: SnapshotFacts): object => ({
  hosting: {
    public: '.',
    ignore: [
      configFile,
      '**/.*',
      `${variantFolder.http}/**`,
      sumsFile,
      ...Object.values(signatureFiles),
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
      ...siteRoutes.map((route) => ({ path: route.path, file: siteFile(route) })),
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
      ...[prefix, ...siteRoutes.map(({ path }) => path)].map((path) => ({
        regex: `^${literal(basePath + path)}`,
        headers: list(okHeaders),
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
  can: [
    'the https variant, without redirects, with the headers of the contract',
    'the JSON 404; the http variant, SHA256SUMS and the error files are not uploaded at all',
    'ETag, 304 and HEAD',
  ],
  cannot: [
    'answer plain http: it redirects to https and sets HSTS',
    'hide …/index.json, which answers under its own name too',
    'answer by method: OPTIONS and POST get what GET gets (preflight headers are on all), there is no 405',
    'choose headers by status: a 404 below the path of the API is cached like a 200',
  ],
  limits: { fileBytes: 2 * 1024 ** 3 },
  files: (facts) => [
    { path: configFile, text: `${JSON.stringify(config(facts), null, 2)}\n` },
    { path: notFoundFile, text: errors.notFound.body },
  ],
}
