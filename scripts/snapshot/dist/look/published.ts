import fs from 'node:fs'
import { findFolder } from '../../../files/folder.ts'
import { memberFolders } from '../../state/folders.ts'
import { findBlocked } from './frame.ts'
import { listFolder } from './list-folder.ts'

/** The names that the snapshot has a folder for: members and aliases. */
export const listPublished = (out: string): readonly string[] => {
  const isThere = fs.existsSync(out) && fs.statSync(out).isDirectory() && findBlocked(out).length === 0
  const folder = isThere ? findFolder(out, holdsMembers) : undefined
  return folder === undefined
    ? []
    : listFolder(folder).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
}

/** The folder in which each of them has one of its own. */
const holdsMembers = memberFolders.find((folder) => folder.includes('/'))!
