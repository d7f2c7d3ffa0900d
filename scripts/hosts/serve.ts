import {
  commonHeaders,
  contentType,
  errors,
  indexFile,
  okHeaders,
  preflight,
  requestPath,
  routes,
  siteRoutes,
  variantFolder,
  variants,
} from '../api/routes.ts'
import type { Host } from './host.ts'

const notFoundFile = '404.html'

/**
 * serve.json for one process, which serves one variant: it knows nothing of schemes. `folder` is where the variant
 * lies below the root that is served, without slashes at its ends, and `siteFolder` where the site's own files lie;
 * `''` is the root itself.
 */
export const serveConfig = ({ basePath, folder, siteFolder }: ServeOptions): string =>
  `${JSON.stringify(
    {
      cleanUrls: false,
      directoryListing: false,
      rewrites: [
        ...routes.map((route) => ({
          source: basePath + requestPath(route, ':username'),
          destination: `${below(folder)}${requestPath(route, ':username')}/${indexFile}`,
        })),
        ...siteRoutes.map(({ path }) => ({ source: basePath + path, destination: below(siteFolder) + path })),
      ],
      headers: [
        headers('**', { ...commonHeaders, ...preflight.headers, 'Content-Type': contentType }),
        headers(`**/${indexFile}`, okHeaders),
        ...siteRoutes.map(({ path }) => headers(`**${path}`, okHeaders)),
        headers(notFoundFile, errors.notFound.headers),
      ],
    },
    null,
    2,
  )}\n`

type ServeOptions = {
  readonly basePath: string
  readonly folder: string
  readonly siteFolder: string
}

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
  config: ({ basePath }) => serveConfig({ basePath, folder: '', siteFolder: '' }),
  files: ({ basePath }) =>
    variants.flatMap((variant) => {
      const folder = variantFolder[variant] && `${variantFolder[variant]}/`
      return [
        { path: `${folder}serve.json`, text: serveConfig({ basePath, folder: '', siteFolder: '' }) },
        { ...serveNotFound, path: `${folder}${notFoundFile}` },
      ]
    }),
}
