import { type Content, type Html, html } from '../text/html.ts'
import { cut, type Entry, type Group, type Index, type Summary } from './data.ts'
import {
  addressOf,
  avatar,
  type Gallery,
  type GroupKind,
  type Links,
  linksFrom,
  numbered,
  page,
  picture,
  type Settings,
  tiles,
  turning,
  words,
} from './page.ts'

/** Members or works on one page. */
export const pageSize = 60

/** Pages of one tag: the newest 600 works. */
const mostPages = 10

export const pagesOf = (items: readonly unknown[]): number =>
  Math.max(1, Math.min(mostPages, Math.ceil(items.length / pageSize)))

/** The first page: the newest works, first one of each member. */
export const homePage = ({ settings, index }: Gallery): string => {
  const to = linksFrom('/', settings)
  const { description } = settings
  const main = html`<div class=intro><h1>${description || 'Newest works'}</h1><p class=facts><span><b>${count(index.members.length)}</b> ${index.members.length === 1 ? 'member' : 'members'}</span> <span><b>${count(index.newest.length)}</b> ${index.newest.length === 1 ? 'work' : 'works'}</span></p></div>${
    index.newest.length === 0
      ? html`<p class=empty>No work is published yet.</p>`
      : html`<div class=mosaic>${tiles(firstWorks(index), { to, settings, by: true, first: true })}</div>`
  }${index.tags.size > 0 && html`<h2>Tags</h2>${wordList(commonest(index.tags), 'tags', to)}`}`
  return page(
    { path: '/', title: '', feed: '/feed.xml', image: index.newest[0]?.work.image ?? '', part: '/', main },
    settings,
  )
}

/** Newest first; nobody comes twice as long as others have not come once. */
const firstWorks = ({ newest }: Index): readonly Entry[] => {
  const seen = new Set<Summary>()
  const first = newest.filter(({ member }) => !seen.has(member) && seen.add(member)).slice(0, pageSize)
  if (first.length === pageSize) return first
  const chosen = new Set(first)
  return [...first, ...newest.filter((entry) => !chosen.has(entry)).slice(0, pageSize - first.length)]
}

const commonest = <T>(groups: ReadonlyMap<string, Group<T>>): readonly (readonly [string, Group<T>])[] =>
  [...groups].sort(([, a], [, b]) => b.items.length - a.items.length).slice(0, 40)

const wordList = (groups: Iterable<readonly [string, Group<unknown>]>, kind: GroupKind, to: Links): Html =>
  words(
    [...groups].map(([slug, { label, items }]) => [slug, label, count(items.length)]),
    { kind, to },
  )

/** All members, by name. */
export const membersPage = (number: number, { settings, index }: Gallery): string => {
  const path = `/members/${number > 1 ? `~${number}/` : ''}`
  const to = linksFrom(path, settings)
  const total = Math.ceil(index.members.length / pageSize)
  const rows = index.members.slice((number - 1) * pageSize, number * pageSize)
  const main = html`<h1>Members</h1>${people(rows, { to, settings })}${turning('/members/', { number, total, to })}${
    number === 1 && [
      index.skills.size > 0 && html`<h2>Skills</h2>${wordList(commonest(index.skills), 'skills', to)}`,
      index.places.size > 0 && html`<h2>Places</h2>${wordList(commonest(index.places), 'places', to)}`,
    ]
  }`
  return page({ path, title: numbered('Members', number), part: '/members/', main }, settings)
}

const people = (
  members: readonly Summary[],
  options: { readonly to: Links; readonly settings: Settings },
): Html =>
  html`<ul class=people>${members.map((member) => {
    const { username, name, location, works } = member
    const strip = works.slice(0, 3).map(({ id, image }) => picture(image, { ...options, seed: id }))
    return html`<li${options.settings.layer && html` data-member="${username}"`}><a href=${options.to(addressOf.member(username))}>${avatar(member, options)}<span><b>${cut(name, 80)}</b><small>${location === '' ? `@${username}` : cut(location, 60)}</small></span><span class=strip aria-hidden=true>${strip}</span></a>`
  })}</ul>`

/** All tags, skills or places. */
export const wordsPage = (kind: GroupKind, { settings, index }: Gallery): string => {
  const path = `/${kind}/`
  const to = linksFrom(path, settings)
  const title = { tags: 'Tags', skills: 'Skills', places: 'Places' }[kind]
  const groups = [...commonest<unknown>(index[kind])]
  const others = new Set(groups.map(([slug]) => slug))
  const rest = [...index[kind]].filter(([slug]) => !others.has(slug)).slice(0, 500)
  const main = html`<h1>${title}</h1>${groups.length === 0 && html`<p class=empty>There are none yet.</p>`}${wordList(groups, kind, to)}${rest.length > 0 && html`<h2>And others</h2>${wordList(rest, kind, to)}`}`
  return page({ path, title, part: path, main }, settings)
}

/** The works of a tag, or the members of a skill or a place. */
export const groupPage = (
  { kind, slug, number }: { readonly kind: GroupKind; readonly slug: string; readonly number: number },
  { settings, index }: Gallery,
): string => {
  const { label, items } = index[kind].get(slug)!
  const base = addressOf.group(kind, slug)
  const path = number > 1 ? `${base}~${number}/` : base
  const to = linksFrom(path, settings)
  const shown = items.slice((number - 1) * pageSize, number * pageSize)
  const main = html`<h1><bdi>${cut(label, 120)}</bdi> <small>${count(items.length)}</small></h1>${
    kind === 'tags'
      ? tiles(shown as readonly Entry[], { to, settings, by: true })
      : people(shown as readonly Summary[], { to, settings })
  }${turning(base, { number, total: pagesOf(items), to })}`
  return page({ path, title: numbered(label, number), part: `/${kind}/`, main }, settings)
}

/** Where one looks for names, skills, tags and titles; without a script the lists of them. */
export const searchPage = ({ settings }: Gallery): string => {
  const path = '/search/'
  const to = linksFrom(path, settings)
  const main = html`<h1>Search</h1><search><form action=./ class=search><label for=q>Names, skills, tags and titles</label><input id=q name=q type=search autocomplete=off spellcheck=false dir=auto data-index=${to('/search.js')} data-root=${to('/')}></form></search><p id=found role=status></p><div id=results><p class=text>Or look through all <a href=${to('/members/')}>members</a>, <a href=${to('/tags/')}>tags</a>, <a href=${to('/skills/')}>skills</a> and <a href=${to('/places/')}>places</a>.</div>`
  return page({ path, title: 'Search', part: path, main }, settings)
}

/** What hosts show where nothing is. */
export const notFoundPage = ({ settings }: Pick<Gallery, 'settings'>): string => {
  const to = linksFrom('/404.html', settings)
  const main: Content = html`<h1>Nothing is here</h1><p class=text>The page may have moved, or its member is gone. <a href=${to('/')}>See the newest works</a>, or look through all <a href=${to('/members/')}>members</a>.`
  return page(
    { path: '/404.html', title: 'Not found', head: html`<meta name=generator content=Shotpress>`, main },
    settings,
  )
}

export const count = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')
