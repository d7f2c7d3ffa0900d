import { assetUrl, byNewest } from '../api/records.ts'
import type { Profile, Shot } from '../content/member.ts'
import type { Site } from '../content/site.ts'
import type { Look } from '../snapshot/entry.ts'
import type { Whole } from '../snapshot/product.ts'
import { byKey } from '../text/order.ts'
import { cut, fold, slugOf } from './words.ts'

/**
 * What pages are made from. Read this first, then `render.ts`, which knows all addresses,
 * then `pages.ts`. A member's own pages need `MemberData`; pages that show many members need
 * their `Summary` and the `Index` of all. Pictures and attachments have the addresses of the
 * https variant; `''` is none.
 */
export type MemberData = Profile & {
  readonly username: string
  /** As the profile has it, or counted without drafts. */
  readonly totalShots: string
  readonly coverLook: Look | undefined
  /** Newest first. */
  readonly works: readonly Work[]
}

/** Of pictures that are elsewhere it isn't known how they look. */
export type Work = Shot & {
  readonly large_image: string
  readonly look: Look | undefined
  readonly largeLook: Look | undefined
}

/**
 * A work among those of others. The title is the start of it, in one line; so is `words`,
 * what feeds say of it, which only the newest works have.
 */
export type Tile = Pick<Shot, 'id' | 'title' | 'date' | 'image' | 'tags' | 'draft'> & {
  readonly look?: Look | undefined
  readonly words?: string | undefined
}

/** A member among others: all that shared pages need. */
export type Summary = Pick<
  MemberData,
  'id' | 'username' | 'name' | 'location' | 'avatar' | 'skills' | 'aliases'
> & { readonly works: readonly Tile[] }

/** What a member's checked files come to, for pages. Drafts are shown if they are given. */
export const memberData = (
  { shots, ...whole }: Omit<Whole, 'published' | 'latest'>,
  site: Site,
) =>
  memberWith({ ...whole, works: shots.map((shot) => toWork(shot, whole.looks, site)) }, site)

/** A shot as pages show it. */
export const toWork = (shot: Shot, looks: Whole['looks'], site: Site): Work => {
  const url = (asset: string) => assetUrl(asset, 'https', site)
  const image = url(shot.image)
  const large_image = url(shot.large_image ?? shot.image)
  const attachment = url(shot.attachment)
  const largeLook = looks.get(large_image)
  // to add what a shot lacks behind its spread takes V8 ten times as long
  return { look: looks.get(image), largeLook, ...shot, image, large_image, attachment }
}

/** The same of a member whose works are known, in any order. */
export const memberWith = (
  {
    username,
    profile,
    works,
    looks,
  }: Pick<Whole, 'username' | 'profile' | 'looks'> & Pick<MemberData, 'works'>,
  site: Site,
): MemberData => {
  const cover_image = assetUrl(profile.cover_image, 'https', site)
  return {
    ...profile,
    username,
    name: cut(profile.name, 80),
    location: cut(profile.location, 60),
    totalShots: profile.totalShots ?? String(works.filter(({ draft }) => !draft).length),
    avatar: assetUrl(profile.avatar, 'https', site),
    cover_image,
    coverLook: looks.get(cover_image),
    works: works.toSorted(byNewest),
    aliases: profile.aliases.filter(mayHavePages),
  }
}

/** members/index.html is the page of all members. */
export const mayHavePages = (username: string): boolean =>
  username.toLowerCase() !== 'index.html'

export const summarize = (member: MemberData): Summary => {
  const { id, username, name, location, avatar, skills, aliases } = member
  const works = member.works.map((work, at): Tile => {
    const { id, date, image, tags, draft, look } = work
    const tile = { id, title: cut(work.title, 160), date, image, tags, draft, look }
    return at < mostInFeed ? { ...tile, words: cut(work.description, 300) } : tile
  })
  return { id, username, name, location, avatar, skills, aliases, works }
}

/** A summary as it is kept: a line for the member, and one for each work. */
export const linesOf = ({ works, ...about }: Summary): readonly string[] =>
  [about, ...works].map((part) => JSON.stringify(part))

export const summaryIn = (lines: readonly string[]): Summary => {
  const [about, ...works] = lines.map((line) => JSON.parse(line))
  return { ...about, works }
}

/** Works of one member that feeds show. */
export const mostInFeed = 5

/** A work and whose it is. */
export type Entry = { readonly member: Summary; readonly work: Tile }

export const groupKinds = ['tags', 'skills', 'places'] as const

export type GroupKind = (typeof groupKinds)[number]

/** A tag has works, a skill or a place members. */
export type Item = Entry | Summary

/** What has the same word. */
export type Group<T = Item> = {
  /** As it is written first. */
  readonly label: string
  readonly items: readonly T[]
}

/** What shows items: their newest works. */
export const worksOf = (items: readonly Item[]): readonly Tile[] =>
  items.flatMap((one) => ('work' in one ? one.work : one.works.slice(0, 1)))

/** By the name in their addresses, sorted by it. */
export type Groups<T = Item> = ReadonlyMap<string, Group<T>>

/**
 * All members, in the orders in which pages show them. The order of those given makes no
 * difference.
 */
export type Index = ReturnType<typeof createIndex>

export const createIndex = (summaries: readonly Summary[]) => {
  const keyed = summaries.map(
    (member) => [`${fold(member.name)}\0${member.username}`, member] as const,
  )
  const members = keyed.sort(byKey).map(([, member]) => member)
  const newest = members.flatMap((member) =>
    member.works.map((work): Entry => ({ member, work })),
  )
  newest.sort((a, b) => byNewest(a.work, b.work))
  return {
    /** By name. */
    members,
    newest,
    /** By alias: the username of today. */
    aliases: new Map(
      members.flatMap(({ aliases, username }) => aliases.map((alias) => [alias, username])),
    ),
    tags: group(newest, ({ work }) => work.tags),
    skills: group(members, ({ skills }) => skills),
    places: group(members, ({ location }) => (location === '' ? [] : [location])),
  }
}

const group = <T>(
  items: readonly T[],
  wordsOf: (item: T) => readonly string[],
): Groups<T> => {
  const groups = new Map<string, { label: string; items: T[] }>()
  const slugs = new Map<string, string>()
  for (const item of items) {
    for (const label of wordsOf(item)) {
      const slug = slugs.get(label) ?? slugOf(label)
      slugs.set(label, slug)
      const known = groups.get(slug)
      if (!known) groups.set(slug, { label, items: [item] })
      else if (known.items.at(-1) !== item) known.items.push(item)
    }
  }
  return new Map([...groups].sort(byKey))
}
