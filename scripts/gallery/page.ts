import type { Groups } from '../content/layout.ts'
import type { Site } from '../content/site.ts'
import { parseUrl } from '../content/values/address.ts'
import type { Look } from '../snapshot/entry.ts'
import { type Content, type Html, html, markupOf, trusted } from '../text/html.ts'
import { escapedUnit } from '../text/json.ts'
import type { GroupKind, Index, MemberData } from './data.ts'
import { cut, memoize, toneOf } from './words.ts'

/**
 * What all pages share: what `gallery:` in site.yaml says, with every default filled in, and what goes with it. `logo` is
 * the path of the logo's file in the gallery; `''` is none.
 */
export type Settings = Site['gallery'] & {
  /** The API: `https://api.example.com`. */
  readonly baseUrl: string
  /** How members lie in groups in the repository. */
  readonly groups: Groups
  /** Hosts whose pictures are loaded, as `URL.host` gives them. */
  readonly hosts: ReadonlySet<string>
  /** The policy that pages carry; `''` where the server sends one. */
  readonly policy: string
  /** What all links begin with, `''` for the root of a host; they are relative if it is absent. */
  readonly root?: string
  /** Whether there are so many works that their pages have to be small. */
  readonly isLarge?: boolean
  /** What somebody lays over a page; absent where pages are published. */
  readonly layer?: Layer
}

/**
 * What is laid over a page, each part at its place. A page that has a layer says what is where: `main` has
 * `data-member`, on a work's page `data-work` too; in grids each work has `data-work`, each member `data-member`.
 */
export type Layer = {
  /** At the end of the head. */
  readonly head: Html
  /** At the beginning of the content. */
  readonly start: () => Html
  /** On a work in a grid, by its id. */
  readonly onTile: (work: string) => Content
  /** What can be done where no work is shown yet. */
  readonly onEmpty?: () => Html
  /** At the end of the page; gets its content. */
  readonly end: (content: Html) => Html
}

export const settingsOf = ({ gallery, assets, baseUrl, groups }: Site): Settings => {
  const hosts = new Set([...gallery.images, hostOf(assets.https)].filter((host) => host !== ''))
  const sources = [...hosts].sort().map((host) => ` https://${host}`)
  return {
    ...gallery,
    title: gallery.title.trim() || 'Gallery',
    lang: gallery.lang || 'en',
    accent: gallery.accent || '#c2410c',
    logo: logoFile(gallery.logo),
    baseUrl,
    groups,
    hosts,
    // nothing but what is theirs, and pictures of these hosts
    policy: `default-src 'self';img-src 'self'${sources.join('')}`,
  }
}

/** The logo's file in the gallery: `logo.svg`. */
export const logoFile = (logo: string): string => logo.replace(/^.*(?=\.)/, 'logo')

/** All that pages are made from. */
export type Gallery = {
  readonly settings: Settings
  readonly index: Index
  /** `undefined` if there is no such member. */
  readonly member: (username: string) => MemberData | undefined
}

/** Where something is shown. */
export type Place = {
  /** The address of the page. */
  readonly path: string
  readonly settings: Settings
  /**
   * What a link holds that leads from there to an address of the gallery. Addresses hold no spaces and no quotes, so links
   * stand in attributes without quotes.
   */
  readonly to: (address: string) => string
}

export const placeOf = (path: string, { settings }: Pick<Gallery, 'settings'>): Place => {
  // the page that hosts show everywhere must not depend on where it is shown
  const base = path === notFound ? settings.url.replace(/^https?:\/\/[^/]*/, '') : settings.root
  const from = path.split('/').slice(0, -1)
  const relative = (address: string): string => {
    const to = address.split('/')
    let same = 1
    while (same < from.length && from[same] === to[same]) same++
    return '../'.repeat(from.length - same) + to.slice(same).join('/') || './'
  }
  return { path, settings, to: base === undefined ? relative : (address) => base + address }
}

/** What a page says of itself, and what it shows. */
export type PageOptions = {
  /** `''` for the first page. */
  readonly title: string
  readonly description?: string
  /** Of what the page is about, if it may be shown; for cards that other sites show. */
  readonly image?: Shown
  /** For programs that read pages. */
  readonly data?: object
  /** The member, or the work of a member, that the page is about: `main` has the class `member` or `work`. */
  readonly about?: { readonly member: string; readonly work?: string }
  readonly main: Content
}

type Shown = { readonly url: string; readonly look?: Look | undefined; readonly alt?: string }

