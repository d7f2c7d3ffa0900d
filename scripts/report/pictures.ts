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

/**
 * The pictures that are published now and were not before, sorted by file; the smaller ones
 * first get their room.
 */
export const changedPictures = (
  base: Pictured,
  head: Pictured,
  /** Characters of all that is shown. */
  room: number,
): readonly ChangedPicture[] => {
  const earlier = publishedIn(base)
  const known = new Set(Array.from(earlier.values(), ({ path }) => path))
  let left = room
  return [...publishedIn(head)]
    .filter(([, { path }]) => !known.has(path))
    .map(([key, picture]) => {
      const was = earlier.get(key)
      const size = read(head, picture).length
      return { picture, was, size, total: size + (was ? read(base, was).length : 0) }
    })
    .sort((a, b) => a.total - b.total)
    .map(({ picture, was, size, total }): ChangedPicture => {
      const { file } = picture
      // a third more as base64, and the words around it
      left -= Math.ceil(total / 3) * 4 + file.length * 12 + 500
      if (left < 0) return { file, size }
      const before = was && { before: show(base, was) }
      return { file, size, shown: { ...before, after: show(head, picture) } }
    })
    .sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** Where a picture lies in the content, and the path at which it is published. */
type Picture = { readonly file: string; readonly path: string }

/** By member and path below the member's folder. */
const publishedIn = ({ tools, members }: Pictured): ReadonlyMap<string, Picture> =>
  new Map(
    [...members].flatMap(([username, { pictures }]) =>
      Object.entries(pictures)
        .filter(([, { isPublished }]) => isPublished)
        .map(([below, { path }]) => {
          const file = `${memberFolder(username, tools.content)}/${below}`
          return [`${username}/${below}`, { file, path }]
        }),
    ),
  )

/** What is published of a file; nothing if it was changed meanwhile. */
const read = ({ tools }: Pictured, { file }: Picture) => {
  const bytes = readStart(tools.content.path, file, { length: mostPictureBytes + 1 })
  const picture = readPicture(bytes ?? Buffer.alloc(0))
  return 'problem' in picture ? Buffer.alloc(0) : picture.published
}

const show = (side: Pictured, picture: Picture): Shown => ({
  type: pictureTypes[picture.path.replace(/^.*\./, '') as keyof typeof pictureTypes],
  base64: read(side, picture).toString('base64'),
})
