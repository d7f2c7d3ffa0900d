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
import type { MemberFile } from '../edit/members.ts'
import { findEntry } from '../files/folder.ts'
import { type MemberData, memberData } from '../gallery/data.ts'
import { addressOf } from '../gallery/page.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import type { BuildResult } from '../snapshot/build.ts'
import { compileMember, createTools } from '../snapshot/compile.ts'
import { attempt } from './attempt.ts'
import { createPictures, type Pictures } from './pictures.ts'
import { createSummaries } from './summaries.ts'
import type { Touched } from './watch.ts'

/** What a build found. */
export type Found = Pick<BuildResult, 'site' | 'source' | 'diagnostics' | 'usernames' | 'claims'>

/** The same; the site is as it was right last, and has no address before that. */
type Known = Found & { readonly site: Site }

/** A file of a member as the pages show it. */
export type Part = MemberFile & {
  readonly username: string
  /** As diagnostics name it. */
  readonly file: string
  /** The work's name in addresses: its id, or one of ours where that can't be told from others; `''` of a profile. */
  readonly id: string
  /** `undefined` if it can't be read as text. */
  readonly text: string | undefined
  /** The name that git gives to the bytes; `''` if they can't be read. */
  readonly oid: string
  /** What it says, or what can be guessed of that. */
  readonly shown: Profile | Shot
}

/** A member with all works, broken ones first: each is on the page. What can't be read of it is empty. */
export type Shown = { readonly member: MemberData; readonly parts: readonly Part[] }

/** The same with its files; `undefined` where they come and go meanwhile. */
type Looked = Shown & { readonly files: MemberFiles | undefined }

/** What is known before the first build. */
const nothing: Known = {
  ...{ source: undefined, diagnostics: [], usernames: [], claims: new Map() },
  site: toSite({ base_url: '' }),
}

/** The content as it is on the disk, for pages. */
export type Content = ReturnType<typeof watchedContent>

export const watchedContent = (folder: ContentFolder, loader: Loader) => {
  const reader = createReader(folder)
  const start = `${folder.name}/`
  let found: Known = nothing
  const pictures = createPictures(folder, () => found.site)
  let members: ReadonlySet<string> = new Set()
  // a file that has just gone is one that can't be read
  const read: Reader = (below, size) => attempt(() => reader(below, size)) ?? { oid: '' }
  const opening = (from = read) => ({ content: folder, loader, read: from, facts: found.site })

  /** A member as it is on the disk; `known` files that are as they were are not read again. */
  const look = (username: string, known?: MemberFiles): Looked | undefined => {
    if (!members.has(username)) return undefined
    const files = attempt(() => readMember(username, opening(), known))
    const parts = files ? filesOf(files).map((file) => readPart(file, username, pictures)) : []
    return { ...compose(username, parts, found), files }
  }

  const summaries = createSummaries((username) => look(username)?.member)
  const seen = createSeen(look)

  /** A member as it was when a page first showed it since the last build. */
  const member = (username: string): Shown | undefined => {
    const shown = seen.get(username)
    if (shown) summaries.add(shown.member)
    return shown
  }

  /** The member whose file it is; `''` is none. */
  const ownerOf = (file: string): string =>
    file.startsWith(start) ? inMember(file.slice(start.length), folder).username : ''

  return {
    folder,
    loader,
    pictures,
    look,
    member,
    ownerOf,
    partOf: (file: string): Part | undefined =>
      member(ownerOf(file))?.parts.find((one) => one.file === file),
    summaries,
    read,
    opening,
    /** The files of a member as they were shown last. */
    filesOf: (username: string) => seen.get(username)?.files,
    /** What the last build found. */
    found: () => found,
    /** Takes what a build found, and looks again at the members that may have changed. */
    update: (next: Found, touched: Touched): void => {
      const { site } = found
      found = { ...next, site: next.site ?? site }
      members = new Set(found.usernames)
      summaries.update(members, touched)
      // a site that lets assets name ports, or no longer, makes other files right
      seen.renew(found.site.portsAllowed === site.portsAllowed)
    },
  }
}

/** Keeps whole members that are asked for, and the files of those that were before the last renewal. */
const createSeen = (look: (username: string, known?: MemberFiles) => Looked | undefined) => {
  const seen = new Map<string, Looked>()
  let known: ReadonlyMap<string, MemberFiles | undefined> = new Map()
  return {
    get: (username: string): Looked | undefined => {
      const shown = seen.get(username) ?? look(username, known.get(username))
      if (seen.size >= mostSeen) seen.clear()
      if (shown) seen.set(username, shown)
      return shown
    },
    /** All are looked at again; if files may be known, those that are as they were are not read again. */
    renew: (mayKnow: boolean): void => {
      known = new Map(mayKnow ? Array.from(seen, ([username, { files }]) => [username, files]) : [])
      seen.clear()
    },
  }
}

