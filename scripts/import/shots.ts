import { byNewest, noTimestamp, shotsLimit } from '../api/records.ts'
import { inMember, memberFolder, names } from '../content/layout.ts'
import { type Data, type Mapping, mappingOf } from '../content/parse/data.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { readData } from '../edit/change.ts'
import { fileStart } from '../problems/diagnostic.ts'
import { shotToken } from '../snapshot/compile.ts'
import { type Fields, idIn, textOf } from './body.ts'
import { shotFields, type Texts, textsOf } from './fields.ts'
import {
  judge,
  type Merging,
  mergeFields,
  planned,
  refused,
  refusedValue,
  strayShot,
  tellProblems,
} from './plan.ts'
import type { Sides } from './run.ts'

/** A shot of a window; its date as `YYYY-MM-DD HH:MM:SS`, or empty. */
type Dated = { readonly id: string; readonly date: string }

/**
 * Sorts what the remote lists into the window, the shots that can be imported and the values that can't be kept; merges the
 * shots one by one, their projects, then looks for those that are listed no longer. Gives the number of projects.
 */
export const mergeShots = (merging: Merging): number => {
  const { plan, remote, mine, find } = merging
  for (const value of remote.strays) {
    const args = refusedValue(strayShot, value, 'it is no object')
    find('shot-not-imported', { at: 'shots', id: '', key: 'id' }, args)
  }
  const held = new Map(mine?.profile.said.projects.map(({ id, created }) => [id, created]))
  const said = projectsIn(remote.shots, held)
  const dates = new Map<string, string>()
  const window = new Map<string, Dated>()
  for (const fields of remote.shots) {
    const id = textOf(fields, 'id') ?? ''
    if (window.has(id)) {
      const about = { at: 'shots', id, key: 'id' } as const
      find('shot-not-imported', about, refused(fields, about, 'the remote lists it twice'))
      continue
    }
    const isRefused = tellProblems(fields, merging, id)
    if (idIn(fields, 'id')) window.set(id, { id, date: dateIn(textOf(fields, 'date')) })
    if (isRefused) continue
    const owner = textOf(remote.user, 'id')
    if (fields.has('user_id') && textOf(fields, 'user_id') !== owner)
      tellNotKept(fields, { id, key: 'user_id' }, merging, {
        problem: "it is not the member's id",
        instead: `it becomes ${owner}`,
      })
    const project = textOf(fields, 'id_project') ?? ''
    const date = said.get(project)
    const isKept = keepsProject(id, fields, date ?? held.get(project), merging)
    mergeShot(id, isKept ? fields : new Map([...fields, ['id_project', null]]), merging)
    if (isKept && date !== undefined && Object.hasOwn(plan.base.shots, id)) dates.set(project, date)
  }
  const listed = [...window.values()]
  tellOrder(listed, merging)
  mergeGone(listed, merging)
  return mergeProjects(dates, held, merging)
}

type NotKept = { readonly problem: string; readonly instead: string; readonly hint?: string }

const tellNotKept = (
  fields: Fields,
  about: { readonly id: string; readonly key: string },
  { find }: Sides,
  { problem, ...more }: NotKept,
): void => find('not-kept', about, { ...refused(fields, about, problem), ...more })

/** The dates of projects. Where shots disagree, the one that the profile lists wins, else the first that can be kept. */
const projectsIn = (shots: readonly Fields[], held: ReadonlyMap<string, string>) => {
  const dates = new Map<string, string>()
  for (const shot of shots) {
    const id = idIn(shot, 'id_project')
    const created = textOf(shot, 'created_project')
    if (id === undefined || dateIn(created) === '') continue
    const isHeld = (text: string | null | undefined) => dateIn(text) === held.get(id)
    if (!dates.has(id) || (isHeld(created) && !isHeld(dates.get(id)))) dates.set(id, created!)
  }
  return dates
}

/**
 * A project has one date, `date` if any is known: a shot that gives it another one can't name it, nor can one without any
 * if none is known.
 */
