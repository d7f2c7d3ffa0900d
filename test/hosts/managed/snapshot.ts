import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  errors,
  filePath,
  type Route,
  routes,
  servedSiteRoutes,
  siteFile,
  type Variant,
  variants,
} from '../../../scripts/api/routes.ts'
import type { Host, HostOptions } from '../../../scripts/hosts/config/host.ts'

/** A plain name, one with every character that a name may have, and the longest. */
export const usernames = ['a.b-c_d', 'ana', 'x'.repeat(64)]

/** What a file of the snapshot holds here: all that matters is that no two are equal. */
export const body = (route: Route, variant: Variant, username: string): string =>
  `${JSON.stringify({ route: route.name, variant, username })}\n`

/** What answers the site's own paths here. */
export const siteBody = '{"openapi":"3.1.0"}\n'

/** All files of a small snapshot with the host's own, by path. */
export const snapshotFiles = (host: Host, basePath = ''): ReadonlyMap<string, string> =>
  new Map([
    ...usernames.flatMap((username) =>
      variants.flatMap((variant) =>
        routes.map((route) => [filePath(route, variant, username), body(route, variant, username)] as const),
      ),
    ),
    ...Object.values(errors).map((error) => [error.file, error.body] as const),
    ...servedSiteRoutes.map((route) => [siteFile(route), siteBody] as const),
    ['SHA256SUMS', 'not for clients\n'],
    ...(host.files?.({ basePath, precompress: [], siteRoutes: servedSiteRoutes, usernames }) ?? []).map(
      ({ path, text }) => [path, text] as const,
    ),
  ])

/** The same on the disk. */
export const writeSnapshot = (host: Host, basePath = ''): { root: string; remove: () => void } => {
  const root = mkdtempSync(join(tmpdir(), 'shotpress-host-'))
  for (const [path, text] of snapshotFiles(host, basePath)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}

export const hostOptions: HostOptions = {
  origin: undefined,
  root: '/srv/api/dist',
  name: 'api.example.com',
  listen: undefined,
  http: 80,
  https: 443,
  cert: '/etc/ssl/cert.pem',
  key: '/etc/ssl/key.pem',
  trust: [],
  basePath: '',
  precompress: [],
}
