import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { main, type Status, status } from './cli/command.ts'
import { contentOption } from './cli/options.ts'
import { report } from './cli/output.ts'
import { createProgress } from './cli/terminal.ts'
import type { Profile, Shot } from './content/member.ts'
import { type ContentFolder, type Scan, scanMember } from './content/read/scan.ts'
import type { Site } from './content/site.ts'
import { builtFile } from './files/built.ts'
import { createFolderOf, type FolderOf, findFolder, makeRoot } from './files/folder.ts'
import { readFile } from './files/open.ts'
import { remove, removeIfEmpty } from './files/remove.ts'
import { replaceFile, writeNew } from './files/write.ts'
import { createIndex, type MemberData, memberData, type Summary, summarize } from './gallery/data.ts'
import { type Gallery, settingsOf } from './gallery/page.ts'
import { addressesOf, render, sharedAddresses } from './gallery/render.ts'
import { hostNames } from './hosts/hosts.ts'
import { hasErrors } from './problems/diagnostic.ts'
import { UserError } from './problems/user-error.ts'
import { check } from './snapshot/check.ts'
import { readMember, type Tools } from './snapshot/compile.ts'
import { makeOwnFolder, overlap, resolveContent, resolveSnapshot } from './snapshot/folders.ts'
import { fingerprintStats } from './snapshot/outputs.ts'
import { createAddressing } from './snapshot/pictures.ts'
import { openSite } from './snapshot/site.ts'
import { copy, haveSettled } from './snapshot/state.ts'
import { amount, grouped, seconds } from './text/amounts.ts'

type Options = { readonly content: string; readonly out: string; readonly drafts: boolean }

async function write(options: Options): Promise<Status> {
  const start = performance.now()
  const content = resolveContent(options.content)
  const { out, own } = resolveSnapshot({ out: options.out, state: undefined })
  if (overlap(fs.realpathSync(content.path), out)) {
    throw new UserError(`the pages can't be written to "${options.out}": it and the content folder overlap`, {
      hint: 'give --out a folder of its own, such as gallery',
    })
  }
  const wasThere = isOurs(out, options.out)
  const progress = createProgress()
  const { diagnostics } = await check({
    ...{ content: options.content, out: 'dist', hostNames },
    onProgress: (done, total) => progress.update(done, total, 'members checked'),
  })
  progress.end()
  const { tools, members } = openSite(content, { hostNames })
  const wrong = diagnostics.filter(({ severity }) => severity === 'error')
  const wrongFolders = new Set(wrong.map(({ file }) => file.slice(content.name.length + 1).split('/')[1]))
  const left = members.filter(
    (username) => wrongFolders.has(username) || username.toLowerCase() === 'index.html',
  )
  const tell = (closing: string): Promise<void> => report(diagnostics, { format: 'pretty', content, closing })
  if (tools.site === undefined) {
    await tell('')
    return status.no
  }
  const about = { site: tools.site, drafts: options.drafts }
  const gallery = galleryOf(tools.site)
  const ownFolder = makeOwnFolder({ out, own })
  const epoch = hash('sha256', JSON.stringify([gallery.settings, tools.site, options.drafts, programOf()]))
  const old = wasThere ? readState(ownFolder) : noState
  makeRoot(out)
  const files = createFiles(out, { fresh: !wasThere })
  // a run that is killed leaves a folder that the next one knows
  files.put('/404.html', render('/404.html', gallery).text)
  const lines: string[] = []
  const summaries: Summary[] = []
  const since = Date.now()
  const left_ = new Set(left)
  for (const [at, username] of members.entries()) {
    if (left_.has(username)) continue
    const scan = scanMember(username, content)
    const { settled, fingerprint } = fingerprintOf(scan, since)
    const key = settled ? fingerprint : ''
    const known = old.epoch === epoch ? old.members.get(username) : undefined
    if (known !== undefined && known.key === key && files.isThere(`/members/${username}/`)) {
      files.keep([...addressesOf(known.summary), ...known.pictures])
      summaries.push(known.summary)
      lines.push(JSON.stringify(known))
      continue
    }
    const { member, pictures } = loadMember(scan, tools, about)
    if (member === undefined) continue
    const summary = summarize(member)
    summaries.push(summary)
    for (const [address, bytes] of pictures) files.put(address, bytes)
    lines.push(JSON.stringify({ key, summary, pictures: [...pictures.keys()] }))
    const own = { ...gallery, index: createIndex([summary]), member: () => member }
    for (const address of addressesOf(summary)) files.put(address, render(address, own).text)
    progress.update(at + 1, members.length, 'members written')
  }
  if (gallery.settings.logo !== '') files.put(`/${gallery.settings.logo}`, readLogo(content, tools.site))
  const whole: Gallery = { ...gallery, index: createIndex(summaries) }
  const shared = sharedAddresses(whole)
  for (const [at, address] of shared.entries()) {
    files.put(address, render(address, whole).text)
    progress.update(at + 1, shared.length, 'shared pages written')
  }
  progress.end()
  const removed = files.removeOthers(old.epoch === '' ? listFolder(out) : old.files())
  replaceFile(ownFolder, 'members.ndjson', [JSON.stringify({ epoch, shared }), ...lines, ''].join('\n'))
  const time = seconds(performance.now() - start)
  const closing = [
    `${amount(summaries.length, 'member')}, ${amount(whole.index.newest.length, 'work')}`,
    `${amount(files.count(), 'file')}, ${grouped(files.written())} written, ${grouped(removed)} removed (${time})`,
    ...(left.length === 0 ? [] : [`left out for their errors: ${left.join(', ')}`]),
  ]
  await tell(closing.join('\n'))
  return hasErrors(diagnostics) ? status.no : status.done
}