const keepsProject = (
  id: string,
  fields: Fields,
  date: string | undefined,
  sides: Sides,
): boolean => {
  const project = idIn(fields, 'id_project')
  const created = textOf(fields, 'created_project') ?? ''
  const isSaid = fields.has('created_project')
  const tell = (problem: string, instead: string) =>
    tellNotKept(fields, { id, key: 'created_project' }, sides, { problem, instead })
  if (project === undefined) {
    if (isSaid && created !== noTimestamp)
      tell('the shot has no project', `it becomes ${noTimestamp}`)
    return true
  }
  const problem = isSaid ? timestampProblem(created) : 'it is missing'
  if (date !== undefined && problem !== undefined) {
    if (isSaid) tell(problem, `it becomes ${date}, the date of project ${project}`)
    return true
  }
  if (date !== undefined && dateIn(created) === dateIn(date)) return true
  tell(
    problem ?? `project ${project} has another date in another shot`,
    `id_project ${project} is left out`,
  )
  return false
}

/** Tells of a window that the snapshot will have in another order, or not all of. */
const tellOrder = (window: readonly Dated[], { find }: Merging): void => {
  const dated = window.filter(({ date }) => date !== '')
  const idsOf = (shots: readonly Dated[]) => shots.map(({ id }) => id).join(', ')
  const sent = idsOf(dated)
  const sorted = idsOf(dated.toSorted(byNewest))
  if (sent !== sorted) find('other-order', { at: 'shots' }, { sent, sorted })
  if (window.length > shotsLimit) find('more-than-15', { at: 'shots' }, { count: window.length })
}

const mergeShot = (id: string, fields: Fields, merging: Merging): void => {
  const { plan, mine, base, run, find } = merging
  const my = mine?.shots.get(id)?.said
  const old = base.shots[id]
  const isBack = my && base.drafted.includes(id)
  // a draft that somebody made here stays as it is
  if (my?.draft && !isBack) return
  const said = textsOf(fields, shotFields)
  if (!my && ((old && !comesBack(id, said, merging)) || isElsewhere(id, merging))) return
  const { tokens } = run.index()
  const holder = tokens.get(said.token_id ?? '')
  const isTaken = holder !== undefined && holder !== id && said.token_id !== shotToken(id)
  if (isTaken)
    tellNotKept(fields, { id, key: 'token_id' }, merging, {
      problem: `shot ${holder} has it`,
      instead: 'it is left out',
      hint: `once shot ${holder} has another one, the next import takes it`,
    })
  const remote = isTaken ? { ...said, token_id: null } : said
  const { changes, base: next } = mergeFields({ base: old, mine: my, remote }, merging, id)
  plan.base.shots[id] = next
  if (isBack) {
    find('shot-returned', { id }, { id, title: my.title })
    plan.base.drafted = plan.base.drafted.filter((one) => one !== id)
  }
  if (!my || 'token_id' in changes) tokens.set(String(changes.token_id ?? shotToken(id)), id)
  plan.shots.set(id, my?.draft ? { ...changes, draft: undefined } : changes)
}

/** Whether a shot whose file was removed here is imported again: it stays away as long as the remote says the same of it. */
const comesBack = (id: string, said: Texts, { plan, base, run, find }: Merging): boolean => {
  const known = base.shots[id] ?? {}
  // its token may be another shot's by now
  if (shotFields.every(({ key }) => key === 'token_id' || known[key] === said[key])) return false
  if (run.side === 'ours') plan.base.shots[id] = said
  if (run.side === undefined) find('removed-here', {}, { id, title: String(said.title) })
  return run.side === 'theirs'
}

/** Whether another member has a shot's id, which is told. */
const isElsewhere = (id: string, { run, name, username, find }: Sides): boolean => {
  const path = run.index().paths.get(id) ?? ''
  const { content } = run.found
  const { username: owner } = inMember(path, content)
  if (owner === '' || owner === username) return false
  const from = `${content.name}/${path}`
  const to = `${content.name}/${memberFolder(username, content)}/${names.shots}/`
  const related = { file: from, ...fileStart, message: `the shot ${id}` }
  find('shot-elsewhere', { at: 'shots', id }, { id, asked: name, owner, from, to }, { related })
  return true
}

