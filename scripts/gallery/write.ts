import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { inMember } from '../content/layout.ts'
import type { Shot } from '../content/member.ts'
import { readMember } from '../content/read/open.ts'
import type { Site } from '../content/site.ts'
import { createFolderOf, findEntry, makeRoot, readFile } from '../files/folder.ts'
import { identityOf, originOf } from '../files/origin.ts'
import { fingerprintStats } from '../files/stats.ts'
import { remove, removeEmpty, removeLeftBehind, replaceFile, writeNew } from '../files/write.ts'
import { hostNames } from '../hosts/hosts.ts'
import { UserError } from '../problems/diagnostic.ts'
import { checkMembers, openSite, readLogo } from '../snapshot/check.ts'
import type { Tools } from '../snapshot/compile.ts'
import {
  type FolderNames,
  makeOwnFolder,
  refuseLink,
  resolveFolders,
  type SnapshotFolders,
} from '../snapshot/folders.ts'
import { createPictures, type SeenPictures } from '../snapshot/pictures.ts'
import { copy, knownState, writeState } from '../snapshot/state.ts'
import {
  createIndex,
  groupKinds,
  type MemberData,
  memberData,
  type Summary,
  summarize,
} from './data.ts'
import { addressOf, type Gallery, settingsOf } from './page.ts'
import { notFoundPage } from './pages.ts'
import { createChanges, memberPages, sharedPages } from './render.ts'

type GalleryOptions = FolderNames & {
  readonly drafts: boolean
  readonly onProgress: (done: number, total: number, what: string) => void
  readonly onDoubt: (why: string) => void
}

/**
 * Writes the gallery into a folder. What the last run left beside it says which members are as they were: their pages are
 * not made again, and of the pages that show many members only those that say something else are written. Returns the
 * diagnostics, sorted by place, and what was `written`, which is absent if site.yaml is wrong: then nothing was. `left` are
 * the members that were left out for their errors.
 */
export const writeGallery = async (options: GalleryOptions) => {
  const { drafts, onProgress, onDoubt } = options
  const folders = resolveFolders(options)
  const { content, out } = folders
  const wasThere = isOurs(folders, options.out)
  const found = openSite(content, { hostNames })
  const { tools, members, epoch } = found
  const { diagnostics, renewed, state } = await checkMembers(found, {
    state: knownState(found, { folders, onDoubt }),
    onProgress: (done, total) => onProgress(done, total, 'members checked'),
  })
  const { site } = tools
  if (site === undefined) return { diagnostics }
  const wrong = diagnostics.filter(({ severity }) => severity === 'error')
  const wrongFolders = new Set(
    wrong.map(({ file }) => inMember(file.slice(content.name.length + 1), tools.content).username),
  )
  const mayBeShown = (username: string): boolean =>
    state.entries.has(username) &&
    !wrongFolders.has(username) &&
    username.toLowerCase() !== 'index.html'
  const shown = members.filter(mayBeShown)
  const left = members.filter((username) => !mayBeShown(username))
  // with more, what cards and search engines are told of each work would be 200 MB
  const isLarge = members.length > 5000
  const { bytes: logo } = readLogo(tools)
  const settings = { ...settingsOf(site), isLarge, ...(!logo && { logo: '' }) }
  const own = makeOwnFolder(folders)
  const madeFrom = JSON.stringify([
    epoch,
    drafts,
    isLarge,
    settings.logo,
    copy?.program ?? Math.random(),
  ])
  const old = wasThere ? readPages(folders, madeFrom) : undefined
  makeRoot(out)
  const files = createFiles(out, { fresh: !wasThere })
  // a run that is killed leaves a folder that the next one knows
  files.put('/404.html', notFoundPage({ settings }))
  if (logo) files.put(`/${settings.logo}`, logo)
  if (renewed) writeState(own, state)

  const keyOf = (username: string): string => state.entries.get(username)!.from.key
  const isSame = (username: string): boolean =>
    old?.members.get(username)?.key === keyOf(username) && files.isThere(addressOf.member(username))
  /** Members whose pages are there as they have to be. */
  const same = new Set(shown.filter(isSame))
  if (
    same.size === shown.length &&
    same.size === old?.members.size &&
    old.shared.every(files.isThere)
  )
    return { diagnostics, written: { ...old.counts, ...files.tally, left } }

  // a run that is killed on the way leaves pages of which nothing is known
  remove(own, pagesFile)
  const changes = createChanges()
  for (const [username, { summary }] of old?.members ?? []) {
    if (!same.has(username)) changes.add(summary)
    else for (const name of [username, ...summary.aliases]) files.pass(`members/${name}`)
  }
  const gallery: Gallery = { settings, index: createIndex([]), member: () => undefined }
  const lines: Line[] = []
  for (const [at, username] of shown.entries()) {
    const { pictures = {} } = state.entries.get(username)!.from
    const before = old?.members.get(username)
    let { summary, pages = {} } = same.has(username) ? (before ?? {}) : {}
    if (summary === undefined) {
      const member = loadMember(username, { ...tools, site }, { drafts, seen: pictures, files })
      if (member === undefined) continue // it changed since it was checked
      // the words of a member who was just read hold the texts of all files in memory
      summary = structuredClone(summarize(member))
      for (const [address, textOf] of memberPages(summary, { ...gallery, member: () => member }))
        pages[address] = files.renew(address, textOf(), before?.pages[address])
      if (old) changes.add(summary)
      onProgress(at + 1, shown.length, 'members written')
    }
    for (const one of Object.values(pictures))
      if (one.isPublished || drafts) files.keep(`/${one.path}`)
    lines.push({ key: keyOf(username), summary, pages })
  }
  const whole: Gallery = { ...gallery, index: createIndex(lines.map(({ summary }) => summary)) }
  const shared = [...sharedPages(whole)]
  for (const [at, [address, textOf]] of shared.entries()) {
    if (old && !changes.mayBeOn(address) && files.isThere(address)) files.keep(address)
    else files.put(address, textOf())
    onProgress(at + 1, shared.length, 'shared pages written')
  }
  if (wasThere) files.removeOthers()
  for (const folder of [out, own]) removeLeftBehind(folder, '.')
  const counts = { members: lines.length, works: whole.index.newest.length }
  const header: Header = {
    // where a member was passed over, the next run looks through the folder
    madeFrom: lines.length < shown.length ? '' : madeFrom,
    counts,
    shared: shared.map(([address]) => address),
  }
  replaceFile(own, pagesFile, (file) => {
    for (const line of [{ ...header, identity: identityOf(file) }, ...lines])
      fs.writeFileSync(file, `${JSON.stringify(line)}\n`)
  })
  return { diagnostics, written: { ...counts, ...files.tally, left } }
}

