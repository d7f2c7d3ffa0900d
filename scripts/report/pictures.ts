import { pictureTypes } from '../api/routes.ts'
import { memberFolder } from '../content/layout.ts'
import { readStart } from '../content/read/read-file.ts'
import { mostPictureBytes, readPicture } from '../pictures/picture.ts'
import type { Tools } from '../snapshot/compile.ts'
import type { SeenPictures } from '../snapshot/entry.ts'

/** A picture as visitors get it, to stand in a page. */
export type Shown = { readonly type: string; readonly base64: string }

/** A file whose picture is not published yet. */
export type ChangedPicture = {
  /** From the folder of the members. */
  readonly file: string
  /** Bytes of what is published of it. */
  readonly size: number
  /** None if there was no room. */
  readonly shown?: { readonly before?: Shown; readonly after: Shown }
}

/** The valid members of a side, by username. */
type Pictured = {
  readonly tools: Tools
  readonly members: ReadonlyMap<string, { readonly pictures: SeenPictures }>
}

/** The pictures that are published now and were not before, sorted by file; the smaller ones first get their room. */
export const changedPictures = (
  base: Pictured,
  head: Pictured,
  /** Characters of all that is shown. */
  room: number,
): readonly ChangedPicture[] => {
  const known = new Set(publishedIn(base).map(({ path }) => path))
  const found = publishedIn(head)
    .filter(({ path }) => !known.has(path))
    .map((one) => {
      const earlier = base.members.get(one.username)?.pictures[one.below]
      const was = earlier?.isPublished ? { ...one, path: earlier.path } : undefined
      const size = read(head.tools, one).length
      return { ...one, was, size, total: size + (was ? read(base.tools, was).length : 0) }
    })
    .sort((a, b) => a.total - b.total)
  let left = room
  return found
    .map((one): ChangedPicture => {
      const { size, was, total } = one
      const file = `${memberFolder(one.username, head.tools.content)}/${one.below}`
      // a third more as base64, and the words around it
      left -= Math.ceil(total / 3) * 4 + file.length * 12 + 500
      if (left < 0) return { file, size }
      const before = was && { before: show(base.tools, was) }
      return { file, size, shown: { ...before, after: show(head.tools, one) } }
    })
    .sort((a, b) => (a.file < b.file ? -1 : 1))
}

type Published = { readonly username: string; readonly below: string; readonly path: string }

const publishedIn = ({ members }: Pictured): readonly Published[] =>
  [...members].flatMap(([username, { pictures }]) =>
    Object.entries(pictures)
      .filter(([, { isPublished }]) => isPublished)
      .map(([below, { path }]) => ({ username, below, path })),
  )

/** What is published of a file; nothing if it was changed meanwhile. */
const read = ({ content }: Tools, { username, below }: Published): Buffer => {
  const file = `${memberFolder(username, content)}/${below}`
  const bytes = readStart(content.path, file, { length: mostPictureBytes + 1 })
  const picture = readPicture(bytes ?? Buffer.alloc(0))
  return 'problem' in picture ? Buffer.alloc(0) : picture.published
}

const show = (tools: Tools, picture: Published): Shown => ({
  type: pictureTypes[picture.path.replace(/^.*\./, '') as keyof typeof pictureTypes],
  base64: read(tools, picture).toString('base64'),
})
