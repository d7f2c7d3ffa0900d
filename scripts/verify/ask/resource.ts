import {
  filePath,
  type Route,
  requestPath,
  type SiteRoute,
  siteFile,
  type Variant,
} from '../../api/routes.ts'

/** A path that a host should answer, and the files of the snapshot that answer it. */
export type Resource = {
  readonly kind: Route['name'] | SiteRoute['name']
  /** Whose it is; `undefined` if it is the site's. */
  readonly username: string | undefined
  /** From the root of `base_url`. */
  readonly path: string
  /** Below the snapshot's root. */
  readonly files: Readonly<Record<Variant, string>>
}

export const memberResource = (route: Route, username: string): Resource => ({
  kind: route.name,
  username,
  path: requestPath(route, username),
  files: { https: filePath(route, 'https', username), http: filePath(route, 'http', username) },
})

export const siteResource = (route: SiteRoute): Resource => ({
  kind: route.name,
  username: undefined,
  path: route.path,
  files: { https: siteFile(route), http: siteFile(route) },
})
