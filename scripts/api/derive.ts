import type { Profile, Shot } from '../content/member.ts'
import type { Site } from '../content/site.ts'
import { assetUrl } from './assets.ts'
import { noTimestamp, type ShotRecord, type ShotsRecord, type UserRecord } from './records.ts'
import type { Variant } from './routes.ts'

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