const galleryOf = (site: Site): Gallery => ({
  settings: settingsOf(site),
  index: createIndex([]),
  member: () => undefined,
  script: builtFile('scripts/gallery/script.ts'),
  style: builtFile('scripts/gallery/gallery.css'),
})

const readLogo = (content: ContentFolder, { gallery }: Site): Buffer => {
  const bytes = readFile(content.path, gallery.logo.slice('./'.length), { limit: 1 << 20 })
  if (bytes !== undefined) return bytes
  throw new UserError(`there is no logo "${content.name}/${gallery.logo.slice(2)}" of at most 1 MiB`, {
    hint: 'put the file there, or remove "logo" from site.yaml',
  })
}

/** What pages come from besides content. */
const programOf = (): string => copy?.program ?? String(Math.random())

type About = { readonly site: Site; readonly drafts: boolean }

const fingerprintOf = ({ profile = '', shots, stats, pictures }: Scan, since: number) => {
  const all = [...stats, ...pictures.map(({ stat }) => stat)]
  const files = [profile, ...shots, ...pictures.map(({ path }) => path)]
  return { settled: haveSettled(all, since), fingerprint: fingerprintStats(files, all) }
}

/** A member for pages, if all files are right, and the pictures beside them, as they are published, by address. */
const loadMember = (
  scan: Scan,
  { content, read, loader }: Tools,
  { site, drafts }: About,
): { readonly member: MemberData | undefined; readonly pictures: ReadonlyMap<string, Uint8Array> } => {
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
  return { member: profile && memberData({ username: scan.username, profile, shots }, site), pictures }
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
  const folderOf: FolderOf = createFolderOf(out, { make: true })
  const named = new Set<string>()
  let written = 0
  return {
    put: (address: string, contents: string | Uint8Array): void => {
      const file = fileOf(address)
      if (named.has(file)) return
      const bytes = Buffer.from(contents)
      named.add(file)
      const folder = folderOf(file)!
      const name = path.posix.basename(file)
      const there = fresh ? undefined : readFile(folder, name, { limit: bytes.length })
      if (there?.equals(bytes)) return
      written++
      if (fresh || fs.lstatSync(`${folder}/${name}`, { throwIfNoEntry: false }) === undefined) {
        writeNew(folder, name, bytes)
      } else replaceFile(folder, name, bytes)
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

/** What the last run left: what it was made from, and for each member a line with what shared pages show. */
type State = {
  readonly epoch: string
  readonly members: ReadonlyMap<string, Known>
  readonly files: () => Iterable<string>
}

type Known = {
  readonly key: string
  readonly summary: Summary
  /** Addresses of the pictures that lie beside the member's files. */
  readonly pictures: readonly string[]
}

const noState: State = { epoch: '', members: new Map(), files: () => [] }

/** A state that can't be read counts as none: everything is made again, and the folder is looked through. */
const readState = (ownFolder: string): State => {
  try {
    const text = readFile(ownFolder, 'members.ndjson', { limit: 1 << 29 })?.toString('utf8') ?? ''
    const [first, ...lines] = text.split('\n').slice(0, -1)
    const { epoch, shared } = JSON.parse(first!) as { epoch: string; shared: readonly string[] }
    const members = new Map(
      lines.map((line) => {
        const known = JSON.parse(line) as Known
        return [known.summary.username, known]
      }),
    )
    const addresses = [
      ...shared,
      ...[...members.values()].flatMap(({ summary, pictures }) => [...addressesOf(summary), ...pictures]),
    ]
    return { epoch, members, files: () => addresses.map(fileOf) }
  } catch {
    return noState
  }
}

main({
  name: 'npm run gallery',
  summary: 'write pages that show members and works to everybody, for any static host',
  options: {
    content: contentOption,
    out: { value: 'DIR', default: 'gallery', description: 'the folder of the pages' },
    drafts: { description: 'show drafts, too' },
  },
  notes: [
    'Only what changed is written. A folder that holds something else is refused.',
    'Exit status: 0 all members are there; 1 the content has errors (members with errors are left out); 2 it could not run.',
  ],
  run: ({ options }) => write(options),
})
