import type { Site } from '../content/site.ts'
import { type Content, type Html, html, markupOf, trusted } from '../text/html.ts'
import {
  cut,
  type Entry,
  type Index,
  type MemberData,
  memoize,
  numberOf,
  type Summary,
  slugOf,
} from './data.ts'

/**
 * What all pages share: what `gallery:` in site.yaml says, with every default filled in, and what goes with it. `logo` is
 * the path of the logo's file in the gallery; `''` is none.
 */
export type Settings = Site['gallery'] & {
  /** The API: `https://api.example.com`. */
  readonly baseUrl: string
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
  /** At the end of the page; gets its content. */
  readonly end: (content: Html) => Html
}

/** What pages share, from site.yaml. */
export const settingsOf = ({ gallery, assets, baseUrl }: Site): Settings => {
  const hosts = new Set([...gallery.images, hostOf(assets.https)].filter((host) => host !== ''))
  return {
    ...gallery,
    ...{ title: gallery.title.trim() || 'Gallery', lang: gallery.lang || 'en' },
    ...{ accent: gallery.accent || '#c2410c', logo: logoFile(gallery.logo) },
    ...{ baseUrl, hosts, policy: policyOf(hosts) },
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
  /** The texts of `/gallery.js` and `/gallery.css`, as they are built from `scripts/gallery/`. */
  readonly script: string
  readonly style: string
}

/** Where something is shown: the address of the page, and how it leads to others. */
export type Place = { readonly path: string; readonly to: Links; readonly settings: Settings }

export const placeOf = (path: string, { settings }: Pick<Gallery, 'settings'>): Place => ({
  ...{ path, settings, to: linksFrom(path, settings) },
})

/** What a page says of itself, and what it shows. */
export type PageOptions = {
  /** `''` for the first page. */
  readonly title: string
  readonly description?: string
  /** Of what the page is about, if it may be shown. */
  readonly image?: string
  readonly type?: 'website' | 'profile' | 'article'
  /** For programs that read pages. */
  readonly data?: object
  /** Address of a feed of the page's own. */
  readonly feed?: string
  /** Which part of the site is shown: `members`. */
  readonly part?: string
  readonly head?: Content
  /** What it is a page of: `main` has this class. */
  readonly kind?: 'member' | 'work'
  /** The member, and on a work's page the work, that it is about. */
  readonly about?: { readonly member: string; readonly work?: string }
  readonly main: Content
}

/**
 * A whole page. Its links are relative, so it works below any path. There may be 200,000 of them, so tags and quotes that
 * HTML doesn't need are left out, and so are cards where `url` is not known, without which they are of no use. What a
 * work's page lacks, `script.ts` puts there.
 */
export const page = ({ path, to, settings }: Place, options: PageOptions): string => {
  const { title, type = 'website', part, kind, about } = options
  const { url, lang, logo, policy, licence, edit, layer, isLarge } = settings
  const isSmall = isLarge && kind === 'work'
  const site = kind === 'work' ? '' : ` · ${settings.title}`
  const name = title === '' ? settings.title : cut(title, 120) + site
  const words = cut(options.description ?? settings.description, 160)
  const image = url === '' ? '' : absolute(options.image ?? '', settings)
  const address = url === '' || isSmall ? '' : url + encodeURI(path)
  const isEnglish = /^en(?:-|$)/i.test(lang)
  const link = (address: string, words: string): Html =>
    html`<a href=${to(address)}${part === address && html` aria-current=page`}>${words}</a>`
  const main = html`<main${(kind !== 'work' || layer) && html` id=main`}${kind && html` class=${kind}`}${
    layer && html` tabindex=-1${about && html` data-member="${about.member}" data-work="${about.work}"`}`
  }>${layer?.start()}${options.main}</main>`
  const footer =
    (kind !== 'work' || licence !== '') &&
    html`<footer${!isEnglish && html` lang=en`}>${licence !== '' && html`<p>${licence}`}${kind !== 'work' && html`<p><a href=${to('/feed.xml')}>Feed</a> · Made with Shotpress`}</footer>`
  return markupOf(html`${isSmall && byteOrderMark}<!doctype html><html lang=${lang}${isRightToLeft(lang) && html` dir=rtl`}>${!isSmall && html`<meta charset=utf-8>`}<meta name=viewport content=width=device-width>${
    policy !== '' && html`<meta http-equiv=Content-Security-Policy content="${trusted(policy)}">`
  }<title>${name}</title>${words !== '' && html`<meta name=description property=og:description content="${words}">`}${
    address !== '' &&
    html`<link rel=canonical href="${address}"><meta property=og:url content="${address}"><meta property=og:title content="${cut(title || settings.title, 120)}"><meta property=og:type content=${type}><meta name=twitter:card content=summary_large_image>`
  }${
    image !== '' && html`<meta property=og:image content="${image}">`
  }${options.feed !== undefined && html`<link rel=alternate type=application/atom+xml href=${to(options.feed)}>`}${kind !== 'work' && html`<link rel=icon href=${to('/icon.svg')}>`}<link rel=stylesheet href=${to('/gallery.css')}>${
    options.data && dataScript(options.data)
  }${options.head}${layer?.head}${kind !== 'work' && html`<a class=skip href=#main>Skip to content</a> `}<header${!isEnglish && html` lang=en`}><a href=${to('/')}${part === '/' && html` aria-current=page`}>${logo !== '' && html`<img src=${to(`/${logo}`)} alt="" height=28>`}${settings.title}</a> <nav>${link('/members/', 'Members')} ${link('/tags/', 'Tags')} ${edit !== '' && html`${link('/join/', 'Join')} `}${link('/search/', 'Search')}</nav></header>${main}${footer}${layer?.end(html`${options.main}`)}<script src=${to('/gallery.js')}></script>
`)
}

/** Says in three bytes that a page is UTF-8. */
const byteOrderMark = trusted('\ufeff')

/**
 * How one page leads to others: to an address of the gallery as it is seen from there. Addresses hold no spaces and no
 * quotes, so links stand in attributes without quotes.
 */
export type Links = (address: string) => string

/** The page that hosts show everywhere must not depend on where it is shown. */
export const linksFrom = (path: string, { url, root }: Pick<Settings, 'url' | 'root'>): Links => {
  const base = path === '/404.html' ? url.replace(/^https?:\/\/[^/]*/, '') : root
  if (base !== undefined) return (address) => base + address
  const from = path.slice(0, path.lastIndexOf('/') + 1)
  return (address) => {
    let same = 0
    while (same < from.length && from[same] === address[same]) same++
    same = from.lastIndexOf('/', same - 1) + 1
    let up = ''
    for (let at = same; at < from.length; at++) if (from[at] === '/') up += '../'
    return up + address.slice(same) || './'
  }
}

export const addressOf = {
  member: (username: string): string => `/members/${encodeURIComponent(username)}/`,
  work: (username: string, id: string): string => `${addressOf.member(username)}${encodeURIComponent(id)}/`,
  /** `slug` may hold letters of any script: browsers escape them, and where programs read, `encodeURI` does. */
  group: (kind: GroupKind, slug: string): string => `/${kind}/${slug}/`,
}

export type GroupKind = 'tags' | 'skills' | 'places'

/** Data of strangers in a script element, where no text may end it. */
const dataScript = (data: object): Html =>
  trusted(
    `<script type=application/ld+json>${JSON.stringify(data).replace(
      /[<>&\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
      escapedUnit,
    )}</script>`,
  )

/** A character as it stands in text of a script. */
export const escapedUnit = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

const isRightToLeft = (lang: string): boolean => /^(?:ar|dv|fa|he|ks|ps|sd|ug|ur|yi)(?:-|$)/i.test(lang)

/** A picture of the snapshot: below this folder of the gallery, too. */
const ownPicture = (url: string, { baseUrl }: Pick<Settings, 'baseUrl'>): string | undefined => {
  const start = `${baseUrl.replace(/^http:/, 'https:')}/pictures/`
  return url.startsWith(start) && /^[0-9a-f]{32}\.(?:jpg|png|webp|gif|avif)$/.test(url.slice(start.length))
    ? `/pictures/${url.slice(start.length)}`
    : undefined
}

/** The host of an address, with its port if it has one; `''` if it has none that can be named in a policy. */
const hostOf = (url: string): string => {
  // the path makes no difference, and most addresses of a site begin alike
  const end = url.indexOf('/', 'https://'.length)
  return hostOfStart(end === -1 ? url : url.slice(0, end))
}

const hostOfStart = memoize((start: string): string => {
  const host = /^https?:\/\//.test(start) && URL.canParse(start) ? new URL(start).host : ''
  // nothing in it ends the name of a host in a policy
  const fits = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:]+\])(?::[0-9]{1,5})?$/
  return fits.test(host) ? host : ''
})

/** The policy of published pages: nothing but what is theirs, and pictures of these hosts. */
const policyOf = (hosts: ReadonlySet<string>): string =>
  `default-src 'self';img-src 'self'${[...hosts]
    .sort()
    .map((host) => ` https://${host}`)
    .join('')}`

/** Where a page loads a picture from; `undefined` if it must not. */
export const sourceOf = (url: string, to: Links, settings: Settings): string | undefined => {
  const own = ownPicture(url, settings)
  if (own !== undefined) return to(own)
  // longer than any browser promises to take
  const host = url.length > 2000 ? '' : hostOf(url)
  return host !== '' && settings.hosts.has(host) ? url : undefined
}

/** The whole address of a picture for other sites that show a card of the page. */
const absolute = (image: string, settings: Settings): string =>
  sourceOf(image, (address) => settings.url + address, settings) ?? ''

type PictureOptions = {
  /** What a drawing is made from. */
  readonly seed: string
  /** Empty where a text beside it says what it shows. */
  readonly alt?: string
  /** Whether it is what the page is about, and must not wait. */
  readonly first?: boolean | undefined
}

/** A picture, or a drawing where there is none that may be loaded. */
export const picture = (
  url: string,
  { to, settings }: Place,
  { seed, alt = '', first }: PictureOptions,
): Html => {
  const source = sourceOf(url, to, settings)
  return source === undefined
    ? html`<i class=t${numberOf(seed) % 8}></i>`
    : html`<img src="${source}" alt${alt !== '' && html`="${alt}"`}${!first && html` loading=lazy`}>`
}

/** Whether the picture of this address is shown, not a drawing. */
export const isShown = (url: string, settings: Settings): boolean =>
  sourceOf(url, (address) => address, settings) !== undefined

/** The picture of a person, or the first letter of the name. */
export const avatar = (
  { avatar: url, name, username }: Pick<Summary, 'avatar' | 'name' | 'username'>,
  place: Place,
  { first }: Pick<PictureOptions, 'first'> = {},
): Html =>
  isShown(url, place.settings)
    ? html`<span class=face>${picture(url, place, { seed: username, first })}</span>`
    : html`<span class="face t${numberOf(username) % 8}" aria-hidden=true>${/\S\p{M}*/u.exec(name)?.[0].toUpperCase()}</span>`

/** Works in a grid; `by` says whose each is. */
export const tiles = (
  entries: readonly Entry[],
  place: Place,
  { by, first }: { readonly by?: boolean; readonly first?: boolean } = {},
): Html => {
  const { layer } = place.settings
  return html`<ul class=works>${entries.map(
    ({ member: { username, name }, work: { id, title, image, draft } }) =>
      html`<li${layer && html` data-work="${id}"`}><a href=${place.to(addressOf.work(username, id))}>${picture(image, place, { seed: id, first })}<b>${cut(title, 90)}</b></a>${layer?.onTile(id)}${
        draft && html` <em class=draft>Draft</em>`
      }${by && html` <a class=by href=${place.to(addressOf.member(username))}>${cut(name, 60)}</a>`}`,
  )}</ul>`
}

/** Words as links to their pages, perhaps with how many there are of each. */
export const words = (
  list: readonly (readonly [slug: string, word: string, count?: string])[],
  { kind, place }: { readonly kind: GroupKind; readonly place: Place },
): Html =>
  html`<p class=words>${list.map(([slug, word, count]) => html` <a href=${place.to(addressOf.group(kind, slug))}>${cut(word, 60)}${count && html` <small>${count}</small>`}</a>`)}`

/** The words of a member or a work, for `words`. */
export const slugged = (list: readonly string[]): readonly (readonly [string, string])[] =>
  list.map((word) => [slugOf(word), word])

/** An address of a stranger: https and http only, as it was checked. */
export const outLink = (url: string, label: string, name = 'out'): Html | undefined =>
  /^https?:\/\//i.test(url) ? html`<a class=${name} href="${url}" rel=ugc>${label}</a>` : undefined

/** The address of one page of several. */
export const numbered = (base: string, number: number): string => (number > 1 ? `${base}~${number}/` : base)

/** Links to the pages before and after one of many. */
export const turning = (
  base: string,
  { number, total, place }: { readonly number: number; readonly total: number; readonly place: Place },
): Html | false => {
  const link = (rel: string, other: number, words: string): Html =>
    html`<a rel=${rel} href=${place.to(numbered(base, other))}>${words}</a>`
  return (
    total > 1 &&
    html`<nav class=pages aria-label=Pages>${number > 1 && link('prev', number - 1, 'Previous')}<span>Page ${number} of ${total}</span>${number < total && link('next', number + 1, 'Next')}</nav>`
  )
}
