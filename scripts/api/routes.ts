/**
 * The interface as it is served. Host configs, the preview, the verifier's expectations and
 * the tables in the docs are all made from this table, whose lines are the routes of the
 * outputs (`outputs/`). No other module names a path, a header's value, an error body or a
 * file of the snapshot, but for the few that test/routes.test.ts lists, each with its reason.
 */

import type { Site } from '../content/site.ts'
import { routes } from './outputs/profiles.ts'
import { outputs, outputsOf } from './outputs.ts'
import {
  encodings,
  fileOf,
  indexFile,
  type PathRoute,
  prefix,
  type Route,
  type SiteRoute,
  variantFolder,
} from './route.ts'

export { usernamePattern } from '../content/username.ts'
export { pictureRoutes, pictureTypes } from './outputs/pictures.ts'
export { routes, shotsRoute, userRoute } from './outputs/profiles.ts'
export { publishedRoute, signatureRoute } from './outputs/publication.ts'
export * from './route.ts'

const isOfSite = (route: PathRoute) => !('suffix' in route)

/** Every route that a site may have besides those of its members. */
export const siteRoutes: readonly SiteRoute[] = outputs
  .flatMap(({ routes }) => routes)
  .filter(isOfSite)

/**
 * Those of a site; which pictures there are is a matter of its members, and when it is
 * published not of the content.
 */
export const siteRoutesOf = (site: Site): readonly SiteRoute[] =>
  outputsOf(site)
    .flatMap(({ routes }) => routes)
    .filter(isOfSite)

/** The route that a request path belongs to; the path has no query, and no slash at its end. */
export const routeOf = (request: string): Route | SiteRoute | undefined =>
  patterns.find(({ pattern }) => pattern.test(request))?.route

const patterns = [...routes, ...siteRoutes].map((route) => ({
  route,
  pattern: new RegExp(`^${route.pattern}$`),
}))

/**
 * What a file answers, by its path below the snapshot's root; `undefined` if it answers no
 * route. A file of the site has no username, and one that is no compressed copy has no
 * encoding.
 */
export const servedAt = (file: string) => {
  const copy = encodings.find(({ suffix }) => file.endsWith(suffix))
  const plain = copy === undefined ? file : file.slice(0, -copy.suffix.length)
  const variant = plain.startsWith(`${variantFolder.http}/`) ? 'http' : 'https'
  const own = variant === 'http' ? plain.slice(variantFolder.http.length) : `/${plain}`
  const request = own.endsWith(`/${indexFile}`) ? own.slice(0, -indexFile.length - 1) : own
  const route = routeOf(request)
  if (route === undefined || fileOf(route, { variant, request }) !== plain) return undefined
  const username = 'suffix' in route ? request.slice(prefix.length).split('/')[0] : undefined
  return { route, variant, request, username, encoding: copy?.name }
}
