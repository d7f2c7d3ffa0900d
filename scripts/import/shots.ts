import { byNewest, shotsLimit } from '../api/records.ts'
import { inMember, memberFolder, names } from '../content/layout.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { fileStart } from '../problems/diagnostic.ts'
import { shotToken } from '../snapshot/compile.ts'
import { type Fields, idIn, textOf } from './body.ts'
import { shotFields, type Texts, textsOf } from './fields.ts'
import { type Merging, mergeFields } from './plan.ts'
import { datesIn, keepsProject, projectsIn } from './projects.ts'
import { refused, refusedValue, strayShot, tellProblems } from './refusals.ts'
import type { Sides } from './run.ts'

/** A shot of a window; its date as `YYYY-MM-DD HH:MM:SS`, or empty. */
type Dated = { readonly id: string; readonly date: string }

/**
 * Sorts what the remote lists into the window, the shots that can be imported and the values that can't be kept; merges the
 * shots one by one, then looks for those that are listed no longer. Gives the dates of projects.
 */
export const mergeShots = (merging: Merging): ReadonlyMap<string, string> => {
  const { plan, remote, mine, find } = merging
  const held = datesIn(mine)
  const said = projectsIn(remote.shots, held)
  const dates = new Map<string, string>()
  for (const value of remote.strays) {
    const args = refusedValue(strayShot, value, 'it is no object')
    find('shot-not-imported', { at: 'shots', id: '', key: 'id' }, args)
  }
  const window = new Map<string, Dated>()
  for (const fields of remote.shots) {
    const id = textOf(fields, 'id') ?? ''
    if (!enters(id, fields, { window, merging })) continue
    const project = textOf(fields, 'id_project') ?? ''
    const date = said.get(project)
    const isKept = keepsProject(fields, date ?? held.get(project), (problem, instead) => {
      const about = { id, key: 'created_project' }
      find('not-kept', about, { ...refused(fields, about, problem), instead })
    })
    mergeShot(id, isKept ? fields : new Map([...fields, ['id_project', null]]), merging)
    if (isKept && date !== undefined && Object.hasOwn(plan.base.shots, id)) dates.set(project, date)
  }
  const listed = [...window.values()]
  tellOrder(listed, merging)
  mergeGone(listed, merging)
  return dates
}

/** Adds a shot to the window, in which each stands once; says whether content can hold it, and tells what it can't. */
const enters = (
  id: string,
  fields: Fields,
  { window, merging }: { readonly window: Map<string, Dated>; readonly merging: Merging },
): boolean => {
  const { remote, find } = merging
  if (window.has(id)) {
    const about = { at: 'shots', id, key: 'id' } as const
    find('shot-not-imported', about, refused(fields, about, 'the remote lists it twice'))
    return false
  }
  const isRefused = tellProblems(fields, merging, id)
  if (idIn(fields, 'id')) window.set(id, { id, date: dateIn(textOf(fields, 'date')) })
  if (isRefused) return false
  const owner = textOf(remote.user, 'id')
  if (fields.has('user_id') && textOf(fields, 'user_id') !== owner) {
    const about = { id, key: 'user_id' }
    const why = refused(fields, about, "it is not the member's id")
    find('not-kept', about, { ...why, instead: `it becomes ${owner}` })
  }
  return true
}

/** Tells of a window that the snapshot will have in another order, or not all of. */
const tellOrder = (window: readonly Dated[], { find }: Merging): void => {
  const dated = window.filter(({ date }) => date !== '')
  const idsOf = (shots: readonly Dated[]): string => shots.map(({ id }) => id).join(', ')
  const sent = idsOf(dated)
  const sorted = idsOf(dated.toSorted(byNewest))
  if (sent !== sorted) find('other-order', { at: 'shots' }, { sent, sorted })
  if (window.length > shotsLimit) find('more-than-15', { at: 'shots' }, { count: window.length })
}

const mergeShot = (id: string, fields: Fields, merging: Merging): void => {
  const { plan, mine, base, run, find } = merging
  const my = mine?.shots.get(id)?.said
  const old = base?.shots[id]
  const isBack = my !== undefined && plan.base.drafted.includes(id)
  // a draft that somebody made here stays as it is
  if (my?.draft && !isBack) return
  const holder = tokenHolder(id, fields, merging)
  const withoutToken = holder !== undefined && { token_id: null }
  const remote: Texts = { ...textsOf(fields, shotFields), ...withoutToken }
  if (my === undefined) {
    // a token that another shot has now says nothing of the remote
    const known = old && { ...old, ...withoutToken }
    if (known && !comesBack(id, { known, remote, merging })) return
    if (isElsewhere(id, merging)) return
  }
  if (holder !== undefined && (my !== undefined || old === undefined))
    tellHolder(id, { fields, holder, find })
  const ways = { base: old, mine: my, remote }
  const { changes, base: next } = mergeFields(shotFields, ways, merging, id)
  plan.base.shots[id] = next
  if (isBack) tellReturned(id, my.title, merging)
  if (my === undefined || 'token_id' in changes)
    run.index().tokens.set(String(changes.token_id ?? shotToken(id)), id)
  plan.shots.set(id, my?.draft ? { ...changes, draft: undefined } : changes)
}

