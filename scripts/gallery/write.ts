import { inMember } from '../content/layout.ts'
import type { Shot } from '../content/member.ts'
import { type MemberFiles, readMember } from '../content/read/open.ts'
import type { Site } from '../content/site.ts'
import { makeRoot } from '../files/folder.ts'
import { removeLeftBehind } from '../files/write.ts'
import { hostNames, hostWarnings } from '../hosts/hosts.ts'
import { checkMembers, openSite, readLogo } from '../snapshot/check.ts'
import type { Tools } from '../snapshot/compile.ts'
import { type FolderNames, makeOwnFolder, resolveFolders } from '../snapshot/folders.ts'
import { hashFile, namesOf } from '../snapshot/outputs.ts'
import { createPictures, type Seen, type SeenPictures } from '../snapshot/pictures.ts'
import { knownState, type State, writeState } from '../snapshot/state.ts'
import { createChanges } from './changes.ts'
import { createIndex, type MemberData, memberData, type Summary, summarize } from './data.ts'
import { digestOf, type Folder, isGallery, openFolder, type Page, type Part } from './folder.ts'
import { type Gallery, settingsOf } from './page.ts'
import { type Addressed, memberPages, notFoundText, sharedPages } from './render.ts'

type GalleryOptions = FolderNames & {
  readonly drafts: boolean
  readonly onProgress: (done: number, total: number, what: string) => void
  readonly onDoubt: (why: string) => void
}

/**
 * Writes the gallery into a folder. The state says which members and which files are as they were: pages of these members
 * are not made again, and of the pages that show many only those that say something else. Returns the diagnostics, sorted by
 * place, and what was `written`, which is absent if site.yaml is wrong: then nothing was. `left` are the members that were
 * left out for their errors.
 */
export const writeGallery = async (options: GalleryOptions) => {
  const { drafts, onProgress, onDoubt } = options
  const folders = resolveFolders(options)
  const isNew = !isGallery(folders, options.out)
  const found = openSite(folders.content, { hostNames })
  const { tools, members } = found
  const known = knownState(found, { folders, onDoubt })
  let read = new Map<string, MemberFiles>()
  const { diagnostics, renewed, state } = await checkMembers(found, {
    state: known,
    onProgress: (done, total, files) => {
      if (files) read = new Map([[files.username, files]])
      onProgress(done, total, 'members checked')
    },
  })
  const { site, source } = tools
  if (site === undefined || source === undefined) return { diagnostics }
  const { content } = tools
  const wrong = new Set(
    diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ file }) => inMember(file.slice(content.name.length + 1), content).username),
  )
  const mayBeShown = (username: string): boolean =>
    state.entries.has(username) && !wrong.has(username) && username.toLowerCase() !== 'index.html'
  const shown = members.filter(mayBeShown)
  const left = members.filter((username) => !mayBeShown(username))
  const { bytes: logo } = readLogo(tools)
  // with more, what cards and search engines are told of each work would be 200 MB
  const isLarge = members.length > 5000
  const gallery: Gallery = {
    settings: { ...settingsOf(site), isLarge, ...(!logo && { logo: '' }) },
    index: createIndex([]),
    member: () => undefined,
  }
  const own = makeOwnFolder(folders)
  makeRoot(folders.out)
  const folder = openFolder(folders.out, { isNew })
  // a run that is killed leaves a folder that the next one knows
  if (isNew) folder.put('/404.html', notFoundText(gallery.settings))
  const last = lastRun(known, JSON.stringify([drafts, isLarge, logo ? digestOf(logo) : '']))
  const now = makePages(shown, {
    ...options,
    state,
    tools: { ...tools, site },
    read,
    gallery,
    logo,
    folder,
    last,
  })
  if (renewed || now.site !== last.site) {
    removeLeftBehind(own, '.')
    const entries = [...state.entries].map(
      ([username, entry]) => [username, { ...entry, shown: now.members.get(username) }] as const,
    )
    writeState(own, { ...state, shown: now.site, entries: new Map(entries) })
  }
  const parts = [now.site, ...now.members.values()]
  const warnings = hostWarnings(site, source, {
    files: parts.reduce((sum, { digests }) => sum + Object.keys(digests).length, 0),
    largest: parts.reduce((most, { largest }) => Math.max(most, largest), 0),
    names: 0,
  })
  return {
    diagnostics: [...diagnostics, ...warnings],
    written: { ...now.site.counts, ...folder.tally, left },
  }
}

/** What the state keeps of a member: its pages, what they were made from, and what shared pages show. */
type MemberPart = Part & { readonly key: string; readonly summary: Summary }

/** What it keeps of the pages that show more than one member, and of all pictures. */
type SitePart = Part & {
  /** Besides the content. */
  readonly madeFrom: string
  readonly counts: { readonly members: number; readonly works: number }
}

/** What a run leaves for the next. */
type Run = { readonly site: SitePart; readonly members: ReadonlyMap<string, MemberPart> }

type LastRun = Pick<Run, 'members'> & { readonly madeFrom: string; readonly site?: SitePart }

/** What the last run left, if it made the same of the same content. */
const lastRun = ({ shown, entries }: State, madeFrom: string): LastRun => {
  const site = shown as SitePart | undefined
  const members = new Map<string, MemberPart>()
  if (site?.madeFrom !== madeFrom) return { madeFrom, members }
  for (const { username, shown } of entries.values())
    if (shown) members.set(username, shown as MemberPart)
  // of members who are missing there, nobody would know the pages
  return { madeFrom, members, ...(members.size === site.counts.members && { site }) }
}

