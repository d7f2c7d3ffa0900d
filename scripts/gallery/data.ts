import { assetUrl, byNewest } from '../api/records.ts'
import type { Profile, Shot } from '../content/member.ts'
import type { Site } from '../content/site.ts'

/**
 * What pages are made from. Read this first, then `render.ts`, which knows all addresses, then `pages.ts`. A member's
 * own pages need `MemberData`; pages that show many members need their `Summary` and the `Index` of all. Pictures and
 * attachments have the addresses of the https variant; `''` is none.
 */
export type MemberData = Profile & {
  readonly username: string
  /** Newest first. */
  readonly works: readonly (Shot & { readonly large_image: string })[]
}

/** A work among those of others; the title is the start of it, in one line. */
type Tile = Pick<Shot, 'id' | 'title' | 'date' | 'image' | 'tags' | 'draft'>

/** A member among others: all that shared pages need. */
export type Summary = Pick<
  MemberData,
  'id' | 'username' | 'name' | 'location' | 'avatar' | 'skills' | 'aliases'
> & { readonly works: readonly Tile[] }

/** What a member's checked files come to, for pages. Drafts are shown if they are given. */
export const memberData = (
  { username, profile, shots }: { username: string; profile: Profile; shots: readonly Shot[] },
  site: Site,
): MemberData => {
  const url = (asset: string): string => assetUrl(asset, 'https', site)
  const works = [...shots].sort(byNewest).map((shot) => ({
    ...shot,
    image: url(shot.image),
    large_image: url(shot.large_image ?? shot.image),
    attachment: url(shot.attachment),
  }))
  return {
    ...profile,
    username,
    avatar: url(profile.avatar),
    cover_image: url(profile.cover_image),
    works,
    // members/index.html is the page of all members
    aliases: profile.aliases.filter((alias) => alias.toLowerCase() !== 'index.html'),
  }
}

export const summarize = (member: MemberData): Summary => {
  const { id, username, name, location, avatar, skills, aliases } = member
  const works = member.works.map(({ id, title, date, image, tags, draft }) => {
    return { id, title: cut(title, 200), date, image, tags, draft }
  })
  return { id, username, name, location, avatar, skills, aliases, works }
}

/** A work and whose it is. */
export type Entry = { readonly member: Summary; readonly work: Tile }

export const groupKinds = ['tags', 'skills', 'places'] as const

export type GroupKind = (typeof groupKinds)[number]

/** What has the same word: a tag's works, or the members of a skill or a place. */
export type Group<T> = {
  /** As it is written first. */
  readonly label: string
  readonly items: readonly T[]
}

/** The same function, which remembers what it made of a text; of 100,000 texts at most. */
export function memoize<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    let made = known.get(text)
    if (made === undefined) {
      made = make(text)
      if (known.size > 100_000) known.clear()
      known.set(text, made)
    }
    return made
  }
}

/** All members, in the orders in which pages show them. */
export type Index = {
  /** By name. */
  readonly members: readonly Summary[]
  /** By alias: the username of today. */
  readonly aliases: ReadonlyMap<string, string>
  /** Newest first. */
  readonly newest: readonly Entry[]
  /** By the name in their addresses, sorted by it; works newest first. */
  readonly tags: ReadonlyMap<string, Group<Entry>>
  readonly skills: ReadonlyMap<string, Group<Summary>>
  readonly places: ReadonlyMap<string, Group<Summary>>
}

/** The order of the members given makes no difference. */
export const createIndex = (summaries: readonly Summary[]): Index => {
  const keyed = summaries.map((member) => [`${fold(member.name)}\0${member.username}`, member] as const)
  const members = keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, member]) => member)
  const newest = members.flatMap((member) => member.works.map((work): Entry => ({ member, work })))
  newest.sort((a, b) => byNewest(a.work, b.work))
  return {
    members,
    newest,
    aliases: new Map(members.flatMap(({ aliases, username }) => aliases.map((alias) => [alias, username]))),
    tags: group(newest, ({ work }) => work.tags),
    skills: group(members, ({ skills }) => skills),
    places: group(members, ({ location }) => (location.trim() === '' ? [] : [location])),
  }
}

const group = <T>(
  items: readonly T[],
  wordsOf: (item: T) => readonly string[],
): ReadonlyMap<string, Group<T>> => {
  const groups = new Map<string, { label: string; items: T[] }>()
  for (const item of items) {
    for (const word of wordsOf(item)) {
      const slug = slugOf(word)
      const known = groups.get(slug)
      if (known === undefined) groups.set(slug, { label: word, items: [item] })
      else if (known.items.at(-1) !== item) known.items.push(item)
    }
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What a search compares: letter case, marks on letters and forms of the same character make no difference. */
export const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * The name of a tag, skill or place in addresses and on disk: in lower case, with `-` for spaces. What some disk or
 * host would not take is left out, and a number made from the word keeps it apart.
 */
export const slugOf = memoize((word: string): string => {
  const text = word
    .normalize('NFC')
    .toLowerCase()
    .trim()
    .replace(/[\s,]+/g, '-')
  const safe = text.replace(/[^\p{L}\p{M}\p{N}+_.-]/gu, '').replace(/^[.~-]+|[.-]+$/g, '')
  const short = [...safe].slice(0, 40).join('')
  const isTaken = /^(?:(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|index\.html$)/.test(short)
  return short === text && text !== '' && !isTaken ? text : `${short}~h${numberOf(text).toString(36)}`
})

/** The same for the same text (FNV-1a). */
export const numberOf = (text: string): number => {
  let number = 0x811c9dc5
  for (let at = 0; at < text.length; at++) number = Math.imul(number ^ text.charCodeAt(at), 0x01000193)
  return number >>> 0
}

/** The start of a text, in one line. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length && !/^\s|\s\s|[^\S ]|\s$/.test(text)) return text
  const line = text
    .slice(0, length * 8)
    .replace(/\s+/g, ' ')
    .trim()
  const chars = [...line]
  return chars.length > length ? `${chars.slice(0, length - 1).join('')}…` : line
}