/** Members that are kept whole. */
const mostSeen = 50

/** A file as it is on the disk now, of a member as it was shown last. */
export const lookAt = (
  file: string,
  { folder, pictures, opening, look, ownerOf, partOf }: Content,
): Part | undefined => {
  const part = partOf(file) ?? look(ownerOf(file))?.parts.find((one) => one.file === file)
  if (part === undefined || !attempt(() => findEntry(folder.path, part.below))?.isFile())
    return undefined
  const opened = openFile(part.kind, part.below, opening())
  return { ...readPart(opened, part.username, pictures), id: part.id }
}

/** The page on which a file is seen. */
export const pageOf = (file: string, { ownerOf, partOf, member }: Content): string => {
  const username = ownerOf(file)
  const id = partOf(file)?.id
  if (member(username) === undefined) return '/'
  return id ? addressOf.work(username, id) : addressOf.member(username)
}

/** What a check of a file finds if it has this text, and the member as it will be shown. */
export const lookWith = (
  { kind, below, file, username }: Part,
  text: string,
  { opening, pictures, member, found }: Content,
) => {
  const read = () => ({ oid: '', source: { file, text } })
  const opened = openFile(kind, below, opening(read))
  const part = readPart(opened, username, pictures)
  const parts = member(username)?.parts ?? []
  const after = parts.map((one) => (one.file === file ? part : one))
  const { diagnostics } = opened.loaded()
  return { parsed: opened.parsed(), diagnostics, ...compose(username, after, found()) }
}

/** The errors that a file would make with this text, in all of the member; pictures may still come. */
export const errorsWith = (
  { below, file, username }: Part,
  text: string,
  { folder, loader, opening, read, filesOf, found }: Content,
): readonly Diagnostic[] => {
  const readWith: Reader = (path, size) =>
    path === below ? { oid: '', source: { file, text } } : read(path, size)
  const isOther = (one: ContentFile): boolean => one.below !== below
  const known = filesOf(username)
  const others = known && {
    ...known,
    profile: known.profile && isOther(known.profile) ? known.profile : undefined,
    shots: known.shots.filter(isOther),
  }
  const files = attempt(() => readMember(username, opening(readWith), others))
  if (files === undefined) return []
  const before = new Set(found().diagnostics.map(({ message }) => message))
  const tools = createTools({ ...found(), content: folder, loader })
  return compileMember(files, tools).diagnostics.filter(
    ({ severity, code, message }) =>
      severity === 'error' && code !== 'picture-missing' && !before.has(message),
  )
}

/** A file as pages show it, with its own pictures at addresses of the preview. */
const readPart = (file: ContentFile<MemberKind>, username: string, pictures: Pictures): Part => {
  const { kind, below, file: name } = file
  const { source, oid } = file.read()
  const shown = file.loaded().value ?? guess(file, username)
  const keys: readonly string[] = pictureKeys[kind]
  const own = Object.entries(shown)
    .filter(([key, value]) => keys.includes(key) && isPicturePath(`${value}`))
    .map(([key, value]) => [key, pictures.urlOf(name, `${value}`)])
  const withOwn = { ...shown, ...Object.fromEntries(own) }
  return { kind, below, username, file: name, id: '', text: source?.text, oid, shown: withOwn }
}

/** What pages show of a member whose files say this. */
const compose = (username: string, files: readonly Part[], { site, diagnostics }: Known): Shown => {
  const taken = new Set<string>()
  const parts = files.map((part) => {
    if (part.kind === 'profile') return part
    const { id } = part.shown
    const isClear = id !== '' && !taken.has(id)
    taken.add(id)
    return { ...part, id: isClear ? id : `!${stemOf(path.posix.basename(part.below))}` }
  })
  let profile = toProfile({ name: username })
  const shots: Shot[] = []
  for (const { shown, id } of parts) {
    if ('title' in shown) shots.push({ ...shown, id })
    else profile = shown
  }
  const wrong = new Set(
    diagnostics.flatMap(({ severity, file }) => (severity === 'error' ? file : [])),
  )
  const broken = new Set(parts.flatMap(({ file, id }) => (wrong.has(file) ? id : [])))
  const member = memberData({ username, profile, shots }, site)
  const works = member.works.toSorted((a, b) => Number(broken.has(b.id)) - Number(broken.has(a.id)))
  return { member: { ...member, works }, parts }
}

/** What can be read of a file that is wrong: texts, and lists of words where such are. Its id is nobody's. */
const guess = (
  { kind, below, parsed }: ContentFile<MemberKind>,
  username: string,
): Profile | Shot => {
  const readable = Object.entries(mappingOf(parsed().data)).filter(([key, value]) =>
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
