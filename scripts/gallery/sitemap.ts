import { html, markupOf } from '../text/html.ts'
import type { Addressed } from './page.ts'
import { turnsOf } from './parts.ts'

/** Addresses that one sitemap may have. */
const most = 50_000

/** All addresses for search engines: in one sitemap, or in several that the first one lists. */
export const sitemaps = (addresses: readonly string[], url: string): readonly Addressed[] => {
  const list = (kind: 'urlset' | 'sitemapindex', some: readonly string[]) => {
    const item = kind === 'urlset' ? 'url' : 'sitemap'
    const items = some.map(
      (address) => html`<${item}><loc>${url}${encodeURI(address)}</loc></${item}>\n`,
    )
    return markupOf(html`<?xml version="1.0" encoding="utf-8"?>
<${kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${items}</${kind}>
`)
  }
  const first = '/sitemap.xml'
  if (addresses.length <= most) return [[first, () => list('urlset', addresses)]]
  const parts = turnsOf('/sitemap', addresses, { size: most }).map(
    ({ number, shown }): Addressed => [`/sitemap-${number}.xml`, () => list('urlset', shown)],
  )
  const names = parts.map(([name]) => name)
  return [...parts, [first, () => list('sitemapindex', names)]]
}
