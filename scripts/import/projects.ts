import { noTimestamp } from '../api/records.ts'
import { type Data, type Mapping, mappingOf } from '../content/parse/data.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { readData } from '../edit/change.ts'
import { type Fields, idIn, textOf } from './body.ts'
import { type Merging, planned } from './plan.ts'
import type { Sides } from './run.ts'
import { judge, type Verdict } from './verdict.ts'

/** The dates of the projects that content lists, by their ids. */
export const datesIn = (mine: Sides['mine']): ReadonlyMap<string, string> =>
  new Map(mine?.profile.said.projects.map(({ id, created }) => [id, created]))

/** Where shots disagree on a project's date, the one that the profile lists wins, else the first that can be kept. */
export const projectsIn = (
  shots: readonly Fields[],
  held: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> => {
  const dates = new Map<string, string>()
  for (const shot of shots) {
    const id = idIn(shot, 'id_project')
    const created = textOf(shot, 'created_project')
    if (id === undefined || created === null || timestampProblem(created) !== undefined) continue
    const isHeld = (text: string): boolean => normalTimestamp(text) === held.get(id)
    const known = dates.get(id)
    if (known === undefined || (isHeld(created) && !isHeld(known))) dates.set(id, created)
  }
  return dates
}

/**
 * A project has one date, `date` if any is known: a shot that gives it another one can't name it, nor can one without any
 * if none is known.
 */
export const keepsProject = (
  fields: Fields,
  date: string | undefined,
  notKept: (problem: string, instead: string) => void,
): boolean => {
  const project = idIn(fields, 'id_project')
  const created = textOf(fields, 'created_project') ?? ''
  const isSaid = fields.has('created_project')
  if (project === undefined) {
    if (isSaid && created !== noTimestamp)
      notKept('the shot has no project', `it becomes ${noTimestamp}`)
    return true
  }
  const problem = isSaid ? timestampProblem(created) : 'it is missing'
  if (date !== undefined && problem !== undefined) {
    if (isSaid) notKept(problem, `it becomes ${date}, the date of project ${project}`)
    return true
  }
  if (date !== undefined && normalTimestamp(created) === normalTimestamp(date)) return true
  const why = problem ?? `project ${project} has another date in another shot`
  notKept(why, `id_project ${project} is left out`)
  return false
}

/**
 * Merges lists of projects, and gives the length of the list. They grow and never shrink: the remote shows only the
 * projects of the last shots.
 */
export const mergeProjects = (dates: ReadonlyMap<string, string>, merging: Merging): number => {
  const { plan, base, mine, run, find } = merging
  const held = datesIn(mine)
  const used = [...plan.shots.keys()].map((id) => planned(id, 'id_project', merging))
  const changed = new Map<string, string>()
  for (const [id, created] of dates) {
    const my = held.get(id)
    const before = base?.projects[id]
    const old = before == null ? undefined : normalTimestamp(before)
    const ways = { base: old, mine: my ?? '', remote: normalTimestamp(created) }
    const verdict = my === undefined ? unlisted(old, used.includes(id)) : judge(ways, run.side)
    if (verdict === 'conflict')
      find('conflict', { key: 'projects' }, { key: `the date of project ${id}`, ...ways })
    else plan.base.projects[id] = created
    if (verdict === 'theirs') changed.set(id, created)
  }
  if (changed.size === 0) return held.size
  // as the file has them, with other dates and with new ones at the end
  const listed = (mappingOf(readData(mine?.profile.text).data).projects || []) as readonly Mapping[]
  const kept = listed.map((one): Data => ({ ...one, ...newDate(changed.get(String(one.id))) }))
  const added = [...changed]
    .filter(([id]) => !held.has(id))
    .map(([id, created]): Data => ({ id, created }))
  plan.profile.projects = [...kept, ...added]
  return held.size + added.length
}

/** A project that was removed here stays out, unless a shot needs it. */
const unlisted = (old: string | undefined, isUsed: boolean): Verdict =>
  old === undefined || isUsed ? 'theirs' : 'ours'

const newDate = (created: string | undefined) => created !== undefined && { created }
