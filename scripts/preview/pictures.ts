import { hash } from 'node:crypto'
import path from 'node:path'
import { type ContentFolder, inMember, names } from '../content/layout.ts'
import type { Site } from '../content/site.ts'
import { findEntry, readFile } from '../files/folder.ts'
import { logoFile } from '../gallery/page.ts'
import { kindOfName, mostPictureBytes, readPicture } from '../pictures/picture.ts'
import type { BuildResult } from '../snapshot/build.ts'
import type { Look } from '../snapshot/entry.ts'
import { readLogo } from '../snapshot/look.ts'
import { attempt } from './attempt.ts'

export type Pictures = ReturnType<typeof createPictures>

/** Pictures of the content, at addresses of the preview. */
export const createPictures = (
  content: ContentFolder,
  found: () => Pick<BuildResult, 'entries'> & { readonly site: Site },
) => {
  const { path: root, name } = content
  /** Their paths below the content folder, by the paths of the addresses that were given out. */
  const places = new Map<string, string>()
  /** How they look as far as the last build knows, by their addresses. */
  const looks = new Map<string, Look>()
  /**
   * Pictures that were given to a form and not saved yet, by their paths below the content
   * folder.
   */
  const uploads = new Map<string, Buffer>()
  const isLogo = (asked: string): boolean => {
    const { logo } = found().site.gallery
    return logo !== '' && asked === `/${logoFile(logo)}`
  }
  return {
    uploads,
    looks,
    /** The address of the picture that a file names; `''` if there is none. */
    urlOf: (file: string, value: string): string => {
      const below = path.posix.join(path.posix.dirname(file).slice(name.length + 1), value)
      const kind = kindOfName(value)
      if (kind === undefined || !below.startsWith(`${names.members}/`)) return ''
      const upload = uploads.get(below)
      const stat = attempt(() => findEntry(root, below))
      if (upload === undefined && !stat?.isFile()) return ''
      // another name whenever the file changes, as with what is published
      const version = upload
        ? hash('sha1', upload)
        : `${stat?.mtimeMs} ${stat?.size} ${stat?.ino}`
      const digest = hash('sha256', `${below} ${version}`).slice(0, 32)
      const asked = `/pictures/${digest}.${kind}`
      places.set(asked, below)
      const { site, entries } = found()
      const { username, rest } = inMember(below, content)
      const seen = upload ? undefined : entries.get(username)?.from.pictures?.[rest]
      if (seen) looks.set(site.baseUrl + asked, seen.look)
      return site.baseUrl + asked
    },
    /** Whether this is the path of one: `/pictures/<h>.jpg`, `/logo.svg`. */
    has: (asked: string) => isLogo(asked) || places.has(asked),
    /**
     * What is published of it, or would be: that of a draft, too. `undefined` if that is
     * nothing.
     */
    read: (asked: string): Buffer | undefined => {
      if (isLogo(asked)) return readLogo({ content, site: found().site }).bytes
      const below = places.get(asked)
      if (below === undefined) return undefined
      const bytes = uploads.get(below) ?? readFile(root, below, { limit: mostPictureBytes })
      const picture = bytes && readPicture(bytes)
      return picture && 'published' in picture ? picture.published : undefined
    },
  }
}
