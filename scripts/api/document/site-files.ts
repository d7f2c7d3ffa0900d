import type { Site } from '../../content/site.ts'
import { openapiRoute, siteFile } from '../routes.ts'
import { openapi } from './openapi.ts'

/** The files of the site's own paths that are made of site.yaml alone; `path` is below the snapshot's root. */
export const siteFiles = (site: Site): readonly { readonly path: string; readonly text: string }[] =>
  site.openapi ? [{ path: siteFile(openapiRoute), text: renderDocument(openapi(site)) }] : []

/** The text of a document that people read, too. */
export const renderDocument = (document: object): string => `${JSON.stringify(document, null, 2)}\n`
