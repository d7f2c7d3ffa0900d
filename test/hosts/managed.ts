import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as api from '../../scripts/api/routes.ts'
import type { Host } from '../../scripts/hosts/host.ts'
import { sumsOf } from '../deploy/snapshots.ts'
import { hostFacts } from './options.ts'

/** A plain name, one with every character that a name may have, and the longest. */
export const usernames = ['a.b-c_d', 'ana', 'x'.repeat(64)]

/** What a file of the snapshot holds here: all that matters is that no two are equal. */
export const body = (route: api.Route, variant: api.Variant, username: string) =>
  `${JSON.stringify({ route: route.name, variant, username })}\n`

/** A path of each of the site's own routes, and what answers it here. */
export const siteRequests = api.siteRoutes.map((route) => ({
  route,
  path: route.path.replace('<xx>', '0f').replace('<h>', '0a'.repeat(16)),
  text: (variant: api.Variant) =>
    `${JSON.stringify({ site: route.path, ...(route.variants && { variant }) })}\n`,
}))

/** The files of a small snapshot by path, with these members, as the build lays it out. */
export const snapshotOf = (
  names: readonly string[],
  bytes: typeof body,
): [path: string, text: string][] => [
  ...names.flatMap((username) =>
    api.variants.flatMap((variant) =>
      api.routes.map((route): [string, string] => [
        api.filePath(route, variant, username),
        bytes(route, variant, username),
      ]),
    ),
  ),
  ...Object.values(api.errors).map((error): [string, string] => [error.file, error.body]),
  ...siteRequests.flatMap(({ route, path: request, text }) =>
    api.variants.map((variant): [string, string] => [
      api.fileOf(route, { variant, request }),
      text(variant),
    ]),
  ),
]

/** All files of a small snapshot with the host's own, by path. */
export const snapshotFiles = (host: Host, basePath = ''): ReadonlyMap<string, string> => {
  const files = new Map([
    ...snapshotOf(usernames, body),
    ...(host.files?.(hostFacts({ basePath, usernames })) ?? []).map(
      ({ path, text }): [string, string] => [path, text],
    ),
  ])
  return files.set('SHA256SUMS', sumsOf(Object.fromEntries(files)))
}

/** Serves on a free port of this machine only. */
export const listen = async (
  listener: RequestListener,
): Promise<{ origin: URL; close: () => Promise<void> }> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
