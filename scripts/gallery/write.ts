import fs from 'node:fs'
import path from 'node:path'
import type { Profile, Shot } from '../content/member.ts'
import { type ContentFolder, scanMember } from '../content/read/scan.ts'
import type { Site } from '../content/site.ts'
import type { HostName } from '../content/values/formats.ts'
import { builtFile } from '../files/built.ts'
import { createFolderOf, findFolder, makeRoot } from '../files/folder.ts'
import { readFile } from '../files/open.ts'
import { remove, removeIfEmpty } from '../files/remove.ts'
import { replaceFile, writeNew } from '../files/write.ts'
import { type Diagnostic, hasErrors } from '../problems/diagnostic.ts'
import { UserError } from '../problems/user-error.ts'
import { check } from '../snapshot/check.ts'
import { readMember, type Tools } from '../snapshot/compile.ts'
import { findOwnFolder, makeOwnFolder, resolveFolders } from '../snapshot/folders.ts'
import { createAddressing } from '../snapshot/pictures.ts'
import { openSite } from '../snapshot/site.ts'
import { copy, knownState, writeState } from '../snapshot/state.ts'
import { createIndex, type MemberData, memberData, type Summary, summarize } from './data.ts'
import { type Gallery, settingsOf } from './page.ts'
import { addressesOf, render, sharedAddresses } from './render.ts'

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
  const { tools, members, epoch } = openSite(content, options)
  const before = knownState(folders, { epoch, content })
  const { diagnostics, keep } = await check({
    ...{ content: options.content, out: options.out, hostNames: options.hostNames },
    last: { state: before, wrong: before.sums === '' },
    onProgress: (done, total) => options.onProgress(done, total, 'members checked'),
  })
  const { site } = tools
  if (site === undefined) return { diagnostics }
  const wrong = diagnostics.filter(({ severity }) => severity === 'error')
  const wrongFolders = new Set(wrong.map(({ file }) => file.slice(content.name.length + 1).split('/')[1]))
  const isLeft = (username: string): boolean =>
    wrongFolders.has(username) || username.toLowerCase() === 'index.html'
  const { state } = keep()
  const gallery: Gallery = {
    settings: settingsOf(site),
    index: createIndex([]),
    member: () => undefined,
    script: builtFile('scripts/gallery/script.ts'),
    style: builtFile('scripts/gallery/gallery.css'),
  }
  const madeFrom = JSON.stringify([epoch, options.drafts, copy?.program ?? Math.random()])
  const ownFolder = findOwnFolder(folders)
  const old = wasThere && ownFolder !== undefined ? readPages(ownFolder, madeFrom) : undefined
  makeRoot(out)
  const files = createFiles(out, { fresh: !wasThere })
  // a run that is killed leaves a folder that the next one knows
  files.put('/404.html', render('/404.html', gallery).text)
  const summaries: Summary[] = []
  const lines: string[] = []
  for (const [at, username] of members.entries()) {
    if (isLeft(username)) continue
    const key = state.entries.get(username)?.from.key ?? ''
    const known = old?.members.get(username)
    if (known !== undefined && known.key === key && files.isThere(`/members/${username}/`)) {
      files.keep(addressesOfPages(known))
      summaries.push(known.summary)
      lines.push(known.line)
      continue
    }
    const { member, pictures } = loadMember(username, tools, { site, drafts: options.drafts })
    if (member === undefined) continue // it changed since it was checked
    const own = { ...gallery, index: createIndex([summarize(member)]), member: () => member }
    const pages: Pages = { key, summary: summarize(member), pictures: [...pictures.keys()] }
    for (const [address, bytes] of pictures) files.put(address, bytes)
    for (const address of addressesOf(pages.summary)) files.put(address, render(address, own).text)
    summaries.push(pages.summary)
    lines.push(JSON.stringify(pages))
    options.onProgress(at + 1, members.length, 'members written')
  }
  if (gallery.settings.logo !== '') files.put(`/${gallery.settings.logo}`, readLogo(content, site))
  const whole: Gallery = { ...gallery, index: createIndex(summaries) }
  const shared = sharedAddresses(whole)
  for (const [at, address] of shared.entries()) {
    files.put(address, render(address, whole).text)
    options.onProgress(at + 1, shared.length, 'shared pages written')
  }
  const removed = files.removeOthers(old?.files() ?? listFolder(out))
  const own = makeOwnFolder(folders)
  writeState(own, {
    ...{ epoch, content: content.name, sums: hasErrors(diagnostics) ? '' : epoch },
    entries: [...state.entries.values()],
  })
  replaceFile(own, pagesFile, [JSON.stringify({ madeFrom, shared }), ...lines, ''].join('\n'))
  const works = whole.index.newest.length
  const counts = { files: files.count(), changed: files.written(), removed }
  return {
    diagnostics,
    written: { members: summaries.length, works, ...counts, left: members.filter(isLeft) },
  }
}

