import { names, sizeLimit } from '../../content/layout.ts'
import type { Data, Mapping } from '../../content/parse/data.ts'
import { parse } from '../../content/parse/parse.ts'
import type { Subschema } from '../../content/schema.ts'
import { changeKeys } from '../../edit/change.ts'
import type { Edited } from '../../edit/prove.ts'
import { shotFileName, takenBy, writeNewFile } from '../../edit/write.ts'
import type { Base } from '../merge/base.ts'
import type { Changes, MemberPlan, ShotPlan } from '../merge/plan.ts'
import type { ContentSite } from './content-site.ts'
import type { ContentFile, MemberFiles } from './read-member.ts'

/** A file to write: its path below the content folder, what it says now if it is there, and what it will say. */
export type FileChange = {
  readonly path: string
  readonly before: string | undefined
  readonly after: string
}

export type Applied = {
  readonly changes: readonly FileChange[]
  /** Without what was refused, so that the next import tries it again. */
  readonly base: Base
  /** Files that could not be changed or made, and why. */
  readonly refused: readonly { readonly path: string; readonly reason: string; readonly isNew: boolean }[]
  /** Where each shot's file is, by id. */
  readonly shotPaths: ReadonlyMap<string, string>
}

export type ApplyOptions = {
  readonly username: string
  readonly files: MemberFiles | undefined
  readonly before: Base | undefined
  readonly schemas: Readonly<Record<'profile' | 'shot', Subschema>>
  readonly site: ContentSite
}

/** Turns a plan into texts, each proved to be what the plan says and to be valid content; nothing is written yet. */
export const applyPlan = (plan: MemberPlan, options: ApplyOptions): Applied => {
  const { username, files, before, schemas, site } = options
  const folder = `${names.members}/${username}`
  const changes: FileChange[] = []
  const refused: Applied['refused'][number][] = []
  let base = plan.base
  const profilePath = files?.profile.path ?? `${folder}/${names.profile}.yaml`
  const profile = newText(
    files?.profile,
    { ...plan.profile, ...projectsChange(plan, files) },
    { name: 'profile', schema: schemas.profile, schemas: site.schemas },
  )
  const profileRefusal =
    profile.refused ??
    problemIn(
      'profile',
      { path: profilePath, text: profile.text, data: profile.data },
      { before: files?.profile, site },
    )
  if (profileRefusal !== undefined) {
    refused.push({ path: profilePath, reason: profileRefusal, isNew: files === undefined })
    base = {
      ...base,
      profile: before?.profile ?? {},
      counted: before?.counted ?? [],
      projects: before?.projects ?? {},
    }
    if (files === undefined) return { changes: [], base, refused, shotPaths: new Map() }
  } else if (profile.text !== files?.profile.text) {
    changes.push({ path: profilePath, before: files?.profile.text, after: profile.text! })
  }
  const taken = new Set(files?.shotNames.map(takenBy))
  const shotPaths = new Map([...(files?.shots ?? [])].map(([id, { path }]) => [id, path]))
  for (const shot of plan.shots.toSorted(byPlanId)) {
    const file = files?.shots.get(shot.id)
    const path = file?.path ?? `${folder}/${names.shots}/${fileName(shot, taken)}`
    const made = newText(file, shot.changes, {
      name: 'shot',
      schema: schemas.shot,
      schemas: site.schemas,
    })
    const refusal =
      made.refused ?? problemIn('shot', { path, text: made.text, data: made.data }, { before: file, site })
    if (refusal !== undefined) {
      refused.push({ path, reason: refusal, isNew: shot.isNew })
      base = withoutShot(base, shot.id, before)
    } else {
      if (shot.isNew) taken.add(takenBy(path.slice(path.lastIndexOf('/') + 1)))
      shotPaths.set(shot.id, path)
      if (made.text !== file?.text) changes.push({ path, before: file?.text, after: made.text! })
    }
  }
  return { changes, base, refused, shotPaths }
}

const byPlanId = (a: ShotPlan, b: ShotPlan): number =>
  a.id.length - b.id.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** An id may be longer than a file name can be. */
const fileName = ({ id, title }: ShotPlan, taken: ReadonlySet<string>): string =>
  shotFileName({ id: id.slice(0, 100), title }, taken)

const newText = (
  file: ContentFile | undefined,
  changes: Changes,
  {
    name,
    schema,
    schemas,
  }: {
    readonly name: 'profile' | 'shot'
    readonly schema: Subschema
    readonly schemas: string | undefined
  },
): Edited => {
  if (file === undefined) return writeNewFile({ data: changes, name, schema, schemas })
  return Object.keys(changes).length === 0 ? { text: file.text } : changeKeys(file.text, changes, schema)
}

/** Why a new text would be no valid content; what was wrong with the file before is not looked at. */
const problemIn = (
  name: 'profile' | 'shot',
  { path, text, data }: ContentFile & { readonly data: Data | undefined },
  {
    before,
    site: { content, site, loader },
  }: { readonly before: ContentFile | undefined; readonly site: ContentSite },
): string | undefined => {
  if (text === before?.text) return undefined
  if (Buffer.byteLength(text) > sizeLimit) return `the file would be larger than ${sizeLimit} bytes`
  const source = { file: `${content.name}/${path}`, text, data }
  const { diagnostics } =
    name === 'profile' ? loader.loadProfile(source, site) : loader.loadShot(source, site)
  return diagnostics.find(({ severity }) => severity === 'error')?.message
}

/** The list of projects as the file is to have it: new ones at its end, and dates that changed. */
const projectsChange = ({ projects }: MemberPlan, files: MemberFiles | undefined): Changes => {
  if (projects.length === 0) return {}
  const data = files && parse({ file: '', text: files.profile.text }).data
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
const withoutShot = (base: Base, id: string, before: Base | undefined): Base => {
  const { [id]: _, ...shots } = base.shots
  const old = before?.shots[id]
  const drafted = base.drafted.filter((one) => one !== id)
  return {
    ...base,
    shots: old === undefined ? shots : { ...shots, [id]: old },
    drafted: before?.drafted.includes(id) ? [...drafted, id] : drafted,
  }
}
