import path from 'node:path'
import { compareIds } from '../api/records.ts'
import { names, sizeLimit } from '../content/layout.ts'
import type { Data, Mapping } from '../content/parse/data.ts'
import { parse } from '../content/parse/parse.ts'
import { changeKeys } from '../edit/change.ts'
import { removeHalfWritten } from '../edit/content-files.ts'
import { shotFileName, takenBy, writeNewFile } from '../edit/write.ts'
import { findEntry, makeRoot, readFile } from '../files/folder.ts'
import { createFile, removeIfEmpty, replaceFile } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'
import { type Base, basePath, own, renderBase } from './base.ts'
import { type ContentSite, type Held, heldAt } from './content.ts'
import type { Changes } from './fields.ts'
import type { Sides } from './member.ts'
import type { MemberPlan } from './merge.ts'
import { createStoring, type NewPictures } from './pictures.ts'

/** A file to write: its path below the content folder, what it says now if it is there, and what it will say. */
export type FileChange<T extends string | Buffer = string | Buffer> = {
  readonly path: string
  readonly before: T | undefined
  readonly after: T
}

export type Applied = {
  readonly changes: readonly FileChange<string>[]
  readonly pictures: readonly FileChange<Buffer>[]
  /** Without what was refused, so that the next import tries it again. */
  readonly base: Base
  /** Where each file of the plan is, by the shot's id; the profile has none. */
  readonly paths: ReadonlyMap<string | undefined, string>
}

/**
 * Turns a plan into texts, each proved to be what the plan says and to be valid content; nothing is written yet. Files that
 * can't be changed or made are told. Without a profile there is nothing to write.
 */
export const applyPlan = (plan: MemberPlan, sides: Sides, came?: NewPictures): Applied => {
  const { username, mine, base: before, find, run } = sides
  const changes: FileChange<string>[] = []
  const storing = createStoring(came, sides)
  const taken = new Set(mine?.names.map(takenBy))
  const paths = new Map<string | undefined, string>()
  let { base } = plan
  // the profile, then the shots
  for (const file of plan.files.toSorted((a, b) => compareIds(a.id ?? '', b.id ?? ''))) {
    const { id, title = '' } = file
    if (id !== undefined && mine === undefined && !paths.has(undefined)) break
    const held = heldAt(mine, id)
    // an id may be longer than a file name can be
    const newName = () => `${names.shots}/${shotFileName({ id: id!.slice(0, 100), title }, taken)}`
    const path =
      held?.path ?? `${names.members}/${username}/${id === undefined ? `${names.profile}.yaml` : newName()}`
    const listed = id === undefined ? projectsChange(plan, held) : {}
    const said = { ...storing.withPictures(file.changes, path, id), ...listed }
    const made = newText(id === undefined ? 'profile' : 'shot', said, { path, held, site: run.found })
    if (made.refused === undefined) {
      if (id !== undefined) taken.add(takenBy(path.slice(path.lastIndexOf('/') + 1)))
      paths.set(id, path)
      if (made.text !== held?.text) changes.push({ path, before: held?.text, after: made.text })
    } else {
      base = withoutFile(base, id, before)
      if (held === undefined) find('file-refused', { at: 'shots' }, { reason: made.refused })
      else find('cannot-edit', { id }, { reason: made.refused })
    }
  }
  const { known, changes: pictures } = storing
  const isKnown = Object.keys(known).length > 0
  return { changes, pictures, base: isKnown ? { ...base, pictures: known } : base, paths }
}

type Target = {
  readonly path: string
  /** Absent if it is new. */
  readonly held: Held<unknown> | undefined
  readonly site: ContentSite
}

/** The new text of a file, or why it would be no valid content; what was wrong with it before is not looked at. */
const newText = (
  name: 'profile' | 'shot',
  changes: Changes,
  { path, held, site }: Target,
): { readonly text: string; readonly refused?: never } | { readonly refused: string } => {
  if (held !== undefined && Object.keys(changes).length === 0) return { text: held.text }
  const schema = site.schemaOf[name]
  const edited =
    held === undefined
      ? writeNewFile({ data: changes, name, schema, schemas: site.schemas })
      : changeKeys(held.text, changes, schema)
  if (edited.refused !== undefined) return { refused: edited.refused }
  const { text, data } = edited
  if (Buffer.byteLength(text) > sizeLimit)
    return { refused: `the file would be larger than ${sizeLimit} bytes` }
  const load = name === 'profile' ? site.loader.loadProfile : site.loader.loadShot
  const { diagnostics } = load({ file: `${site.content.name}/${path}`, text, data }, site.site)
  const wrong = diagnostics.find(({ severity }) => severity === 'error')
  return wrong === undefined ? { text } : { refused: wrong.message }
}