const readLogo = (content: ContentFolder, { gallery }: Site): Buffer => {
  const bytes = readFile(content.path, gallery.logo.slice('./'.length), { limit: 1 << 20 })
  if (bytes !== undefined) return bytes
  throw new UserError(`there is no logo "${content.name}/${gallery.logo.slice(2)}" of at most 1 MiB`, {
    hint: 'put the file there, or remove "logo" from site.yaml',
  })
}

/** A member for pages, if all files are right, and the pictures beside them, as they are published, by address. */
const loadMember = (
  username: string,
  { content, read, loader }: Tools,
  { site, drafts }: { readonly site: Site; readonly drafts: boolean },
): { readonly member: MemberData | undefined; readonly pictures: ReadonlyMap<string, Uint8Array> } => {
  const scan = scanMember(username, content)
  const pictures = new Map<string, Uint8Array>()
  const addressing = createAddressing({
    ...{ scan, content, baseUrl: site.baseUrl },
    take: (file, { pieces }) => pictures.set(`/${file}`, Buffer.concat(pieces)),
  })
  let profile: Profile | undefined
  const shots: Shot[] = []
  readMember(scan, read, {
    profile: ({ source }) => {
      const found = source && loader.loadProfile(source, site).value
      profile = found && addressing.profile(found)
    },
    shot: ({ source }) => {
      const shot = source && loader.loadShot(source, site).value
      if (shot !== undefined && (drafts || !shot.draft)) shots.push(addressing.shot(shot))
    },
  })
  return { member: profile && memberData({ username, profile, shots }, site), pictures }
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
  const folderOf = createFolderOf(out, { make: true })
  const named = new Set<string>()
  let written = 0
  return {
    put: (address: string, contents: string | Uint8Array): void => {
      const file = fileOf(address)
      if (named.has(file)) return
      named.add(file)
      const folder = folderOf(file)!
      const name = path.posix.basename(file)
      const bytes = Buffer.from(contents)
      if (!fresh && readFile(folder, name, { limit: bytes.length })?.equals(bytes)) return
      written++
      if (fresh) writeNew(folder, name, bytes)
      else replaceFile(folder, name, bytes)
    },
    keep: (addresses: readonly string[]): void => {
      for (const address of addresses) named.add(fileOf(address))
    },
    isThere: (address: string): boolean =>
      fs.lstatSync(path.join(out, fileOf(address)), { throwIfNoEntry: false })?.isFile() === true,
    removeOthers: (files: Iterable<string>): number => {
      let removed = 0
      for (const file of files) {
        if (named.has(file)) continue
        remove(out, file)
        removed++
        for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) {
          removeIfEmpty(out, folder)
        }
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

/** A line of what the last run left: what a member's pages were made from, and what shared pages show of the member. */
type Pages = {
  readonly key: string
  readonly summary: Summary
  /** Addresses of the pictures that lie beside the member's files. */
  readonly pictures: readonly string[]
}

const addressesOfPages = ({ summary, pictures }: Pages): readonly string[] => [
  ...addressesOf(summary),
  ...pictures,
]

const pagesFile = 'pages.ndjson'

/** `undefined` if it can't be read or is of another program or site: then the folder is looked through. */
const readPages = (ownFolder: string, from: string) => {
  try {
    const text = readFile(ownFolder, pagesFile, { limit: 1 << 29 })?.toString('utf8') ?? ''
    const [first, ...lines] = text.split('\n').slice(0, -1)
    const { madeFrom, shared } = JSON.parse(first!) as { madeFrom: string; shared: readonly string[] }
    if (madeFrom !== from) return undefined
    const pages = lines.map((line) => ({ ...(JSON.parse(line) as Pages), line }))
    return {
      members: new Map(pages.map((one) => [one.summary.username, one])),
      files: () => [...shared, ...pages.flatMap(addressesOfPages)].map(fileOf),
    }
  } catch {
    return undefined
  }
}
