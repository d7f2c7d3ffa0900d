import fs from 'node:fs'
import path from 'node:path'
import { lstatOf, readFile } from '../files/folder.ts'
import { UserError } from '../problems/diagnostic.ts'
import { refuseLink, type SnapshotFolders } from '../snapshot/folders.ts'
import { groupKinds } from './data.ts'

/**
 * Refuses a folder that holds something else than a gallery, or what may stay; says whether
 * it is empty.
 */
export const lookAtFolder = (folders: SnapshotFolders, name: string) => {
  const { out } = folders
  const stat = lstatOf(out)
  if (!stat) return { empty: true }
  const isFolder = stat.isDirectory()
  const entries = isFolder ? fs.readdirSync(out) : [name]
  // one of two, as somebody may have changed the other
  const isOurs =
    entries.includes('404.html') &&
    Object.entries(marks).some(([name, mark]) =>
      readFile(out, name, pageLimit)?.includes(mark),
    )
  // what lies in a folder, or behind a link, would be published by such a name
  const isKept = (entry: string) =>
    mayStay.test(entry) &&
    (entry === '.git' || lstatOf(path.join(out, entry))?.isFile() === true)
  const stranger = entries.find(
    (entry) => !isKept(entry) && !(isOurs && ours.some((one) => one.test(entry))),
  )
  if (stranger !== undefined) {
    throw new UserError(`"${name}" holds something else than a gallery: "${stranger}"`, {
      hint: isOurs
        ? 'move it elsewhere: all that lies there is published; CNAME and .nojekyll may stay'
        : 'give --out a folder of its own, such as gallery',
    })
  }
  if (!isOurs) refuseLink(folders, 'gallery')
  return { empty: entries.length === 0 }
}

const marks = {
  '404.html': '<meta name=generator content=Shotpress>',
  'index.html': '<script src=gallery.js></script>',
}
const pageLimit = { limit: 1 << 20 }

/** What people need at the top of a gallery, and what their tools leave there. */
export const mayStay = /^(?:CNAME|\.nojekyll|\.git\w*|\.DS_Store)$/

const ours = [
  new RegExp(`^(?:${[...groupKinds, 'members', 'search', 'join', 'pictures'].join('|')})$`),
  /^(?:(?:index|404)\.html|(?:feed|sitemap(?:-\d+)?)\.xml)$/,
  /^(?:search\.js|gallery\.(?:js|css)|icon\.svg|logo\.\w+)$/,
]
