import { hash } from 'node:crypto'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type ContentFolder, inMember, isPicturePath, names, stemOf } from '../content/layout.ts'
import type { Loader } from '../content/load.ts'
import { type Profile, pictureKeys, type Shot, toProfile, toShot } from '../content/member.ts'
import { type Data, type Mapping, mappingOf } from '../content/parse/data.ts'
import {
  type ContentFile,
  filesOf,
  type MemberFiles,
  type MemberKind,
  type Opening,
  openFile,
  readMember,
} from '../content/read/open.ts'
import { createReader } from '../content/read/read-file.ts'
import { type Site, toSite } from '../content/site.ts'
import type { MemberFile } from '../edit/members.ts'
import { findEntry } from '../files/folder.ts'
import {
  createIndex,
  type Index,
  type MemberData,
  memberData,
  type Summary,
  summarize,
} from '../gallery/data.ts'
import { addressOf, logoFile } from '../gallery/page.ts'
import { kindOfName } from '../pictures/picture.ts'
import { type Diagnostic, mayPass } from '../problems/diagnostic.ts'
import type { BuildResult } from '../snapshot/build.ts'
import type { Touched } from './watch.ts'

/** What a build found. */
export type Found = Pick<BuildResult, 'site' | 'diagnostics' | 'usernames' | 'claims'>

/** A file of a member as the pages show it. */
export type Part = MemberFile & {
  readonly username: string
  /** As diagnostics name it. */
  readonly file: string
  /** The work's name in addresses: its id, or one of ours where that can't be told from others; `''` of a profile. */
  readonly id: string
  /** `''` if it can't be read as text. */
  readonly text: string
  readonly isText: boolean
  /** The name that git gives to the bytes; `''` if they can't be read. */
  readonly oid: string
  /** What it says, or what can be guessed of that. */
  readonly shown: Profile | Shot
}

/** A member with all works, broken ones first: each is on the page. What can't be read of it is empty. */
type Shown = { readonly member: MemberData; readonly parts: readonly Part[] }

/** The same with its files; `undefined` where they come and go meanwhile. */
type Looked = Shown & { readonly files: MemberFiles | undefined }

/** The content as it is on the disk, for pages. */
export type Content = ReturnType<typeof watchedContent>

