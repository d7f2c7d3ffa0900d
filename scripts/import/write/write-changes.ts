import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { names } from '../../content/layout.ts'
import { findEntry, makeRoot } from '../../files/folder.ts'
import { readFile } from '../../files/open.ts'
import { join } from '../../files/path-below.ts'
import { remove } from '../../files/remove.ts'
import { rename } from '../../files/rename.ts'
import { createFile, isTemporary, replaceFile, writeNew } from '../../files/write.ts'
import { UserError } from '../../problems/user-error.ts'
import type { FileChange } from './apply-plan.ts'
import type { ContentSite } from './content-site.ts'

/** Writes files of the content, each whole or not at all, and site.yaml before the first one; says which. */
export const writeChanges = (changes: readonly FileChange[], site: ContentSite): readonly string[] => {
  if (changes.length === 0) return []
  const { content, folderOf } = site
  const written = writeSite(site)
  for (const { path: file, before, after } of changes) {
    alone(file, () => {
      if (before === undefined) createFile(folderOf(file)!, path.posix.basename(file), after)
      else replaceFile(content.path, file, markOf(content.path, { file, before }) + after, { durable: true })
    })
  }
  return [...written, ...changes.map((change) => change.path)]
}

/** Writes the folder of a new member, which gets its name when all of it is there. */
export const writeMember = (
  username: string,
  changes: readonly FileChange[],
  site: ContentSite,
): readonly string[] => {
  const { content, folderOf } = site
  const folder = `${names.members}/${username}`
  const written = writeSite(site)
  const members = folderOf(folder)!
  // what is there is no member: perhaps a link
  if (findEntry(members, username) !== undefined) return [...written, ...writeChanges(changes, site)]
  const staged = stagedName(username)
  alone(folder, () => {
    for (const { path: file, after } of changes) {
      const beside = staged + file.slice(folder.length)
      writeNew(folderOf(beside)!, path.posix.basename(file), after)
    }
    try {
      rename(join(content.path, staged), join(members, username))
    } catch (error) {
      // systems have several words for it
      throw findEntry(members, username) === undefined ? error : changedMeanwhile(folder)
    }
  })
  return [...written, ...changes.map((change) => change.path)]
}

/** Hidden, so that nothing counts it as content, and of a form that nobody gives to a folder of their own. */
const stagedName = (username: string): string => `.${username}.${randomUUID()}.tmp`

/** Removes what a kill left half-written: the folders of new members, and files beside those that they were to replace. */
export const removeHalfWritten = ({ content, members }: ContentSite): void => {
  if (!fs.existsSync(content.path)) return
  for (const entry of entriesOf(content.path)) {
    const isStaged = entry.isDirectory() && isTemporary(entry.name)
    if (isStaged || isHalfFile(entry)) remove(content.path, entry.name)
  }
  const removeFrom = (folder: string): readonly fs.Dirent[] => {
    const entries = entriesOf(join(content.path, folder))
    for (const entry of entries) if (isHalfFile(entry)) remove(content.path, `${folder}/${entry.name}`)
    return entries
  }
  for (const member of members) {
    const folder = `${names.members}/${member}`
    const hasShots = removeFrom(folder).some((entry) => entry.isDirectory() && entry.name === names.shots)
    if (hasShots) removeFrom(`${folder}/${names.shots}`)
  }
}

const entriesOf = (folder: string): readonly fs.Dirent[] => fs.readdirSync(folder, { withFileTypes: true })

const isHalfFile = (entry: fs.Dirent): boolean => entry.isFile() && isTemporary(entry.name)

const writeSite = (site: ContentSite): readonly string[] => {
  const { content, newSite } = site
  if (newSite === undefined) return []
  makeRoot(content.path)
  alone('site.yaml', () => createFile(content.path, 'site.yaml', newSite))
  site.newSite = undefined
  return ['site.yaml']
}

/** The byte order mark of a file, which reading it left out; a file that changed meanwhile is not written over. */
const markOf = (
  content: string,
  { file, before }: { readonly file: string; readonly before: string },
): string => {
  const now = readFile(content, file, { limit: 16 << 20 })?.toString('utf8')
  if (now === before) return ''
  if (now === `\ufeff${before}`) return '\ufeff'
  throw changedMeanwhile(file)
}

/** Writes, and says so if somebody else does, such as a second import: what they wrote is not touched. */
const alone = (what: string, write: () => void): void => {
  try {
    write()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw ['EEXIST', 'ENOENT'].includes(code) ? changedMeanwhile(what) : error
  }
}

const changedMeanwhile = (what: string): UserError =>
  new UserError(`"${what}" changed while it was imported`, {
    hint: 'let nothing else write to the content, another import either, and run the same command again',
  })