const tellReturned = (id: string, title: string, { plan, find }: Merging): void => {
  find('shot-returned', { id }, { id, title })
  plan.base.drafted = plan.base.drafted.filter((one) => one !== id)
}

type Held = Pick<Sides, 'find'> & { readonly fields: Fields; readonly holder: string }

/** Tells that another shot has a shot's token. */
const tellHolder = (id: string, { fields, holder, find }: Held): void => {
  const about = { id, key: 'token_id' }
  const hint = `once shot ${holder} has another one, the next import takes it`
  const why = refused(fields, about, `shot ${holder} has it`)
  find('not-kept', about, { ...why, instead: 'it is left out', hint })
}

type Removed = { readonly known: Texts; readonly remote: Texts; readonly merging: Merging }

/** Whether a shot whose file was removed here is imported again: it stays away as long as the remote says the same of it. */
const comesBack = (id: string, { known, remote, merging }: Removed): boolean => {
  const { plan, run, find } = merging
  if (shotFields.every(({ key }) => known[key] === remote[key])) return false
  if (run.side === 'ours') plan.base.shots[id] = remote
  if (run.side === undefined) find('removed-here', {}, { id, title: String(remote.title) })
  return run.side === 'theirs'
}

/** Whether another member has a shot's id, which is told. */
const isElsewhere = (id: string, { run, name, username, find }: Sides): boolean => {
  const path = run.index().paths.get(id)
  const { content } = run.found
  const { username: owner } = inMember(path ?? '', content)
  if (owner === '' || owner === username) return false
  const from = `${content.name}/${path}`
  const to = `${content.name}/${memberFolder(username, content)}/${names.shots}/`
  const related = { file: from, ...fileStart, message: `the shot ${id}` }
  find('shot-elsewhere', { at: 'shots', id }, { id, asked: name, owner, from, to }, { related })
  return true
}

/** The id of another shot that has this one's token. */
const tokenHolder = (id: string, fields: Fields, { run }: Sides): string | undefined => {
  const token = textOf(fields, 'token_id')
  if (!token || token === shotToken(id)) return undefined
  const holder = run.index().tokens.get(token)
  return holder === id ? undefined : holder
}

/** Makes drafts of the shots that vanished, apart from those that newer ones pushed out of the window. */
const mergeGone = (window: readonly Dated[], merging: Merging): void => {
  const { plan, base, remote, run, find } = merging
  const ids = window.map(({ id }) => id)
  plan.base.window = ids
  if (base === undefined) return
  const isFull = remote.shots.length + remote.strays.length >= shotsLimit
  if (isFull && base.window.length > 0 && !base.window.some((id) => ids.includes(id))) {
    const before = base.window.map((id) => dateIn(base.shots[id]?.date)).sort()
    const now = window.flatMap(({ date }) => (date === '' ? [] : [date])).sort()
    find('windows-apart', { at: 'shots' }, { before: before.at(-1) ?? '', now: now[0] ?? '' })
  }
  const vanished = findVanished(window, { isFull, base, merging })
  if (vanished.length * 2 > base.window.length && !run.allowRemoval) {
    find('too-many-vanished', { at: 'shots' }, { count: vanished.length, of: base.window.length })
    plan.base.window = base.window
    return
  }
  for (const { id, title } of vanished) {
    find('shot-vanished', { id }, { id, title })
    plan.shots.set(id, { draft: 'true' })
    plan.base.drafted.push(id)
  }
}

type Before = {
  /** Whether the remote may have more shots than it lists. */
  readonly isFull: boolean
  readonly base: NonNullable<Sides['base']>
  readonly merging: Merging
}

/** Shots that were imported, are published here, and that the remote would list if it had them. */
const findVanished = (window: readonly Dated[], { isFull, base, merging }: Before) => {
  const { plan, mine } = merging
  const ids = new Set(window.map(({ id }) => id))
  const first = window[0]
  const last = window.at(-1)
  // a server may send the oldest first
  const oldest = first && last && isOlder(first, last) ? first : last
  return Object.entries(base.shots).flatMap(([id, { date }]) => {
    const shot = mine?.shots.get(id)?.said
    // shots that somebody removed or made drafts here don't count a second time
    if (ids.has(id) || plan.base.drafted.includes(id) || shot === undefined || shot.draft) return []
    const wouldShow = !isFull || !oldest || isOlder(oldest, { id, date: dateIn(date) })
    return wouldShow ? [shot] : []
  })
}

const dateIn = (date: string | null | undefined): string =>
  date == null || timestampProblem(date) !== undefined ? '' : normalTimestamp(date)

/** Whether a shot comes after another in the remote's order. */
const isOlder = (a: Dated, b: Dated): boolean =>
  a.date !== '' && b.date !== '' && byNewest(a, b) > 0
