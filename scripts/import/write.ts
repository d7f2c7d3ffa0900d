import path from 'node:path'
import { compareIds } from '../api/latest.ts'
import { names, sizeLimit } from '../content/layout.ts'
import type { Data, Mapping } from '../content/parse/data.ts'
import { parse } from '../content/parse/parse.ts'
import { changeKeys } from '../edit/change.ts'
import { removeHalfWritten } from '../edit/content-files.ts'
import { shotFileName, takenBy, writeNewFile } from '../edit/write.ts'
import { findEntry, makeRoot } from '../files/folder.ts'
import { readFile } from '../files/open.ts'
import { removeIfEmpty } from '../files/remove.ts'
import { createFile, replaceFile } from '../files/write.ts'
import { UserError } from '../problems/user-error.ts'
import { type Base, basePath, own, renderBase, saysBase } from './base.ts'
import type { ContentFile, ContentSite } from './content.ts'
import type { Changes } from './fields.ts'
import type { Known } from './member.ts'
import type { MemberPlan, Sides } from './merge.ts'
import type { ShotPlan } from './merge-shots.ts'
import { createStoring, type Taken } from './pictures.ts'

/** A file to write: its path below the content folder, what it says now if it is there, and what it will say. */
export type FileChange<T extends string | Buffer = string | Buffer> = {
  readonly path: string
  readonly before: T | undefined
  readonly after: T
}

export type Applied = {
  readonly changes: readonly FileChange<string>[]
  /** Without what was refused, so that the next import tries it again. */
  readonly base: Base
  /** Files that could not be changed or made, and why. */
  readonly refused: readonly { readonly path: string; readonly reason: string; readonly isNew: boolean }[]
  /** Where each shot's file is, by id. */
  readonly shotPaths: ReadonlyMap<string, string>
  readonly pictures: readonly FileChange<Buffer>[]
}

/** Turns a plan into texts, each proved to be what the plan says and to be valid content; nothing is written yet. */
export const applyPlan = (plan: MemberPlan, sides: Sides, came?: Taken): Applied => {
  const { username, mine, base: before } = sides
  const site = sides.run.found
  const folder = `${names.members}/${username}`
  const files = mine?.files
  const changes: FileChange<string>[] = []
  const refused: Applied['refused'][number][] = []
  let { base } = plan
  const storing = createStoring(came, sides)
  const path = files?.profile.path ?? `${folder}/${names.profile}.yaml`
  const profile = newText('profile', {
    ...{ path, file: files?.profile, site },
    changes: { ...storing.withPictures(plan.profile, path), ...projectsChange(plan, files?.profile) },
  })
  if (profile.refused !== undefined) {
    refused.push({ path, reason: profile.refused, isNew: mine === undefined })
    const { profile: said = {}, counted = [], projects = {} } = before ?? {}
    base = { ...base, profile: said, counted, projects }
    if (files === undefined) return { changes: [], base, refused, shotPaths: new Map(), pictures: [] }
  } else if (profile.text !== files?.profile.text) {
    changes.push({ path, before: files?.profile.text, after: profile.text })
  }
  const taken = new Set(files?.names.map(takenBy))
  const shotPaths = new Map([...(files?.shots ?? [])].map(([id, { path }]) => [id, path]))
  for (const shot of plan.shots.toSorted((a, b) => compareIds(a.id, b.id))) {
    const file = files?.shots.get(shot.id)
    // an id may be longer than a file name can be
    const newName = () => shotFileName({ id: shot.id.slice(0, 100), title: shot.title }, taken)
    const path = file?.path ?? `${folder}/${names.shots}/${newName()}`
    const shotChanges = storing.withPictures(shot.changes, path, shot.id)
    const made = newText('shot', { path, file, changes: shotChanges, site })
    if (made.refused !== undefined) {
      refused.push({ path, reason: made.refused, isNew: shot.isNew })
      base = withoutShot(base, shot, before)
    } else {
      if (shot.isNew) taken.add(takenBy(path.slice(path.lastIndexOf('/') + 1)))
      shotPaths.set(shot.id, path)
      if (made.text !== file?.text) changes.push({ path, before: file?.text, after: made.text })
    }
  }
  const { known, changes: pictures } = storing
  const isKnown = Object.keys(known).length > 0
  return { changes, base: isKnown ? { ...base, pictures: known } : base, refused, shotPaths, pictures }
}

