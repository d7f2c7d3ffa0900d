import fs from 'node:fs'
import path from 'node:path'
import type { Profile, Shot } from '../content/member.ts'
import { scanMember } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import type { HostName } from '../content/values/formats.ts'
import { builtFile } from '../files/built.ts'
import { createFolderOf, findFolder, makeRoot, readFile } from '../files/folder.ts'
import { mayBeTracked } from '../files/git.ts'
import { remove, removeEmpty, replaceFile, writeNew } from '../files/write.ts'
import type { Diagnostic } from '../problems/diagnostic.ts'
import { UserError } from '../problems/user-error.ts'
import { checkMembers, mostLogoBytes, openSite } from '../snapshot/check.ts'
import { readMember, type Tools } from '../snapshot/compile.ts'
import { makeOwnFolder, resolveFolders, type SnapshotFolders } from '../snapshot/folders.ts'
import { createPictures, type SeenPictures } from '../snapshot/pictures.ts'
import { copy, knownState, writeState } from '../snapshot/state.ts'
import { createIndex, type MemberData, memberData, type Summary, summarize } from './data.ts'
import { addressOf, type Gallery, settingsOf } from './page.ts'
import { notFoundPage } from './pages.ts'
import { addressesOf, countPages, createChanges, render, sharedAddresses } from './render.ts'

export type GalleryOptions = {
  /** As on the command line. */
  readonly content: string
  readonly out: string
  readonly drafts: boolean
  readonly hostNames: readonly HostName[]
  readonly onProgress: (done: number, total: number, what: string) => void
}

export type GalleryResult = {
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[]
  /** Absent if nothing was written, as site.yaml is wrong. */
  readonly written?: {
    readonly members: number
    readonly works: number
    readonly files: number
    readonly changed: number
    readonly removed: number
    /** Members that were left out for their errors. */
    readonly left: readonly string[]
  }
}

/**
 * Writes the gallery into a folder. What the last run left beside it says which members are as they were: their pages are
 * not made again, and of the pages that show many members only those that say something else are written.
 */
