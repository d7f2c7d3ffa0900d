import path from 'node:path'
import { compareIds } from '../api/records.ts'
import { isYaml, memberFolder, names } from '../content/layout.ts'
import { create, removeHalfWritten, replaceText } from '../edit/files.ts'
import { provenText } from '../edit/new-text.ts'
import { shotFileName, takenBy } from '../edit/yaml/write.ts'
import { findEntry, makeRoot } from '../files/folder.ts'
import { removeIfEmpty, replaceFile } from '../files/write.ts'
import { basePath, renderBase } from './base.ts'
import type { ContentSite } from './content.ts'
import { createTaking, type FileChange } from './pictures.ts'
import type { Changes, Sides } from './run.ts'

/**
 * Turns a plan into texts, each proved to be what the plan says and to be valid content, then
 * writes them; gives their paths. Files that can't be changed or made are told, and what the
 * base says of them stays as it was, so that the next import tries again. Of a new member
 * without a profile nothing is written, and `undefined` is the answer.
 */
export const writeMember = async (sides: Sides): Promise<readonly string[] | undefined> => {
  const { username, mine, plan, find, run, baseText } = sides
  const { found, index } = run
  const { base, edits } = plan
  const isNew = !mine.files.has(undefined)
  const folder = memberFolder(username, found.content)
  const taken = new Set(mine.names.map(takenBy))
  const newPath = (id: string | undefined, { title }: Changes) => {
    if (id === undefined) return `${folder}/${names.profile}.yaml`
    // an id may be longer than a file name can be
    const name = shotFileName({ id: id.slice(0, 100), title: String(title) }, taken)
    return `${folder}/${names.shots}/${name}`
  }
  const files: FileChange[] = []
  const taking = createTaking(sides)
  /** Prepares the profile's file, or a shot's; says whether that worked. */
  const prepare = async (id?: string) => {
    const held = mine.files.get(id)
    const before = held?.text
    const { changes = {}, settle } = edits.get(id) ?? {}
    const file = held?.path ?? newPath(id, changes)
    const values = await taking.take(changes, file, id)
    const kind = id === undefined ? 'profile' : 'shot'
    const { text, refused } = provenText(kind, { before, values }, found)
    if (text === undefined) {
      find('file-refused', { id }, { reason: refused, isNew: !held })
      return false
    }
    // until a file is done, the next import tries again
    settle?.(base)
    if (!held) {
      mine.files.set(id, { path: file, text, said: {} })
      taken.add(takenBy(path.posix.basename(file)))
      if (id !== undefined) index().paths.set(id, file)
    }
    if (text !== before) files.push({ path: file, before, after: text })
    return true
  }
  if (!(await prepare()) && isNew) return undefined
  const shots = new Set([...edits.keys(), ...mine.files.keys()])
  for (const id of [...shots].filter((id) => id !== undefined).sort(compareIds))
    await prepare(id)
  const pictures = Object.keys(taking.known).length > 0 ? taking.known : undefined
  const after = renderBase({ ...base, pictures })
  if (baseText?.replaceAll('\r\n', '\n') !== after)
    files.push({ path: basePath(username, found.content), before: baseText, after })
  // pictures come before the files that name them; the base comes last: what a kill leaves
  // undone, the next import does
  const written = writeAll([...taking.changes, ...files], found)
  if (isNew) index().addMember(username, String(base.profile.id))
  return written
}

/**
 * Writes files, each whole or not at all, if they are as they were when they were read; gives
 * their paths. The first that are written bring site.yaml.
 */
const writeAll = (files: readonly FileChange[], site: ContentSite): readonly string[] => {
  const { content, newSite } = site
  if (files.length === 0) return []
  site.newSite = undefined
  const first = newSite && { path: 'site.yaml', before: undefined, after: newSite }
  const all = first ? [first, ...files] : files
  makeRoot(content.path)
  for (const { path: file, before, after } of all)
    if (before === undefined)
      create([{ below: file, contents: after }], content, { hint: 'run it again' })
    else if (isYaml(file))
      // a YAML file is text
      replaceText(content, file, { before: String(before), text: String(after) })
    else replaceFile(content.path, file, after, { before: Buffer.from(before) })
  return all.map(({ path }) => path)
}

/**
 * Removes what a kill left: files beside those that they were to replace, and folders of
 * members with nothing in them.
 */
export const clearUp = ({ content, members }: ContentSite): void => {
  removeHalfWritten(content, members.keys())
  for (const member of members) {
    const folder = memberFolder(member, content)
    removeIfEmpty(content.path, folder)
    if (findEntry(content.path, folder) === undefined) members.delete(member)
  }
}
