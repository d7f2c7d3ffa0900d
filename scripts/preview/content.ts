import { hash } from 'node:crypto'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isPicturePath, isYaml, names, stemOf } from '../content/layout.ts'
import type { Loader } from '../content/load.ts'
import { type Profile, type Shot, toProfile, toShot, toSite } from '../content/member.ts'
import { type Data, type Mapping, mappingOf } from '../content/parse/data.ts'
import { createReader } from '../content/read/read-file.ts'
import { type ContentFolder, scanMember } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import { equalData, readData } from '../edit/prove.ts'
import { findEntry } from '../files/folder.ts'
import { readBlobs, readTree } from '../files/git.ts'
import {
  createIndex,
  type Index,
  type MemberData,
  memberData,
  type Summary,
  summarize,
} from '../gallery/data.ts'
import { logoFile } from '../gallery/page.ts'
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
}

/** A member with all works, broken ones first: each is on the page. What can't be read of it is empty. */
type Shown = { readonly member: MemberData; readonly parts: readonly Part[] }

/** How a file differs from the last commit, key by key; `undefined` is no such key. */
export type FileChange = Pick<Part, 'file' | 'id'> & {
  readonly state: 'new' | 'changed' | 'gone'
  readonly changes: readonly {
    readonly key: string
    readonly before: Data | undefined
    readonly after: Data | undefined
  }[]
}

type OtherText = { readonly file: string; readonly text: string }

/** The content as it is on the disk, for pages. */
export type Content = ReturnType<typeof watchedContent>

export const watchedContent = (content: ContentFolder, loader: Loader) => {
  const reader = createReader(content)
  let found: Found = { site: undefined, diagnostics: [], usernames: [] }
  let members: ReadonlySet<string> = new Set()
  /** Members that were looked at since they changed. */
  const summaries = new Map<string, Summary>()
  /** Whole members that were asked for since the last build. */
  const seen = new Map<string, Shown>()
  /** The ids that members had before they changed. */
  const ids = new Map<string, string>()
  /** Pictures of the content by the address that stands for them. */
  const pictures = new Map<string, string>()
  let index: Index | undefined

  const read = (file: string): Pick<Part, 'text' | 'oid'> => {
    const { source, oid } = attempt(() => reader(file.slice(content.name.length + 1))) ?? { oid: '' }
    return { text: source?.text, oid }
  }

  /** The address at which pages show a picture of the content; `''` if there is none. */
  const pictureUrl = (file: string, value: string): string => {
    const below = path.posix.join(path.posix.dirname(file).slice(content.name.length + 1), value)
    const kind = kindOfName(value)
    if (kind === undefined || !below.startsWith(`${names.members}/`)) return ''
    const stat = attempt(() => findEntry(content.path, below))
    if (!stat?.isFile()) return ''
    // another name whenever the file changes, as with what is published
    const name = hash('sha256', `${below} ${stat.mtimeMs} ${stat.size} ${stat.ino}`).slice(0, 32)
    const asked = `/pictures/${name}.${kind}`
    pictures.set(asked, below)
    return `${found.site?.baseUrl ?? ''}${asked}`
  }

  /** Its own pictures at addresses of the preview. */
  const withOwn = <T extends Profile | Shot>(value: T, file: string): T =>
    Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        typeof one === 'string' && isPicturePath(one) && pictureKeys.includes(key)
          ? pictureUrl(file, one)
          : one,
      ]),
    ) as T

  const look = (username: string, other?: OtherText): Shown => {
    const folder = `${content.name}/${names.members}/${username}`
    const scan = attempt(() => scanMember(username, content))
    const parts: Part[] = []
    const open = (name: string) => {
      const file = `${folder}/${name}`
      return { file, ...(other?.file === file ? { text: other.text, oid: '' } : read(file)) }
    }
    const { file, text, oid } = open(scan?.profile ?? `${names.profile}.yaml`)
    const right = text === undefined ? undefined : loader.loadProfile({ file, text }, found.site).value
    const profile = withOwn(right ?? toProfile({ name: username, ...readable(text) }), file)
    parts.push({ kind: 'profile', file, id: '', text, oid })
    const shots = (scan?.shots ?? []).map((name) => {
      const { file, text, oid } = open(`${names.shots}/${name}`)
      const right = text === undefined ? undefined : loader.loadShot({ file, text }, found.site).value
      const shot = withOwn(right ?? guessShot(text, name), file)
      const taken = parts.some(({ id }) => id === shot.id)
      const id = right !== undefined && !taken ? shot.id : `!${stemOf(name)}`
      parts.push({ kind: 'shot', file, id, text, oid })
      return { ...shot, id }
    })
    const member = memberData({ username, profile, shots }, found.site ?? nowhere)
    const files = new Set(found.diagnostics.flatMap((one) => (one.severity === 'error' ? [one.file] : [])))
    const broken = new Set(parts.filter(({ file }) => files.has(file)).map(({ id }) => id))
    const works = member.works.toSorted((a, b) => Number(broken.has(b.id)) - Number(broken.has(a.id)))
    return { member: { ...member, works }, parts }
  }

  /** A member as it is now; with `other`, as if a file had another text. */
  const member = (username: string, other?: OtherText): Shown | undefined => {
    if (!members.has(username)) return undefined
    if (other !== undefined) return look(username, other)
    const known = seen.get(username)
    if (known !== undefined) return known
    const shown = look(username)
    if (seen.size >= mostSeen) seen.clear()
    seen.set(username, shown)
    summaries.set(username, summarize(shown.member))
    return shown
  }

  const lookAtAll = async (): Promise<void> => {
    let count = 0
    for (const username of members) {
      // another build may have come since the last pause
      if (summaries.has(username) || !members.has(username)) continue
      summaries.set(username, summarize(look(username).member))
      if (++count % breath === 0) await setImmediate()
    }
  }

  return {
    /** Takes what a build found, or a part of it, and looks again at the members that may have changed. */
    update: (next: Partial<Found>, touched: Touched): void => {
      found = { ...found, ...next, site: next.site ?? found.site }
      members = new Set(found.usernames)
      for (const [username, { id }] of summaries) {
        if (touched !== 'all' && !touched.has(username) && members.has(username)) continue
        ids.set(username, id)
        summaries.delete(username)
      }
      index = undefined
      seen.clear()
      // pages that people wait for are made first; what fails here fails there, and is told
      setTimeout(() => void lookAtAll().catch(() => {}), restMs).unref()
    },
    /** As it was right last; `undefined` before that. */
    site: (): Site | undefined => found.site,
    diagnostics: (): readonly Diagnostic[] => found.diagnostics,
    member,
    pictureUrl,
    /** The file below the content folder that `/pictures/<h>.jpg` names, or `/logo.svg`. */
    pictureAt: (asked: string): string | undefined => {
      const logo = found.site?.gallery.logo
      return logo && asked === `/${logoFile(logo)}` ? logo.slice('./'.length) : pictures.get(asked)
    },
    /** How many members were not looked at yet. */
    unread: (): number => members.size - summaries.size,
    /** The index of all members, once all were looked at. */
    index: async (): Promise<Index> => {
      await lookAtAll()
      index ??= createIndex([...summaries.values()])
      return index
    },
    /** The name that a member has now, who was removed or renamed while the preview ran. */
    movedTo: async (username: string): Promise<string | undefined> => {
      const id = ids.get(username)
      if (!id) return undefined
      await lookAtAll()
      return [...summaries.values()].find((one) => one.id === id)?.username
    },
    /** What differs from the last commit; none where there is no repository. */
    changesOf: (username: string): readonly FileChange[] =>
      changesOf(member(username)?.parts ?? [], content, username),
  }
}

