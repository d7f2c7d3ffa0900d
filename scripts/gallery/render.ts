import { contrast } from '../content/values/colour.ts'
import { builtFile } from '../files/built.ts'
import { type Html, html, markupOf } from '../text/html.ts'
import { escapedUnit } from '../text/json.ts'
import { cut, groupKinds, type Index, type MemberData, memoize, type Summary, slugOf } from './data.ts'
import { addressOf, type Gallery, placeOf, sourceOf } from './page.ts'
import * as pages from './pages.ts'

const pageType = 'text/html; charset=utf-8'
const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  xml: 'application/xml; charset=utf-8',
}

/** What is at an address, unescaped: `/members/ana/1001/`, `/tags/日本/`, `/feed.xml`. With status 404 if nothing is. */
export const render = (path: string, gallery: Gallery) => {
  const member = gallery.member(/^\/members\/([^/]+)\//.exec(path)?.[1] ?? '')
  for (const [address, textOf] of member ? memberPages(member, gallery) : sharedPages(gallery)) {
    if (decodeURIComponent(address) === path)
      return { status: 200, type: types[/\.(\w+)$/.exec(path)?.[1] ?? ''] ?? pageType, text: textOf() }
  }
  return { status: 404, type: pageType, text: pages.notFoundPage(gallery) }
}

/** Addresses, each with what makes the text that is there. */
type Pages = Generator<readonly [address: string, textOf: () => string]>

/** The pages of a member, which depend on nothing but the member and the settings. */
export function* memberPages({ username, works, aliases }: Summary, gallery: Gallery): Pages {
  const home = addressOf.member(username)
  const member = (): MemberData => gallery.member(username)!
  for (const { address, number } of pages.memberTurns({ username, works }))
    yield [address, () => pages.memberPage(member(), number, gallery)]
  yield [`${home}feed.xml`, () => feed(gallery, member())]
  for (const [at, { id }] of works.entries())
    yield [addressOf.work(username, id), () => pages.workPage(member(), at, gallery)]
  for (const alias of aliases.map(addressOf.member)) yield [alias, () => redirectPage(alias, home, gallery)]
}

/** The pages that depend on all members. */
export function* sharedPages(gallery: Gallery): Pages {
  const { accent, url, edit } = gallery.settings
  yield ['/', () => pages.homePage(gallery)]
  yield ['/search/', () => pages.searchPage(gallery)]
  yield ['/404.html', () => pages.notFoundPage(gallery)]
  yield ['/feed.xml', () => feed(gallery)]
  yield ['/search.js', () => searchIndex(gallery.index)]
  yield ['/gallery.js', () => builtFile('scripts/gallery/script.ts')]
  yield ['/gallery.css', () => `${coloursOf(accent)}${builtFile('scripts/gallery/gallery.css')}`]
  yield ['/icon.svg', () => icon(accent)]
  if (url !== '') yield ['/sitemap.xml', () => sitemap(gallery)]
  if (edit !== '') yield ['/join/', () => pages.joinPage(gallery)]
  for (const turn of pages.turnsOf('/members/', gallery.index.members))
    yield [turn.address, () => pages.membersPage(turn, gallery)]
  for (const kind of groupKinds) {
    yield [`/${kind}/`, () => pages.wordsPage(kind, gallery)]
    for (const [slug, { label, items }] of gallery.index[kind])
      for (const turn of pages.turnsOf<unknown>(addressOf.group(kind, slug), items, { most: 10 }))
        yield [turn.address, () => pages.groupPage(kind, label, turn, gallery)]
  }
}

const coloursOf = (accent: string): string =>
  `:root{--accent:${accent};--on-accent:${contrast(accent, '#ffffff') < 4.5 ? '#000' : '#fff'}}`

/** Takes members as they were and as they are, and tells which shared pages may say something else now. */
export const createChanges = () => {
  /** What is shown of them, by the address of the first page that shows it; what was and is the same is no more. */
  const shown = new Map<string, Set<string>>()
  const add = (address: string, text: string): void => {
    const texts = shown.get(address) ?? new Set()
    shown.set(address, texts)
    if (!texts.delete(text)) texts.add(text)
  }
  return {
    add: ({ works, ...about }: Summary): void => {
      const strip = works.slice(0, 3).map(({ id, image }) => [id, image])
      const person = JSON.stringify([about, strip])
      add('/members/', person)
      for (const skill of new Set(about.skills.map(slugOf))) add(addressOf.group('skills', skill), person)
      add(addressOf.group('places', slugOf(about.location)), person)
      for (const work of works) {
        const text = JSON.stringify([about.username, about.name, work])
        for (const tag of new Set(work.tags.map(slugOf))) add(addressOf.group('tags', tag), text)
      }
    },
    mayBeOn: (address: string): boolean => {
      const first = address.replace(/~\d+\/$/, '')
      const isList = first === '/members/' || /^\/\w+\/./.test(first)
      return !isList || (shown.get(first)?.size ?? 0) > 0
    },
  }
}

/** What shows these keys on the page of a member or a work, by selector, so that what changed can be marked. */
export const shownKeys: Readonly<Record<string, readonly string[]>> = {
  h1: ['name', 'title'],
  h2: ['projects'],
  'h1~p': ['description'],
  '.bio': ['bio'],
  '.place': ['location'],
  '.words': ['skills', 'tags'],
  '.face': ['avatar'],
  '.handle': ['aliases'],
  '.cover': ['cover_image'],
  '.website': ['website'],
  '.twitter': ['twitter'],
  '.facts': ['Likes', 'totalShots', 'totalFollowers', 'totalFollowing'],
  figure: ['alt', 'image', 'large_image'],
  time: ['date'],
  '.price': ['price_item'],
  '.buy': ['url_purchased'],
  '.attachment': ['attachment'],
  '.draft': ['draft'],
}

/** A page at an old name that leads to the new one. */
const redirectPage = (path: string, target: string, gallery: Gallery): string => {
  const { url } = gallery.settings
  const to = placeOf(path, gallery).to(target)
  return markupOf(
    html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="generator" content="Shotpress"><title>Moved</title><meta http-equiv="refresh" content="0;url=${to}"><link rel="canonical" href="${url === '' ? to : url + target}"></head><body><p>This page is <a href="${to}">here</a> now.</p></body></html>\n`,
  )
}

/** An Atom feed of the 5 newest works of one member, or of the 30 of all; its dates are the content's. */
const feed = (gallery: Gallery, member?: MemberData): string => {
  const { settings, index } = gallery
  const home = member ? addressOf.member(member.username) : '/'
  const path = `${home}feed.xml`
  const entries = member
    ? member.works.slice(0, 5).map((work) => ({ member, work }))
    : index.newest.slice(0, 30)
  const place = placeOf(path, gallery)
  const to = (address: string): string => (settings.url === '' ? place.to(address) : settings.url + address)
  return markupOf(html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${cut(member?.name ?? settings.title, 200)}</title><id>${settings.baseUrl}${home}</id><link href="${to(home)}"/><link rel="self" href="${to(path)}"/><updated>${stamp(entries[0]?.work.date ?? '0001-01-01 00:00:00')}</updated>${member && by(member.name)}
${entries.map(({ member: { username, name }, work }) => {
  const address = addressOf.work(username, work.id)
  const source = sourceOf(work.image, { to, settings })
  return html`<entry><title>${cut(work.title, 200)}</title><id>${settings.baseUrl}${address}</id><link href="${to(address)}"/><updated>${stamp(work.date)}</updated>${member === undefined && by(name)}${
    source && html`<content type="html">${markupOf(html`<img src="${source}">`)}</content>`
  }</entry>
`
})}</feed>
`)
}

const by = (name: string): Html => html`<author><name>${cut(name, 200)}</name></author>`

const stamp = (date: string): string => `${date.replace(' ', 'T')}Z`

/** Addresses that a sitemap may have. */
const mostAddresses = 50_000

const sitemap = ({ settings, index }: Gallery): string => {
  const addresses = [
    '/',
    '/members/',
    ...index.members.map(({ username }) => addressOf.member(username)),
    ...[...index.tags.keys()].map((slug) => addressOf.group('tags', slug)),
    ...index.newest.map(({ member, work }) => addressOf.work(member.username, work.id)),
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
const searchIndex = ({ members, tags, skills }: Index): string => {
  const row = (...parts: readonly string[]): string => parts.map((part) => cut(part, 160)).join('\t')
  const list = (groups: Index['tags'] | Index['skills']): string =>
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

/** What a browser shows in a tab. */
const icon = (accent: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="${accent}"><rect x="2" y="2" width="9" height="9" rx="2.5"/><rect x="13" y="2" width="9" height="9" rx="2.5"/><rect x="2" y="13" width="9" height="9" rx="2.5"/><circle cx="17.5" cy="17.5" r="4.5"/></svg>\n`
