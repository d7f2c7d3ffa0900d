import { contrast } from '../content/values/colour.ts'
import { builtFile } from '../files/built.ts'
import { type Html, html, markupOf } from '../text/html.ts'
import { escapedUnit } from '../text/json.ts'
import {
  type Entry,
  type Group,
  type GroupKind,
  groupKinds,
  type Index,
  type MemberData,
  mostInFeed,
  type Summary,
  summarize,
} from './data.ts'
import { addressOf, type Gallery, type Place, placeOf, sourceOf } from './page.ts'
import * as pages from './pages.ts'
import { tileRules } from './shape.ts'
import { cut, memoize, slugOf } from './words.ts'

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
      return {
        status: 200,
        type: types[/\.(\w+)$/.exec(path)?.[1] ?? ''] ?? pageType,
        text: textOf(),
      }
  }
  return { status: 404, type: pageType, text: pages.notFoundPage(gallery) }
}

/** An address, and what makes the text that is there. */
export type Addressed = readonly [
  address: string,
  textOf: () => string,
  /** All that it is made from besides the settings, where that is faster to compare. */
  dataOf?: () => object,
]

type Pages = Generator<Addressed>

/** The pages of a member, which depend on nothing but the member and the settings. */
export function* memberPages({ username, works, aliases }: Summary, gallery: Gallery): Pages {
  const home = addressOf.member(username)
  const member = (): MemberData => gallery.member(username)!
  for (const { address, number } of pages.memberTurns({ username, works }))
    yield [address, () => pages.memberPage(member(), number, gallery)]
  yield [`${home}feed.xml`, () => feed(gallery, member())]
  for (const [at, { id }] of works.entries()) {
    const data = () => pages.workData(member(), at)
    yield [addressOf.work(username, id), () => pages.workPage(data(), gallery), data]
  }
  for (const alias of aliases.map(addressOf.member))
    yield [alias, () => redirectPage(alias, home, gallery)]
}

/** The pages that depend on all members. */
export function* sharedPages(gallery: Gallery): Pages {
  const { accent, url, edit } = gallery.settings
  yield ['/', () => pages.homePage(gallery)]
  yield ['/search/', () => pages.searchPage(gallery)]
  yield ['/404.html', () => pages.notFoundPage(gallery)]
  yield ['/feed.xml', () => feed(gallery)]
  yield ['/search.js', () => searchIndex(gallery)]
  yield ['/gallery.js', () => builtFile('scripts/gallery/script.ts')]
  yield ['/gallery.css', () => stylesheet(accent)]
  yield ['/icon.svg', () => icon(accent)]
  if (url !== '') yield* sitemaps(gallery)
  if (edit !== '') yield ['/join/', () => pages.joinPage(gallery)]
  yield* listPages(gallery)
}

/** Lists of members and of works, each on as many pages as it takes. */
function* listPages(gallery: Gallery): Pages {
  for (const turn of pages.turnsOf('/members/', gallery.index.members))
    yield [turn.address, () => pages.membersPage(turn, gallery)]
  for (const kind of groupKinds) {
    yield [`/${kind}/`, () => pages.wordsPage(kind, gallery)]
    const groups: Iterable<readonly [string, Group<Entry> | Group<Summary>]> = gallery.index[kind]
    for (const [slug, { label, items }] of groups) {
      const list: readonly (Entry | Summary)[] = items
      for (const turn of pages.turnsOf(addressOf.group(kind, slug), list, { most: 10 }))
        yield [turn.address, () => pages.groupPage(label, turn, gallery)]
    }
  }
}

const stylesheet = (accent: string): string => {
  const onAccent = contrast(accent, '#ffffff') < 4.5 ? '#000' : '#fff'
  const colours = `:root{--accent:${accent};--on-accent:${onAccent}}`
  return colours + tileRules() + builtFile('scripts/gallery/gallery.css')
}