/** Makes drafts of the shots that vanished, apart from those that newer ones pushed out of the window. */
const mergeGone = (window: readonly Dated[], merging: Merging): void => {
  const { plan, base, remote, run, find } = merging
  const ids = window.map(({ id }) => id)
  const isFull = remote.shots.length + remote.strays.length >= shotsLimit
  if (isFull && base.window.length > 0 && !base.window.some((id) => ids.includes(id))) {
    const before = base.window.map((id) => dateIn(base.shots[id]?.date)).sort()
    const now = window.flatMap(({ date }) => (date === '' ? [] : [date])).sort()
    find('windows-apart', { at: 'shots' }, { before: before.at(-1) ?? '', now: now[0] ?? '' })
  }
  const vanished = findVanished(window, isFull, merging)
  if (vanished.length * 2 > base.window.length && !run.allowRemoval) {
    find('too-many-vanished', { at: 'shots' }, { count: vanished.length, of: base.window.length })
    return
  }
  plan.base.window = ids
  for (const { id, title } of vanished) {
    find('shot-vanished', { id }, { id, title })
    plan.shots.set(id, { draft: 'true' })
    plan.base.drafted.push(id)
  }
}

/** Shots that were imported, are published here, and that the remote would list if it had them; if `isFull`, it may have more. */
const findVanished = (window: readonly Dated[], isFull: boolean, { base, mine, plan }: Merging) => {
  const [first] = window
  const last = window.at(-1)
  // a server may send the oldest first
  const oldest = first && last && isOlder(first, last) ? first : last
  return Object.entries(base.shots).flatMap(([id, { date }]) => {
    const shot = mine?.shots.get(id)?.said
    // shots that somebody removed or made drafts here don't count a second time
    if (!shot || shot.draft || plan.base.drafted.includes(id)) return []
    if (window.some((one) => one.id === id)) return []
    return !isFull || !oldest || isOlder(oldest, { id, date: dateIn(date) }) ? [shot] : []
  })
}

const dateIn = (date: string | null | undefined): string =>
  date == null || timestampProblem(date) !== undefined ? '' : normalTimestamp(date)

/** Whether a shot comes after another in the remote's order. */
const isOlder = (a: Dated, b: Dated): boolean =>
  a.date !== '' && b.date !== '' && byNewest(a, b) > 0

/** Merges lists of projects, and gives the length of the list. They grow and never shrink: the remote shows only the last. */
const mergeProjects = (
  dates: ReadonlyMap<string, string>,
  held: ReadonlyMap<string, string>,
  merging: Merging,
): number => {
  const { plan, base, mine, run, find } = merging
  const used = new Set([...plan.shots.keys()].map((id) => planned(id, 'id_project', merging)))
  const changed = new Map<string, string>()
  for (const [id, created] of dates) {
    const old = dateIn(base.projects[id]) || undefined
    const ways = { base: old, mine: held.get(id) ?? '', remote: dateIn(created) }
    // a project that was removed here stays out, unless a shot needs it
    const unlisted = old === undefined || used.has(id) ? 'theirs' : 'ours'
    const verdict = held.has(id) ? judge(ways, run.side) : unlisted
    if (verdict === 'conflict')
      find('conflict', { key: 'projects' }, { key: `the date of project ${id}`, ...ways })
    else plan.base.projects[id] = created
    if (verdict === 'theirs') changed.set(id, created)
  }
  if (changed.size === 0) return held.size
  // as the file has them, with other dates and with new ones at the end
  const listed = (mappingOf(readData(mine?.profile.text).data).projects || []) as readonly Mapping[]
  const kept = listed.map((one): Data => {
    const created = changed.get(String(one.id))
    return created === undefined ? one : { ...one, created }
  })
  const added = [...changed]
    .filter(([id]) => !held.has(id))
    .map(([id, created]): Data => ({ id, created }))
  plan.profile.projects = [...kept, ...added]
  return held.size + added.length
}
