import { hash } from 'node:crypto'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isPicturePath, names, stemOf } from '../content/layout.ts'
import { createLoader } from '../content/load.ts'
import type { Profile, Shot } from '../content/member.ts'
import type { Data } from '../content/parse/data.ts'
import { parse } from '../content/parse/parse.ts'
import { createReader } from '../content/read/read-file.ts'
import { type ContentFolder, scanMember } from '../content/read/scan.ts'
import { noGallery, type Site } from '../content/site.ts'
import type { HostName } from '../content/values/formats.ts'
import { findEntry } from '../files/folder.ts'
import { readBlobs, readTree, type TreeFile } from '../files/git.ts'
import {
  createIndex,
  type Index,
  type MemberData,
  memberData,
  type Summary,
  summarize,
} from '../gallery/data.ts'
import { kindOfName } from '../pictures/picture.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { mayPass } from '../problems/user-error.ts'
import type { Touched } from './watch.ts'

/** What a build found. */
export type Found = {
  readonly site: Site | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly usernames: readonly string[]
}

/** A file of a member as the pages show it. */
export type Part = {
  readonly kind: 'profile' | 'shot'
  /** As diagnostics name it. */
  readonly file: string
  /** The work's name in addresses: its id, or one of ours where that can't be told from others. */
  readonly id: string
  /** `undefined` if it can't be read as text. */
  readonly text: string | undefined
  /** The name that git gives to the bytes; `''` if they can't be read. */
  readonly oid: string
  /** Whether the file is wrong by itself: what can be read of it is shown. */
  readonly wrong: boolean
}

/** A member with all works, broken ones first: each is on the page. */
export type Shown = {
  /** The member's id; `''` if it can't be read. */
  readonly id: string
  readonly member: MemberData
  readonly parts: readonly Part[]
}

/** A difference from the last commit, by key; `undefined` is no such key. */
export type Change = {
  readonly key: string
  readonly before: Data | undefined
  readonly after: Data | undefined
}
/** How a file differs from the last commit. */
export type FileChange = Pick<Part, 'file' | 'id'> & {
  readonly state: 'new' | 'changed' | 'gone'
  readonly changes: readonly Change[]
}

/** The content as it is on the disk, for pages. */
export type Content = {
  /** Takes what a build found, and looks again at the members that it may have changed. */
  readonly update: (found: Found, touched: Touched) => void
  /** As it was right last; `undefined` before that. */
  readonly site: () => Site | undefined
  readonly diagnostics: () => readonly Diagnostic[]
  readonly usernames: () => readonly string[]
  readonly member: (username: string) => Shown | undefined
  /** The same, as if a file had another text. */
  readonly memberWith: (username: string, other: { readonly file: string; readonly text: string }) => Shown
  /** The index of all members, once all were looked at. */
  readonly index: () => Promise<Index>
  /** The name that a member has now, who was removed or renamed while the preview ran. */
  readonly movedTo: (username: string) => string | undefined
  /** The address at which pages show a picture of the content; `''` if there is none. */
  readonly pictureUrl: (file: string, value: string) => string
  /** The picture below the content folder that such an address, `/pictures/<h>.jpg`, names. */
  readonly pictureAt: (asked: string) => string | undefined
  /** What differs from the last commit; none where there is no repository. */
  readonly changesOf: (username: string) => readonly FileChange[]
}

