import fs from 'node:fs'
import path from 'node:path'
import { icon } from '../../explorer/page.ts'
import { isHost } from '../../explorer/parts/images.ts'
import { script } from '../../explorer/script.ts'
import { style } from '../../explorer/style.ts'
import { makeFolder, makeRoot } from '../../files/folder.ts'
import { writeNew } from '../../files/write.ts'
import { UserError } from '../../problems/user-error.ts'
import type { Pages, Surroundings } from './pages.ts'

export type ExportOptions = {
  /** Hosts whose images are shown. */
  readonly images: ReadonlySet<string>
  readonly drafts: boolean
  readonly onProgress: (done: number, total: number) => void
}

/** Writes all pages into an empty folder, to be opened from there or from any web server. */
export const exportPages = async (pages: Pages, folder: string, options: ExportOptions): Promise<void> => {
  const { images, drafts, onProgress } = options
  const usernames = pages.usernames()
  makeRoot(folder)
  makeFolder(folder, 'members')
  const base = pages.site()?.baseUrl ?? ''
  const viewFrom = (up: string): Surroundings => ({
    scheme: 'https',
    path: undefined,
    allowed: images,
    open: undefined,
    links: {
      home: `${up}index.html`,
      member: (username) => `${up}members/${username}.html`,
      style: `${up}explorer.css`,
      script: `${up}explorer.js`,
      icon: `${up}explorer.svg`,
    },
    curl: (path, variant) => `curl ${base.replace(/^https?/, variant)}${path}`,
  })
  for (const [name, text] of [
    ['css', style],
    ['js', script],
    ['svg', icon],
  ]) {
    writeNew(folder, `explorer.${name}`, text!)
  }
  for (const [at, username] of usernames.entries()) {
    const page = await pages.member(username, { view: viewFrom('../'), drafts })
    if (page !== undefined) writeNew(folder, `members/${username}.html`, page)
    onProgress(at + 1, usernames.length)
  }
  const all = { page: 1, pageSize: Number.MAX_SAFE_INTEGER, view: viewFrom('') }
  writeNew(folder, 'index.html', await pages.members('', all))
}

/** The folder for exported pages; refused if anything is in it, or if it lies in one of the others. */
export const resolveExport = (name: string, others: readonly string[]): string => {
  const folder = path.resolve(name)
  if (others.some((other) => folder === other || folder.startsWith(other + path.sep))) {
    throw new UserError(
      `the pages can't be written to "${name}": the content and the snapshot have their own folders`,
      {
        hint: 'give --export a folder of its own, such as pages',
      },
    )
  }
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false })
  if (stat !== undefined && !(stat.isDirectory() && fs.readdirSync(folder).length === 0)) {
    throw new UserError(`"${name}" is there already`, {
      hint: 'give --export a new folder or an empty one, or remove this one first',
    })
  }
  return folder
}

/** Hosts as `--images` takes them: `cdn.example.com,images.example.org`. */
export const parseHosts = (text: string): ReadonlySet<string> => {
  const hosts = text === '' ? [] : text.toLowerCase().split(',')
  const wrong = hosts.find((host) => !isHost(host))
  if (wrong === undefined) return new Set(hosts)
  throw new UserError(`--images takes names of hosts, not "${wrong}"`, {
    hint: 'write --images cdn.example.com,images.example.org',
  })
}
