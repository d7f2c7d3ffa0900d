import { hash } from 'node:crypto'
import path from 'node:path'
import { type ContentFolder, names } from '../content/layout.ts'
import { findEntry, readFile } from '../files/folder.ts'
import { kindOfName, mostPictureBytes, readPicture } from '../pictures/picture.ts'
import { attempt } from './attempt.ts'

/** Pictures beside files of the content, at addresses of the preview. */
export const createPictures = ({ path: root, name }: ContentFolder) => {
  /** Their paths below the content folder, by the paths of the addresses that were given out. */
  const places = new Map<string, string>()
  /** Pictures that were given to a form and not saved yet, by their paths below the content folder. */
  const uploads = new Map<string, Buffer>()
  return {
    uploads,
    /** The path of an address for the picture that a file names; `''` if there is none. */
    addressOf: (file: string, value: string): string => {
      const below = path.posix.join(path.posix.dirname(file).slice(name.length + 1), value)
      const kind = kindOfName(value)
      if (kind === undefined || !below.startsWith(`${names.members}/`)) return ''
      const upload = uploads.get(below)
      const stat = attempt(() => findEntry(root, below))
      if (upload === undefined && !stat?.isFile()) return ''
      // another name whenever the file changes, as with what is published
      const version = upload ? hash('sha1', upload) : `${stat?.mtimeMs} ${stat?.size} ${stat?.ino}`
      const asked = `/pictures/${hash('sha256', `${below} ${version}`).slice(0, 32)}.${kind}`
      places.set(asked, below)
      return asked
    },
    has: (asked: string) => places.has(asked),
    /** What is published of a picture, or would be: that of a draft, too. `undefined` if that is nothing. */
    read: (asked: string): Buffer | undefined => {
      const below = places.get(asked)
      if (below === undefined) return undefined
      const bytes = uploads.get(below) ?? readFile(root, below, { limit: mostPictureBytes })
      const picture = bytes && readPicture(bytes)
      return picture && 'published' in picture ? picture.published : undefined
    },
  }
}