/** Where assets lie as long as nobody said. */
export const nowhere: Site = toSite({ base_url: '' })

/** Members that are kept whole, and members that are looked at without a pause. */
const mostSeen = 50
const breath = 20
const restMs = 1000

/** Keys whose values name pictures. */
export const pictureKeys: readonly string[] = ['avatar', 'cover_image', 'image', 'large_image']

/** What can be read of a file that is wrong: texts, and lists of words where such are. */
const readable = (text: string | undefined): Mapping =>
  Object.fromEntries(
    Object.entries(mappingOf(readData(text).data)).filter(([key, value]) =>
      ['skills', 'aliases', 'tags'].includes(key)
        ? Array.isArray(value) && value.every((one: Data) => typeof one === 'string')
        : typeof value === 'string' && value !== '' && key !== 'projects',
    ),
  )

const guessShot = (text: string | undefined, name: string): Shot => {
  const known = readable(text)
  const day = /^\d{4}-(?:0[1-9]|1[0-2])-\d\d/.exec(String(known.date))?.[0]
  return toShot({ title: stemOf(name), ...known, date: day ?? '0001-01-01' })
}

/** Compares a member's files with those of the last commit. */
const changesOf = (all: readonly Part[], content: ContentFolder, username: string): readonly FileChange[] => {
  const below = `${names.members}/${username}`
  const parts = new Map(all.flatMap((part) => (part.oid === '' ? [] : [[part.file, part] as const])))
  const before = new Map<string, string>()
  const isKnown = attempt(() => {
    const { top, files } = readTree(`${content.path}/${below}`, 'HEAD')
    const others = files.flatMap(({ plain, path, oid }) => {
      const file = `${content.name}/${below}/${path}`
      if (!plain || !isYaml(path)) return []
      return parts.get(file)?.oid === oid && parts.delete(file) ? [] : [{ file, oid }]
    })
    const oids = others.map(({ oid }) => oid)
    readBlobs(top, oids, (bytes, at) => before.set(others[at]!.file, bytes.toString('utf8')))
    return true
  })
  if (!isKnown) return [] // no repository, or no commit yet
  return [...new Set([...parts.keys(), ...before.keys()])].flatMap((file): FileChange[] => {
    const { id, text } = parts.get(file) ?? { id: '', text: '' }
    const [old, now] = [before.get(file), text].map((one) => mappingOf(readData(one).data)) as [
      Mapping,
      Mapping,
    ]
    const changes = [...new Set([...Object.keys(old), ...Object.keys(now)])]
      .map((key) => ({ key, before: old[key], after: now[key] }))
      .filter(({ before, after }) => !equalData(before, after))
    const state = !before.has(file) ? 'new' : parts.has(file) ? 'changed' : 'gone'
    return changes.length === 0 && state !== 'gone' ? [] : [{ file, id, state, changes }]
  })
}

/** What a look at the disk finds; `undefined` where files come and go meanwhile, which the next build tells. */
const attempt = <T>(look: () => T): T | undefined => {
  try {
    return look()
  } catch (error) {
    if (mayPass(error)) return undefined
    throw error
  }
}
