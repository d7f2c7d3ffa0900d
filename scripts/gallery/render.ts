import { contrast } from '../content/values/colour.ts'
import { builtFile } from '../files/built.ts'
import { html, markupOf } from '../text/html.ts'
import { groupKinds, type Index, type Item, type MemberData, type Work } from './data.ts'
import { feedOfAll, feedOfMember } from './feed.ts'
import { joinPage } from './join-page.ts'
import {
  type Addressed,
  addressOf,
  type Gallery,
  notFound,
  type PageOptions,
  type Place,
  page,
  placeOf,
  type Settings,
  usernameIn,
} from './page.ts'
import * as pages from './pages.ts'
import { turnsOf } from './parts.ts'
import { searchIndex } from './search-index.ts'
import { tileRules } from './shape.ts'
import { sitemaps } from './sitemap.ts'

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  xml: 'application/xml; charset=utf-8',
}

/** What is at a path, by the end of its name. */
export const typeOf = (path: string): string =>
  types[/\.(\w+)$/.exec(path)?.[1] ?? ''] ?? 'text/html; charset=utf-8'

/**
 * What is at an address, unescaped: `/members/ana/1001/`, `/tags/日本/`, `/feed.xml`. With
 * status 404 if nothing is.
 */
export const render = (path: string, { index, settings, member: memberOf }: Gallery) => {
  const member = memberOf(usernameIn(path))
  const all = member ? memberPages(member, settings) : sharedPages(index, settings)
  for (const [address, textOf] of all)
    if (decodeURIComponent(address) === path)
      return { status: 200, type: typeOf(path), text: textOf() }
  return { status: 404, type: typeOf(notFound), text: notFoundPage(index, settings)[1]() }
}

/** The page that hosts show where nothing is. */
const notFoundPage = (index: Index, settings: Settings) =>
  pagesWith(settings)(notFound, (place) => pages.notFoundPage(index, place))

/** Pages with the settings of all. */
const pagesWith =
  (settings: Settings) =>
  (address: string, pageOf: (place: Place) => PageOptions, data?: object): Addressed => {
    const textOf = () => {
      const place = placeOf(address, settings)
      return page(place, pageOf(place))
    }
    return [address, textOf, data]
  }

/** The pages of a member, which depend on nothing but the member and the settings. */
export function* memberPages(member: MemberData, settings: Settings): Generator<Addressed> {
  const { works, ...about } = member
  const shown = pagesWith(settings)
  const home = addressOf.member(member.username)
  for (const turn of pages.memberTurns(member.username, works))
    yield shown(turn.address, (place) => pages.memberPage(member, turn, place), [
      about,
      turn.count,
      [...works.slice(0, 1), ...turn.shown].map(printOf),
    ])
  yield [`${home}feed.xml`, () => feedOfMember(member, settings)]
  for (const [at, work] of works.entries()) {
    yield shown(
      addressOf.work(member.username, work.id),
      (place) => pages.workPage(member, at, place),
      [member.name, printOf(work), works[at - 1]?.id, works[at + 1]?.id],
    )
  }
  for (const alias of member.aliases.map(addressOf.member))
    yield [alias, () => redirectPage(placeOf(alias, settings), home)]
}

/** Stands for all that a work says. */
const printOf = ({ oid, image, large_image }: Work) => [oid, image, large_image]

/** The pages that depend on all members. */
export function* sharedPages(index: Index, settings: Settings): Generator<Addressed> {
  const { accent, url, edit } = settings
  const shown = pagesWith(settings)
  const listed = [
    shown('/', (place) => pages.homePage(index, place)),
    ...(edit === '' ? [] : [shown('/join/', joinPage)]),
    ...listPages(index, settings),
  ]
  yield* listed
  yield shown('/search/', (place) => pages.searchPage(index, place))
  yield notFoundPage(index, settings)
  yield ['/feed.xml', () => feedOfAll(index, settings)]
  yield ['/search.js', () => searchIndex(index, settings)]
  yield ['/gallery.js', () => builtFile('scripts/gallery/script.ts')]
  yield ['/gallery.css', () => stylesheet(accent)]
  yield ['/icon.svg', () => icon(accent)]
  if (url === '') return
  const addresses = [
    ...listed.map(([address]) => address),
    ...index.members.flatMap(({ username, works }) =>
      pages.memberTurns(username, works).map(({ address }) => address),
    ),
    ...index.newest.map(({ member, work }) => addressOf.work(member.username, work.id)),
  ]
  yield* sitemaps(addresses, url)
}

/** Lists of members and of works, each on as many pages as it takes. */
function* listPages(index: Index, settings: Settings): Generator<Addressed> {
  const shown = pagesWith(settings)
  for (const turn of turnsOf('/members/', index.members))
    yield shown(turn.address, (place) => pages.membersPage(turn, index, place))
  for (const kind of groupKinds) {
    yield shown(`/${kind}/`, (place) => pages.wordsPage(kind, index, place))
    for (const [slug, { label, items }] of index[kind]) {
      for (const turn of turnsOf<Item>(addressOf.group(kind, slug), items, { most: 10 }))
        yield shown(turn.address, (place) => pages.groupPage(kind, label, turn, place))
    }
  }
}

const stylesheet = (accent: string) => {
  const onAccent = contrast(accent, '#ffffff') < 4.5 ? '#000' : '#fff'
  const colours = `:root{--accent:${accent};--on-accent:${onAccent}}`
  return colours + tileRules() + builtFile('scripts/gallery/gallery.css')
}

/** A page at an old name that leads to the new one. */
const redirectPage = ({ to, settings }: Place, target: string) =>
  markupOf(
    html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="generator" content="Shotpress"><title>Moved</title><meta http-equiv="refresh" content="0; url=${to(target)}"><link rel="canonical" href="${settings.url === '' ? to(target) : settings.url + target}"></head><body><p>This page is <a href="${to(target)}">here</a> now.</p></body></html>\n`,
  )

/** What a browser shows in a tab. */
const icon = (accent: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="${accent}"><rect x="2" y="2" width="9" height="9" rx="2.5"/><rect x="13" y="2" width="9" height="9" rx="2.5"/><rect x="2" y="13" width="9" height="9" rx="2.5"/><circle cx="17.5" cy="17.5" r="4.5"/></svg>\n`
