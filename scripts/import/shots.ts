import { byNewest, noTimestamp, shotsLimit } from '../api/records.ts'
import { inMember, memberFolder, names } from '../content/layout.ts'
import type { Mapping } from '../content/parse/data.ts'
import { timestampProblem } from '../content/values/timestamp.ts'
import { mappingIn } from '../edit/change.ts'
import { fileStart } from '../problems/diagnostic.ts'
import { shotToken } from '../snapshot/compile.ts'
import { amount } from '../text/amounts.ts'
import { type Fields, idIn, textOf } from './body.ts'
import { momentOf, shotFields, type Texts, textsOf } from './fields.ts'
import { judge, mergeFields, refused, tellProblems } from './judge.ts'
import type { Sides } from './run.ts'

/** A shot of a window; its date as `YYYY-MM-DD HH:MM:SS`, or empty. */
type Dated = { readonly id: string; readonly date: string }

/** Dates of projects by their ids. */
type Dates = ReadonlyMap<string, string>

/** A shot as the remote says it, and what tells that a value of it can't be kept. */
type Incoming = {
  readonly id: string
  readonly fields: Fields
  readonly tell: (
    key: string,
    why: { readonly problem: string; readonly instead: string; readonly hint?: string },
  ) => void
}

/** What a shot's file will say at a key. */
export const planned = (id: string, key: 'draft' | 'id_project', { plan, mine }: Sides) => {
  const { changes = {} } = plan.shots.get(id) ?? {}
  return key in changes ? changes[key] : mine?.shots.get(id)?.said[key]
}

/**
 * Sorts what the remote lists into shots that can be imported and values that can't be kept; merges the shots one by one,
 * their projects, then looks for those that are listed no longer. Gives the number of projects.
 */
export const mergeShots = (sides: Sides): number => {
  const { plan, base, remote, mine, find } = sides
  const held = new Map(mine?.profile.said.projects.map(({ id, created }) => [id, created]))
  const said = datesOf(remote.shots, held)
  const dates = new Map<string, string>()
  for (const fields of remote.shots) {
    const id = textOf(fields, 'id') ?? ''
    if (idIn(fields, 'id') && remote.byId.get(id) !== fields) {
      const about = { at: 'shots', id, key: 'id' } as const
      find('shot-not-imported', about, refused(fields, about, 'the remote lists it twice'))
      continue
    }
    if (tellProblems(fields, sides, id)) continue
    const tell: Incoming['tell'] = (key, { problem, ...more }) =>
      find('not-kept', { id, key }, { ...refused(fields, { id, key }, problem), ...more })
    const shot = { id, fields, tell }
    const owner = textOf(remote.user, 'id')
    if (fields.has('user_id') && textOf(fields, 'user_id') !== owner)
      tell('user_id', { problem: "it is not the member's id", instead: `it becomes ${owner}` })
    const project = idIn(fields, 'id_project') ?? ''
    const date = said.get(project)
    const isKept = keepsProject(shot, project, date ?? held.get(project))
    mergeShot(shot, isKept, sides)
    if (date && isKept && (plan.shots.has(id) || base.shots[id])) dates.set(project, date)
  }
  mergeWindow(sides)
  return mergeProjects(dates, held, sides)
}

/** The dates that shots give to their projects. Where they disagree, the one that the profile lists wins, else the first. */
const datesOf = (shots: readonly Fields[], held: Dates): Dates => {
  const dates = new Map<string, string>()
  for (const shot of shots) {
    const id = idIn(shot, 'id_project')
    const created = textOf(shot, 'created_project')
    const moment = momentOf(created)
    if (!id || !created || moment === '') continue
    const isListed = moment === held.get(id) && momentOf(dates.get(id)) !== moment
    if (isListed || !dates.has(id)) dates.set(id, created)
  }
  return dates
}

/**
 * A project has one date, `date` if any is known: a shot that gives it another one can't name it, nor can one without any
 * if none is known.
 */