export const watchedContent = (
  content: ContentFolder,
  { hostNames }: { readonly hostNames: readonly HostName[] },
): Content => {
  const reader = createReader(content)
  const loader = createLoader({ hostNames })
  let found: Found = { site: undefined, diagnostics: [], usernames: [] }
  let members: ReadonlySet<string> = new Set()
  const summaries = new Map<string, Summary>()
  const seen = new Map<string, Shown>()
  /** Members to be looked at again. */
  const waiting = new Set<string>()
  const idsOf = new Map<string, string>()
  /** Pictures of the content by the address that stands for them. */
  const pictures = new Map<string, string>()
  let index: Index | undefined
  let looking: Promise<void> | undefined

  const read = (file: string): { readonly text?: string; readonly oid: string } => {
    try {
      const { source, oid } = reader(file.slice(content.name.length + 1))
      return source === undefined ? { oid } : { text: source.text, oid }
    } catch (error) {
      if (mayPass(error)) return { oid: '' } // gone meanwhile: the next build tells
      throw error
    }
  }

  const pictureUrl = (file: string, value: string): string => {
    const below = path.posix.join(path.posix.dirname(file).slice(content.name.length + 1), value)
    const kind = kindOfName(value)
    if (kind === undefined || !below.startsWith(`${names.members}/`)) return ''
    let stat: ReturnType<typeof findEntry>
    try {
      stat = findEntry(content.path, below)
    } catch (error) {
      if (!mayPass(error)) throw error
    }
    if (!stat?.isFile()) return ''
    // another name whenever the file changes, as with what is published
    const name = hash('sha256', `${below} ${stat.mtimeMs} ${stat.size} ${stat.ino}`).slice(0, 32)
    const asked = `/pictures/${name}.${kind}`
    if (pictures.size >= mostPictures) pictures.clear()
    pictures.set(asked, below)
    return `${found.site?.baseUrl ?? ''}${asked}`
  }

  /** Its own pictures at addresses of the preview. */
  const withOwn = <T extends Profile | Shot>(value: T, file: string): T =>
    Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        typeof one === 'string' && isPicturePath(one) && key in ownPictureKeys ? pictureUrl(file, one) : one,
      ]),
    ) as T

  const look = (username: string, other?: { readonly file: string; readonly text: string }): Shown => {
    const folder = `${content.name}/${names.members}/${username}`
    const readOr = (file: string): ReturnType<typeof read> =>
      other?.file === file ? { text: other.text, oid: '' } : read(file)
    let scan: Pick<ReturnType<typeof scanMember>, 'profile' | 'shots'> = { profile: undefined, shots: [] }
    try {
      scan = scanMember(username, content)
    } catch (error) {
      if (!mayPass(error)) throw error
    }
    const file = `${folder}/${scan.profile ?? `${names.profile}.yaml`}`
    const { text, oid } = scan.profile === undefined ? { oid: '' } : readOr(file)
    const right = text === undefined ? undefined : loader.loadProfile({ file, text }, found.site).value
    const profile = withOwn(right ?? guessProfile(text, username), file)
    const parts: Part[] = [{ kind: 'profile', file, id: '', text, oid, wrong: right === undefined }]
    const shots = scan.shots.map((name) => {
      const file = `${folder}/${names.shots}/${name}`
      const { text, oid } = readOr(file)
      const right = text === undefined ? undefined : loader.loadShot({ file, text }, found.site).value
      const shot = withOwn(right ?? guessShot(text, name), file)
      const taken = parts.some(({ id }) => id === shot.id)
      const id = right !== undefined && !taken ? shot.id : `!${stemOf(name)}`
      parts.push({ kind: 'shot', file, id, text, oid, wrong: right === undefined })
      return { ...shot, id }
    })
    const member = memberData({ username, profile, shots }, found.site ?? nowhere)
    const files = new Set(found.diagnostics.flatMap((one) => (one.severity === 'error' ? [one.file] : [])))
    const isBroken = new Set(parts.filter(({ file }) => files.has(file)).map(({ id }) => id))
    const [broken, others] = [true, false].map((want) =>
      member.works.filter(({ id }) => isBroken.has(id) === want),
    )
    return { id: profile.id, member: { ...member, works: [...broken!, ...others!] }, parts }
  }

  const refresh = (username: string): Shown => {
    const shown = look(username)
    waiting.delete(username)
    if (seen.size >= mostSeen) seen.clear()
    seen.set(username, shown)
    summaries.set(username, summarize(shown.member))
    index = undefined
    if (shown.id !== '') idsOf.set(username, shown.id)
    return shown
  }

  const lookAtAll = async (): Promise<void> => {
    let count = 0
    for (const username of waiting) {
      if (members.has(username)) refresh(username)
      if (++count % breath === 0) await setImmediate()
    }
  }

  const member = (username: string): Shown | undefined => {
    if (!members.has(username)) return undefined
    return waiting.has(username) ? refresh(username) : (seen.get(username) ?? refresh(username))
  }

  return {
    update: (next, touched) => {
      found = { ...next, site: next.site ?? found.site }
      members = new Set(next.usernames)
      for (const username of members) {
        if (touched === 'all' || touched.has(username) || !summaries.has(username)) waiting.add(username)
      }
      for (const username of summaries.keys()) if (!members.has(username)) summaries.delete(username)
      index = undefined
      seen.clear()
      // pages that people wait for are made first; what fails here fails there, and is told
      setTimeout(() => void lookAtAllOnce().catch(() => {}), restMs).unref()
    },
    site: () => found.site,
    diagnostics: () => found.diagnostics,
    usernames: () => found.usernames,
    member,
    memberWith: look,
    pictureUrl,
    pictureAt: (asked) => pictures.get(asked),
    index: async () => {
      await lookAtAllOnce()
      index ??= createIndex([...summaries.values()])
      return index
    },
    movedTo: (username) => {
      const id = idsOf.get(username)
      for (const waits of [...waiting]) if (members.has(waits) && !idsOf.has(waits)) refresh(waits)
      return [...idsOf].find(([name, one]) => one === id && members.has(name))?.[0]
    },
    changesOf: (username) => {
      const shown = member(username)
      return shown === undefined ? [] : changesOf(shown.parts, content, username)
    },
  }

  function lookAtAllOnce(): Promise<void> {
    looking ??= lookAtAll().finally(() => {
      looking = undefined
    })
    return looking
  }
}

