import path from 'node:path'
import { compareIds } from '../api/records.ts'
import { type ContentFolder, memberFolder, names, sizeLimit } from '../content/layout.ts'
import { schemasBeside } from '../content/schema.ts'
import { changeKeys, type Edited, firstLine } from '../edit/change.ts'
import { removeHalfWritten } from '../edit/members.ts'
import { shotFileName, takenBy } from '../edit/write.ts'
import { createFolderOf, findEntry, makeRoot, readFile } from '../files/folder.ts'
import { Changed, createFile, removeIfEmpty, replaceFile } from '../files/write.ts'
import { UserError } from '../problems/diagnostic.ts'
import { type Base, basePath, readLimit, renderBase } from './base.ts'
import { type ContentSite, type Held, heldAt } from './content.ts'
import { createTaking } from './pictures.ts'
import type { Changes, FileChange, MemberPlan } from './plan.ts'
import type { Sides } from './run.ts'

/**
 * Turns a plan into texts, each proved to be what the plan says and to be valid content, then writes them; gives their
 * paths. Files that can't be changed or made are told, and what the base says of them stays as it was, so that the next
 * import tries again. Of a new member without a profile nothing is written, and `undefined` is the answer.
 */
export const writeMember = async (
  plan: MemberPlan,
  sides: Sides,
): Promise<readonly string[] | undefined> => {
  const { username, mine, made, find, run, baseText } = sides
  const { found, index } = run
  const changes: FileChange[] = []
  const taking = createTaking(plan.base, sides)
  const pathOf = createNaming(plan, sides)
  const shots = new Set([...plan.shots.keys(), ...(mine?.shots.keys() ?? [])])
  for (const id of [undefined, ...[...shots].sort(compareIds)]) {
    const planned = (id === undefined ? plan.profile : plan.shots.get(id)) ?? {}
    const held = heldAt(mine, id)
    const naming = pathOf(id)
    const said = await taking.take(planned, naming.path, id)
    const kind = id === undefined ? 'profile' : 'shot'
    const edited = newText(kind, said, { path: naming.path, held, site: found })
    if (edited.refused !== undefined) {
      undo(plan.base, id, sides.base)
      find('file-refused', { id }, { reason: edited.refused, isNew: held === undefined })
      if (id === undefined && held === undefined) return undefined
      continue
    }
    naming.keep()
    if (id !== undefined && held === undefined) index().paths.set(id, naming.path)
    made.set(id, naming.path)
    if (edited.text !== held?.text)
      changes.push({ path: naming.path, before: held?.text, after: edited.text })
  }
  const pictures = Object.keys(taking.known).length > 0 ? taking.known : undefined
  const after = renderBase({ ...plan.base, pictures })
  if (baseText?.replaceAll('\r\n', '\n') !== after)
    changes.push({ path: basePath(username, found.content), before: baseText, after })
  // pictures come before the files that name them; the base comes last: what a kill leaves undone, the next import does
  const written = writeAll([...taking.changes, ...changes], found)
  if (mine === undefined) index().addMember(username, String(plan.base.profile.id))
  return written
}

/** Makes what says where a file lies, or a new one will; `keep` takes its name from those after it. */
const createNaming = (plan: MemberPlan, { username, mine, run }: Sides) => {
  const folder = memberFolder(username, run.found.content)
  const taken = new Set(mine?.names.map(takenBy))
  const newName = (id: string | undefined): string => {
    if (id === undefined) return `${folder}/${names.profile}.yaml`
    const title = String(plan.shots.get(id)?.title)
    // an id may be longer than a file name can be
    return `${folder}/${names.shots}/${shotFileName({ id: id.slice(0, 100), title }, taken)}`
  }
  return (id: string | undefined) => {
    const path = heldAt(mine, id)?.path ?? newName(id)
    const keep = (): void => {
      if (id !== undefined) taken.add(takenBy(path.slice(path.lastIndexOf('/') + 1)))
    }
    return { path, keep }
  }
}

/** The new text of a file, or why it would be no valid content; what was wrong with it before is not looked at. */
const newText = (
  name: 'profile' | 'shot',
  changes: Changes,
  { path, held, site }: { path: string; held: Held<unknown> | undefined; site: ContentSite },
): Edited => {
  if (held !== undefined && Object.keys(changes).length === 0) return { text: held.text }
  const edited = changeKeys(
    held?.text ?? firstLine(name, schemasBeside(site.content.path), site.content),
    changes,
    name,
  )
  if (edited.refused !== undefined) return edited
  const { text } = edited
  if (Buffer.byteLength(text) > sizeLimit)
    return { refused: `the file would be larger than ${sizeLimit} bytes` }
  const load = name === 'profile' ? site.loader.loadProfile : site.loader.loadShot
  const { diagnostics } = load({ file: `${site.content.name}/${path}`, text }, site.site)
  const wrong = diagnostics.find(({ severity }) => severity === 'error')
  return wrong === undefined ? edited : { refused: wrong.message }
}

/** What the next base says of the profile or a shot that was refused is what the last one said. */
const undo = (next: Base, id: string | undefined, before: Base | undefined): void => {
  if (id === undefined) {
    const { profile = {}, counted = [], projects = {} } = before ?? {}
    Object.assign(next, { profile, counted, projects })
    return
  }
  const old = before?.shots[id]
  if (old === undefined) delete next.shots[id]
  else next.shots[id] = old
  next.drafted = next.drafted.filter((one) => one !== id)
  if (before?.drafted.includes(id)) next.drafted.push(id)
}

/** Writes files, each whole or not at all; gives their paths. The first that are written bring site.yaml. */
const writeAll = (files: readonly FileChange[], site: ContentSite): readonly string[] => {
  const { content, newSite } = site
  const isFirst = files.length > 0 && newSite !== undefined
  if (isFirst) {
    makeRoot(content.path)
    site.newSite = undefined
  }
  const all = isFirst ? [{ path: 'site.yaml', before: undefined, after: newSite }, ...files] : files
  for (const file of all) writeFile(file, content)
  return all.map(({ path }) => path)
}

/** Writes a file, if it is as it was when it was read. */
const writeFile = ({ path: file, before, after }: FileChange, content: ContentFolder): void => {
  try {
    if (before === undefined)
      createFile(createFolderOf(content.path)(file), path.posix.basename(file), after)
    else {
      // reading leaves a byte order mark out
      const is = readFile(content.path, file, { limit: readLimit })
      const mark = is?.equals(Buffer.from(`\ufeff${before}`)) ? '\ufeff' : ''
      const marked = (contents: string | Buffer) => (mark ? mark + contents : contents)
      const held = Buffer.from(marked(before))
      replaceFile(content.path, file, marked(after), { durable: true, before: held })
    }
  } catch (error) {
    // somebody else writes, such as a second import: what they wrote is not touched
    const { code = '' } = error as NodeJS.ErrnoException
    throw error instanceof Changed || ['EEXIST', 'ENOENT'].includes(code)
      ? changedMeanwhile(file)
      : error
  }
}

/** Removes what a kill left: files beside those that they were to replace, and folders of members with nothing in them. */
export const clearUp = ({ content, members }: ContentSite): void => {
  removeHalfWritten(content, members.keys())
  for (const member of members) {
    const folder = memberFolder(member, content)
    removeIfEmpty(content.path, folder)
    if (findEntry(content.path, folder) === undefined) members.delete(member)
  }
}

const changedMeanwhile = (what: string): UserError =>
  new UserError(`"${what}" changed while it was imported`, {
    hint: 'let nothing else write to the content, another import either, and run the same command again',
  })
