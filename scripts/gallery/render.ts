import { contrast } from '../content/values/colour.ts'
import { type Summary, slugOf } from './data.ts'
import { feed, icon, redirectPage, searchIndex, sitemap } from './machine-files.ts'
import { addressOf, type Gallery, type GroupKind, numbered } from './page.ts'
import {
  groupPage,
  homePage,
  joinPage,
  memberPage,
  memberPagesOf,
  membersPage,
  notFoundPage,
  pageSize,
  pagesOf,
  searchPage,
  wordsPage,
  workPage,
} from './pages.ts'

/** What is at an address of the gallery. */
export type Rendered = {
  readonly status: 200 | 404
  /** Of the text: `text/html; charset=utf-8`. */
  readonly type: string
  readonly text: string
  /** Where the page is now, if this is an old name. */
  readonly moved?: string
}

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  xml: 'application/xml; charset=utf-8',
}

/** What is at an address, unescaped: `/members/ana/1001/`, `/tags/日本/`, `/feed.xml`. With status 404 if nothing is. */
export const render = (path: string, gallery: Gallery): Rendered => {
  const [, base = path, turned = '1'] = /^(.*\/)~([1-9]\d{0,5})\/$/.exec(path) ?? []
  const number = Number(turned)
  const whole = number === 1 ? fixed[path] : undefined
  const [text, kind = 'html', moved] = whole?.(gallery) ?? found(base, number, gallery)
  if (text === undefined) return { status: 404, type: types.html, text: notFoundPage(gallery) }
  return { status: 200, type: types[kind], text, ...(moved !== undefined && { moved }) }
}

type Page = readonly [text: string | undefined, kind?: keyof typeof types, moved?: string]

/** A page of which there are many, by its address without its number. */
const found = (base: string, number: number, gallery: Gallery): Page => {
  const { index } = gallery
  const [, part = '', name = '', last = '', end = ''] =
    /^\/([^/]+)\/(?:([^/]+)\/)?(?:([^/]+?)(\/?))?$/.exec(base) ?? []
  if (part === 'tags' || part === 'skills' || part === 'places')
    return [last === '' ? groupPage(part, name, number, gallery) : undefined]
  if (part !== 'members') return [undefined]
  if (name === '') return [last === '' ? membersPage(number, gallery) : undefined]
  const owner = index.aliases.get(name)
  const member = gallery.member(name)
  if (last === '') {
    const moved = owner && number === 1 ? addressOf.member(owner) : undefined
    if (moved !== undefined) return [redirectPage(base, moved, gallery), 'html', moved]
    return [member && memberPage(member, number, gallery)]
  }
  if (member === undefined || number > 1) return [undefined]
  if (end === '/') return [workPage(member, last, gallery)]
  if (last !== 'feed.xml') return [undefined]
  const entries = member.works.slice(0, newsSize.member).map((work) => ({ member, work }))
  return [
    feed(
      { path: `${addressOf.member(name)}feed.xml`, title: member.name, author: member.name, entries },
      gallery,
    ),
    'xml',
  ]
}

/** Works that a feed tells of. */
const newsSize = { site: 30, member: 5 }

/** Pages of which there is one; `undefined` where this gallery has none. */
const fixed: Readonly<Record<string, (gallery: Gallery) => Page>> = {
  '/': (gallery) => [homePage(gallery)],
  '/members/': (gallery) => [membersPage(1, gallery)],
  '/tags/': (gallery) => [wordsPage('tags', gallery)],
  '/skills/': (gallery) => [wordsPage('skills', gallery)],
  '/places/': (gallery) => [wordsPage('places', gallery)],
  '/search/': (gallery) => [searchPage(gallery)],
  '/404.html': (gallery) => [notFoundPage(gallery)],
  '/feed.xml': (gallery) => {
    const entries = gallery.index.newest.slice(0, newsSize.site)
    return [feed({ path: '/feed.xml', title: gallery.settings.title, entries }, gallery), 'xml']
  },
  '/search.js': ({ index }) => [searchIndex(index), 'js'],
  '/gallery.js': ({ script }) => [script, 'js'],
  '/gallery.css': ({ style, settings: { accent } }) => [
    `:root{--accent:${accent};--on-accent:${contrast(accent, '#ffffff') < 4.5 ? '#000' : '#fff'}}${style}`,
    'css',
  ],
  '/icon.svg': ({ settings }) => [icon(settings), 'svg'],
  '/sitemap.xml': (gallery) => [gallery.settings.url === '' ? undefined : sitemap(gallery), 'xml'],
  '/join/': (gallery) => [gallery.settings.edit === '' ? undefined : joinPage(gallery)],
}

/** The addresses of a member, whose pages depend on nothing but the member and the settings. */
export const addressesOf = ({ username, works, aliases }: Summary): readonly string[] => [
  addressOf.member(username),
  `${addressOf.member(username)}feed.xml`,
  ...furtherPages(addressOf.member(username), memberPagesOf(works)),
  ...works.map(({ id }) => addressOf.work(username, id)),
  ...aliases.map(addressOf.member),
]

/** How many they are. */
export const countPages = ({ works, aliases }: Summary): number =>
  1 + memberPagesOf(works) + works.length + aliases.length

const furtherPages = (base: string, total: number): readonly string[] =>
  Array.from({ length: Math.max(0, total - 1) }, (_, at) => numbered(base, at + 2))

/** The addresses that depend on all members. */
export const sharedAddresses = ({ index, settings: { url, edit } }: Gallery): readonly string[] => [
  ...Object.keys(fixed).filter(
    (address) => (url !== '' || address !== '/sitemap.xml') && (edit !== '' || address !== '/join/'),
  ),
  ...furtherPages('/members/', Math.ceil(index.members.length / pageSize)),
  ...(['tags', 'skills', 'places'] as const satisfies readonly GroupKind[]).flatMap((kind) =>
    [...index[kind]].flatMap(([slug, { items }]) => [
      addressOf.group(kind, slug),
      ...furtherPages(addressOf.group(kind, slug), pagesOf(items)),
    ]),
  ),
]

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
      const isGroup = /^\/(?:members|(?:tags|skills|places)\/.+)\/$/.test(first)
      return !isGroup || (shown.get(first)?.size ?? 0) > 0
    },
  }
}

/** Where a field is on the page of its member or work, so that what changed can be marked. */
export const fieldSelectors = {
  member: {
    ...{ name: 'h1', bio: '.bio', location: '.place', skills: '.words', avatar: '.face', aliases: '.handle' },
    ...{ cover_image: '.cover', website: '.website', twitter: '.twitter', projects: 'h2', Likes: '.facts' },
    ...{ totalShots: '.facts', totalFollowers: '.facts', totalFollowing: '.facts' },
  },
  work: {
    ...{ title: 'h1', description: 'h1~p', tags: '.words', date: 'time', price_item: '.price' },
    ...{ alt: 'figure', image: 'figure', large_image: 'figure' },
    ...{ url_purchased: '.buy', attachment: '.attachment', draft: '.draft' },
  },
} as const
