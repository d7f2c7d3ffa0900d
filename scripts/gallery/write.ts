import { hash } from 'node:crypto'
import { inMember } from '../content/layout.ts'
import { hostWarnings } from '../hosts/hosts.ts'
import { stageMembers } from '../snapshot/check.ts'
import type { Entry } from '../snapshot/entry.ts'
import { type FolderNames, resolveFolders } from '../snapshot/folders.ts'
import { readLogo } from '../snapshot/look.ts'
import { openSite } from '../snapshot/open-site.ts'
import { prepareDestination, whileLocked } from '../snapshot/prepare.ts'
import { publish } from '../snapshot/publish.ts'
import { epochOf } from '../snapshot/state.ts'
import { mayHavePages } from './data.ts'
import { lookAtFolder } from './folder.ts'
import { galleryOf, linesKept } from './product.ts'

type GalleryOptions = FolderNames & {
  readonly drafts: boolean
  /** Makes every page anew and compares it: nothing in the state is believed. */
  readonly distrust?: boolean
  readonly onProgress: (done: number, total: number) => void
  readonly onDoubt: (why: string) => void
  /** Another run has the folder, and this one waits for it. */
  readonly onWait: () => void
}

/**
 * Writes the gallery into a folder, as a build writes the snapshot. Returns the diagnostics,
 * sorted by place, and what was `written`, which is absent if site.yaml is wrong: then
 * nothing was. `left` are the members that were left out for their errors.
 */
export const writeGallery = async (options: GalleryOptions) => {
  const folders = resolveFolders(options)
  return whileLocked(folders, options, () => writePages(folders, options))
}

const writePages = async (
  folders: ReturnType<typeof resolveFolders>,
  options: GalleryOptions,
) => {
  const { empty } = lookAtFolder(folders, options.out)
  const opened = openSite(folders.content)
  const { site, siteAt, content } = opened.tools
  if (!site) {
    const { diagnostics } = await stageMembers(opened, {
      ...options,
      folders,
      target: undefined,
    })
    return { diagnostics }
  }
  const { bytes: logo } = readLogo(opened.tools)
  const about = { drafts: options.drafts, logo: logo ? hash('sha256', logo) : '' }
  const found = { ...opened, epoch: epochOf(site, about) }
  const destination = prepareDestination(folders, { empty })
  const target = { destination, product: galleryOf(site, about, logo) }
  const staged = await stageMembers(found, { ...options, folders, target })
  const { diagnostics, state } = staged
  const wrong = new Set(
    diagnostics
      .filter(({ severity }) => severity === 'error')
      // of two with one name, both
      .flatMap((one) => [one, ...((one.code === 'duplicate-name' && one.related) || [])])
      .map(({ file }) => inMember(file.slice(content.name.length + 1), content).username),
  )
  const isShown = ({ username, from }: Entry) =>
    from.key !== '' && !wrong.has(username) && mayHavePages(username)
  const all = [...state.entries.values()]
  const entries = all.filter(isShown)
  const dropped = all.filter((entry) => !isShown(entry))
  const shown = new Set(entries.map(({ username }) => username))
  const made = publish({ ...staged, ...target, entries, dropped })
  const size = { files: made.written + made.unchanged, largest: made.largest, names: 0 }
  return {
    diagnostics: [...diagnostics, ...hostWarnings(site, siteAt, size)],
    written: {
      members: entries.length,
      works: entries.flatMap(linesKept).length - entries.length,
      changed: made.written,
      removed: made.removed,
      left: opened.members.filter((username) => !shown.has(username)),
    },
  }
}
