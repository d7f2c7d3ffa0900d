/** Encodings in which a site can have copies of its files, best first. */
export const encodings = ['br', 'gzip'] as const

/** What site.yaml says, with every default filled in. */
export type Site = {
  /** Origin and path of the API, without a trailing slash: `https://api.example.com`. */
  readonly baseUrl: string
  /** The base of relative assets in each variant, without a trailing slash. */
  readonly assets: { readonly https: string; readonly http: string }
  /** Whether each scheme has an assets base of its own, so that absolute assets may name a port. */
  readonly portsAllowed: boolean
  readonly defaults: { readonly type_account: string; readonly status: string }
  /** Hosts whose files the build adds to the snapshot, in the order of the file. */
  readonly hosts: readonly string[]
  /** Encodings to write beside each JSON file, best first. */
  readonly precompress: readonly (typeof encodings)[number][]
  /** Whether the snapshot holds an OpenAPI document of the API. */
  readonly openapi: boolean
  /** Whether the snapshot holds a list of all members. */
  readonly members: boolean
  /** Whether the snapshot holds every published body once more, in a few large files. */
  readonly all: boolean
  /** Over which schemes the API answers: https, and mostly http too. */
  readonly schemes: readonly ('https' | 'http')[]
  /** Names that no member and no alias may take, as typed. */
  readonly reserved: readonly string[]
  readonly gallery: GallerySite
}

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
