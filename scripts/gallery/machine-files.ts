import { html, markupOf } from '../text/html.ts'
import { type Entry, fold, type Index } from './data.ts'
import { addressOf, cut, type Gallery, type Links, linksFrom, picture, type Settings } from './page.ts'

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
  }: { readonly path: string; readonly title: string; readonly entries: readonly Entry[] },
  { settings }: Gallery,
): string => {
  const links = linksFrom(path, settings)
  const to: Links = (address) => (settings.url === '' ? links(address) : settings.url + address)
  const home = path.replace('feed.xml', '')
  return markupOf(html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${cut(title, 200)}</title><id>${settings.baseUrl}${home}</id><link href="${to(home)}"/><link rel="self" href="${to(path)}"/><updated>${stamp(entries[0]?.work.date ?? '0001-01-01 00:00:00')}</updated>
${entries.map(({ member, work }) => {
  const address = addressOf.work(member.username, work.id)
  const image = markupOf(picture(work.image, { to, settings, seed: work.id }))
  return html`<entry><title>${cut(work.title, 200)}</title><id>${settings.baseUrl}${address}</id><link href="${to(address)}"/><updated>${stamp(work.date)}</updated><author><name>${cut(member.name, 200)}</name></author>${
    image.startsWith('<img') && html`<content type="html">${image}</content>`
  }</entry>
`
})}</feed>
`)
}

const stamp = (date: string): string => `${date.replace(' ', 'T')}Z`

/** Addresses that a sitemap may have. */
const mostAddresses = 50_000

export const sitemap = ({ settings, index }: Gallery): string => {
  const addresses = [
    '/',
    '/members/',
    ...index.members.map(({ username }) => addressOf.member(username)),
    ...[...index.tags.keys()].map((slug) => addressOf.group('tags', slug)),
    ...index.newest.map(({ member, work }) => addressOf.work(member.username, work.id)),
  ]
  return markupOf(html`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.slice(0, mostAddresses).map((address) => html`<url><loc>${settings.url}${address}</loc></url>\n`)}</urlset>
`)
}

/**
 * What a search looks through, as a script, because a page that is a file may load one: a line for each member, tag and
 * work. `text<tab>address below the root<tab>label<tab>what it is`.
 */
export const searchIndex = ({ members, tags, skills }: Index): string => {
  const line = (text: string, ...rest: readonly string[]): string =>
    [fold(text), ...rest].map((part) => cut(part, 160)).join('\t')
  const lines = [
    ...members.map(({ username, name, skills, location }) =>
      line(
        `${name} ${username} ${skills.join(' ')} ${location}`,
        `members/${username}/`,
        name,
        `@${username}`,
      ),
    ),
    ...[...tags].map(([slug, { label }]) =>
      line(label, addressOf.group('tags', slug).slice(1), label, 'Tag'),
    ),
    ...[...skills].map(([slug, { label }]) =>
      line(label, addressOf.group('skills', slug).slice(1), label, 'Skill'),
    ),
    ...members.flatMap(({ username, name, works }) =>
      works.map(({ id, title, tags }) =>
        line(`${title} ${tags.join(' ')}`, `members/${username}/${id}/`, title, name),
      ),
    ),
  ]
  return `searchIndex(${JSON.stringify(lines.join('\n')).replace(/[\u2028\u2029<]/g, escapedUnit)})\n`
}

const escapedUnit = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

const shapes =
  '<rect x="2" y="2" width="9" height="9" rx="2.5"/><rect x="13" y="2" width="9" height="9" rx="2.5"/><rect x="2" y="13" width="9" height="9" rx="2.5"/><circle cx="17.5" cy="17.5" r="4.5"/>'

/** The picture that a browser shows in a tab. */
export const icon = ({ accent }: Pick<Settings, 'accent'>): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="${accent}">${shapes}</svg>\n`
