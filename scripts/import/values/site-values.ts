import { assetUrl } from '../../api/assets.ts'
import type { Site } from '../../content/site.ts'
import { normalTimestamp } from '../../content/values/timestamp.ts'
import type { Kind } from './fields.ts'

/** What values mean on this site. */
export type SiteValues = {
  readonly site: Site
  /** The token of a shot whose file gives none. */
  readonly tokenOf: (id: string) => string
}

/** Values of a profile or a shot, as the API would say them, by key; lists are joined by commas. */
export type Values = Readonly<Record<string, string>>

/** What a key that is left out stands for. Totals have no fixed default. */
export const defaultOf = (key: string, kind: Kind, values: Values, { site, tokenOf }: SiteValues): string => {
  switch (key) {
    case 'type_account':
      return site.defaults.type_account
    case 'status':
      return site.defaults.status
    case 'large_image':
      return values.image ?? ''
    case 'token_id':
      return tokenOf(values.id!)
    default:
      return kind === 'count' || kind === 'project' ? '0' : ''
  }
}

/** Whether two values are published as the same. */
export const sameValue = (kind: Kind, a: string, b: string, { site }: SiteValues): boolean => {
  if (a === b) return true
  if (a === '' || b === '') return false
  if (kind === 'asset') return assetUrl(a, 'https', site) === assetUrl(b, 'https', site)
  return kind === 'timestamp' && normalTimestamp(a) === normalTimestamp(b)
}
