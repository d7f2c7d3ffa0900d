import path from 'node:path'
import { type ContentFolder, inMember, isPicturePath, stemOf } from '../content/layout.ts'
import type { Loader } from '../content/load.ts'
import { type Profile, pictureKeys, type Shot, toProfile, toShot } from '../content/member.ts'
import { type Mapping, mappingOf } from '../content/parse/data.ts'
import {
  type ContentFile,
  filesOf,
  type MemberFiles,
  type MemberKind,
  openFile,
  readMember,
} from '../content/read/open.ts'
import { createReader, type Reader } from '../content/read/read-file.ts'
import { type Site, toSite } from '../content/site.ts'
import { isPathBelow } from '../files/folder.ts'
import { type MemberData, memberWith, toWork, type Work } from '../gallery/data.ts'
import { addressOf } from '../gallery/page.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import type { BuildResult } from '../snapshot/build.ts'
import { type Claiming, findClashes } from '../snapshot/clashes.ts'
import { compileMember, holdingsOf, type Tools } from '../snapshot/compile.ts'
import { attempt } from './attempt.ts'
import { createPictures, type Pictures } from './pictures.ts'
import { createSummaries } from './summaries.ts'
import type { Touched } from './watch.ts'

/** What a build found. */
export type Found = Pick<BuildResult, 'tools' | 'diagnostics' | 'usernames' | 'entries'>

/**
 * The same; the site is as it was right last, and has no address before that. Nothing is
 * built before the first time.
 */
type Known = Omit<Found, 'tools'> & { readonly site: Site; readonly tools?: Tools }

/** A file of a member as the pages show it. */
export type Part = Pick<ContentFile<MemberKind>, 'kind' | 'below'> & {
  readonly username: string
  /** As diagnostics name it. */
  readonly file: string
  /**
   * The work's name in addresses: its id, or one of ours where that can't be told from
   * others; `''` of a profile.
   */
  readonly id: string
  /** `undefined` if it can't be read as text. */
  readonly text: string | undefined
  /** The name that git gives to the bytes; `''` if they can't be read. */
  readonly oid: string
  /** What it says, or what can be guessed of that. */
  readonly shown: Profile | Shot
  /** The same of a work, among those of the member. */
  readonly work?: Work
}

/** A member with all works: each is on the page. What can't be read of it is empty. */
export type Shown = { readonly member: MemberData; readonly parts: readonly Part[] }

/** The same with its files: what they say need not be read again until the next build. */
type Looked = Shown & { readonly files: MemberFiles | undefined }

/** What is known before the first build. */
const nothing: Known = {
  site: toSite({ base_url: '' }),
  diagnostics: [],
  usernames: [],
  entries: new Map(),
}

/** The content as it is on the disk, for pages. */
export type Content = ReturnType<typeof watchedContent>

export const watchedContent = (folder: ContentFolder, loader: Loader) => {
  const reader = createReader(folder)
  const { belowOf, ownerOf } = pathsIn(folder)
  let found: Known = nothing
  const pictures = createPictures(folder, () => found)
  let members: ReadonlySet<string> = new Set()
  // a file that has just gone is one that can't be read
  const read: Reader = (below, size) => attempt(() => reader(below, size)) ?? { oid: '' }
  const opening = (from = read) => ({
    content: folder,
    loader,
    read: from,
    facts: found.site,
  })

  /** A member as it is on the disk. */
  const look = (username: string): Looked | undefined => {
    if (!members.has(username)) return undefined
    const files = attempt(() => readMember(username, opening()))
    const parts = files
      ? filesOf(files).map((file) => readPart(file, username, pictures))
      : []
    return { ...compose(username, parts, { pictures, site: found.site }), files }
  }

  const summaries = createSummaries((username) => look(username)?.member)
  const seen = new Map<string, Looked>()

  /** A member as it was when a page first showed it since the last build. */
  const member = (username: string): Looked | undefined => {
    const shown = seen.get(username) ?? look(username)
    if (shown) seen.set(username, shown)
    return shown
  }

  return {
    folder,
    loader,
    pictures,
    member,
    ownerOf,
    belowOf,
    partOf: (file: string): Part | undefined =>
      member(ownerOf(file))?.parts.find((one) => one.file === file),
    summaries,
    read,
    opening,
    /** What the last build found. */
    found: () => found,
    /** Takes what a build found, and looks again at the members that may have changed. */
    update: (next: Found, touched: Touched): void => {
      found = { ...next, site: next.tools.site ?? found.site }
      members = new Set(found.usernames)
      summaries.update(members, touched)
      seen.clear()
    },
  }
}

const pathsIn = (folder: ContentFolder) => {
  const start = `${folder.name}/`
  /** The path below the content folder of a file as diagnostics name it; `''` is none. */
  const belowOf = (file: string): string => {
    const below = file.slice(start.length)
    return file.startsWith(start) && isPathBelow(below) ? below : ''
  }
  /** The member whose file it is; `''` is none. */
  const ownerOf = (file: string): string => inMember(belowOf(file), folder).username
  return { belowOf, ownerOf }
}