export const watchedContent = (content: ContentFolder, loader: Loader) => {
  const reader = createReader(content)
  const none: Found = { site: nowhere, diagnostics: [], usernames: [], claims: new Map() }
  let found = { ...none, site: nowhere }
  let members: ReadonlySet<string> = new Set()
  /** Members that were looked at since they changed. */
  const summaries = new Map<string, Summary>()
  /** Whole members that were asked for since the last build, and the files of those that were before it. */
  const seen = new Map<string, Looked>()
  let known: ReadonlyMap<string, MemberFiles | undefined> = new Map()
  /** The ids that members had before they changed. */
  const ids = new Map<string, string>()
  /** Pictures of the content by the address that stands for them. */
  const pictures = new Map<string, string>()
  /** Pictures that were given to a form and not saved yet, by their paths below the content folder. */
  const uploads = new Map<string, Buffer>()
  let sorted: Index | undefined

  /** The address at which pages show a picture of the content; `''` if there is none. */
  const pictureUrl = (file: string, value: string): string => {
    const below = path.posix.join(path.posix.dirname(file).slice(content.name.length + 1), value)
    const kind = kindOfName(value)
    if (kind === undefined || !below.startsWith(`${names.members}/`)) return ''
    const upload = uploads.get(below)
    const stat = attempt(() => findEntry(content.path, below))
    if (upload === undefined && !stat?.isFile()) return ''
    // another name whenever the file changes, as with what is published
    const version = upload ? hash('sha1', upload) : `${stat?.mtimeMs} ${stat?.size} ${stat?.ino}`
    const name = hash('sha256', `${below} ${version}`).slice(0, 32)
    const asked = `/pictures/${name}.${kind}`
    pictures.set(asked, below)
    return `${found.site.baseUrl}${asked}`
  }

  /** Its own pictures at addresses of the preview. */
  const withOwn = <T extends Profile | Shot>(
    value: T,
    { kind, file }: ContentFile<MemberKind>,
  ): T => {
    const keys: readonly string[] = pictureKeys[kind]
    const own = Object.entries(value).filter(
      ([key, one]) => keys.includes(key) && isPicturePath(String(one)),
    )
    return {
      ...value,
      ...Object.fromEntries(own.map(([key, one]) => [key, pictureUrl(file, String(one))])),
    }
  }

  const opening = (): Opening => ({
    content,
    loader,
    // a file that has just gone is one that can't be read
    read: (below, size) => attempt(() => reader(below, size)) ?? { oid: '' },
    facts: found.site,
  })

  const readPart = (file: ContentFile<MemberKind>, username: string): Part => {
    const { kind, below, read } = file
    const { source, oid } = read()
    const text = source?.text ?? ''
    const shown = withOwn(file.loaded().value ?? guess(file, username), file)
    return {
      kind,
      below,
      username,
      file: file.file,
      id: '',
      text,
      isText: source !== undefined,
      oid,
      shown,
    }
  }

  /** What pages show of a member whose files say this. */
  const compose = (username: string, files: readonly Part[]): Shown => {
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
    const member = memberData({ username, profile, shots }, found.site)
    const wrong = new Set(
      found.diagnostics.flatMap((one) => (one.severity === 'error' ? [one.file] : [])),
    )
    const broken = new Set(parts.filter(({ file }) => wrong.has(file)).map(({ id }) => id))
    const works = member.works.toSorted(
      (a, b) => Number(broken.has(b.id)) - Number(broken.has(a.id)),
    )
    return { member: { ...member, works }, parts }
  }

  /** A member as it is on the disk; `known` files that are as they were are not read again. */
  const look = (username: string, known?: MemberFiles): Looked | undefined => {
    if (!members.has(username)) return undefined
    const files = attempt(() => readMember(username, opening(), known))
    const parts = files ? filesOf(files).map((file) => readPart(file, username)) : []
    return { ...compose(username, parts), files }
  }

  /** A member as it was when a page first showed it since the last build. */
  const member = (username: string): Shown | undefined => {
    const shown = seen.get(username) ?? look(username, known.get(username))
    if (shown === undefined || seen.has(username)) return shown
    if (seen.size >= mostSeen) seen.clear()
    seen.set(username, shown)
    summaries.set(username, summarize(shown.member))
    return shown
  }

  /** A file as it is on the disk now, of a member as it was shown last. */
  const lookAt = (file: string): Part | undefined => {
    const part = partOf(file) ?? look(ownerOf(file))?.parts.find((one) => one.file === file)
    if (part === undefined || !attempt(() => findEntry(content.path, part.below))?.isFile())
      return undefined
    return { ...readPart(openFile(part.kind, part.below, opening()), part.username), id: part.id }
  }

  /** A member as it will be shown if a file has this text. */
  const lookWith = ({ file, text }: Pick<Part, 'file' | 'text'>): Shown | undefined => {
    const username = ownerOf(file)
    const others = member(username)?.parts
    const read = () => ({ oid: '', source: { file, text } })
    const parts = others?.map((part) => {
      if (part.file !== file) return part
      return readPart(openFile(part.kind, part.below, { ...opening(), read }), username)
    })
    return parts && compose(username, parts)
  }

  /** The member whose file it is; `''` is none. */
  const ownerOf = (file: string): string => {
    const start = `${content.name}/`
    return file.startsWith(start) ? inMember(file.slice(start.length), content).username : ''
  }

  const partOf = (file: string): Part | undefined =>
    member(ownerOf(file))?.parts.find((one) => one.file === file)

  const lookAtAll = async (): Promise<void> => {
    let count = 0
    for (const username of members) {
      // another build may have come since the last pause
      if (summaries.has(username) || !members.has(username)) continue
      summaries.set(username, summarize(look(username)!.member))
      if (++count % mostAtOnce === 0) await setImmediate()
    }
  }

  /** The index of all members, once all were looked at. */
  const index = async (): Promise<Index> => {
    await lookAtAll()
    sorted ??= createIndex([...summaries.values()])
    return sorted
  }

  return {
    folder: content,
    loader,
    /** Takes what a build found, if there was one, and looks again at the members that may have changed. */
    update: (next: Partial<Found>, touched: Touched): void => {
      const diagnostics = found.diagnostics.filter(({ file }) => !touched?.has(ownerOf(file)))
      const before = found.site.portsAllowed
      found = { ...found, diagnostics, ...next, site: next.site ?? found.site }
      members = new Set(found.usernames)
      for (const [username, { id }] of summaries) {
        if (touched?.has(username) === false && members.has(username)) continue
        if (id !== '') ids.set(username, id)
        summaries.delete(username)
      }
      sorted = undefined
      // a site that lets assets name ports, or no longer, makes other files right
      const isSame = found.site.portsAllowed === before
      known = new Map(isSame ? Array.from(seen, ([username, { files }]) => [username, files]) : [])
      seen.clear()
      // pages that people wait for are made first; what fails here fails there, and is told
      setTimeout(() => void lookAtAll().catch(() => {}), startDelayMs).unref()
    },
    /** As it was right last; without an address before that. */
    site: (): Site => found.site,
    diagnostics: (): readonly Diagnostic[] => found.diagnostics,
    /** Whoever comes first, if there is anybody. */
    first: (): string | undefined => [...members][0],
    /** What each member claims. */
    claims: () => found.claims,
    lookAt,
    lookWith,
    member,
    ownerOf,
    partOf,
    /** The page on which a file is seen. */
    pageOf: (file: string): string => {
      const username = ownerOf(file)
      const id = partOf(file)?.id
      if (member(username) === undefined) return '/'
      return id ? addressOf.work(username, id) : addressOf.member(username)
    },
    pictureUrl,
    uploads,
    /** The file below the content folder that `/pictures/<h>.jpg` names, or `/logo.svg`. */
    pictureAt: (asked: string): string | undefined => {
      const { logo } = found.site.gallery
      return logo && asked === `/${logoFile(logo)}` ? logo.slice('./'.length) : pictures.get(asked)
    },
    /** The line of a member's files that names a picture. */
    lineOf: (
      url: string,
      username: string,
    ): { readonly file: string; readonly line: number } | undefined => {
      const { https, http } = found.site.assets
      const start = [`${https}/`, `${http}/`, 'https:', 'http:'].find((one) => url.startsWith(one))
      const asset = url.slice(start?.length)
      for (const { file, text } of (asset && member(username)?.parts) || []) {
        const at = text.split('\n').findIndex((line) => line.includes(asset))
        if (at !== -1) return { file, line: at + 1 }
      }
      return undefined
    },
    /** How many members were not looked at yet. */
    unread: (): number => members.size - summaries.size,
    index,
    /** The name that a member has now, who was removed or renamed while the preview ran, or is asked for by an alias. */
    movedTo: async (username: string): Promise<string | undefined> => {
      const { aliases, members } = await index()
      return aliases.get(username) ?? members.find(({ id }) => id === ids.get(username))?.username
    },
  }
}

/** The site as long as no site.yaml was right. */
const nowhere: Site = toSite({ base_url: '' })

/** Members that are kept whole. */
const mostSeen = 50

/** Members that are looked at between two pauses, in which pages are answered, and how long after a build that begins. */
const mostAtOnce = 20
const startDelayMs = 1000

/** What can be read of a file that is wrong: texts, and lists of words where such are. Its id is nobody's. */
const guess = (
  { kind, below, parsed }: ContentFile<MemberKind>,
  username: string,
): Profile | Shot => {
  const readable = Object.entries(mappingOf(parsed().data)).filter(([key, value]) =>
    ['skills', 'aliases', 'tags'].includes(key)
      ? Array.isArray(value) && value.every((one: Data) => typeof one === 'string')
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

/** What a look at the disk finds; `undefined` where files come and go meanwhile, which the next build tells. */
export const attempt = <T>(look: () => T): T | undefined => {
  try {
    return look()
  } catch (error) {
    if (mayPass(error)) return undefined
    throw error
  }
}
