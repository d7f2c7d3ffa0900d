import type { Site } from '../content/site.ts'
import { parseUrl } from '../content/values/address.ts'
import { type Content, type Html, html, markupOf, trusted } from '../text/html.ts'
import { escapedUnit } from '../text/json.ts'
import { cut, type GroupKind, type Index, type MemberData, memoize, numberOf } from './data.ts'

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

export const settingsOf = ({ gallery, assets, baseUrl }: Site): Settings => {
  const hosts = new Set([...gallery.images, hostOf(assets.https)].filter((host) => host !== ''))
  const sources = [...hosts].sort().map((host) => ` https://${host}`)
  return {
    ...gallery,
    title: gallery.title.trim() || 'Gallery',
    lang: gallery.lang || 'en',
    accent: gallery.accent || '#c2410c',
    logo: logoFile(gallery.logo),
    baseUrl,
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
type PageOptions = {
  /** `''` for the first page. */
  readonly title: string
  readonly description?: string
  /** Of what the page is about, if it may be shown. */
  readonly image?: string
  /** For programs that read pages. */
  readonly data?: object
  /** The member, or the work of a member, that the page is about: `main` has the class `member` or `work`. */
  readonly about?: { readonly member: string; readonly work?: string }
  readonly main: Content
}

/**
 * A whole page. Its links are relative, so it works below any path. There may be 200,000 of them, so tags and quotes that
 * HTML doesn't need are left out, and so are cards where `url` is not known, without which they are of no use. What a
 * work's page lacks, `script.ts` puts there.
 */
export const page = ({ path, to, settings }: Place, options: PageOptions): string => {
  const { title, about } = options
  const { url, lang, logo, policy, licence, edit, layer, isLarge } = settings
  const kind = about && (about.work === undefined ? 'member' : 'work')
  const feed = kind === 'member' ? addressOf.member(about!.member) : title === '' && '/'
  // it begins with three bytes that say UTF-8, and has no canonical address
  const isSmall = isLarge && kind === 'work'
  const site = kind === 'work' ? '' : ` · ${settings.title}`
  const name = title === '' ? settings.title : cut(title, 120) + site
  const words = cut(options.description ?? settings.description, 160)
  // for other sites that show a card of the page
  const image = url === '' ? '' : sourceOf(options.image ?? '', { to: (address) => url + address, settings })
  const address = url === '' || isSmall ? '' : url + encodeURI(path)
  const isEnglish = /^en(?:-|$)/i.test(lang)
  const isRightToLeft = /^(?:ar|dv|fa|he|ks|ps|sd|ug|ur|yi)(?:-|$)/i.test(lang)
  const link = (address: string, words: string): Html =>
    html`<a href=${to(address)}${kind !== 'work' && path.startsWith(address) && html` aria-current=page`}>${words}</a>`
  const main = html`<main${(kind !== 'work' || layer) && html` id=main`}${kind && html` class=${kind}`}${
    layer && html` tabindex=-1${about && html` data-member="${about.member}" data-work="${about.work}"`}`
  }>${layer?.start()}${options.main}</main>`
  const footer =
    (kind !== 'work' || licence !== '') &&
    html`<footer${!isEnglish && html` lang=en`}>${licence !== '' && html`<p>${licence}`}${kind !== 'work' && html`<p><a href=${to('/feed.xml')}>Feed</a> · Made with Shotpress`}</footer>`
  return markupOf(html`${isSmall && trusted('\ufeff')}<!doctype html><html lang=${lang}${isRightToLeft && html` dir=rtl`}>${!isSmall && html`<meta charset=utf-8>`}<meta name=viewport content=width=device-width>${
    policy !== '' && html`<meta http-equiv=Content-Security-Policy content="${trusted(policy)}">`
  }<title>${name}</title>${words !== '' && html`<meta name=description property=og:description content="${words}">`}${
    address !== '' &&
    html`<link rel=canonical href="${address}"><meta property=og:url content="${address}"><meta property=og:title content="${cut(title || settings.title, 120)}"><meta property=og:type content=${ogTypes[kind ?? 'site']}><meta name=twitter:card content=summary_large_image>`
  }${
    image && html`<meta property=og:image content="${image}">`
  }${feed && html`<link rel=alternate type=application/atom+xml href=${to(`${feed}feed.xml`)}>`}${kind !== 'work' && html`<link rel=icon href=${to('/icon.svg')}>`}<link rel=stylesheet href=${to('/gallery.css')}>${
    options.data && dataScript(options.data)
  }${path === notFound && html`<meta name=generator content=Shotpress>`}${layer?.head}${kind !== 'work' && html`<a class=skip href=#main>Skip to content</a> `}<header${!isEnglish && html` lang=en`}><a href=${to('/')}${title === '' && html` aria-current=page`}>${logo !== '' && html`<img src=${to(`/${logo}`)} alt="" height=28>`}${settings.title}</a> <nav>${link('/members/', 'Members')} ${link('/tags/', 'Tags')} ${edit !== '' && html`${link('/join/', 'Join')} `}${link('/search/', 'Search')}</nav></header>${main}${footer}${layer?.end(html`${options.main}`)}<script src=${to('/gallery.js')}></script>
`)
}

const ogTypes = { site: 'website', member: 'profile', work: 'article' }

/** The page that hosts show where nothing is. */
export const notFound = '/404.html'

export const addressOf = {
  member: (username: string): string => `/members/${encodeURIComponent(username)}/`,
  work: (username: string, id: string): string => `${addressOf.member(username)}${encodeURIComponent(id)}/`,
  /** `slug` may hold letters of any script: browsers escape them, and where programs read, `encodeURI` does. */
  group: (kind: GroupKind, slug: string): string => `/${kind}/${slug}/`,
}

/** Data of strangers in a script element, where no text may end it. */
const dataScript = (data: object): Html =>
  trusted(
    `<script type=application/ld+json>${JSON.stringify(data).replace(
      /[<>&\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
      escapedUnit,
    )}</script>`,
  )

/** The host of an address, with its port if it has one; `''` if it has none that can be named in a policy. */
const hostOf = (url: string): string => hostOfStart(/^https?:\/\/[^/]*/.exec(url)?.[0] ?? '')

/** The path makes no difference, and most addresses of a site begin alike. */
const hostOfStart = memoize((start: string): string => {
  const host = parseUrl(start)?.host ?? ''
  // nothing in it ends the name of a host in a policy
  const fits = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:]+\])(?::[0-9]{1,5})?$/
  return fits.test(host) ? host : ''
})

/** Where a page loads a picture from; `undefined` if it must not. Those of the snapshot are in the gallery, too. */
export const sourceOf = (url: string, { to, settings }: Omit<Place, 'path'>): string | undefined => {
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

type PictureOptions = { readonly seed: string; readonly alt?: string; readonly first?: boolean | undefined }

/**
 * A picture, or a drawing made from `seed` where there is none that may be loaded. `alt` is empty where a text beside it
 * says what it shows; `first` is what the page is about, and must not wait.
 */
export const picture = (url: string, place: Place, { seed, alt = '', first }: PictureOptions): Html => {
  const source = sourceOf(url, place)
  return source === undefined
    ? html`<i class=t${toneOf(seed)}></i>`
    : html`<img src="${source}" alt${alt !== '' && html`="${alt}"`}${!first && html` loading=lazy`}>`
}

/** Which of eight drawings stands for something. */
export const toneOf = (seed: string): number => numberOf(seed) % 8