/** The page on which a file is seen. */
export const pageOf = (file: string, { ownerOf, partOf, member }: Content): string => {
  const username = ownerOf(file)
  const id = partOf(file)?.id
  if (member(username) === undefined) return '/'
  return id ? addressOf.work(username, id) : addressOf.member(username)
}

/** What a file says if it has this text, and the member as it will be shown. */
export const lookWith = (
  { kind, below, file, username }: Part,
  text: string,
  { opening, pictures, member, found }: Content,
) => {
  const read = () => ({ oid: '', source: { file, text } })
  const edited = openFile(kind, below, opening(read))
  const part = readPart(edited, username, pictures)
  const parts = member(username)?.parts ?? []
  const after = parts.map((one) => (one.file === file ? part : one))
  return { edited, ...compose(username, after, { pictures, site: found().site }) }
}

/**
 * What a check would find if a file were as it is edited: all in the file, and errors that
 * are new elsewhere.
 */
export const checkWith = (
  { file, username }: Part,
  edited: ContentFile<MemberKind>,
  { member, found }: Content,
): readonly Diagnostic[] => {
  const { entries, diagnostics, tools } = found()
  const { files } = member(username) ?? {}
  if (files === undefined || tools === undefined) return []
  const put = <K extends MemberKind>(one: ContentFile<K>) =>
    one.file === file ? (edited as ContentFile<K>) : one
  const { profile, shots } = files
  const after = { ...files, profile: profile && put(profile), shots: shots.map(put) }
  const { claims = '', from } = entries.get(username) ?? {}
  const now = compileMember(after, tools, { seen: from?.pictures ?? {}, only: edited })
  const own: Claiming = { username, claims: now.claims }
  const claiming = new Map<string, Claiming>(entries).set(username, own)
  const held = (one: Claiming, wanted: ReadonlySet<string>) => {
    const its = one === own ? after : member(one.username)?.files
    return its ? holdingsOf(its, tools.content, wanted) : []
  }
  // few edits are about what others may have, too, and a large site claims much
  const clashes = claims === now.claims ? [] : findClashes([...claiming.values()], held)
  const known = new Set(diagnostics.map(({ message }) => message))
  return [...now.diagnostics, ...clashes].filter(
    (one) => one.file === file || (one.severity === 'error' && !known.has(one.message)),
  )
}

/** A file as pages show it, with its own pictures at addresses of the preview. */
const readPart = (
  file: ContentFile<MemberKind>,
  username: string,
  pictures: Pictures,
): Part => {
  const { kind, below, file: name } = file
  const { source, oid } = file.read()
  const shown = file.loaded().value ?? guess(file, username)
  const keys: readonly string[] = pictureKeys[kind]
  const own = Object.entries(shown)
    .filter(([key, value]) => keys.includes(key) && isPicturePath(`${value}`))
    .map(([key, value]) => [key, pictures.urlOf(name, `${value}`)])
  const withOwn = { ...shown, ...Object.fromEntries(own) }
  return {
    kind,
    below,
    username,
    file: name,
    id: '',
    text: source?.text,
    oid,
    shown: withOwn,
  }
}

/** What pages show of a member whose files say this. */
const compose = (
  username: string,
  files: readonly Part[],
  { pictures: { looks }, site }: { readonly pictures: Pictures; readonly site: Site },
): Shown => {
  const taken = new Set([''])
  let profile = toProfile({ name: username })
  const parts = files.map((part) => {
    const { shown, below } = part
    if (!('title' in shown)) {
      profile = shown
      return part
    }
    const id = taken.has(shown.id) ? `!${stemOf(path.posix.basename(below))}` : shown.id
    taken.add(shown.id)
    // most are as they were before somebody typed
    return part.id === id
      ? part
      : { ...part, id, work: toWork({ ...shown, id }, looks, site) }
  })
  const works = parts.flatMap(({ work = [] }) => work)
  return { member: memberWith({ username, profile, works, looks }, site), parts }
}

/**
 * What can be read of a file that is wrong: texts, and lists of words where such are. Its id
 * is nobody's.
 */
const guess = (file: ContentFile<MemberKind>, username: string): Profile | Shot => {
  const { kind, below } = file
  const readable = Object.entries(mappingOf(file.parsed().data)).filter(([key, value]) =>
    ['skills', 'aliases', 'tags'].includes(key)
      ? Array.isArray(value) && value.every((one) => typeof one === 'string')
      : typeof value === 'string' && value !== '' && key !== 'projects',
  )
  const known: Mapping = Object.fromEntries(readable)
  if (kind === 'profile') return toProfile({ name: username, ...known })
  const day = /^\d{4}-(?:0[1-9]|1[0-2])-\d\d/.exec(String(known.date))?.[0]
  return toShot({
    title: stemOf(path.posix.basename(below)),
    ...known,
    id: '',
    date: day ?? '0001-01-01',
  })
}
