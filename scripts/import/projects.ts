import { noTimestamp } from '../api/records.ts'
import type { Project } from '../content/member.ts'
import { timestampProblem } from '../content/values/timestamp.ts'
import { mappingIn } from '../edit/yaml/proof.ts'
import { type Fields, isId, textOf } from './body.ts'
import type { Mine } from './content.ts'
import { momentOf } from './fields.ts'
import { judge } from './judge.ts'
import type { Changes, Sides } from './run.ts'

/** Projects by their ids, as the profile's file lists them. */
type Listed = ReadonlyMap<string, Pick<Project, 'id' | 'created'>>

export const projectsIn = ({ files }: Mine): Listed => {
  const { projects } = mappingIn(files.get(undefined)?.text)
  const listed = (projects || []) as unknown as readonly Project[]
  return new Map(listed.map((one) => [one.id, one]))
}

/** The project that a shot names; `''` is none. */
export const projectOf = (shot: Fields): string => {
  const id = textOf(shot, 'id_project') ?? ''
  return isId(id) ? id : ''
}

/**
 * The dates that shots give to their projects. Where they disagree, the one that the profile
 * lists wins, else the first.
 */
export const datesOf = (
  shots: readonly Fields[],
  listed: Listed,
): ReadonlyMap<string, string> => {
  const dates = new Map<string, string>()
  for (const shot of shots) {
    const id = projectOf(shot)
    const created = textOf(shot, 'created_project') ?? ''
    const moment = momentOf(created)
    if (id === '' || moment === '') continue
    const isListed = moment === momentOf(listed.get(id)?.created)
    const isFirst = !dates.has(id)
    if (isFirst || (isListed && momentOf(dates.get(id)) !== moment)) dates.set(id, created)
  }
  return dates
}

/** Tells that a value of a shot can't be kept. */
export type TellNotKept = (
  key: string,
  why: { readonly problem: string; readonly instead: string; readonly hint?: string },
) => void

/**
 * A project has one date, `date`, or `''` if none is known: a shot that gives it another one
 * can't name it, nor can one without any if none is known.
 */
export const keepsProject = (
  shot: Fields,
  { date, tell }: { readonly date: string; readonly tell: TellNotKept },
): boolean => {
  const key = 'created_project'
  const project = projectOf(shot)
  const isSaid = shot.has(key)
  const created = textOf(shot, key) ?? ''
  const problem = isSaid ? timestampProblem(created) : 'it is missing'
  if (project === '') {
    if (isSaid && created !== noTimestamp)
      tell(key, { problem: 'the shot has no project', instead: `it becomes ${noTimestamp}` })
    return true
  }
  if (date === '' || (problem === undefined && momentOf(created) !== momentOf(date))) {
    const other = `project ${project} has another date in another shot`
    tell(key, { problem: problem ?? other, instead: `id_project ${project} is left out` })
    return false
  }
  const instead = `it becomes ${date}, the date of project ${project}`
  if (isSaid && problem !== undefined) tell(key, { problem, instead })
  return true
}

/**
 * Merges the dates of projects that shots bring, of which some are `used`, into the list of a
 * profile: it grows and never shrinks, as the remote shows only the last. `projects` is what
 * the next import starts from.
 */
export const mergeProjects = (
  dates: ReadonlyMap<string, string>,
  used: ReadonlySet<unknown>,
  { base, mine, run, find }: Sides,
) => {
  const projects = { ...base.projects }
  const changes: Changes = {}
  const all = new Map(projectsIn(mine))
  for (const [id, created] of dates) {
    const listed = all.get(id)
    const ways = {
      base: momentOf(base.projects[id]) || undefined,
      mine: momentOf(listed?.created),
      remote: momentOf(created),
    }
    // one that was removed here stays out, unless a shot needs it
    const unlisted = used.has(id) ? 'theirs' : 'ours'
    const same = (a: string, b: string) => a === b
    const verdict = listed ? judge({ ...ways, same }, run.side) : unlisted
    const key = `the date of project ${id}`
    if (verdict === 'conflict') find('conflict', { key: 'projects' }, { ...ways, key })
    else projects[id] = created
    if (verdict !== 'theirs') continue
    all.set(id, { id, ...listed, created })
    changes.projects = [...all.values()]
  }
  return { projects, changes, count: all.size }
}
