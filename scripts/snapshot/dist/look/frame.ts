import fs from 'node:fs'
import path from 'node:path'
import { errors, signatureFiles, sumsFile } from '../../../api/routes.ts'
import { foldUsername } from '../../../content/username.ts'
import { findEntry } from '../../../files/folder.ts'
import { readFile } from '../../../files/open.ts'
import { isOneEntry } from '../../../files/respell.ts'
import { memberFolders } from '../../state/folders.ts'
import { listFolder } from './list-folder.ts'

/** A file of the snapshot that is no member's. */
export type FrameFile = { readonly path: string; readonly text: string }

/** The error bodies, and other files that are no member's. Sorted by path. */
export const frameFiles = (others: readonly FrameFile[]): readonly FrameFile[] => {
  const bodies = Object.values(errors).map(({ file, body }) => ({ path: file, text: body }))
  return [...bodies, ...others].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Whether a file of the frame is in the snapshot as it should be. */
export const isInPlace = (out: string, { path: name, text }: FrameFile): boolean => {
  const bytes = Buffer.from(text)
  const folder = path.posix.dirname(name)
  if (isBlocked(out, folder)) return false
  return readFile(out, name, { limit: bytes.length })?.equals(bytes) === true
}

/** Whether a link or a file stands where a folder of the snapshot, or one above it, should be. */
const isBlocked = (out: string, folder: string): boolean =>
  folder !== '.' &&
  (isBlocked(out, path.posix.dirname(folder)) || findEntry(out, folder)?.isDirectory() === false)

/** Those folders in which members stand that are links or files instead. */
export const findBlocked = (out: string): readonly string[] => {
  const blocked: string[] = []
  for (const folder of memberFolders) {
    if (blocked.some((other) => folder.startsWith(`${other}/`))) continue
    const stat = fs.lstatSync(path.join(out, folder), { throwIfNoEntry: false })
    if (stat !== undefined && !stat.isDirectory()) blocked.push(folder)
  }
  return blocked
}

/** Signatures of the list that is there. */
export const findSignatures = (out: string): readonly string[] =>
  Object.values(signatureFiles).filter((name) => findEntry(out, name)?.isFile())

/** Paths below the snapshot's root. */
export type Strangers = {
  /** What stands in the way of files that belong: links, folders, files of others. */
  readonly clear: readonly string[]
  /** Folders of members that are gone. */
  readonly remove: readonly string[]
  /** Members' folders, where the file system has them in another letter case. */
  readonly respell: readonly string[]
}

/** What does not belong in the snapshot, outside the members' own folders. */
export const findStrangers = (
  out: string,
  { frame, names }: { readonly frame: readonly FrameFile[]; readonly names: readonly string[] },
): Strangers => {
  const clear: string[] = []
  const remove: string[] = []
  const respell: string[] = []
  const usernames = new Set(names)
  let folded: ReadonlyMap<string, string> | undefined
  const findOther = (name: string): string | undefined => {
    folded ??= new Map(names.map((one) => [foldUsername(one), one]))
    return folded.get(foldUsername(name))
  }
  const folders = new Set<string>(memberFolders)
  const files = new Set([sumsFile, ...Object.values(signatureFiles), ...frame.map((file) => file.path)])
  for (const file of files) {
    for (let at = file.indexOf('/'); at !== -1; at = file.indexOf('/', at + 1)) folders.add(file.slice(0, at))
  }
  const visit = (folder: string): void => {
    for (const entry of listFolder(path.join(out, folder))) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`
      const holdsMembers = isLast(folder)
      if (holdsMembers && usernames.has(entry.name)) continue
      if (holdsMembers && entry.isDirectory()) {
        const other = findOther(entry.name)
        if (other !== undefined && isOneEntry(out, name, `${folder}/${other}`))
          respell.push(`${folder}/${other}`)
        else remove.push(name)
      } else if (entry.isDirectory() && folders.has(name)) visit(name)
      else if (!(entry.isFile() && files.has(name))) clear.push(name)
    }
  }
  visit('')
  return { clear, remove, respell }
}

const isLast = (folder: string): boolean =>
  memberFolders.includes(folder) && !memberFolders.some((other) => other.startsWith(`${folder}/`))