export const writeGallery = async (options: GalleryOptions): Promise<GalleryResult> => {
  const folders = resolveFolders(options)
  const { content, out } = folders
  const wasThere = isOurs(out, options.out)
  const found = openSite(content, options)
  const { tools, members, epoch } = found
  const before = knownState(folders, found)
  const { diagnostics, renewed, state } = await checkMembers(found, {
    state: before,
    onProgress: (done, total) => options.onProgress(done, total, 'members checked'),
  })
  const { site } = tools
  if (site === undefined) return { diagnostics }
  const wrong = diagnostics.filter(({ severity }) => severity === 'error')
  const wrongFolders = new Set(wrong.map(({ file }) => file.slice(content.name.length + 1).split('/')[1]))
  const isLeft = (username: string): boolean =>
    wrongFolders.has(username) || username.toLowerCase() === 'index.html'
  const left = members.filter(isLeft)
  const shown = members.filter((username) => !isLeft(username))
  const { entries } = state
  const isLarge = members.length > mostMembers
  const logo =
    site.gallery.logo && readFile(content.path, site.gallery.logo.slice(2), { limit: mostLogoBytes })
  const settings = { ...settingsOf(site), isLarge, ...(!logo && { logo: '' }) }
  const own = makeOwnFolder(folders)
  const madeFrom = JSON.stringify([
    epoch,
    options.drafts,
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
  if (renewed || state.sums !== before.sums) writeState(own, state)

  const startOf = (username: string): string => `${username} ${entries.get(username)!.from.key} `
  /** Members whose pages are there as they have to be, with their lines. */
  const same = new Map<string, Buffer>()
  for (const username of shown) {
    const line = old?.lines.get(username)
    const isSame = line?.toString('latin1', 0, line.indexOf('{')) === startOf(username)
    if (isSame && files.isThere(addressOf.member(username))) same.set(username, line!)
  }
  if (same.size === shown.length && same.size === old?.lines.size && old.shared.every(files.isThere))
    return { diagnostics, written: { ...old.counts, changed: files.written(), removed: 0, left } }

  const last = old && parseAll(old.lines)
  if (last === undefined) same.clear()
  // a run that is killed on the way leaves pages of which nothing is known
  remove(own, pagesFile)
  /** Files of the last run that may be no more. */
  const outdated = [...(last ? old!.shared.map(fileOf) : wasThere ? listFolder(out) : [])]
  const changes = last && createChanges()
  for (const [username, { summary, pictures }] of last ?? []) {
    if (same.has(username)) continue
    changes!.add(summary)
    for (const address of [...addressesOf(summary), ...pictures]) outdated.push(fileOf(address))
  }
  const gallery: Gallery = {
    ...{ settings, index: createIndex([]), member: () => undefined },
    script: builtFile('scripts/gallery/script.ts'),
    style: builtFile('scripts/gallery/gallery.css'),
  }
  const lines: Buffer[] = []
  const summaries: Summary[] = []
  let count = 0
  for (const [at, username] of shown.entries()) {
    let line = same.get(username)
    let pages = last?.get(username)
    if (line === undefined || pages === undefined) {
      const { pictures: seen } = entries.get(username)!.from
      const { member, pictures } = loadMember(username, tools, { site, drafts: options.drafts, seen, files })
      if (member === undefined) continue // it changed since it was checked
      const summary = summarize(member)
      const aliases = new Map(member.aliases.map((alias) => [alias, username]))
      const ofMember = { ...gallery, index: { ...gallery.index, aliases }, member: () => member }
      for (const address of addressesOf(summary)) files.put(address, render(address, ofMember).text)
      line = Buffer.from(startOf(username) + JSON.stringify({ summary, pictures } satisfies Pages))
      // the words of a member who was just read hold the texts of all files in memory
      pages = parse(line)
      changes?.add(summary)
      options.onProgress(at + 1, shown.length, 'members written')
    } else count += countPages(pages.summary)
    files.keep(pages.pictures)
    lines.push(line)
    summaries.push(pages.summary)
  }
  const whole: Gallery = { ...gallery, index: createIndex(summaries) }
  const shared = sharedAddresses(whole)
  for (const [at, address] of shared.entries()) {
    if (changes && !changes.mayBeOn(address) && files.isThere(address)) files.keep([address])
    else files.put(address, render(address, whole).text)
    options.onProgress(at + 1, shared.length, 'shared pages written')
  }
  const removed = files.removeOthers(outdated)
  const works = whole.index.newest.length
  const counts = { members: summaries.length, works, files: files.count() + count }
  // where a member was passed over, the next run looks through the folder
  const header: Header = { madeFrom: lines.length < shown.length ? '' : madeFrom, shared, counts }
  replaceFile(own, pagesFile, (file) => {
    for (const line of [Buffer.from(JSON.stringify(header)), ...lines]) {
      fs.writeFileSync(file, line)
      fs.writeFileSync(file, '\n')
    }
  })
  return { diagnostics, written: { ...counts, changed: files.written(), removed, left } }
}

/** With more, what cards and search engines are told of each work would be 200 MB. */
const mostMembers = 5000

/** A member for pages, if all files are right; the addresses of the pictures beside them, which are written. */
const loadMember = (
  username: string,
  { content, read, loader }: Tools,
  { site, drafts, seen = {}, files }: LoadOptions,
): { readonly member: MemberData | undefined; readonly pictures: readonly string[] } => {
  const scan = scanMember(username, content)
  const pictures = createPictures({
    ...{ scan, content, baseUrl: site.baseUrl },
    seen: Object.fromEntries(Object.entries(seen).filter(([, one]) => files.isThere(`/${one.path}`))),
    take: ({ path, bytes }) => files.putPicture(`/${path}`, [bytes].flat()),
  })
  let profile: Profile | undefined
  const shots: Shot[] = []
  readMember(scan, read, {
    profile: ({ source }) => {
      const found = source && loader.loadProfile(source, site).value
      profile = found && pictures.withAddresses('profile', found, { isDraft: false })
    },
    shot: ({ source }) => {
      const shot = source && loader.loadShot(source, site).value
      if (shot !== undefined && (drafts || !shot.draft))
        shots.push(pictures.withAddresses('shot', shot, { isDraft: false }))
    },
  })
  const addresses = [...new Set(Object.values(pictures.seen()).map((one) => `/${one.path}`))]
  files.keep(addresses)
  return { member: profile && memberData({ username, profile, shots }, site), pictures: addresses }
}

type LoadOptions = {
  readonly site: Site
  readonly drafts: boolean
  /** Pictures that need not be read again if they are as they were. */
  readonly seen: SeenPictures | undefined
  readonly files: ReturnType<typeof createFiles>
}

/** Whether there is a gallery; anything else but nothing, or a folder with hidden files only, is refused. */
const isOurs = (out: string, name: string): boolean => {
  const stat = fs.lstatSync(out, { throwIfNoEntry: false })
  if (stat === undefined) return false
  const entries = stat.isDirectory() ? fs.readdirSync(out) : ['a file']
  if (entries.every((entry) => entry.startsWith('.'))) return false
  const page = stat.isDirectory() ? readFile(out, '404.html', { limit: 1 << 20 }) : undefined
  if (page?.includes('<meta name=generator content=Shotpress>')) return true
  throw new UserError(`"${name}" holds something else than a gallery`, {
    hint: 'give --out a folder of its own, such as gallery',
  })
}

const fileOf = (address: string): string => `${address.slice(1)}${address.endsWith('/') ? 'index.html' : ''}`

/** The gallery's files: written if they are not there or say something else; what nobody names is removed. */
const createFiles = (out: string, { fresh }: { readonly fresh: boolean }) => {
  const folderOf = createFolderOf(out)
  const named = new Set<string>()
  let written = 0
  const isThere = (address: string): boolean =>
    fs.lstatSync(path.join(out, fileOf(address)), { throwIfNoEntry: false })?.isFile() === true
  return {
    put: (address: string, contents: string | Uint8Array): void => {
      const file = fileOf(address)
      if (named.has(file)) return
      named.add(file)
      const folder = folderOf(file)
      const name = path.posix.basename(file)
      if (!fresh) {
        const bytes = Buffer.from(contents)
        if (readFile(folder, name, { limit: bytes.length })?.equals(bytes)) return
      }
      written++
      if (fresh) writeNew(folder, name, contents)
      else replaceFile(folder, name, contents)
    },
    /** Its name says what is in it, and it is never there by half. */
    putPicture: (address: string, pieces: readonly Uint8Array[]): void => {
      if (isThere(address)) return
      written++
      replaceFile(folderOf(fileOf(address)), path.posix.basename(address), (file) => {
        for (const piece of pieces) fs.writeFileSync(file, piece)
      })
    },
    keep: (addresses: readonly string[]): void => {
      for (const address of addresses) named.add(fileOf(address))
    },
    isThere,
    removeOthers: (files: Iterable<string>): number => {
      let removed = 0
      for (const file of files) {
        if (named.has(file)) continue
        remove(out, file)
        removed++
        removeEmpty(out, path.posix.dirname(file))
      }
      return removed
    },
    count: () => named.size,
    written: () => written,
  }
}

/** The files below the folders that are ours alone; what else is at the top, such as `CNAME`, stays. */
function* listFolder(out: string): Generator<string> {
  for (const top of ['members', 'tags', 'skills', 'places', 'search', 'join', 'pictures']) {
    const folder = findFolder(out, top)
    if (folder === undefined) continue
    for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isDirectory())
        yield path.relative(out, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')
    }
  }
}

/**
 * What a run leaves for the next: a header, then a line of each member, which begins with the username and the key of
 * what the pages were made from. 10,000 members with 20 works have 45 MB.
 */
const pagesFile = 'pages'

type Header = {
  readonly madeFrom: string
  readonly shared: readonly string[]
  readonly counts: Pick<NonNullable<GalleryResult['written']>, 'members' | 'works' | 'files'>
}

type Pages = {
  /** What shared pages show of the member. */
  readonly summary: Summary
  /** Addresses of the pictures that lie beside the member's files. */
  readonly pictures: readonly string[]
}

const parse = (line: Buffer): Pages => JSON.parse(line.toString('utf8', line.indexOf('{')))

/** `undefined` if one is damaged: then all is made again. */
const parseAll = (lines: ReadonlyMap<string, Buffer>): ReadonlyMap<string, Pages> | undefined => {
  try {
    return new Map(Array.from(lines, ([username, line]) => [username, parse(line)]))
  } catch {
    return undefined
  }
}

/** `undefined` if it can't be read or believed, or is of another program or site: then the folder is looked through. */
const readPages = ({ own: { root, below } }: SnapshotFolders, from: string) => {
  const file = `${below}/${pagesFile}`
  try {
    const bytes = mayBeTracked(root, file) ? undefined : readFile(root, file, { limit: 1 << 30 })
    if (bytes === undefined) return undefined
    let end = bytes.indexOf('\n')
    const { madeFrom, shared, counts } = JSON.parse(bytes.toString('utf8', 0, end)) as Header
    const lines = new Map<string, Buffer>()
    for (let at = end + 1; end !== -1 && at < bytes.length; at = end + 1) {
      end = bytes.indexOf('\n', at)
      const line = bytes.subarray(at, end)
      lines.set(line.toString('latin1', 0, line.indexOf(' ')), line)
    }
    return madeFrom === from && lines.size === counts.members ? { shared, counts, lines } : undefined
  } catch {
    return undefined
  }
}
