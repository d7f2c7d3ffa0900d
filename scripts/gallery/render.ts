import { contrast } from '../content/values/colour.ts'
import { builtFile } from '../files/built.ts'
import { html, markupOf } from '../text/html.ts'
import {
  type Entry,
  type Group,
  groupKinds,
  type Index,
  type MemberData,
  type Summary,
} from './data.ts'
import { feedOfAll, feedOfMember } from './feed.ts'
import { joinPage } from './join-page.ts'
import {
  addressOf,
  type Gallery,
  notFound,
  type PageOptions,
  type Place,
  page,
  placeOf,
  type Settings,
} from './page.ts'
import * as pages from './pages.ts'
import { turnsOf } from './parts.ts'
import { searchIndex } from './search-index.ts'
import { tileRules } from './shape.ts'
import { sitemaps } from './sitemap.ts'

const pageType = 'text/html; charset=utf-8'
const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  xml: 'application/xml; charset=utf-8',
}

/** What is at an address, unescaped: `/members/ana/1001/`, `/tags/日本/`, `/feed.xml`. With status 404 if nothing is. */
export const render = (path: string, { index, settings, member: memberOf }: Gallery) => {
  const member = memberOf(/^\/members\/([^/]+)\//.exec(path)?.[1] ?? '')
  for (const [address, textOf] of member
    ? memberPages(member, settings)
    : sharedPages(index, settings)) {
    if (decodeURIComponent(address) !== path) continue
    const type = types[/\.(\w+)$/.exec(path)?.[1] ?? ''] ?? pageType
    return { status: 200, type, text: textOf() }
  }
  return { status: 404, type: pageType, text: notFoundText(settings) }
}

/** The page that hosts show where nothing is. */
export const notFoundText = (settings: Settings): string => {
  const place = placeOf(notFound, { settings })
  return page(place, pages.notFoundPage(place))
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
export function* memberPages(member: MemberData, settings: Settings): Pages {
  const home = addressOf.member(member.username)
  const shown = shownWith(settings)
  const { works, looks, ...about } = member
  for (const turn of pages.memberTurns(member)) {
    // how a picture looks follows from its address
    const dataOf = () => [about, works[0]?.image, turn]
    const text = shown(turn.address, (place) => pages.memberPage(member, turn, place))
    yield [turn.address, text, dataOf]
  }
  yield [`${home}feed.xml`, () => feedOfMember(member, settings)]
  for (const [at, { id }] of works.entries()) {
    const address = addressOf.work(member.username, id)
    const dataOf = () => pages.workData(member, at)
    yield [address, shown(address, (place) => pages.workPage(dataOf(), place)), dataOf]
  }
  for (const alias of member.aliases.map(addressOf.member))
    yield [alias, () => redirectPage(placeOf(alias, { settings }), home)]
}

const shownWith =
  (settings: Settings) =>
  (address: string, pageOf: (place: Place) => PageOptions): (() => string) =>
  () => {
    const place = placeOf(address, { settings })
    return page(place, pageOf(place))
  }

/** The pages that depend on all members. */
export function* sharedPages(index: Index, settings: Settings): Pages {
  const { accent, url, edit } = settings
  const ofPages: readonly Listed[] = [
    ['/', (place) => pages.homePage(index, place)],
    ['/search/', pages.searchPage],
    [notFound, pages.notFoundPage],
    ...(edit === '' ? [] : [['/join/', joinPage] as const]),
    ...listPages(index),
  ]
  const shown = shownWith(settings)
  for (const [address, pageOf] of ofPages) yield [address, shown(address, pageOf)]
  yield ['/feed.xml', () => feedOfAll(index, settings)]
  yield ['/search.js', () => searchIndex(index, settings)]
  yield ['/gallery.js', () => builtFile('scripts/gallery/script.ts')]
  yield ['/gallery.css', () => stylesheet(accent)]
  yield ['/icon.svg', () => icon(accent)]
  if (url === '') return
  const addresses = [
    ...ofPages.map(([address]) => address).filter((one) => one !== '/search/' && one !== notFound),
    ...index.members.flatMap((member) => pages.memberTurns(member).map(({ address }) => address)),
    ...index.newest.map(({ member, work }) => addressOf.work(member.username, work.id)),
  ]
  yield* sitemaps(addresses, url)
}

type Listed = readonly [address: string, pageOf: (place: Place) => PageOptions]

/** Lists of members and of works, each on as many pages as it takes. */
function* listPages(index: Index): Generator<Listed> {
  for (const turn of turnsOf('/members/', index.members))
    yield [turn.address, (place) => pages.membersPage(turn, index, place)]
  for (const kind of groupKinds) {
    yield [`/${kind}/`, (place) => pages.wordsPage(kind, index, place)]
    const groups: ReadonlyMap<string, Group<Entry | Summary>> = index[kind]
    for (const [slug, { label, items }] of groups) {
      for (const turn of turnsOf(addressOf.group(kind, slug), items, { most: 10 }))
        yield [turn.address, (place) => pages.groupPage(label, turn, place)]
    }
  }
}

const stylesheet = (accent: string): string => {
  const onAccent = contrast(accent, '#ffffff') < 4.5 ? '#000' : '#fff'
  const colours = `:root{--accent:${accent};--on-accent:${onAccent}}`
  return colours + tileRules() + builtFile('scripts/gallery/gallery.css')
}

/** A page at an old name that leads to the new one. */
const redirectPage = ({ to, settings }: Place, target: string): string =>
  markupOf(
    html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="generator" content="Shotpress"><title>Moved</title><meta http-equiv="refresh" content="0;url=${to(target)}"><link rel="canonical" href="${settings.url === '' ? to(target) : settings.url + target}"></head><body><p>This page is <a href="${to(target)}">here</a> now.</p></body></html>\n`,
  )

/** What a browser shows in a tab. */
const icon = (accent: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="${accent}"><rect x="2" y="2" width="9" height="9" rx="2.5"/><rect x="13" y="2" width="9" height="9" rx="2.5"/><rect x="2" y="13" width="9" height="9" rx="2.5"/><circle cx="17.5" cy="17.5" r="4.5"/></svg>\n`