/** A page where it stands. */
type Whole = Place &
  PageOptions & {
    readonly isWork: boolean
    /** Of so many works pages have no canonical address, and three bytes at their beginning say UTF-8. */
    readonly isSmall: boolean
  }

/**
 * A whole page. Its links are relative, so it works below any path. There may be 200,000 of them, so tags and quotes that
 * HTML doesn't need are left out. What a work's page lacks, `script.ts` puts there.
 */
export const page = (place: Place, options: PageOptions): string => {
  const { to, settings } = place
  const { lang, layer, isLarge = false } = settings
  const isWork = options.about?.work !== undefined
  const whole = { ...place, ...options, isWork, isSmall: isWork && isLarge }
  const dir = /^(?:ar|dv|fa|he|ks|ps|sd|ug|ur|yi)(?:-|$)/i.test(lang) && html` dir=rtl`
  const parts = [
    headOf(whole),
    layer?.head,
    !isWork && html`<a class=skip href=#main>Skip to content</a> `,
    headerOf(whole),
    mainOf(whole),
    footerOf(whole),
    layer?.end(html`${options.main}`),
  ]
  const start = whole.isSmall ? '\ufeff' : ''
  const text = html`<!doctype html><html lang=${lang}${dir}>${parts}<script src=${to('/gallery.js')}></script>\n`
  return start + markupOf(text)
}

const headOf = (whole: Whole): Content => {
  const { path, to, settings, title, about, data, isWork } = whole
  const name = title === '' ? settings.title : cut(title, 120)
  const site = title !== '' && !isWork && ` · ${settings.title}`
  const words = cut(whole.description ?? settings.description, 160)
  const hasFeed = title === '' || (about && !isWork)
  return [
    !whole.isSmall && html`<meta charset=utf-8>`,
    html`<meta name=viewport content="width=device-width">`,
    settings.policy !== '' &&
      html`<meta http-equiv=Content-Security-Policy content="${trusted(settings.policy)}">`,
    html`<title>${name}${site}</title>`,
    words !== '' && html`<meta name=description property=og:description content="${words}">`,
    settings.url !== '' && cardOf(whole),
    hasFeed && html`<link rel=alternate type="application/atom+xml" href=${to(feedOf(about))}>`,
    !isWork && html`<link rel=icon href=${to('/icon.svg')}>`,
    html`<link rel=stylesheet href=${to('/gallery.css')}>`,
    data && dataScript(data),
    path === notFound && html`<meta name=generator content=Shotpress>`,
  ]
}

const feedOf = (about: PageOptions['about']): string =>
  `${about ? addressOf.member(about.member) : '/'}feed.xml`

/** What other sites show where somebody links to the page. It is of no use without the gallery's address. */
const cardOf = ({ path, settings, title, about, image, isWork, isSmall }: Whole): Content => {
  const { url } = settings
  const address = url + encodeURI(path)
  const absolute = { to: (address: string) => url + address, settings }
  const source = image && isForCards(image) && sourceOf(image.url, absolute)
  const alt = source && cut(image?.alt ?? '', 200)
  const profile = about ? 'profile' : 'website'
  return [
    !isSmall && [
      html`<link rel=canonical href="${address}"><meta property=og:url content="${address}">`,
      html`<meta property=og:title content="${cut(title || settings.title, 120)}">`,
      html`<meta property=og:site_name content="${settings.title}">`,
      html`<meta property=og:type content=${isWork ? 'article' : profile}>`,
    ],
    source &&
      html`<meta property=og:image content="${source}"><meta name=twitter:card content=summary_large_image>`,
    alt && html`<meta property=og:image:alt content="${alt}">`,
  ]
}

/** Cards show no GIF as it is, and of a small picture only a blur. */
const isForCards = ({ url, look }: Shown): boolean =>
  !/\.gif$/i.test(url) && (look === undefined || Math.min(look.width, look.height) >= 200)

const rooms = { members: 'Members', tags: 'Tags', join: 'Join', search: 'Search' } as const

const headerOf = ({ path, to, settings, title, isWork }: Whole): Html => {
  const { logo, edit } = settings
  const current = html` aria-current=page`
  const link = (address: string, words: Content): Html => {
    const isHere = address === '/' ? title === '' : !isWork && path.startsWith(address)
    return html`<a href=${to(address)}${isHere && current}>${words}</a> `
  }
  const source = to(`/${logo}`)
  const picture = logo !== '' && html`<img src=${source} alt="" height=28>`
  const links = Object.entries(rooms)
    .filter(([room]) => room !== 'join' || edit !== '')
    .map(([room, words]) => link(`/${room}/`, words))
  return html`<header${ownLang(settings)}>${link('/', [picture, settings.title])}<nav>${links}</nav></header>`
}

