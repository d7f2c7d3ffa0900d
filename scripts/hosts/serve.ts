import * as api from '../api/routes.ts'
import type { Host, HostFacts } from './host.ts'
import { jsonFile } from './lines.ts'
import { type Headers, keyValues } from './rules.ts'

const notFoundFile = '404.html'

/**
 * serve.json for one process. It knows nothing of schemes: each has a process and a root of
 * its own.
 */
const config = ({ basePath }: HostFacts) =>
  jsonFile({
    cleanUrls: false,
    directoryListing: false,
    rewrites: [...api.routes, ...api.siteRoutes].map((route) => ({
      source: basePath + named(route.path),
      destination: `/${named(api.fileOf(route))}`,
    })),
    headers: [
      headers('**', {
        ...api.commonHeaders,
        ...api.preflight.headers,
        'Content-Type': api.contentType,
      }),
      headers(`**/${api.indexFile}`, api.okHeaders),
      ...api.siteRoutes.map((route) =>
        headers(`**${route.path.replace(/<\w+>/, '*')}`, route.headers),
      ),
      headers(notFoundFile, api.errors.notFound.headers),
    ],
  })

const named = (path: string) => path.replace(/<(\w+)>/, ':$1')

const headers = (source: string, values: Headers) => ({
  source,
  headers: keyValues(values),
})

export const serve: Host = {
  name: 'serve',
  title: 'serve (preview)',
  support: 'generated',
  no: ['405', 'OPTIONS', 'hides'],
  part: ['404', 'headers'],
  overHttp: 'the https variant, if a process serves it there',
  config,
  files: (facts) => {
    const folders = facts.hasHttp ? ['', `${api.variantFolder.http}/`] : ['']
    return folders.flatMap((folder) => [
      { path: `${folder}serve.json`, text: config(facts) },
      { path: folder + notFoundFile, text: api.errors.notFound.body },
    ])
  },
}
