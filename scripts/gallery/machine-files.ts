import { type Html, html, markupOf, trusted } from '../text/html.ts'
import { cut, type Entry, type Group, type Index, memoize, slugOf } from './data.ts'
import {
  addressOf,
  escapedUnit,
  type Gallery,
  type Links,
  linksFrom,
  type Settings,
  sourceOf,
} from './page.ts'

/** A page at an old name that leads to the new one. */
export const redirectPage = (
  path: string,
  target: string,
  { settings }: Pick<Gallery, 'settings'>,
): string => {
  const to = linksFrom(path, settings)(target)
  return markupOf(
    html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="generator" content="Shotpress"><title>Moved</title><meta http-equiv="refresh" content="0;url=${to}"><link rel="canonical" href="${settings.url === '' ? to : settings.url + target}"></head><body><p>This page is <a href="${to}">here</a> now.</p></body></html>\n`,
  )
}

/** An Atom feed of works; its dates are the content's. */
export const feed = (
  {
    path,
    title,
    entries,
    author,
  }: {
    readonly path: string
    readonly title: string
    readonly entries: readonly Entry[]
    /** The author of all entries; if it is absent, each entry says its own. */
    readonly author?: string
  },
  { settings }: Gallery,
): string => {
  const links = linksFrom(path, settings)
  const to: Links = (address) => (settings.url === '' ? links(address) : settings.url + address)
  const home = path.replace('feed.xml', '')
  return markupOf(html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${cut(title, 200)}</title><id>${settings.baseUrl}${home}</id><link href="${to(home)}"/><link rel="self" href="${to(path)}"/><updated>${stamp(entries[0]?.work.date ?? '0001-01-01 00:00:00')}</updated>${author !== undefined && by(author)}
${entries.map(({ member, work }) => {
  const address = addressOf.work(member.username, work.id)
  const source = sourceOf(work.image, to, settings)
  // text of an element, where quotes are no matter
  const image = source && markupOf(html`<img src="${source}">`).replace(/&/g, '&amp;').replace(/</g, '&lt;')
  return html`<entry><title>${cut(work.title, 200)}</title><id>${settings.baseUrl}${address}</id><link href="${to(address)}"/><updated>${stamp(work.date)}</updated>${author === undefined && by(member.name)}${
    image !== undefined && html`<content type="html">${trusted(image)}</content>`
  }</entry>
`
})}</feed>
`)
}

const by = (name: string): Html => html`<author><name>${cut(name, 200)}</name></author>`

const stamp = (date: string): string => `${date.replace(' ', 'T')}Z`

/** Addresses that a sitemap may have. */
const mostAddresses = 50_000

export const sitemap = ({ settings, index }: Gallery): string => {
  const addresses = [
    '/',
    '/members/',
    ...index.members.map(({ username }) => addressOf.member(username)),
    ...[...index.tags.keys()].map((slug) => addressOf.group('tags', slug)),
    ...index.newest
      .slice(0, mostAddresses)
      .map(({ member, work }) => addressOf.work(member.username, work.id)),
  ]
  return markupOf(html`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses
  .slice(0, mostAddresses)
  .map((address) => html`<url><loc>${settings.url}${encodeURI(address)}</loc></url>\n`)}</urlset>
`)
}

/**
 * What a search looks through, as a script, because a page that is a file may load one. Three parts with an empty line
 * between them: tags and skills, a line each (slug, label); then each member (username, name, skills, place) with the works
 * (nothing, id, title, tags). Words are the numbers of their lines. `script.ts` makes of it the text that it looks through,
 * which has 25 MB at 10,000 members with 20 works; this has 8. (MiniSearch's index has 45 MB, takes 5 s to load, and 1 s to
 * find the first letter of a word.)
 */
export const searchIndex = ({ members, tags, skills }: Index): string => {
  const row = (...parts: readonly string[]): string => parts.map((part) => cut(part, 160)).join('\t')
  const list = (groups: ReadonlyMap<string, Group<unknown>>): string =>
    [...groups].map(([slug, { label }]) => row(slug, label)).join('\n')
  const numbersIn = (groups: ReadonlyMap<string, unknown>) => {
    const numbers = new Map([...groups.keys()].map((slug, at) => [slug, at.toString(36)]))
    const numberOf = memoize((word) => numbers.get(slugOf(word)))
    return (words: readonly string[]): string => words.map(numberOf).join(' ')
  }
  const [tagsOf, skillsOf] = [numbersIn(tags), numbersIn(skills)]
  const people = members.map(({ username, name, skills, location, works }) =>
    [
      row(username, name, skillsOf(skills), location),
      ...works.map(({ id, title, tags }) => `\t${id}\t${cut(title, 160)}\t${tagsOf(tags)}`),
    ].join('\n'),
  )
  const text = [list(tags), list(skills), people.join('\n')].join('\n\n')
  // in a template a tab is one byte, and in quotes two
  return `searchIndex(\`${text.replace(/[\\`$<\u2028\u2029]|(?![\t\n])\p{Cc}|\p{Cs}/gu, escapedUnit)}\`)\n`
}

const shapes =
  '<rect x="2" y="2" width="9" height="9" rx="2.5"/><rect x="13" y="2" width="9" height="9" rx="2.5"/><rect x="2" y="13" width="9" height="9" rx="2.5"/><circle cx="17.5" cy="17.5" r="4.5"/>'

/** The picture that a browser shows in a tab. */
export const icon = ({ accent }: Pick<Settings, 'accent'>): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="${accent}">${shapes}</svg>\n`
