import type { Groups } from './layout.ts'
import { filled, none } from './member.ts'
import type { Data } from './parse/data.ts'
import { normalBase, type Scheme, withScheme } from './values/address.ts'

/** Encodings in which a site can have copies of its files, best first. */
const encodings = ['br', 'gzip'] as const

/** What holds for the keys of site.yaml that are left out, as they are typed. */
const leastSite = {
  base_url: '',
  assets: '' as string | Readonly<Record<Scheme, string>>,
  defaults: {} as Data,
  gallery: {} as Data,
  groups: '0',
  openapi: '',
  members: '',
  all: '',
  hosts: none,
  precompress: none,
  schemes: none,
  reserved: none,
}

/** The site from data that fits its schema, with every default filled in. */
export const toSite = (data: Data) => {
  const site = filled(leastSite, data)
  const baseUrl = normalBase(site.base_url)
  const assets = site.assets || `${baseUrl}/assets`
  const gallery: GallerySite = filled(noGallery, site.gallery)
  const schemes: readonly Scheme[] = ['https', 'http']
  const assetsOver = (scheme: Scheme): string =>
    typeof assets === 'string'
      ? withScheme(normalBase(assets), scheme)
      : normalBase(assets[scheme])
  return {
    /** Origin and path of the API, without a trailing slash: `https://api.example.com`. */
    baseUrl,
    /** The base of relative assets in each variant, without a trailing slash. */
    assets: { https: assetsOver('https'), http: assetsOver('http') },
    /**
     * Whether each scheme has an assets base of its own, so that absolute assets may name a
     * port.
     */
    portsAllowed: typeof assets !== 'string',
    defaults: filled({ type_account: '0', status: '0' }, site.defaults),
    /** Hosts whose files the build adds to the snapshot, in the order of the file. */
    hosts: [...new Set(site.hosts)],
    /** Encodings to write beside each JSON file, best first. */
    precompress: encodings.filter((name) => site.precompress.includes(name)),
    /** How many letters of a username name the folder that groups members. */
    groups: toGroups(site.groups),
    openapi: site.openapi === 'true',
    members: site.members === 'true',
    /** Whether the snapshot holds every published body once more, in a few large files. */
    all: site.all === 'true',
    /** Over which schemes the API answers: https, and mostly http too. */
    schemes:
      site.schemes.length > 0 && !site.schemes.includes('http')
        ? schemes.slice(0, 1)
        : schemes,
    /** Names that no member and no alias may take, as typed. */
    reserved: site.reserved,
    gallery: {
      ...gallery,
      url: normalBase(gallery.url),
      accent: gallery.accent.toLowerCase(),
      edit: normalBase(gallery.edit),
    },
  }
}

export const toGroups = (text: Data | undefined): Groups =>
  text === '1' || text === '2' ? (Number(text) as Groups) : 0

export type Site = Readonly<ReturnType<typeof toSite>>

/** What site.yaml says of the gallery; `''` stands for a key that is left out. */
export type GallerySite = Readonly<typeof noGallery>

export const noGallery = {
  title: '',
  description: '',
  /** Where the gallery is published, without a trailing slash. */
  url: '',
  lang: '',
  /** `#rrggbb` */
  accent: '',
  /** A file beside site.yaml: `./logo.svg`. */
  logo: '',
  licence: '',
  /** The repository, where people add themselves, perhaps with `/tree/<branch>`. */
  edit: '',
  /** Hosts whose pictures pages may load. */
  images: [] as readonly string[],
}
