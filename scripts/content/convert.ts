import type { Profile, Shot } from './member.ts'
import type { Data } from './parse/data.ts'
import { encodings, type Site } from './site.ts'
import { normalBase, withScheme } from './values/base.ts'
import { normalTimestamp } from './values/timestamp.ts'

/** A profile from data that fits its schema. */
export const toProfile = (data: Data): Profile => {
  const profile = data as ProfileData
  const projects: Profile['projects'][number][] = []
  for (const { id, created } of list(profile.projects))
    projects.push({ id, created: normalTimestamp(created) })
  return {
    id: profile.id,
    name: profile.name,
    location: profile.location ?? '',
    bio: profile.bio ?? '',
    twitter: profile.twitter ?? '',
    website: profile.website ?? '',
    skills: list(profile.skills),
    avatar: profile.avatar ?? '',
    cover_image: profile.cover_image ?? '',
    type_account: profile.type_account || undefined,
    totalFollowers: profile.totalFollowers || '0',
    totalFollowing: profile.totalFollowing || '0',
    Likes: profile.Likes || '0',
    Lists: profile.Lists || '0',
    Listed: profile.Listed || '0',
    totalShots: profile.totalShots || undefined,
    Projects: profile.Projects || undefined,
    projects,
    aliases: list(profile.aliases),
  }
}

/** A shot from data that fits its schema. */
export const toShot = (data: Data): Shot => {
  const shot = data as ShotData
  return {
    id: shot.id,
    title: shot.title,
    date: normalTimestamp(shot.date),
    image: shot.image,
    large_image: shot.large_image || undefined,
    description: shot.description ?? '',
    tags: list(shot.tags),
    id_project: shot.id_project || '0',
    status: shot.status || undefined,
    attachment: shot.attachment ?? '',
    url_purchased: shot.url_purchased ?? '',
    price_item: shot.price_item ?? '',
    token_id: shot.token_id || undefined,
    draft: shot.draft === 'true',
  }
}

/** The site from data that fits its schema. */
export const toSite = (data: Data): Site => {
  const site = data as SiteData
  const baseUrl = normalBase(site.base_url)
  const assets = site.assets || `${baseUrl}/assets`
  const defaults = site.defaults || ({} as Exclude<typeof site.defaults, '' | undefined>)
  const precompress = list(site.precompress)
  return {
    baseUrl,
    assets:
      typeof assets === 'string'
        ? {
            https: withScheme(normalBase(assets), 'https'),
            http: withScheme(normalBase(assets), 'http'),
          }
        : { https: normalBase(assets.https), http: normalBase(assets.http) },
    portsAllowed: typeof assets !== 'string',
    defaults: {
      type_account: defaults.type_account || '0',
      status: defaults.status || '0',
    },
    hosts: [...new Set(list(site.hosts))],
    precompress: encodings.filter((name) => precompress.includes(name)),
    openapi: site.openapi === 'true',
    reserved: list(site.reserved),
    gallery: toGallery(site.gallery || {}),
  }
}

const toGallery = (gallery: Exclude<SiteData['gallery'], '' | undefined>): Site['gallery'] => ({
  title: gallery.title ?? '',
  description: gallery.description ?? '',
  url: gallery.url ? normalBase(gallery.url) : '',
  lang: gallery.lang ?? '',
  accent: (gallery.accent ?? '').toLowerCase(),
  logo: gallery.logo ?? '',
  licence: gallery.licence ?? '',
  images: list(gallery.images),
  edit: (gallery.edit ?? '').replace(/\/+$/, ''),
})

const list = <T>(value: readonly T[] | '' | undefined): readonly T[] => value || []

type ProfileData = { readonly id: string; readonly name: string } & {
  readonly [K in Exclude<keyof Profile, 'id' | 'name' | 'skills' | 'projects' | 'aliases'>]?: string
} & {
  readonly skills?: readonly string[] | ''
  readonly aliases?: readonly string[] | ''
  readonly projects?: readonly { readonly id: string; readonly created: string }[] | ''
}

type ShotData = {
  readonly [K in 'id' | 'title' | 'date' | 'image']: string
} & {
  readonly [K in Exclude<keyof Shot, 'id' | 'title' | 'date' | 'image' | 'tags'>]?: string
} & { readonly tags?: readonly string[] | '' }

type SiteData = {
  readonly base_url: string
  readonly assets?: string | { readonly https: string; readonly http: string }
  readonly defaults?: { readonly type_account?: string; readonly status?: string } | ''
  readonly hosts?: readonly string[] | ''
  readonly precompress?: readonly string[] | ''
  readonly openapi?: string
  readonly reserved?: readonly string[] | ''
  readonly gallery?:
    | ({ readonly [K in Exclude<keyof Site['gallery'], 'images'>]?: string } & {
        readonly images?: readonly string[] | ''
      })
    | ''
}