const keepsProject = ({ fields, tell }: Incoming, project: string, date: string | undefined) => {
  const key = 'created_project'
  const isSaid = fields.has(key)
  const created = textOf(fields, key) ?? ''
  const problem = isSaid ? timestampProblem(created) : 'it is missing'
  if (project === '') {
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

const mergeShot = ({ id, fields, tell }: Incoming, keepsProject: boolean, sides: Sides) => {
  const { plan, mine, base, run, find } = sides
  const my = mine?.shots.get(id)?.said
  const isBack = my && base.drafted.includes(id)
  const isDraft = my?.draft === true
  // one that somebody made here stays as it is
  if (isDraft && !isBack) return
  const remote = textsOf(fields, shotFields)
  if (!keepsProject) remote.id_project = null
  if (!my && (staysAway(id, remote, sides) || isElsewhere(id, sides))) return
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
  const { changes, settled } = mergeFields(remote, sides, id)
  if (isBack) find('shot-returned', { id }, { id, title: my.title })
  if (!my || 'token_id' in changes) tokens.set(String(changes.token_id ?? shotToken(id)), id)
  if (isDraft) changes.draft = undefined
  plan.shots.set(id, { changes, settled })
}

/** Whether a shot whose file was removed here is not imported again: it stays away as long as the remote says the same of it. */
const staysAway = (id: string, said: Texts, { plan, base, run, find }: Sides) => {
  const known = base.shots[id]
  if (known === undefined) return false
  // its token may be another shot's by now
  if (shotFields.every(({ key }) => key === 'token_id' || known[key] === said[key])) return true
  if (run.side === 'ours') plan.base.shots[id] = said
  if (run.side === undefined) find('removed-here', {}, { id, title: String(said.title) })
  return run.side !== 'theirs'
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

/** Tells what is strange about a window, and makes drafts of the shots that vanished from it. */
const mergeWindow = (sides: Sides) => {
  const { plan, base, remote, run, find } = sides
  const at = { at: 'shots' } as const
  const listed = [...remote.byId.values()].filter((fields) => idIn(fields, 'id'))
  const window = listed.map((fields) => {
    return { id: textOf(fields, 'id') ?? '', date: momentOf(textOf(fields, 'date')) }
  })
  const dated = window.filter(({ date }) => date !== '')
  const sent = idsOf(dated).join(', ')
  const sorted = idsOf(dated.toSorted(byNewest)).join(', ')
  if (sent !== sorted) find('other-order', at, { sent, sorted })
  if (window.length > shotsLimit) find('more-than-15', at, { count: window.length })
  const ids = idsOf(window)
  const isFull = remote.shots.length >= shotsLimit
  if (isFull && base.window.length > 0 && !base.window.some((id) => ids.includes(id))) {
    const before = base.window.map((id) => momentOf(base.shots[id]?.date)).sort()
    const now = dated.map(({ date }) => date).sort()
    find('windows-apart', at, { before: before.at(-1) ?? '', now: now[0] ?? '' })
  }
  const vanished = findVanished(window, isFull, sides)
  const { length } = vanished
  if (length * 2 > base.window.length && !run.allowRemoval) {
    const shots = amount(length, 'shot')
    return find('too-many-vanished', at, { shots, of: base.window.length })
  }
  plan.base.window = ids
  for (const { id, title } of vanished) {
    find('shot-vanished', { id }, { id, title })
    plan.shots.set(id, { changes: { draft: 'true' }, settled: base.shots[id] ?? {} })
  }
}

const idsOf = (shots: readonly Dated[]) => shots.map(({ id }) => id)

/**
 * Shots that were imported, are published here, and that the remote would list if it had them: those that newer ones pushed
 * out of a window that `isFull` are older than its last.
 */
const findVanished = (window: readonly Dated[], isFull: boolean, { base, mine }: Sides) => {
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
const mergeProjects = (dates: Dates, held: Dates, sides: Sides) => {
  const { plan, base, mine, run, find } = sides
  const used = new Set([...plan.shots.keys()].map((id) => planned(id, 'id_project', sides)))
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
  const listed = mappingIn(mine?.profile.text).projects as readonly Mapping[]
  const all = new Map((listed || []).map((one) => [String(one.id), one]))
  for (const [id, created] of changed) all.set(id, { id, ...all.get(id), created })
  plan.profile.projects = [...all.values()]
  return all.size
}