type Task = Pick<GalleryOptions, 'drafts' | 'onProgress'> & {
  readonly state: State
  readonly tools: Tools & { readonly site: Site }
  /** The files of the member that the check read last, mostly the only one that changed; who loads it takes them. */
  readonly read: Map<string, MemberFiles>
  /** As yet without members. */
  readonly gallery: Gallery
  readonly logo: Uint8Array | undefined
  readonly folder: Folder
  readonly last: LastRun
}

/** Makes what is not as it has to be; the last run's result, if all is. */
const makePages = (shown: readonly string[], task: Task): Run => {
  const { state, gallery, folder, last, drafts, onProgress } = task
  const believed = <T extends Part>(part: T | undefined): T | undefined =>
    part && folder.isAsLeft(part, { isToKeep: true }) ? part : undefined
  const site = believed(last.site)
  const keyOf = (username: string): string => state.entries.get(username)?.from.key ?? ''
  const picturesOf = (username: string) =>
    Object.entries(state.entries.get(username)?.from.pictures ?? {}).filter(
      ([, one]) => one.isPublished || drafts,
    )
  const isThere = ({ path, digest }: Seen): boolean =>
    (site ? site.digests[`/${path}`] : hashFile(folder.path, path)) === digest
  const members = new Map<string, MemberPart>()
  const gone = new Map(last.members)
  for (const username of shown) {
    const part = last.members.get(username)
    gone.delete(username)
    const isSame = part?.key === keyOf(username) && folder.isAsLeft(part)
    if (isSame && picturesOf(username).every(([, one]) => isThere(one))) members.set(username, part)
  }
  if (site && members.size === shown.length && gone.size === 0) return { site, members }

  const changes = createChanges()
  for (const { summary } of gone.values()) {
    for (const one of foldersOf(summary)) folder.removeAt(one)
    changes.compare(summary, undefined)
  }
  const changed = shown.filter((username) => !members.has(username))
  for (const [at, username] of changed.entries()) {
    const seen = picturesOf(username).filter(([, one]) => isThere(one))
    const member = loadMember(username, task, Object.fromEntries(seen))
    if (member === undefined) continue // it changed since it was checked
    // the words of a member who was just read hold the texts of all files in memory
    const summary = structuredClone(summarize(member))
    const old = last.members.get(username)
    const pages = [...memberPages(member, gallery.settings)]
    const part = folder.renew(pages.map(toPage), {
      before: believed(old),
      places: () => [...(old ? foldersOf(old.summary) : []), ...foldersOf(summary)],
    })
    members.set(username, { ...part, key: keyOf(username), summary })
    changes.compare(old?.summary, summary)
    onProgress(at + 1, changed.length, 'members written')
  }
  const pictures = [...members.keys()].flatMap(picturesOf).map(([, one]) => one)
  const made = renewSite({ members, pictures, before: site, changes }, task)
  // where a member was passed over, the next run looks through the folder
  const madeFrom = members.size < shown.length ? '' : last.madeFrom
  return { members, site: { ...made, madeFrom } }
}

const toPage = ([address, textOf, dataOf]: Addressed): Page => [
  address,
  textOf,
  dataOf && digestOf(JSON.stringify(dataOf())),
]

const foldersOf = (member: Summary): readonly string[] =>
  namesOf(member).map((name) => `members/${name}`)

/** A member for pages, if all files are right; the pictures beside them are written, but for those seen. */
const loadMember = (
  username: string,
  { tools, read, folder, drafts }: Task,
  seen: SeenPictures,
): MemberData | undefined => {
  const { content, site } = tools
  const member = read.get(username) ?? readMember(username, tools)
  read.delete(username)
  const { withAddresses, looks } = createPictures({
    files: member,
    content,
    baseUrl: site.baseUrl,
    seen,
    take: ({ path, bytes }) => folder.put(`/${path}`, bytes),
  })
  const { value: found } = member.profile?.loaded() ?? {}
  if (member.profile === undefined || found === undefined) return undefined
  const profile = withAddresses('profile', found, { parsed: member.profile.parsed, isDraft: false })
  const shots = member.shots.flatMap(({ loaded, parsed }): readonly Shot[] => {
    const shot = loaded().value
    if (shot === undefined || (shot.draft && !drafts)) return []
    return [withAddresses('shot', shot, { parsed, isDraft: false })]
  })
  return memberData({ username, profile, shots, looks: looks() }, site)
}

type SiteOptions = {
  readonly members: ReadonlyMap<string, MemberPart>
  /** Of all members; they are there. */
  readonly pictures: readonly Seen[]
  readonly before: SitePart | undefined
  readonly changes: ReturnType<typeof createChanges>
}

/** Makes the pages that show more than one member. */
const renewSite = ({ members, pictures, before, changes }: SiteOptions, task: Task) => {
  const { gallery, logo, folder, onProgress } = task
  const summaries = [...members.values()].map(({ summary }) => summary)
  const index = createIndex(summaries)
  const shared = [...sharedPages(index, gallery.settings)]
  const files: Page[] = shared.map(([address, textOf], at) => {
    const make = (): string => {
      onProgress(at + 1, shared.length, 'shared pages written')
      return textOf()
    }
    return [address, make, changes.mayBeOn(address) ? undefined : before?.digests[address]]
  })
  if (logo) files.push([`/${gallery.settings.logo}`, () => logo])
  for (const { path, digest } of pictures) files.push([`/${path}`, () => undefined, digest])
  const own = new Set(summaries.flatMap(foldersOf))
  const part = folder.renew(files, {
    before,
    places: () =>
      [...folder.list('.'), ...folder.list('members')].filter(
        (one) => one !== 'members' && !own.has(one),
      ),
  })
  return { ...part, counts: { members: members.size, works: index.newest.length } }
}
