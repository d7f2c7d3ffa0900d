import fs from 'node:fs'
import { readFile } from '../files/folder.ts'
import { UserError } from '../problems/diagnostic.ts'
import { refuseLink, type SnapshotFolders } from '../snapshot/folders.ts'
import { groupKinds } from './data.ts'

/** Whether there is a gallery; anything else but nothing, or a folder with what may stay only, is refused. */
export const isGallery = (folders: SnapshotFolders, name: string): boolean => {
  const { out } = folders
  const stat = fs.lstatSync(out, { throwIfNoEntry: false })
  if (stat === undefined) return false
  const isFolder = stat.isDirectory()
  const page = isFolder ? readFile(out, '404.html', { limit: 1 << 20 }) : undefined
  const isOurs = page?.includes('<meta name=generator content=Shotpress>') === true
  const others = isFolder ? fs.readdirSync(out).filter((entry) => !mayStay.test(entry)) : [name]
  const stranger = others.find((entry) => !isOurs || !ours.test(entry))
  if (stranger !== undefined) {
    throw new UserError(`"${name}" holds something else than a gallery: "${stranger}"`, {
      hint: isOurs
        ? 'move it elsewhere: all that lies there is published; CNAME and .nojekyll may stay'
        : hintWithoutMark(others),
    })
  }
  if (!isOurs) refuseLink(folders, 'gallery')
  return isOurs
}

const hintWithoutMark = (names: readonly string[]): string =>
  names.includes('gallery.css') && names.every((name) => ours.test(name))
    ? 'a gallery is known by its 404.html: if this was one, remove the folder, and run again'
    : 'give --out a folder of its own, such as gallery'

/** What people need at the top of a gallery, and what their tools leave there. */
export const mayStay = /^(?:CNAME|\.nojekyll|\.git\w*|\.DS_Store)$/

const ours = new RegExp(
  `^(?:${[...groupKinds, 'members', 'search', 'join', 'pictures'].join('|')}|${[
    String.raw`(?:index|404)\.html`,
    String.raw`(?:feed|sitemap(?:-\d+)?)\.xml`,
    String.raw`(?:search|gallery)\.js`,
    String.raw`gallery\.css|icon\.svg|logo\.\w+`,
  ].join('|')})$`,
)