/** What shared pages show of a member, each with the first pages of the lists that show it. */
const shownOf = ({ works, ...about }: Summary): ReadonlyMap<string, () => readonly string[]> => {
  const { username, name, skills, location } = about
  const addressesOf = (kind: GroupKind, words: readonly string[]): readonly string[] =>
    words.map((word) => addressOf.group(kind, slugOf(word)))
  const strip = works.slice(0, 3).map(({ id, image }) => [id, image])
  return new Map([
    [
      JSON.stringify([about, strip]),
      () => ['/members/', ...addressesOf('skills', skills), ...addressesOf('places', [location])],
    ],
    ...works.map(
      (work) =>
        [JSON.stringify([username, name, work]), () => addressesOf('tags', work.tags)] as const,
    ),
  ])
}

/** Which shared pages may say something else after a change of members. */
export const createChanges = () => {
  const lists = new Set<string>()
  return {
    /** Takes a member as it was and as it is; `undefined` where it is not there. */
    compare: (before: Summary | undefined, after: Summary | undefined): void => {
      const was = before ? shownOf(before) : new Map()
      const is = after ? shownOf(after) : new Map()
      for (const [one, other] of [
        [was, is],
        [is, was],
      ] as const)
        for (const [text, addresses] of one)
          if (!other.has(text)) for (const address of addresses()) lists.add(address)
    },
    mayBeOn: (address: string): boolean => {
      const first = address.replace(/~\d+\/$/, '')
      const isList = first === '/members/' || /^\/\w+\/./.test(first)
      return !isList || lists.has(first)
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

/** An Atom feed of the newest works of one member, or of the 30 of all; its dates are the content's. */
const feed = (gallery: Gallery, member?: MemberData): string => {
  const { settings, index } = gallery
  const home = member ? addressOf.member(member.username) : '/'
  const path = `${home}feed.xml`
  const own = member && summarize(member)
  const entries = own
    ? own.works.slice(0, mostInFeed).map((work) => ({ member: own, work }))
    : index.newest.slice(0, 30)
  const place = placeOf(path, gallery)
  const to = (address: string): string =>
    settings.url === '' ? place.to(address) : settings.url + address
  const newest = entries[0]?.work.date ?? '0001-01-01 00:00:00'
  const items = entries.map((entry) => feedEntry(entry, { path, to, settings }, own === undefined))
  const about = [
    html`<title>${cut(member?.name ?? settings.title, 200)}</title><id>${settings.baseUrl}${home}</id>`,
    html`<link href="${to(home)}"/><link rel="self" href="${to(path)}"/><updated>${stamp(newest)}</updated>`,
    member && by(member.name),
  ]
  return markupOf(
    html`<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">${about}\n${items}</feed>\n`,
  )
}

const feedEntry = ({ member, work }: Entry, place: Place, withAuthor: boolean): Html => {
  const { to, settings } = place
  const { title, image, look, words = '', date } = work
  const address = addressOf.work(member.username, work.id)
  const source = sourceOf(image, place)
  const size = look && html` width="${look.width}" height="${look.height}"`
  const shown = [
    source && html`<p><img src="${source}" alt="${cut(title, 200)}"${size}></p>`,
    words !== '' && html`<p>${words}</p>`,
  ]
  const content = markupOf(html`${shown}`)
  const parts = [
    html`<title>${cut(title, 200)}</title><id>${settings.baseUrl}${address}</id>`,
    html`<link href="${to(address)}"/><updated>${stamp(date)}</updated>`,
    withAuthor && by(member.name),
    content !== '' && html`<content type="html">${content}</content>`,
  ]
  return html`<entry>${parts}</entry>\n`
}

const by = (name: string): Html => html`<author><name>${cut(name, 200)}</name></author>`

const stamp = (date: string): string => `${date.replace(' ', 'T')}Z`

/** Addresses that one sitemap may have. */
const mostAddresses = 50_000

/** All addresses for search engines: in one sitemap, or in several that the first one lists. */
function* sitemaps(gallery: Gallery): Pages {
  const { settings, index } = gallery
  const addresses = [
    '/',
    ...[...listPages(gallery)].map(([address]) => address),
    ...index.members.flatMap((member) => pages.memberTurns(member).map(({ address }) => address)),
    ...index.newest.map(({ member, work }) => addressOf.work(member.username, work.id)),
  ]
  const locate = (address: string): Html => html`<loc>${settings.url}${encodeURI(address)}</loc>`
  const urls = (some: readonly string[]): string =>
    sitemap(
      'urlset',
      some.map((address) => html`<url>${locate(address)}</url>\n`),
    )
  const parts = pages.turnsOf('/sitemap', addresses, { size: mostAddresses })
  const nameOf = (number: number): string => `/sitemap-${number}.xml`
  if (parts.length === 1) return yield ['/sitemap.xml', () => urls(addresses)]
  for (const { number, shown } of parts) yield [nameOf(number), () => urls(shown)]
  const list = parts.map(({ number }) => html`<sitemap>${locate(nameOf(number))}</sitemap>\n`)
  yield ['/sitemap.xml', () => sitemap('sitemapindex', list)]
}

const sitemap = (name: 'urlset' | 'sitemapindex', list: readonly Html[]): string =>
  markupOf(
    html`<?xml version="1.0" encoding="utf-8"?>\n<${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${list}</${name}>\n`,
  )

/** Bytes of an index above which it holds no pictures. */
const mostWithPictures = 2_000_000

/**
 * What a search looks through, as a script, because a page that is a file may load one. Three parts with an empty line
 * between them: tags and skills, a line each (slug, label); then each member (username, name, skills, place, picture) with
 * the works (nothing, id, title, tags, picture). Words are the numbers of their lines. `search.ts` reads it; 10,000 members
 * with 20 works have 8 MB. (MiniSearch's index has 45 MB, takes 5 s to load, and 1 s to find the first letter of a word.)
 */
const searchIndex = (gallery: Gallery): string => {
  const withPictures = searchText(gallery, true)
  const text = withPictures.length < mostWithPictures ? withPictures : searchText(gallery, false)
  // in a template a tab is one byte, and in quotes two
  return `searchIndex(\`${text.replace(unsafeInTemplate, escapedUnit)}\`)\n`
}

const unsafeInTemplate = /[\\`$<\u2028\u2029]|(?![\t\n])\p{Cc}|\p{Cs}/gu

const searchText = ({ index, settings }: Gallery, withPictures: boolean): string => {
  const { members, tags, skills } = index
  const row = (...parts: readonly string[]): string =>
    parts.map((part) => cut(part, 160)).join('\t')
  const list = (groups: Index['tags'] | Index['skills']): string =>
    [...groups].map(([slug, { label }]) => row(slug, label)).join('\n')
  const numbersIn = (groups: ReadonlyMap<string, unknown>) => {
    const numbers = new Map([...groups.keys()].map((slug, at) => [slug, at.toString(36)]))
    const numberOf = memoize((word) => numbers.get(slugOf(word)))
    return (words: readonly string[]): string => words.map(numberOf).join(' ')
  }
  const tagsOf = numbersIn(tags)
  const skillsOf = numbersIn(skills)
  const root = { to: (address: string) => address, settings }
  const pictureOf = (url: string): string =>
    withPictures ? `\t${sourceOf(url, root) ?? ''}`.trimEnd() : ''
  const people = members.map(({ username, name, skills, location, avatar, works }) => {
    const member = row(username, name, skillsOf(skills), location) + pictureOf(avatar)
    const rows = works.map(
      ({ id, title, tags, image }) =>
        `\t${id}\t${cut(title, 160)}\t${tagsOf(tags)}${pictureOf(image)}`,
    )
    return [member, ...rows].join('\n')
  })
  return [list(tags), list(skills), people.join('\n')].join('\n\n')
}

/** What a browser shows in a tab. */
const icon = (accent: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="${accent}"><rect x="2" y="2" width="9" height="9" rx="2.5"/><rect x="13" y="2" width="9" height="9" rx="2.5"/><rect x="2" y="13" width="9" height="9" rx="2.5"/><circle cx="17.5" cy="17.5" r="4.5"/></svg>\n`
