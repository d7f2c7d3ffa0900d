import type { Groups } from '../content/layout.ts'
import type { Site } from '../content/site.ts'
import type { Look } from '../snapshot/entry.ts'
import { type Content, type Html, html, markupOf, trusted } from '../text/html.ts'
import { escapedUnit } from '../text/json.ts'
import type { GroupKind, Index, MemberData } from './data.ts'
import { cut, toneOf } from './words.ts'

/**
 * What all pages share: what `gallery:` in site.yaml says, with every default filled in, and
 * what goes with it. `logo` is the path of the logo's file in the gallery; `''` is none.
 */
export type Settings = Site['gallery'] & {
  /** The API: `https://api.example.com`. */
  readonly baseUrl: string
  /** How members lie in groups in the repository. */
  readonly groups: Groups
  /** What addresses begin with whose pictures are loaded: `https://cdn.example.com/`. */
  readonly origins: readonly string[]
  /** The policy that pages carry; `''` where the server sends one. */
  readonly policy: string
  /** What all links begin with, `''` for the root of a host; they are relative if it is absent. */
  readonly root?: string
  /** What somebody lays over a page; absent where pages are published. */
  readonly layer?: Layer
}

/**
 * What is laid over a page, each part at its place. Each work in a grid has its id as
 * `data-work` then.
 */
export type Layer = {
  /** At the end of the head. */
  readonly head: Html
  /** At the beginning of the content. */
  readonly start: () => Content
  /** On a work in a grid, by its id. */
  readonly onTile: (work: string) => Content
  /** What can be done where no work is shown yet. */
  readonly onEmpty?: () => Content
  /** At the end of the page. */
  readonly end: () => Html
}

export const settingsOf = ({ gallery, assets, baseUrl, groups }: Site): Settings => {
  const hosts = [assets.https.split('/')[2] ?? '', ...gallery.images]
  // nothing in it ends the name of a host in a policy
  const origins = hosts
    .filter((host) => /^[\w.:[\]-]+$/.test(host))
    .map((host) => `https://${host}/`)
  return {
    ...gallery,
    title: gallery.title.trim() || 'Gallery',
    lang: gallery.lang || 'en',
    accent: gallery.accent || '#c2410c',
    logo: logoFile(gallery.logo),
    baseUrl,
    groups,
    origins,
    // nothing but what is theirs, and pictures of these hosts
    policy: ["default-src 'self';img-src 'self'", ...origins].join(' '),
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

/** An address, and what makes the text that is there. */
export type Addressed = readonly [
  address: string,
  textOf: () => string,
  /** All that it is made from besides the settings, where that is faster to compare. */
  data?: object | undefined,
]

/** Where something is shown. */
export type Place = {
  /** The address of the page. */
  readonly path: string
  readonly settings: Settings
  /**
   * What a link holds that leads from there to an address of the gallery. Addresses hold no
   * spaces and no quotes, so links stand in attributes without quotes.
   */
  readonly to: (address: string) => string
}

export const placeOf = (path: string, settings: Settings): Place => {
  // the page that hosts show everywhere must not depend on where it is shown
  const base =
    path === notFound ? settings.url.replace(/^https?:\/\/[^/]*/, '') : settings.root
  const folders = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))
  const relative = (address: string) => {
    const shared = folders.findLastIndex((folder) => address.startsWith(folder))
    const up = '../'.repeat(folders.length - 1 - shared)
    return up + address.slice(folders[shared]?.length) || './'
  }
  return { path, settings, to: base === undefined ? relative : (address) => base + address }
}

/** What a page says of itself, and what it shows. */
export type PageOptions = {
  /** `''` for the first page. */
  readonly title: string
  readonly description?: string
  /** Of what the page is about, if it may be shown; for cards that other sites show. */
  readonly picture?: Omit<Shown, 'id'> | undefined
  /** For programs that read pages. */
  readonly data?: object
  /** What the page is about: the class of `main`. */
  readonly kind?: 'member' | 'work'
  /** The address of the feed of what it shows. */
  readonly feed?: string
  readonly main: Content
}

/** A page where it stands. */
type Whole = Place & PageOptions

/**
 * A whole page. Its links are relative, so it works below any path. There may be 200,000 of
 * them, so tags and quotes that HTML doesn't need are left out.
 */
export const page = (place: Place, options: PageOptions): string => {
  const { to, settings } = place
  const { lang, layer } = settings
  const whole = { ...place, ...options }
  const dir = /^(?:ar|dv|fa|he|ks|ps|sd|ug|ur|yi)(?:-|$)/i.test(lang) && html` dir=rtl`
  const parts = [
    headOf(whole),
    layer?.head,
    html`<a class=skip href=#main>Skip to content</a> `,
    headerOf(whole),
    mainOf(whole),
    footerOf(whole),
    layer?.end(),
  ]
  return markupOf(
    html`<!doctype html><html lang=${lang}${dir}>${parts}<script src=${to('/gallery.js')}></script>\n`,
  )
}

const headOf = (whole: Whole): Content => {
  const { path, to, settings, title, kind, feed, data } = whole
  const site = title !== '' && kind !== 'work' && ` · ${settings.title}`
  const words = cut(whole.description ?? settings.description, 160)
  return [
    html`<meta charset=utf-8><meta name=viewport content="width=device-width">`,
    settings.policy !== '' &&
      html`<meta http-equiv=Content-Security-Policy content="${trusted(settings.policy)}">`,
    html`<title>${cut(title || settings.title, 120)}${site}</title>`,
    words !== '' && html`<meta name=description property=og:description content="${words}">`,
    settings.url !== '' && cardOf(whole),
    feed && html`<link rel=alternate type="application/atom+xml" href=${to(feed)}>`,
    html`<link rel=icon href=${to('/icon.svg')}><link rel=stylesheet href=${to('/gallery.css')}>`,
    data && dataScript(data),
    path === notFound && html`<meta name=generator content=Shotpress>`,
  ]
}

