import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import { type ContentFolder, memberFolder, names } from '../content/layout.ts'
import { mappingOf } from '../content/parse/data.ts'
import { findSite } from '../content/read/scan.ts'
import { foldUsername, isUsername, reserves } from '../content/username.ts'
import { makeFolder } from '../files/folder.ts'
import { remove, removeEmpty, rename } from '../files/write.ts'
import { UserError } from '../problems/diagnostic.ts'
import { quote } from '../text/printable.ts'
import { type Editing, requireFreeName, requireMember } from './claims.ts'
import { create, editFile, filesIn, shownPath } from './files.ts'
import { newText } from './new-text.ts'
import type { NewValues } from './yaml/change.ts'

/** Writes a new profile; says its path below the content folder. */
export const addMember = (username: string, values: NewValues, editing: Editing): string => {
  const { content } = editing
  const folder = memberFolder(username, content)
  const text = newText('profile', values, editing)
  // an empty folder may be what is left of a command that was killed
  if (holdsSomething(path.join(content.path, folder)))
    throw folderExists(shownPath(content, folder))
  const below = `${folder}/${names.profile}.yaml`
  create([{ below, contents: text }], content)
  return below
}

const holdsSomething = (folder: string) =>
  fs.existsSync(folder) && fs.readdirSync(folder).some((name) => !name.startsWith('.'))

const folderExists = (shown: string, hint?: string) =>
  new UserError(`the folder ${quote(shown)} is there already`, { hint, answer: true })

/**
 * Gives a member another name, which is nobody else's; with `alias` the old one is still
 * served: first the alias, then the folder, so that a rename that was killed between the two
 * is told by `check`, and goes on when it is asked for again. Says every file of the member,
 * below the content folder.
 */
export const renameMember = (
  {
    from,
    to,
    alias,
  }: { readonly from: string; readonly to: string; readonly alias: boolean },
  editing: Editing,
): readonly string[] => {
  const { content, claims } = editing
  requireMember(from, content)
  if (from === to) throw new UserError(`"${from}" has this name already`)
  const others = [...claims].filter(([, owner]) => owner !== from)
  requireFreeName(to, { ...editing, claims: new Map(others) })
  const { profile } = filesIn(from, content)
  if (profile === undefined)
    throw new UserError(`"${from}" has no profile.yaml`, {
      hint: 'add it first: npx shotpress check',
    })
  const old = memberFolder(from, content)
  const folder = memberFolder(to, content)
  const before = path.join(content.path, old)
  const after = path.join(content.path, folder)
  // where letter case is not told apart, the folder stands under its new name already
  if (holdsSomething(after) && fs.statSync(after).ino !== fs.statSync(before).ino)
    throw folderExists(shownPath(content, folder), 'look at what is in it, and remove it')
  // as they are written, right or wrong
  const { aliases: written } = mappingOf(profile.parsed().data)
  const isList = Array.isArray(written) && written.every((name) => typeof name === 'string')
  const known: readonly string[] = isList ? written : []
  const wanted = alias && !known.includes(from) ? [...known, from] : known
  const aliases = wanted.filter((name) => foldUsername(name) !== foldUsername(to))
  if (aliases.join() !== known.join()) {
    if (!isList && written)
      throw new UserError(`${profile.file} is wrong`, {
        hint: 'npx shotpress check says how',
      })
    editFile(content, profile, { aliases: aliases.length === 0 ? undefined : aliases })
  }
  makeFolder(content.path, path.posix.dirname(folder))
  rename(before, after)
  removeEmpty(content.path, path.posix.dirname(old))
  return filesBelow(folder, content)
}

/** Every file in a folder, below the content folder. */
const filesBelow = (folder: string, content: ContentFolder): readonly string[] =>
  glob
    .sync('**', {
      cwd: path.join(content.path, folder),
      dot: true,
      followSymbolicLinks: false,
    })
    .map((one) => `${folder}/${one}`)
    .sort()

/**
 * Takes a member out of the content; with `reserve` nobody else can have the name or the
 * aliases. First they are reserved, so that a removal that was killed between the two is told
 * by `check`, and goes on when it is asked for again. Says the files that are gone and
 * site.yaml, below the content folder, what was reserved, and all names that the member had.
 */
export const removeMember = (
  { username, reserve }: { readonly username: string; readonly reserve: boolean },
  { content, site }: Editing,
) => {
  requireMember(username, content)
  const { name } = findSite(content)
  if (reserve && name === undefined) {
    throw new UserError('there is no site.yaml to reserve the name in', {
      hint: 'add it, or leave the name free with --no-reserve',
    })
  }
  const { aliases = [] } = filesIn(username, content).profile?.facts() ?? {}
  const known = site?.reserved ?? []
  const isReserved = reserves(known)
  const had = [...new Set([username, ...aliases.filter(isUsername)])]
  const given = reserve ? had : []
  const reserved = given.filter((one) => isUsername(one) && !isReserved(one))
  if (name !== undefined && reserved.length > 0) {
    editFile(content, { kind: 'site', below: name }, { reserved: [...known, ...reserved] })
  }
  const folder = memberFolder(username, content)
  const files = filesBelow(folder, content)
  remove(content.path, folder)
  if (content.groups) removeEmpty(content.path, path.posix.dirname(folder))
  return { files: [...files, ...(reserved.length > 0 ? [name!] : [])], reserved, had }
}
