import type { Profile, Shot } from '../content/member.ts'
import type { Site } from '../content/site.ts'
import { compareText } from '../text/order.ts'
import type { shotFields, userFields } from './fields.ts'
import type { Route, Variant } from './route.ts'

/**
 * The records of the API, as published: every value is a string, keys in the order of the
 * interface's tables (an object literal in this order is serialised in this order).
 */

/** The body of `/api/username/<u>`. */
export type UserRecord = { readonly [K in keyof typeof userFields]: string }

/** One element of `Shots`. */
export type ShotRecord = { readonly [K in keyof typeof shotFields]: string }

/** The body of `/api/username/<u>/shots`. */
type ShotsRecord = { readonly Shots: readonly ShotRecord[] }

/** `created_project` of a shot without a project. */
export const noTimestamp = '0000-00-00 00:00:00'

/** The most shots that a body holds. */
export const shotsLimit = 15

/** Newest first; equal dates by id, highest first. */
export const byNewest = (
  a: Pick<Shot, 'date' | 'id'>,
  b: Pick<Shot, 'date' | 'id'>,
): number => compareText(b.date, a.date) || compareIds(b.id, a.id)

/** Compares canonical integers of any length as numbers. */
export const compareIds = (a: string, b: string): number =>
  a.length - b.length || compareText(a, b)

/** What the API says of one member: all that its files are made from, besides the site. */
export type Member = {
  readonly username: string
  /** Old usernames at which it answers too, with the same bytes, are in the profile. */
  readonly profile: Profile
  /** Shots that are not drafts. */
  readonly published: number
  /** The newest published shots, in order, at most 15; each with its token. */
  readonly latest: readonly (Shot & { readonly token_id: string })[]
}

/** Every name at which the API answers with a member's files. */
export const namesOf = ({ username, profile }: Member) => [username, ...profile.aliases]

/** The profile as `/api/username/<u>` gives it. */
export const deriveUser = (member: Member, variant: Variant, site: Site): UserRecord => {
  const { profile } = member
  return {
    totalFollowers: profile.totalFollowers,
    totalFollowing: profile.totalFollowing,
    Likes: profile.Likes,
    totalShots: profile.totalShots ?? String(member.published),
    Lists: profile.Lists,
    Listed: profile.Listed,
    Projects: profile.Projects ?? String(profile.projects.length),
    id: profile.id,
    username: member.username,
    name: profile.name,
    location: profile.location,
    twitter: profile.twitter,
    website: profile.website,
    bio: profile.bio,
    skills: profile.skills.join(','),
    avatar: assetUrl(profile.avatar, variant, site),
    type_account: profile.type_account ?? site.defaults.type_account,
    cover_image: assetUrl(profile.cover_image, variant, site),
  }
}

/** The newest shots as `/api/username/<u>/shots` gives them. */
export const deriveShots = (member: Member, variant: Variant, site: Site): ShotsRecord => {
  const { id, projects } = member.profile
  const created = new Map(projects.map((project) => [project.id, project.created]))
  return {
    Shots: member.latest.map(
      (shot): ShotRecord => ({
        id: shot.id,
        id_project: shot.id_project,
        created_project: created.get(shot.id_project) ?? noTimestamp,
        image: assetUrl(shot.image, variant, site),
        large_image: assetUrl(shot.large_image ?? shot.image, variant, site),
        token_id: shot.token_id,
        description: shot.description,
        title: shot.title,
        user_id: id,
        status: shot.status ?? site.defaults.status,
        tags: shot.tags.join(','),
        date: shot.date,
        attachment: assetUrl(shot.attachment, variant, site),
        url_purchased: shot.url_purchased,
        price_item: shot.price_item,
      }),
    ),
  }
}

/**
 * The address of a checked asset in one variant: its scheme is the variant's, the rest stays
 * as typed.
 */
export const assetUrl = (asset: string, variant: Variant, site: Site): string => {
  if (asset === '') return ''
  if (asset.startsWith('//')) return `${variant}:${asset}`
  const authority = asset.indexOf('://')
  return authority === -1 || authority > 'https'.length
    ? `${site.assets[variant]}/${asset}`
    : variant + asset.slice(authority)
}

/** The text of a record's file: JSON without spaces and one newline. */
export const render = (record: UserRecord | ShotsRecord): string =>
  `${JSON.stringify(record)}\n`

/** The text of the file that answers a route for a member. */
export const renderRoute = (
  { name }: Route,
  variant: Variant,
  member: Member,
  site: Site,
): string => render((name === 'user' ? deriveUser : deriveShots)(member, variant, site))
