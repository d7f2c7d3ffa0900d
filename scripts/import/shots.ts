import { byNewest, noTimestamp, shotsLimit } from '../api/records.ts'
import { inMember, memberFolder, names } from '../content/layout.ts'
import { type Mapping, mappingOf } from '../content/parse/data.ts'
import { timestampProblem } from '../content/values/timestamp.ts'
import { readData } from '../edit/change.ts'
import { fileStart } from '../problems/diagnostic.ts'
import { shotToken } from '../snapshot/compile.ts'
import { type Fields, idIn, textOf } from './body.ts'
import { momentOf, shotFields, type Texts, textsOf } from './fields.ts'
import { judge, type Merging, mergeFields, planned, refused, tellProblems } from './plan.ts'
import type { Sides } from './run.ts'

/** A shot of a window; its date as `YYYY-MM-DD HH:MM:SS`, or empty. */
type Dated = { readonly id: string; readonly date: string }

/** A shot as the remote says it, and what tells that a value of it can't be kept. */
type Incoming = {
  readonly id: string
  readonly fields: Fields
  readonly tell: (
    key: string,
    why: { readonly problem: string; readonly instead: string; readonly hint?: string },
  ) => void
}

/**
 * Sorts what the remote lists into the window, the shots that can be imported and the values that can't be kept; merges the
 * shots one by one, their projects, then looks for those that are listed no longer. Gives the number of projects.
 */
export const mergeShots = (merging: Merging): number => {
  const { plan, base, remote, mine, find } = merging
  const held = new Map(mine?.profile.said.projects.map(({ id, created }) => [id, created]))
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
    if (idIn(fields, 'id')) window.set(id, { id, date: momentOf(textOf(fields, 'date')) })
    if (isRefused) continue
    const tell: Incoming['tell'] = (key, { problem, ...more }) =>
      find('not-kept', { id, key }, { ...refused(fields, { id, key }, problem), ...more })
    const shot = { id, fields, tell }
    const owner = textOf(remote.user, 'id')
    if (fields.has('user_id') && textOf(fields, 'user_id') !== owner)
      tell('user_id', { problem: "it is not the member's id", instead: `it becomes ${owner}` })
    const project = idIn(fields, 'id_project')
    const said = project && projectDate(project, remote.shots, held.get(project))
    const isKept = keepsProject(shot, project, said ?? held.get(project ?? ''))
    mergeShot(shot, isKept, merging)
    if (project && said && isKept && (plan.shots.has(id) || base.shots[id]))
      dates.set(project, said)
  }
  const listed = [...window.values()]
  tellOrder(listed, merging)
  mergeGone(listed, merging)
  return mergeProjects(dates, held, merging)
}

/** The date of a project. Where shots disagree, the one that the profile lists wins, else the first that can be kept. */
const projectDate = (id: string, shots: readonly Fields[], held: string | undefined) => {
  const said = shots.flatMap((shot) => {
    const created = textOf(shot, 'created_project')
    return created && textOf(shot, 'id_project') === id && momentOf(created) !== '' ? [created] : []
  })
  return said.find((created) => momentOf(created) === held) ?? said[0]
}

/**
 * A project has one date, `date` if any is known: a shot that gives it another one can't name it, nor can one without any
 * if none is known.
 */
const keepsProject = (
  { fields, tell }: Incoming,
  project: string | undefined,
  date: string | undefined,
) => {
  const key = 'created_project'
  const isSaid = fields.has(key)
  const created = textOf(fields, key) ?? ''
  const problem = isSaid ? timestampProblem(created) : 'it is missing'
  if (project === undefined) {
    if (isSaid && created !== noTimestamp)
      tell(key, { problem: 'the shot has no project', instead: `it becomes ${noTimestamp}` })
    return true
  }
  if (date === undefined || (problem === undefined && momentOf(created) !== momentOf(date))) {
    const other = `project ${project} has another date in another shot`
    tell(key, { problem: problem ?? other, instead: `id_project ${project} is left out` })
    return false
  }
  const instead = `it becomes ${date}, the date of project ${project}`
  if (isSaid && problem !== undefined) tell(key, { problem, instead })
  return true
}

/** Tells of a window that the snapshot will have in another order, or not all of. */
const tellOrder = (window: readonly Dated[], { find }: Merging) => {
  const dated = window.filter(({ date }) => date !== '')
  const idsOf = (shots: readonly Dated[]) => shots.map(({ id }) => id).join(', ')
  const sent = idsOf(dated)
  const sorted = idsOf(dated.toSorted(byNewest))
  if (sent !== sorted) find('other-order', { at: 'shots' }, { sent, sorted })
  if (window.length > shotsLimit) find('more-than-15', { at: 'shots' }, { count: window.length })
}