type NewText = {
  readonly path: string
  readonly file: ContentFile | undefined
  readonly changes: Changes
  readonly site: ContentSite
}

/** The new text of a file, or why it would be no valid content; what was wrong with it before is not looked at. */
const newText = (
  name: 'profile' | 'shot',
  { path, file, changes, site }: NewText,
): { readonly text: string; readonly refused?: never } | { readonly refused: string } => {
  const schema = site.schemaOf[name]
  const edited =
    file === undefined
      ? writeNewFile({ data: changes, name, schema, schemas: site.schemas })
      : Object.keys(changes).length === 0
        ? { text: file.text }
        : changeKeys(file.text, changes, schema)
  if (edited.refused !== undefined) return { refused: edited.refused }
  const { text, data } = edited
  if (text === file?.text) return { text }
  if (Buffer.byteLength(text) > sizeLimit)
    return { refused: `the file would be larger than ${sizeLimit} bytes` }
  const load = name === 'profile' ? site.loader.loadProfile : site.loader.loadShot
  const { diagnostics } = load({ file: `${site.content.name}/${path}`, text, data }, site.site)
  const wrong = diagnostics.find(({ severity }) => severity === 'error')
  return wrong === undefined ? { text } : { refused: wrong.message }
}

/** The list of projects as the file is to have it: new ones at its end, and dates that changed. */
const projectsChange = ({ projects }: MemberPlan, file: ContentFile | undefined): Changes => {
  if (projects.length === 0) return {}
  const data = file && parse({ file: '', text: file.text }).data
  const listed = ((data as Mapping | undefined)?.projects || []) as readonly Mapping[]
  const changed = new Map(projects.map(({ id, created }) => [id, created]))
  const kept = listed.map((project): Data => {
    const created = changed.get(project.id as string)
    return created === undefined ? project : { ...project, created }
  })
  const added = projects.filter(({ id }) => !listed.some((project) => project.id === id))
  return { projects: [...kept, ...added.map(({ id, created }): Data => ({ id, created }))] }
}

/** The base without what was refused of a shot: as it was before. */
const withoutShot = (base: Base, { id }: ShotPlan, before: Base | undefined): Base => {
  const { [id]: _, ...shots } = base.shots
  const old = own(before?.shots, id)
  const drafted = base.drafted.filter((one) => one !== id)
  return {
    ...base,
    shots: old === undefined ? shots : { ...shots, [id]: old },
    drafted: before?.drafted.includes(id) ? [...drafted, id] : drafted,
  }
}

/** Writes a member, the files before the base: whatever a kill leaves undone, the next import finds and does. */
export const writeMember = (
  { changes, base, pictures }: Applied,
  { username, baseText, run }: Known,
): readonly string[] => {
  const path = basePath(username)
  const ofBase = saysBase(baseText, base) ? [] : [{ path, before: baseText, after: renderBase(base) }]
  // pictures come before the files that name them
  return writeChanges([...pictures, ...changes, ...ofBase], run.found)
}

/** Writes files of the content, each whole or not at all, and site.yaml before the first one; says which. */
const writeChanges = (changes: readonly FileChange[], site: ContentSite): readonly string[] => {
  if (changes.length === 0) return []
  const { content, folderOf } = site
  const written = writeSite(site)
  for (const { path: file, before, after } of changes) {
    alone(file, () => {
      if (before === undefined) return createFile(folderOf(file)!, path.posix.basename(file), after)
      /** The byte order mark, which reading left out; a file that changed meanwhile is not written over. */
      const readMark = (): string => {
        const now = readFile(content.path, file, { limit })
        if (now?.equals(Buffer.from(before))) return ''
        if (now?.equals(Buffer.from(`\ufeff${before}`))) return '\ufeff'
        throw changedMeanwhile(file)
      }
      const mark = readMark()
      const text = mark === '' ? after : mark + after
      replaceFile(content.path, file, text, { durable: true, check: readMark })
    })
  }
  return [...written, ...changes.map((change) => change.path)]
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

const writeSite = (site: ContentSite): readonly string[] => {
  const { content, newSite } = site
  if (newSite === undefined) return []
  makeRoot(content.path)
  alone('site.yaml', () => createFile(content.path, 'site.yaml', newSite))
  site.newSite = undefined
  return ['site.yaml']
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
