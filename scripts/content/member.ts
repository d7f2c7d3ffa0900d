import { type Data, mappingOf } from './parse/data.ts'
import { normalTimestamp } from './values/timestamp.ts'

export const none: readonly string[] = []

/**
 * What holds for the keys of a profile.yaml that are left out; `undefined` where a default
 * must be worked out.
 */
const leastProfile = {
  id: '',
  name: '',
  location: '',
  bio: '',
  twitter: '',
  website: '',
  skills: none,
  /** A picture as typed: an asset, or `./` and a path from the file's folder; or `''`. */
  avatar: '',
  cover_image: '',
  type_account: undefined as string | undefined,
  totalFollowers: '0',
  totalFollowing: '0',
  Likes: '0',
  Lists: '0',
  Listed: '0',
  totalShots: undefined as string | undefined,
  Projects: undefined as string | undefined,
  projects: [] as readonly Project[],
  /** Old usernames, at which the API answers too. */
  aliases: none,
  /**
   * Accounts at the forge that may change this member: canonical positive integers. They are
   * not published.
   */
  owners: none,
}

export type Profile = Readonly<typeof leastProfile>

export type Project = {
  readonly id: string
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly created: string
  /** Its name on pages; `''` if nobody said. It is not in the API. */
  readonly title: string
}

/**
 * What holds for the keys of a file of shots/ that are left out; `undefined` where a default
 * must be worked out.
 */
const leastShot = {
  id: '',
  title: '',
  /** `YYYY-MM-DD HH:MM:SS` */
  date: '',
  /** A picture as typed: an asset, or `./` and a path from the file's folder. */
  image: '',
  /** A picture as typed; `undefined` stands for the image. */
  large_image: undefined as string | undefined,
  /**
   * What the picture shows, for people who can't see it; `''` if nobody said. It is shown on
   * pages, but is not in the API.
   */
  alt: '',
  description: '',
  tags: none,
  /** `'0'` is none. */
  id_project: '0',
  status: undefined as string | undefined,
  /** An asset as typed, or `''`. */
  attachment: '',
  url_purchased: '',
  price_item: '',
  /** 40 lower-case hex digits; `undefined` stands for one made from the id. */
  token_id: undefined as string | undefined,
  draft: 'false',
}

export type Shot = Readonly<Omit<typeof leastShot, 'draft'>> & {
  readonly draft: boolean
  /** Git's name of its file, where it is a member's. */
  readonly oid?: string
}

/** Keys of a profile and of a shot that may name a picture beside their file. */
export const pictureKeys = {
  profile: ['avatar', 'cover_image'],
  shot: ['image', 'large_image'],
} as const

/**
 * What data says that fits a schema, and the defaults, as they would be typed, for keys that
 * are left out or empty.
 */
export const filled = <T extends { readonly [K in keyof T]: Data | undefined }>(
  defaults: T,
  said: Data,
): T => {
  const all: Record<string, Data | undefined> = { ...defaults }
  const given = mappingOf(said)
  for (const key in given) if (given[key] !== '') all[key] = given[key]
  return all as T
}

/** A profile from data that fits its schema. */
export const toProfile = (data: Data): Profile => {
  const profile = filled(leastProfile, data)
  const projects = profile.projects.map(({ id, created, title = '' }) => ({
    id,
    created: normalTimestamp(created),
    title,
  }))
  return { ...profile, projects }
}

/** A shot from data that fits its schema. */
export const toShot = (data: Data): Shot => {
  const shot = filled(leastShot, data)
  return { ...shot, date: normalTimestamp(shot.date), draft: shot.draft === 'true' }
}
