import type { Site } from '../../content/site.ts'
import { type SiteRoute, siteFile, siteRoutesOf } from '../routes.ts'
import { openapi } from './openapi.ts'

/** The files that answer the site's own paths; `path` is below the snapshot's root. */
export const siteFiles = (site: Site): readonly { readonly path: string; readonly text: string }[] =>
  siteRoutesOf(site).map((route) => ({ path: siteFile(route), text: renderSiteRoute(route, site) }))

const renderSiteRoute = (route: SiteRoute, site: Site): string => {
  switch (route.name) {
    case 'openapi':
      return renderDocument(openapi(site))
    default:
      return route.name satisfies never
  }
}

/** The text of a document that people read, too. */
export const renderDocument = (document: object): string => `${JSON.stringify(document, null, 2)}\n`
