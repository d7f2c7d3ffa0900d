import { prefix, routes, servedSiteRoutes, usernamePattern } from '../../api/routes.ts'

/** Text as a regular expression that matches it and nothing else. */
export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|#]/g, '\\$&')

/**
 * The request paths of all routes as clients send them (nothing decoded, without the query), as a regular expression
 * that PCRE, RE2 and JavaScript read alike. Group 1 is the path that the snapshot knows: without `basePath` and
 * without a slash at the end.
 */
export const sentPath = (basePath: string): string =>
  `^${literal(basePath)}(${literal(prefix)}${usernamePattern}(?:${suffixes})?)/?$`

/** The same for the site's own paths: group 1 is the file's path, from the snapshot's root. */
export const sentSitePath = (basePath: string): string =>
  `^${literal(basePath)}(${servedSiteRoutes.map(({ path }) => literal(path)).join('|')})/?$`

/** A pattern of whole paths, for paths that a query may follow. */
export const withQuery = (pattern: string): string => pattern.replace(/\$$/, '(?:\\?|$)')

const suffixes = routes
  .filter((route) => route.suffix !== '')
  .map((route) => literal(route.suffix))
  .join('|')
