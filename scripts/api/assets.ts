import type { Site } from '../content/site.ts'
import type { Variant } from './routes.ts'

/** The address of a checked asset in one variant: its scheme is the variant's, the rest stays as typed. */
export const assetUrl = (asset: string, variant: Variant, site: Site): string => {
  if (asset === '') return ''
  if (asset.startsWith('//')) return `${variant}:${asset}`
  const authority = asset.indexOf('://')
  return authority === -1 || authority > 'https'.length
    ? `${site.assets[variant]}/${asset}`
    : variant + asset.slice(authority)
}