/** The list of projects as the file is to have it: new ones at its end, and dates that changed. */
const projectsChange = ({ projects }: MemberPlan, held: Held<unknown> | undefined): Changes => {
  if (projects.length === 0) return {}
  const data = held && parse({ file: '', text: held.text }).data
  const listed = ((data as Mapping | undefined)?.projects || []) as readonly Mapping[]
  const changed = new Map(projects.map(({ id, created }) => [id, created]))
  const kept = listed.map((project): Data => {
    const created = changed.get(project.id as string)
    return created === undefined ? project : { ...project, created }
  })
  const added = projects.filter(({ id }) => !listed.some((project) => project.id === id))
  return { projects: [...kept, ...added.map(({ id, created }): Data => ({ id, created }))] }
}

/** The base without what was refused of the profile or a shot: as it was before. */
const withoutFile = (base: Base, id: string | undefined, before: Base | undefined): Base => {
  if (id === undefined) {
    const { profile = {}, counted = [], projects = {} } = before ?? {}
    return { ...base, profile, counted, projects }
  }
  const { [id]: _, ...shots } = base.shots
  const old = own(before?.shots, id)
  const drafted = base.drafted.filter((one) => one !== id)
  return {
    ...base,
    shots: old === undefined ? shots : { ...shots, [id]: old },
    drafted: before?.drafted.includes(id) ? [...drafted, id] : drafted,
  }
}

/**
 * Writes a member, each file whole or not at all; gives their paths. The base comes last: whatever a kill leaves undone, the
 * next import finds and does. The first member that is written brings site.yaml.
 */
export const writeMember = (
  { changes, base, pictures }: Applied,
  { username, baseText, run: { found: site } }: Sides,
): readonly string[] => {
  const after = renderBase(base)
  const isSaid = baseText?.replaceAll('\r\n', '\n') === after
  const ofBase = isSaid ? [] : [{ path: basePath(username), before: baseText, after }]
  // pictures come before the files that name them
  const all: FileChange[] = [...pictures, ...changes, ...ofBase]
  const { content, newSite } = site
  if (all.length > 0 && newSite !== undefined) {
    makeRoot(content.path)
    all.unshift({ path: 'site.yaml', before: undefined, after: newSite })
    site.newSite = undefined
  }
  for (const change of all) {
    try {
      writeChange(change, site)
    } catch (error) {
      // somebody else writes, such as a second import: what they wrote is not touched
      const { code = '' } = error as NodeJS.ErrnoException
      throw ['EEXIST', 'ENOENT'].includes(code) ? changedMeanwhile(change.path) : error
    }
  }
  return all.map(({ path }) => path)
}

const writeChange = ({ path: file, before, after }: FileChange, { content, folderOf }: ContentSite): void => {
  if (before === undefined) {
    createFile(folderOf(file), path.posix.basename(file), after)
    return
  }
  /** The byte order mark, which reading left out; a file that changed meanwhile is not written over. */
  const readMark = (): string => {
    const now = readFile(content.path, file, { limit })
    const mark = ['', '\ufeff'].find((mark) => now?.equals(Buffer.from(mark === '' ? before : mark + before)))
    if (mark === undefined) throw changedMeanwhile(file)
    return mark
  }
  const mark = readMark()
  replaceFile(content.path, file, mark === '' ? after : mark + after, { durable: true, check: readMark })
}

/** The most bytes of a file that is replaced. */
const limit = 16 << 20

/** Removes what a kill left: files beside those that they were to replace, and folders of members with nothing in them. */
export const clearUp = ({ content, members }: ContentSite): void => {
  removeHalfWritten(content, members.keys())
  for (const member of members) {
    removeIfEmpty(content.path, `${names.members}/${member}`)
    if (findEntry(content.path, `${names.members}/${member}`) === undefined) members.delete(member)
  }
}

const changedMeanwhile = (what: string): UserError =>
  new UserError(`"${what}" changed while it was imported`, {
    hint: 'let nothing else write to the content, another import either, and run the same command again',
  })
