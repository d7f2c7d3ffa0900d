import { memberFileAt } from './member-file.ts'
import { requestPath, siteRouteAt } from './routes.ts'

/**
 * The addresses at which caches may hold a file of the snapshot: in both schemes, with and without a slash at the
 * end. None for what no client can ask for.
 */
export const addressesOf = (path: string, baseUrl: string): readonly string[] => {
  const { host, pathname } = new URL(baseUrl)
  const request = requestPathOf(path)
  if (request === undefined) return []
  const address = `${host}${pathname.replace(/\/+$/, '')}${request}`
  return ['https', 'http'].flatMap((scheme) => [`${scheme}://${address}`, `${scheme}://${address}/`])
}

const requestPathOf = (path: string): string | undefined => {
  const site = siteRouteAt(path)
  if (site !== undefined) return site.request
  const member = memberFileAt(path)
  return member && requestPath(member.route, member.username)
}
