import { isPicturePath } from './layout.ts'
import { type Data, isMapping, type Mapping, mappingOf } from './parse/data.ts'
import type { Parsed } from './parse/parse.ts'
import type { Site } from './site.ts'
import { isUsername } from './username.ts'
import { picturePathProblem } from './values/address.ts'
import { normalTimestamp } from './values/timestamp.ts'

export const none: readonly string[] = []

/** What holds for the keys of a profile.yaml that are left out; `undefined` where a default must be worked out. */
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
}

export type Profile = Readonly<typeof leastProfile>

export type Project = {
  readonly id: string
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly created: string
  /** Its name on pages; `''` if nobody said. It is not in the API. */
  readonly title: string
}

/** What holds for the keys of a file of shots/ that are left out; `undefined` where a default must be worked out. */
const leastShot = {
  id: '',
  title: '',
  /** `YYYY-MM-DD HH:MM:SS` */
  date: '',
  /** A picture as typed: an asset, or `./` and a path from the file's folder. */
  image: '',
  /** A picture as typed; `undefined` stands for the image. */
  large_image: undefined as string | undefined,
  /** What the picture shows, for who can't see it; `''` if nobody said. It is on pages, and not in the API. */
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
  draft: false,
}

export type Shot = Readonly<typeof leastShot>

/** What data says, and the defaults for keys that are left out or empty. */
export const filled = <T extends object>(defaults: T, said: Data): T => {
  const all = { ...defaults } as Record<string, unknown>
  for (const [key, value] of Object.entries(said)) if (value !== '') all[key] = value
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
  return { ...shot, date: normalTimestamp(shot.date), draft: String(shot.draft) === 'true' }
}

export type Salvageable = Pick<Parsed, 'data' | 'whole'>

/** What can be read of a file's pictures: `''` but for those beside the file. */
export const salvagePictures = <K extends string>(
  { data = '' }: Salvageable,
  keys: readonly K[],
): Readonly<Record<K, string>> => {
  const pathOf = (value: Data | undefined): string =>
    typeof value === 'string' && isPicturePath(value) && !picturePathProblem(value) ? value : ''
  return Object.fromEntries(keys.map((key) => [key, pathOf(mappingOf(data)[key])])) as never
}

/** The parts of a profile that are compared with other files; `undefined` is unknown. */
export type ProfileFacts = {
  readonly [K in 'id' | 'projects' | 'totalShots' | 'Projects' | 'aliases']?: Profile[K] | undefined
}

/** What is still known of a profile in which something is wrong, so that one run shows everything, and nothing false. */
export const salvageProfile = ({ data, whole }: Salvageable): ProfileFacts => {
  if (!isMapping(data)) return {}
  return {
    id: textIn(data.id, canonical),
    projects: whole || 'projects' in data ? projectsOf(data) : undefined,
    totalShots: textIn(data.totalShots, count),
    Projects: textIn(data.Projects, count),
    aliases: usernamesOf(data.aliases),
  }
}

/** One for each item of a list, in its order; an item that can't be a username is empty. */
const usernamesOf = (list: Data | undefined): readonly string[] =>
  Array.isArray(list)
    ? list.map((name: Data) => (typeof name === 'string' && isUsername(name) ? name : ''))
    : []

export type SiteFacts = Pick<Site, 'portsAllowed' | 'reserved'>

/** What is still known of a site in which something is wrong. */
export const salvageSite = ({ data, whole }: Salvageable): SiteFacts => {
  if (!isMapping(data)) return { portsAllowed: true, reserved: [] }
  const hasBases = Object.values(data).some((value) => isMapping(value) && 'https' in value)
  return { portsAllowed: !whole || hasBases, reserved: usernamesOf(data.reserved) }
}

/** The same of a shot. */
export const salvageShot = ({ data, whole }: Salvageable) => {
  const { id, token_id, id_project, draft = whole ? '' : 'hidden by a syntax error' } = mappingOf(data)
  return {
    id: textIn(id, canonical),
    token_id: textIn(token_id, /^[0-9a-f]{40}$/),
    id_project: textIn(id_project, canonical),
    /** Whether it is a draft, or may be meant for one. */
    draft: !isMapping(data) || (draft !== '' && draft !== 'false'),
  }
}

/** Each once, without the date; `undefined` if the list or one of them is not as it should be. */
const projectsOf = (data: Mapping): Profile['projects'] | undefined => {
  const { projects = '', ...others } = data
  if (projects === '') return Object.values(others).some(looksLikeProjects) ? undefined : []
  if (!Array.isArray(projects)) return undefined
  const ids = projects.map((project: Data) => textIn(mappingOf(project).id, canonical))
  return ids.includes(undefined)
    ? undefined
    : [...new Set(ids)].map((id) => ({ id: id!, created: '', title: '' }))
}

/** Nothing else in a profile is a list of mappings, so the key of this one is misspelt. */
const looksLikeProjects = (value: Data): boolean => Array.isArray(value) && value.some(isMapping)

const canonical = /^[1-9][0-9]*$/
const count = /^(?:0|[1-9][0-9]*)$/

const textIn = (value: Data | undefined, form: RegExp): string | undefined =>
  typeof value === 'string' && form.test(value) ? value : undefined
