import type { Profile, Shot } from '../../content/member.ts'
import type { Site } from '../../content/site.ts'
import type { Values } from './site-values.ts'

/** What content says of a member. */
export type Mine = {
  readonly profile: Profile
  readonly shots: ReadonlyMap<string, Shot>
}

/** A profile as the API would say it, totals aside. */
export const profileValues = (profile: Profile, site: Site): Values => {
  const { totalShots, Projects, projects, skills, ...texts } = profile
  const { aliases, ...rest } = texts as typeof texts & { readonly aliases?: unknown }
  return { ...rest, skills: skills.join(','), type_account: rest.type_account ?? site.defaults.type_account }
}

/** A shot as the API would say it. */
export const shotValues = (
  shot: Shot,
  { site, tokenOf }: { site: Site; tokenOf: (id: string) => string },
): Values => {
  const { draft, tags, ...rest } = shot
  return {
    ...rest,
    tags: tags.join(','),
    large_image: rest.large_image ?? rest.image,
    status: rest.status ?? site.defaults.status,
    token_id: rest.token_id ?? tokenOf(rest.id),
  }
}
