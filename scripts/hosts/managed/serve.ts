import {
  commonHeaders,
  contentType,
  errors,
  indexFile,
  okHeaders,
  preflight,
  requestPath,
  routes,
  servedSiteRoutes,
  variantFolder,
  variants,
} from '../../api/routes.ts'
import type { Host } from '../config/host.ts'

const notFoundFile = '404.html'

/** Requests that begin with `source`, and the folders below the root that answer them; none ends with a slash. */
export type ServePlace = {
  readonly source: string
  /** Where the variant lies. */
  readonly folder: string
  /** Where the files of the site as a whole lie. */
  readonly siteFolder: string
}

/** serve.json for one process. It knows nothing of schemes: each variant is a place of its own. */
export const serveConfig = (places: readonly ServePlace[]): string =>
  `${JSON.stringify(
    {
      cleanUrls: false,
      directoryListing: false,
      rewrites: places.flatMap(({ source, folder, siteFolder }) => [
        ...routes.map((route) => ({
          source: source + requestPath(route, ':username'),
          destination: `${below(folder)}${requestPath(route, ':username')}/${indexFile}`,
        })),
        ...servedSiteRoutes.map(({ path }) => ({
          source: source + path,
          destination: below(siteFolder) + path,
        })),
      ]),
      headers: [
        headers('**', { ...commonHeaders, ...preflight.headers, 'Content-Type': contentType }),
        headers(`**/${indexFile}`, okHeaders),
        ...servedSiteRoutes.map(({ path }) => headers(`**${path}`, okHeaders)),
        headers(notFoundFile, errors.notFound.headers),
      ],
    },
    null,
    2,
  )}\n`

const below = (folder: string): string => folder && `/${folder}`

const headers = (source: string, values: Readonly<Record<string, string>>) => ({
  source,
  headers: Object.entries(values).map(([key, value]) => ({ key, value })),
})

/** What `serve` reads besides serve.json: the page that it sends with every 404. */
export const serveNotFound = { path: notFoundFile, text: errors.notFound.body } as const

export const serve: Host = {
  name: 'serve',
  title: 'serve (preview)',
  support: 'generated',
  can: [
    'both schemes, with one process and one root for each',
    'the answers to GET and HEAD, ETag and 304',
    'the JSON 404, except to clients that ask for application/json by name',
  ],
  cannot: [
    'answer by method: OPTIONS and POST get what GET gets (preflight headers are on all)',
    'send headers with a 304, or its own 404 body to "Accept: application/json"',
    'tell /API/USERNAME/ana from /api/username/ana: only usernames in the wrong letter case are a 404',
    'answer for a username with a dot in it, whose folder it takes for a file',
    'hide files under their own names',
    'find the files of the site as a whole below the http variant: /openapi.json is a 404 there',
    'face the internet: it is for previews',
  ],
  config: ({ basePath }) => serveConfig([{ source: basePath, folder: '', siteFolder: '' }]),
  files: ({ basePath }) =>
    variants.flatMap((variant) => {
      const folder = variantFolder[variant] && `${variantFolder[variant]}/`
      return [
        {
          path: `${folder}serve.json`,
          text: serveConfig([{ source: basePath, folder: '', siteFolder: '' }]),
        },
        { ...serveNotFound, path: `${folder}${notFoundFile}` },
      ]
    }),
}
