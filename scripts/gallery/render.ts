import { contrast } from '../content/values/colour.ts'
import { type MemberData, type Summary, slugOf } from './data.ts'
import { joinPage } from './join-page.ts'
import {
  groupPage,
  homePage,
  membersPage,
  notFoundPage,
  pageSize,
  pagesOf,
  searchPage,
  wordsPage,
} from './list-pages.ts'
import { feed, icon, redirectPage, searchIndex, sitemap } from './machine-files.ts'
import { memberPage, memberPagesOf, workPage } from './member-pages.ts'
import { addressOf, type Gallery } from './page.ts'

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
  const { index, settings } = gallery
  const ok = (text: string | undefined, kind: keyof typeof types = 'html'): Rendered =>
    text === undefined ? notFound(gallery) : { status: 200, type: types[kind], text }
  const whole = fixed[path]
  if (whole !== undefined) return ok(...whole(gallery))
  const [, part = '', name = '', third = '', fourth = ''] = path.split('/')
  if (part === 'members') {
    const number = pageNumber(name)
    if (path === `/members/~${number}/`) {
      return ok((number - 1) * pageSize < index.members.length ? membersPage(number, gallery) : undefined)
    }
    const owner = index.aliases.get(name)
    if (owner !== undefined && path === `/members/${name}/`) {
      const moved = addressOf.member(owner)
      return { ...ok(redirectPage(path, moved, gallery)), moved }
    }
    const member = gallery.member(name)
    if (member === undefined) return notFound(gallery)
    if (path === `/members/${name}/`) return ok(memberPage(member, gallery))
    if (third === 'feed.xml' && path === `/members/${name}/feed.xml`)
      return ok(memberFeed(member, gallery), 'xml')
    const turned = pageNumber(third)
    if (turned > 1 && turned <= memberPagesOf(member.works) && path === `/members/${name}/~${turned}/`) {
      return ok(memberPage(member, { ...gallery, number: turned }))
    }
    const at = member.works.findIndex(({ id }) => id === third)
    return ok(at !== -1 && path === `/members/${name}/${third}/` ? workPage(member, at, gallery) : undefined)
  }
  if (part === 'tags' || part === 'skills' || part === 'places') {
    const items = index[part].get(name)?.items
    const number = third === '' ? 1 : pageNumber(third)
    const isRight = third === '' || (fourth === '' && path.endsWith('/'))
    if (items !== undefined && isRight && number >= 1 && number <= pagesOf(items)) {
      return ok(groupPage({ kind: part, slug: name, number }, gallery))
    }
  }
  if (path === '/sitemap.xml' && settings.url !== '') return ok(sitemap(gallery), 'xml')
  if (path === '/join/' && settings.edit !== '') return ok(joinPage(gallery))
  return notFound(gallery)
}

/** Pages that every gallery has. */
const fixed: Readonly<Record<string, (gallery: Gallery) => readonly [string, (keyof typeof types)?]>> = {
  '/': (gallery) => [homePage(gallery)],
  '/members/': (gallery) => [membersPage(1, gallery)],
  '/tags/': (gallery) => [wordsPage('tags', gallery)],
  '/skills/': (gallery) => [wordsPage('skills', gallery)],
  '/places/': (gallery) => [wordsPage('places', gallery)],
  '/search/': (gallery) => [searchPage(gallery)],
  '/404.html': (gallery) => [notFoundPage(gallery)],
  '/feed.xml': (gallery) => [siteFeed(gallery), 'xml'],
  '/search.js': ({ index }) => [searchIndex(index), 'js'],
  '/gallery.js': ({ script }) => [script, 'js'],
  '/gallery.css': ({ style, settings: { accent } }) => [
    `:root{--accent:${accent};--on-accent:${contrast(accent, '#ffffff') < 4.5 ? '#000' : '#fff'}}${style}`,
    'css',
  ],
  '/icon.svg': ({ settings }) => [icon(settings), 'svg'],
}

const notFound = (gallery: Gallery): Rendered => ({
  status: 404,
  type: types.html,
  text: notFoundPage(gallery),
})

const pageNumber = (name: string): number => (/^~[1-9]\d{0,5}$/.test(name) ? Number(name.slice(1)) : 0)

/** Works that a feed tells of. */
const newsSize = { site: 30, member: 5 }

const siteFeed = (gallery: Gallery): string => {
  const { index, settings } = gallery
  const entries = index.newest.slice(0, newsSize.site)
  return feed({ path: '/feed.xml', title: settings.title, entries }, gallery)
}

const memberFeed = (member: MemberData, gallery: Gallery): string => {
  const entries = member.works.slice(0, newsSize.member).map((work) => ({ member, work }))
  const path = `${addressOf.member(member.username)}feed.xml`
  return feed({ path, title: member.name, author: member.name, entries }, gallery)
}

/** The addresses of a member, whose pages depend on nothing but the member and the settings. */
export const addressesOf = ({ username, works, aliases }: Summary): readonly string[] => [
  addressOf.member(username),
  `${addressOf.member(username)}feed.xml`,
  ...Array.from({ length: memberPagesOf(works) - 1 }, (_, at) => `${addressOf.member(username)}~${at + 2}/`),
  ...works.map(({ id }) => addressOf.work(username, id)),
  ...aliases.map(addressOf.member),
]

/** How many they are. */
export const countPages = ({ works, aliases }: Summary): number =>
  1 + memberPagesOf(works) + works.length + aliases.length

/** The addresses that depend on all members. */
export const sharedAddresses = ({ index, settings }: Gallery): readonly string[] => {
  const addresses = Object.keys(fixed)
  const pages = (base: string, total: number): void => {
    for (let number = 2; number <= total; number++) addresses.push(`${base}~${number}/`)
  }
  if (settings.url !== '') addresses.push('/sitemap.xml')
  if (settings.edit !== '') addresses.push('/join/')
  pages('/members/', Math.ceil(index.members.length / pageSize))
  for (const kind of ['tags', 'skills', 'places'] as const) {
    for (const [slug, { items }] of index[kind]) {
      addresses.push(`/${kind}/${slug}/`)
      pages(`/${kind}/${slug}/`, pagesOf(items))
    }
  }
  return addresses
}

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