/**
 * What other sites show where somebody links to the page. It is of no use without the
 * gallery's address.
 */
const cardOf = ({ path, settings, title, picture }: Whole): Content => {
  const { url } = settings
  const address = url + encodeURI(path)
  const { image = '', look, alt = '' } = picture ?? {}
  // cards show no GIF as it is, and of a small picture only a blur
  const isFit = !/\.gif$/i.test(image) && (!look || Math.min(look.width, look.height) >= 200)
  const source = isFit && sourceOf(image, placeOf(path, { ...settings, root: url }))
  return [
    html`<link rel=canonical href="${address}"><meta property=og:url content="${address}">`,
    html`<meta property=og:title content="${cut(title || settings.title, 120)}">`,
    html`<meta property=og:site_name content="${settings.title}"><meta property=og:type content=website>`,
    source &&
      html`<meta property=og:image content="${source}"><meta name=twitter:card content=summary_large_image>`,
    source && alt && html`<meta property=og:image:alt content="${cut(alt, 200)}">`,
  ]
}

const headerOf = ({ path, to, settings, kind }: Whole) => {
  const { logo, edit, title } = settings
  const link = (address: string, words: string) => {
    const isHere = kind !== 'work' && path.startsWith(address)
    return html`<a href=${to(address)}${isHere && html` aria-current=page`}>${words}</a> `
  }
  const source = to(`/${logo}`)
  const picture = logo !== '' && html`<img src=${source} alt="" height=28>`
  const links = [
    link('/members/', 'Members'),
    link('/tags/', 'Tags'),
    edit !== '' && link('/join/', 'Join'),
    link('/search/', 'Search'),
  ]
  return html`<header${ownLang(settings)}><a href=${to('/')}>${picture}${title}</a> <nav>${links}</nav></header>`
}

/** The gallery's own words are English. */
const ownLang = ({ lang }: Settings) => !/^en(?:-|$)/i.test(lang) && html` lang=en`

const mainOf = ({ settings: { layer }, kind, main }: Whole) => {
  const attributes = [kind && html` class=${kind}`, layer && html` tabindex=-1`]
  return html`<main id=main${attributes}>${layer?.start()}${main}</main>`
}

const footerOf = ({ to, settings, kind }: Whole): Html | false => {
  const { licence, edit } = settings
  if (kind === 'work' && licence === '') return false
  const join = edit !== '' && html`<a href=${to('/join/')}>Join</a> · `
  const ours = html`<p>${join}<a href=${to('/feed.xml')}>Feed</a> · Made with Shotpress`
  const words = [licence !== '' && html`<p>${licence}`, kind !== 'work' && ours]
  return html`<footer${ownLang(settings)}>${words}</footer>`
}

/** The page that hosts show where nothing is. */
export const notFound = '/404.html'

export const addressOf = {
  member: (username: string): string => `/members/${encodeURIComponent(username)}/`,
  work: (username: string, id: string): string =>
    `${addressOf.member(username)}${encodeURIComponent(id)}/`,
  /**
   * `slug` may hold letters of any script: browsers escape them, and where programs read,
   * `encodeURI` does.
   */
  group: (kind: GroupKind, slug: string): string => `/${kind}/${slug}/`,
}

/** The name of the member whose page is at an address, unescaped; `''` where it is no member's. */
export const usernameIn = (path: string): string =>
  /^\/members\/([^/]+)/.exec(path)?.[1] ?? ''

/** Data of strangers in a script element, where no text may end it. */
const dataScript = (data: object) => {
  const text = JSON.stringify(data).replace(unsafeInScript, escapedUnit)
  return html`<script type=application/ld+json>${trusted(text)}</script>`
}

const unsafeInScript = /[<>&\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

/**
 * Where a page loads a picture from; `undefined` if it must not. Those of the snapshot are in
 * the gallery, too.
 */
export const sourceOf = (
  url: string,
  { to, settings: { baseUrl, origins } }: Omit<Place, 'path'>,
): string | undefined => {
  const own = `${baseUrl.replace(/^http:/, 'https:')}/pictures/`
  if (url.startsWith(own)) return to(`/pictures/${url.slice(own.length)}`)
  // longer than any browser promises to take
  const isShown = url.length <= 2000 && origins.some((origin) => url.startsWith(origin))
  return isShown ? url : undefined
}

/** A picture to show. */
export type Shown = {
  readonly image: string
  /** What a drawing in its place is made from. */
  readonly id: string
  /** Empty where a text beside it says what it shows. */
  readonly alt?: string
  readonly look?: Look | undefined
}

/**
 * A picture, or a drawing where there is none that may be loaded. The first one of a page
 * comes before all others.
 */
export const picture = (
  { image, id, alt = '', look }: Shown,
  place: Place,
  isFirst = false,
): Html => {
  const source = sourceOf(image, place)
  if (source === undefined) return html`<i class=${toneOf(id)}></i>`
  const size = look && html` width=${look.width} height=${look.height}`
  const plate = look?.hasAlpha && html` class=plate`
  const words = alt !== '' && html`="${alt}"`
  return html`<img src="${source}"${size}${plate} alt${words}${isFirst ? html` fetchpriority=high` : html` loading=lazy`}>`
}