type LoadOptions = {
  readonly drafts: boolean
  readonly seen: SeenPictures
  readonly files: ReturnType<typeof createFiles>
}

/** A member for pages, if all files are right; the pictures beside them are written, but for those seen that are there. */
const loadMember = (
  username: string,
  tools: Tools & { readonly site: Site },
  { drafts, seen, files }: LoadOptions,
): MemberData | undefined => {
  const { content, site } = tools
  const member = readMember(username, tools)
  const { withAddresses, looks } = createPictures({
    files: member,
    content,
    baseUrl: site.baseUrl,
    seen: Object.fromEntries(
      Object.entries(seen).filter(([, one]) => files.isThere(`/${one.path}`)),
    ),
    take: ({ path, bytes }) => files.put(`/${path}`, bytes, { isWhole: true }),
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

/** Whether there is a gallery; anything else but nothing, or a folder with what may stay only, is refused. */
const isOurs = (folders: SnapshotFolders, name: string): boolean => {
  const { out } = folders
  const stat = fs.lstatSync(out, { throwIfNoEntry: false })
  if (stat === undefined) return false
  const isFolder = stat.isDirectory()
  if (isFolder) removeLeftBehind(out, '.')
  const page = isFolder ? readFile(out, '404.html', { limit: 1 << 20 }) : undefined
  const isGallery = page?.includes('<meta name=generator content=Shotpress>') === true
  const others = isFolder ? fs.readdirSync(out).filter((entry) => !mayStay.test(entry)) : [name]
  const stranger = others.find((entry) => !isGallery || !ours.test(entry))
  if (stranger !== undefined) {
    throw new UserError(`"${name}" holds something else than a gallery: "${stranger}"`, {
      hint: isGallery
        ? 'move it elsewhere: all that lies there is published; CNAME and .nojekyll may stay'
        : 'give --out a folder of its own, such as gallery',
    })
  }
  if (!isGallery) refuseLink(folders, 'gallery')
  return isGallery
}

/** What people need at the top of a gallery, and what their tools leave there. */
const mayStay = /^(?:CNAME|\.nojekyll|\.git\w*|\.DS_Store)$/

const ours = new RegExp(
  `^(?:${[...groupKinds, 'members', 'search', 'join', 'pictures'].join('|')}|${[
    String.raw`(?:index|404)\.html`,
    String.raw`(?:feed|sitemap)\.xml`,
    String.raw`(?:search|gallery)\.js`,
    String.raw`gallery\.css|icon\.svg|logo\.\w+`,
  ].join('|')})$`,
)

const fileOf = (address: string): string =>
  `${address.slice(1)}${address.endsWith('/') ? 'index.html' : ''}`

/** The gallery's files: written if they are not there or say something else; what nobody names is removed. */
const createFiles = (out: string, { fresh }: { readonly fresh: boolean }) => {
  const folderOf = createFolderOf(out)
  const named = new Set<string>()
  const tally = { changed: 0, removed: 0 }
  const isThere = (address: string): boolean =>
    fs.lstatSync(path.join(out, fileOf(address)), { throwIfNoEntry: false })?.isFile() === true
  /** Folders in which nothing can be out of date. */
  const passed = new Set<string>()
  /** Of a page's text, and of what stat says of its file; `''` if there is none. */
  const markOf = (address: string, text: string): string => {
    const stat = fs.lstatSync(path.join(out, fileOf(address)), { throwIfNoEntry: false })
    return stat?.isFile() ? hash('sha1', fingerprintStats([], [stat]) + text).slice(0, 20) : ''
  }
  /** `isWhole`: it is not left by half where the run is killed. */
  const put = (address: string, contents: string | Uint8Array, { isWhole = !fresh } = {}): void => {
    const file = fileOf(address)
    if (named.has(file) && isThere(address)) return
    named.add(file)
    const folder = folderOf(file)
    const name = path.posix.basename(file)
    if (isWhole) {
      const bytes = Buffer.from(contents)
      if (readFile(folder, name, { limit: bytes.length })?.equals(bytes)) return
      replaceFile(folder, name, bytes)
    } else writeNew(folder, name, contents)
    tally.changed++
  }
  /** Removes a file, or the files below a folder, but for what is named and for folders to leave out. */
  const removeAt = (below: string): void => {
    const stat = named.has(below) || passed.has(below) ? undefined : findEntry(out, below)
    if (stat?.isDirectory())
      for (const name of fs.readdirSync(path.join(out, below))) removeAt(`${below}/${name}`)
    else if (stat !== undefined) {
      remove(out, below)
      tally.removed++
      removeEmpty(out, path.posix.dirname(below))
    }
  }
  return {
    put,
    /** Puts a page of a member, and returns its mark; one that has the mark of the last run is not read again. */
    renew: (address: string, text: string, mark: string | undefined): string => {
      if (mark === undefined || mark !== markOf(address, text)) {
        put(address, text)
        return markOf(address, text)
      }
      const file = fileOf(address)
      named.add(file)
      // `members/ana/1001`, in which nothing else is
      if (/^members\/[^/]+\/[^/]+\/index\.html$/.test(file)) passed.add(path.posix.dirname(file))
      return mark
    },
    /** Leaves a folder out when others are removed. */
    pass: (folder: string): void => {
      passed.add(folder)
    },
    keep: (address: string): void => {
      named.add(fileOf(address))
    },
    isThere,
    /** Looks through all but what may stay. */
    removeOthers: (): void => {
      for (const top of fs.readdirSync(out)) if (ours.test(top)) removeAt(top)
    },
    tally,
  }
}

/**
 * What a run leaves for the next: a header, then a line of each member. 10,000 members with 20 works have 45 MB.
 */
const pagesFile = 'pages'

type Header = {
  readonly madeFrom: string
  readonly counts: { readonly members: number; readonly works: number }
  /** Addresses of the pages that show more than one member. */
  readonly shared: readonly string[]
}

/** What a member's own pages were made from, what shared pages show, and a mark of each own page by its address. */
type Line = {
  readonly key: string
  readonly summary: Summary
  readonly pages: Record<string, string>
}

/**
 * `undefined` if it can't be read or believed, is of another program or site, damaged or cut off: then all is made again,
 * and the folder is looked through.
 */
const readPages = ({ own: { root, below } }: SnapshotFolders, madeFrom: string) => {
  const file = `${below}/${pagesFile}`
  const members = new Map<string, Line>()
  try {
    const bytes = readFile(root, file, { limit: 1 << 30 })
    let start = 0
    const next = () => {
      const end = bytes!.indexOf('\n', start)
      const value = JSON.parse(bytes!.toString('utf8', start, end))
      start = end + 1
      return value
    }
    const header: Header & { readonly identity: string } = next()
    const { identity } = header
    if (header.madeFrom !== madeFrom || !originOf({ root, below: file, identity }).isOurs)
      return undefined
    for (let left = header.counts.members; left > 0; left -= 1) {
      const line: Line = next()
      members.set(line.summary.username, line)
    }
    return { ...header, members }
  } catch {
    return undefined
  }
}
