import { html, markupOf } from '../text/html.ts'
import { turnsOf } from './parts.ts'

/** Addresses that one sitemap may have. */
const most = 50_000

/** All addresses for search engines: in one sitemap, or in several that the first one lists; by their own addresses. */
export const sitemaps = (
  addresses: readonly string[],
  url: string,
): readonly (readonly [address: string, textOf: () => string])[] => {
  const list = (kind: 'urlset' | 'sitemapindex', item: string, some: readonly string[]): string => {
    const items = some.map(
      (address) => html`<${item}><loc>${url}${encodeURI(address)}</loc></${item}>\n`,
    )
    return markupOf(html`<?xml version="1.0" encoding="utf-8"?>
<${kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${items}</${kind}>
`)
  }
  const parts = turnsOf('/sitemap', addresses, { size: most })
  const first = '/sitemap.xml'
  if (parts.length === 1) return [[first, () => list('urlset', 'url', addresses)]]
  const several = parts.map(({ number, shown }) => {
    return [`/sitemap-${number}.xml`, () => list('urlset', 'url', shown)] as const
  })
  const names = several.map(([name]) => name)
  return [...several, [first, () => list('sitemapindex', 'sitemap', names)]]
}