/** Where assets lie as long as nobody said. */
export const nowhere: Site = {
  ...{ baseUrl: '', assets: { https: '', http: '' }, portsAllowed: false, gallery: noGallery },
  ...{
    defaults: { type_account: '0', status: '0' },
    hosts: [],
    precompress: [],
    reserved: [],
    openapi: false,
    members: false,
    all: false,
    schemes: ['https', 'http'],
  },
}

/** Members that are kept whole, and members that are looked at without a pause. */
const mostSeen = 50
const breath = 20
const mostPictures = 10_000
const ownPictureKeys = { avatar: true, cover_image: true, image: true, large_image: true }
const restMs = 1000

type Read = Readonly<Record<string, Data>>

/** What can be read of a file that is wrong. */
const readAll = (
  text: string | undefined,
): { readonly data: Read; readonly word: (key: string) => string } => {
  const { data } = parse({ file: '', text: text ?? '' })
  const read: Read = typeof data === 'object' && !Array.isArray(data) ? (data as Read) : {}
  return {
    data: read,
    word: (key) => {
      const value = read[key]
      return typeof value === 'string' ? value : ''
    },
  }
}

const listOf = (data: Data | undefined): readonly string[] =>
  Array.isArray(data) ? data.filter((item: Data): item is string => typeof item === 'string') : []

const guessProfile = (text: string | undefined, username: string): Profile => {
  const { data, word } = readAll(text)
  const none = undefined
  return {
    ...{ id: word('id'), name: word('name') || username, location: word('location'), bio: word('bio') },
    ...{ twitter: word('twitter'), website: word('website'), skills: listOf(data.skills) },
    ...{ avatar: word('avatar'), cover_image: word('cover_image'), type_account: none },
    ...{ totalFollowers: '0', totalFollowing: '0', Likes: '0', Lists: '0', Listed: '0' },
    ...{ totalShots: none, Projects: none, projects: [], aliases: listOf(data.aliases) },
  }
}

const guessShot = (text: string | undefined, name: string): Shot => {
  const { data, word } = readAll(text)
  const none = undefined
  const date = /^\d{4}-(?:0[1-9]|1[0-2])-\d\d$/.exec(word('date').slice(0, 10))?.[0] ?? '0001-01-01'
  const read: Omit<Shot, 'alt'> = {
    ...{ id: word('id'), title: word('title') || stemOf(name), date: `${date} 00:00:00` },
    ...{ image: word('image'), large_image: word('large_image') || none, description: word('description') },
    ...{ tags: listOf(data.tags), id_project: '0', status: none, attachment: word('attachment') },
    ...{ url_purchased: word('url_purchased'), price_item: word('price_item'), token_id: none },
    draft: word('draft') === 'true',
  }
  return { ...read, alt: word('alt') } as Shot
}

/** Compares a member's files with those of the last commit. */
const changesOf = (
  parts: readonly Part[],
  content: ContentFolder,
  username: string,
): readonly FileChange[] => {
  const below = `${names.members}/${username}`
  let committed: readonly TreeFile[]
  let top: string
  try {
    const tree = readTree(`${content.path}/${below}`, 'HEAD')
    committed = tree.files.filter(({ plain, path }) => plain && /\.ya?ml$/.test(path))
    top = tree.top
  } catch (error) {
    if (mayPass(error)) return [] // no repository, or no commit yet
    throw error
  }
  const known = new Map(committed.map((one) => [`${content.name}/${below}/${one.path}`, one]))
  const differing = parts.filter(({ file, oid }) => oid !== '' && known.get(file)?.oid !== oid)
  const gone = [...known.keys()].filter(
    (file) => !parts.some((part) => part.file === file && part.oid !== ''),
  )
  const wanted = [...differing.map(({ file }) => file), ...gone].flatMap((file) => known.get(file)?.oid ?? [])
  const before = new Map<string, string>()
  readBlobs(top, wanted, (bytes, at) =>
    before.set(wanted[at]!, bytes.toString('utf8').replace(/^\ufeff/, '')),
  )
  const textOf = (file: string): string | undefined => before.get(known.get(file)?.oid ?? '')
  return [
    ...differing.flatMap(({ file, id, text }): FileChange[] => {
      const old = textOf(file)
      const changes = compare(old, text)
      return changes.length === 0 ? [] : [{ file, id, state: old === undefined ? 'new' : 'changed', changes }]
    }),
    ...gone.map((file): FileChange => ({ file, id: '', state: 'gone', changes: compare(textOf(file), '') })),
  ]
}

const compare = (before: string | undefined, after: string | undefined): readonly Change[] => {
  const [old, now] = [readAll(before).data, readAll(after).data]
  const isSame = (key: string): boolean => JSON.stringify(old[key]) === JSON.stringify(now[key])
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((key) => !isSame(key))
    .map((key) => ({ key, before: old[key], after: now[key] }))
}