/** The gallery's own words are English. */
const ownLang = ({ lang }: Settings): Html | false => !/^en(?:-|$)/i.test(lang) && html` lang=en`

const mainOf = ({ settings: { layer }, about, main, isWork }: Whole): Html => {
  const attributes = [
    (!isWork || layer) && html` id=main`,
    about && html` class=${isWork ? 'work' : 'member'}`,
    layer && html` tabindex=-1`,
    layer && about && html` data-member="${about.member}" data-work="${about.work}"`,
  ]
  return html`<main${attributes}>${layer?.start()}${main}</main>`
}

const footerOf = ({ to, settings, isWork }: Whole): Html | false => {
  const { licence, edit } = settings
  if (isWork && licence === '') return false
  const join = edit !== '' && html`<a href=${to('/join/')}>Join</a> · `
  const ours = html`<p>${join}<a href=${to('/feed.xml')}>Feed</a> · Made with Shotpress`
  const words = [licence !== '' && html`<p>${licence}`, !isWork && ours]
  return html`<footer${ownLang(settings)}>${words}</footer>`
}

/** The page that hosts show where nothing is. */
export const notFound = '/404.html'

export const addressOf = {
  member: (username: string): string => `/members/${encodeURIComponent(username)}/`,
  work: (username: string, id: string): string =>
    `${addressOf.member(username)}${encodeURIComponent(id)}/`,
  /** `slug` may hold letters of any script: browsers escape them, and where programs read, `encodeURI` does. */
  group: (kind: GroupKind, slug: string): string => `/${kind}/${slug}/`,
}

/** Data of strangers in a script element, where no text may end it. */
const dataScript = (data: object): Html => {
  const text = JSON.stringify(data).replace(unsafeInScript, escapedUnit)
  return html`<script type=application/ld+json>${trusted(text)}</script>`
}

const unsafeInScript = /[<>&\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

/** The host of an address, with its port if it has one; `''` if it has none that can be named in a policy. */
const hostOf = (url: string): string => hostOfStart(/^https?:\/\/[^/]*/.exec(url)?.[0] ?? '')

/** The path makes no difference, and most addresses of a site begin alike. */
const hostOfStart = memoize((start: string): string => {
  const host = parseUrl(start)?.host ?? ''
  // nothing in it ends the name of a host in a policy
  return /^[\w.:[\]-]+$/.test(host) ? host : ''
})

/** Where a page loads a picture from; `undefined` if it must not. Those of the snapshot are in the gallery, too. */
export const sourceOf = (
  url: string,
  { to, settings }: Omit<Place, 'path'>,
): string | undefined => {
  const { baseUrl, hosts } = settings
  const below = `${baseUrl.replace(/^http:/, 'https:')}/pictures/`
  const own = url.startsWith(below) ? url.slice(below.length) : ''
  if (/^[0-9a-f]{32}\.(?:jpg|png|webp|gif|avif)$/.test(own)) return to(`/pictures/${own}`)
  // longer than any browser promises to take
  const host = url.length > 2000 ? '' : hostOf(url)
  return host !== '' && hosts.has(host) ? url : undefined
}

/** Whether the picture of this address is shown, not a drawing. */
export const isShown = (url: string, place: Place): boolean => sourceOf(url, place) !== undefined

type PictureOptions = {
  readonly seed: string
  /** Empty where a text beside it says what it shows. */
  readonly alt?: string
  readonly look?: Look | undefined
  /** The `first` picture of a page must not wait, and those of the first screen don't either. */
  readonly load?: 'first' | 'now' | 'late' | undefined
}

/** A picture, or a drawing made from `seed` where there is none that may be loaded. */
export const picture = (url: string, place: Place, options: PictureOptions): Html => {
  const { seed, alt = '', look, load = 'late' } = options
  const source = sourceOf(url, place)
  if (source === undefined) return html`<i class=${toneOf(seed)}></i>`
  const size = look && html` width=${look.width} height=${look.height}`
  const plate = look?.hasAlpha && html` class=plate`
  const words = alt !== '' && html`="${alt}"`
  return html`<img src="${source}"${size}${plate} alt${words}${loading[load]}>`
}

const loading = { first: html` fetchpriority=high`, now: false, late: html` loading=lazy` } as const