const mergeShot = ({ id, fields, tell }: Incoming, keepsProject: boolean, merging: Merging) => {
  const { plan, mine, base, run, find } = merging
  const my = mine?.shots.get(id)?.said
  const old = base.shots[id]
  const isBack = my && base.drafted.includes(id)
  const isDraft = my?.draft === true
  // one that somebody made here stays as it is
  if (isDraft && !isBack) return
  const remote = textsOf(fields, shotFields)
  if (!keepsProject) remote.id_project = null
  if (!my && ((old && !comesBack(id, remote, merging)) || isElsewhere(id, merging))) return
  const { tokens } = run.index()
  const holder = remote.token_id === shotToken(id) ? id : tokens.get(remote.token_id ?? '')
  if (holder !== undefined && holder !== id) {
    remote.token_id = null
    tell('token_id', {
      problem: `shot ${holder} has it`,
      instead: 'it is left out',
      hint: `once shot ${holder} has another one, the next import takes it`,
    })
  }
  const { changes, base: next } = mergeFields({ base: old, mine: my, remote }, merging, id)
  if (isBack) find('shot-returned', { id }, { id, title: my.title })
  if (!my || 'token_id' in changes) tokens.set(String(changes.token_id ?? shotToken(id)), id)
  plan.shots.set(id, {
    changes: isDraft ? { ...changes, draft: undefined } : changes,
    settle: (base) => {
      base.shots[id] = next
      base.drafted = base.drafted.filter((one) => one !== id)
    },
  })
}

/** Whether a shot whose file was removed here is imported again: it stays away as long as the remote says the same of it. */
const comesBack = (id: string, said: Texts, { plan, base, run, find }: Merging) => {
  const known = base.shots[id] ?? {}
  // its token may be another shot's by now
  if (shotFields.every(({ key }) => key === 'token_id' || known[key] === said[key])) return false
  if (run.side === 'ours') plan.base.shots[id] = said
  if (run.side === undefined) find('removed-here', {}, { id, title: String(said.title) })
  return run.side === 'theirs'
}

/** Whether another member has a shot's id, which is told. */
const isElsewhere = (id: string, { run, name, username, find }: Sides) => {
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
const mergeGone = (window: readonly Dated[], merging: Merging) => {
  const { plan, base, remote, run, find } = merging
  const ids = window.map(({ id }) => id)
  const isFull = remote.shots.length >= shotsLimit
  if (isFull && base.window.length > 0 && !base.window.some((id) => ids.includes(id))) {
    const before = base.window.map((id) => momentOf(base.shots[id]?.date)).sort()
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
    plan.shots.set(id, {
      changes: { draft: 'true' },
      settle: (next) => void next.drafted.push(id),
    })
  }
}

/** Shots that were imported, are published here, and that the remote would list if it had them; if `isFull`, it may have more. */
const findVanished = (window: readonly Dated[], isFull: boolean, { base, mine }: Merging) => {
  const [first] = window
  const last = window.at(-1)
  // a server may send the oldest first
  const oldest = first && last && isOlder(first, last) ? first : last
  return Object.entries(base.shots).flatMap(([id, { date }]) => {
    const shot = mine?.shots.get(id)?.said
    // shots that somebody removed or made drafts here don't count a second time
    if (!shot || shot.draft || base.drafted.includes(id)) return []
    if (window.some((one) => one.id === id)) return []
    return !isFull || !oldest || isOlder(oldest, { id, date: momentOf(date) }) ? [shot] : []
  })
}

/** Whether a shot comes after another in the remote's order. */
const isOlder = (a: Dated, b: Dated) => a.date !== '' && b.date !== '' && byNewest(a, b) > 0

/** Merges lists of projects, and gives the length of the list. They grow and never shrink: the remote shows only the last. */
const mergeProjects = (
  dates: ReadonlyMap<string, string>,
  held: ReadonlyMap<string, string>,
  merging: Merging,
) => {
  const { plan, base, mine, run, find } = merging
  const used = new Set([...plan.shots.keys()].map((id) => planned(id, 'id_project', merging)))
  const changed = new Map<string, string>()
  for (const [id, created] of dates) {
    const old = momentOf(base.projects[id]) || undefined
    const ways = { base: old, mine: held.get(id) ?? '', remote: momentOf(created) }
    // one that was removed here stays out, unless a shot needs it
    const unlisted = used.has(id) ? 'theirs' : 'ours'
    const verdict = held.has(id) ? judge(ways, run.side) : unlisted
    if (verdict === 'conflict')
      find('conflict', { key: 'projects' }, { key: `the date of project ${id}`, ...ways })
    else plan.stated.projects[id] = created
    if (verdict === 'theirs') changed.set(id, created)
  }
  if (changed.size === 0) return held.size
  // as the file has them, with other dates and with new ones at the end
  const listed = mappingOf(readData(mine?.profile.text).data).projects as readonly Mapping[]
  const all = new Map((listed || []).map((one) => [String(one.id), one]))
  for (const [id, created] of changed) all.set(id, { id, ...all.get(id), created })
  plan.profile.changes.projects = [...all.values()]
  return all.size
}
