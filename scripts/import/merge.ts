import { byNewest, compareIds, noTimestamp, shotsLimit } from '../api/records.ts'
import { inMember, memberFolder, names } from '../content/layout.ts'
import { type Data, type Mapping, mappingOf } from '../content/parse/data.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { readData } from '../edit/change.ts'
import { fileStart } from '../problems/diagnostic.ts'
import { shotToken } from '../snapshot/compile.ts'
import { byId, type Fields, shown, textOf } from './body.ts'
import type { Base } from './content.ts'
import { digestIn } from './fetch.ts'
import type { Changes, Texts } from './fields.ts'
import {
  canSay,
  follows,
  isAlike,
  mergeFields,
  problemsIn,
  profileFields,
  shotFields,
  textsOf,
} from './fields.ts'
import { type About, fieldAt } from './messages.ts'
import type { Sides } from './run.ts'

/** What to change in the files of a member, or to write as new ones, and what the next import starts from. */
export type MemberPlan = {
  readonly profile: Changes
  readonly shots: Map<string, Changes>
  readonly base: Base
}

type Merging = Sides & { readonly plan: MemberPlan }

/** A shot of a window; its date as `YYYY-MM-DD HH:MM:SS`, or empty. */
type Dated = { readonly id: string; readonly date: string }

/** What a message calls a shot that is none. */
export const strayShot = 'an entry of "Shots"'

/** Those of a profile but for the totals, which content counts. */
const statedFields = profileFields.filter(({ key }) => key !== 'totalShots' && key !== 'Projects')

/**
 * Merges what the remote says now with what it said last and with what content says, and tells what somebody must know.
 * There is no plan if the remote lacks what a profile needs.
 */
export const mergeMember = (sides: Sides): MemberPlan | undefined => {
  const { name, got, remote, mine, base, find } = sides
  const isRefused = tellProblems(remote.user, sides)
  const [before, now] = [base?.profile.id, textOf(remote.user, 'id')]
  // the name may have been given to somebody else
  if (!isRefused && before != null && before !== now)
    find('other-id', { key: 'id' }, { before, now: now! })
  compareSchemes(sides)
  if (isRefused) return undefined
  const bodies = Object.fromEntries(Object.entries(got).map(([key, one]) => [key, digestIn(one)]))
  const [projects, shots, drafted] = [
    { ...base?.projects },
    { ...base?.shots },
    [...(base?.drafted ?? [])],
  ]
  const ways = {
    base: base?.profile,
    mine: mine?.profile.said,
    remote: textsOf(remote.user, statedFields),
  }
  const { changes, base: profile } = mergeFields(statedFields, ways, sides)
  const next: Base = {
    username: name,
    profile,
    counted: [],
    projects,
    shots,
    drafted,
    window: [],
    bodies,
  }
  const merging = { ...sides, plan: { profile: changes, shots: new Map(), base: next } }
  const { plan } = merging
  const listed = mergeProjects(mergeShots(merging), merging)
  const all = new Set([...(mine?.shots.keys() ?? []), ...plan.shots.keys()])
  mergeTotal('totalShots', [...all].filter((id) => !planned(id, 'draft', merging)).length, merging)
  mergeTotal('Projects', listed, merging)
  return plan
}

/** What a shot's file will say at a key. */
const planned = (id: string, key: 'draft' | 'id_project', { plan, mine }: Merging) => {
  const changes = plan.shots.get(id) ?? {}
  return key in changes ? changes[key] : mine?.shots.get(id)?.said[key]
}

const isId = (text: string | null): text is string => text !== null && /^[1-9][0-9]*$/.test(text)

/** How a message shows a value that can't be kept, and why. */
const refused = (fields: Fields, about: About & { readonly key: string }, problem: string) => {
  return { what: fieldAt(about), value: shown(fields.get(about.key)), problem }
}

/** Tells what can't be kept of a profile, or of a shot with an id; says whether it lacks what content needs. */
const tellProblems = (fields: Fields, { site, find }: Sides, id?: string): boolean => {
  const problems = problemsIn(fields, id === undefined ? profileFields : shotFields, site)
  const isRefused = problems.some(({ field }) => field.required)
  for (const { field, problem } of problems) {
    const about = { id, key: field.key }
    const args = refused(fields, about, problem)
    if (field.required && id === undefined) find('member-not-imported', { at: 'user' }, args)
    else if (field.required) find('shot-not-imported', { ...about, at: 'shots' }, args)
    else if (!isRefused) find('not-kept', about, { ...args, instead: 'it is left out' })
  }
  return isRefused
}

/**
 * Merges lists of projects, and gives the length of the list. They grow and never shrink: the remote shows only the
 * projects of the last shots.
 */
const mergeProjects = (dates: ReadonlyMap<string, string>, merging: Merging): number => {
  const { plan, base, mine, run, find } = merging
  const held = datesIn(mine)
  const used = [...plan.shots.keys()].map((id) => planned(id, 'id_project', merging))
  const changed = new Map<string, string>()
  for (const [id, created] of dates) {
    const [my, before, remote] = [held.get(id), base?.projects[id], normalTimestamp(created)]
    const old = before == null ? undefined : normalTimestamp(before)
    // a project that was removed here stays out, unless a shot needs it
    const isTheirs =
      my === undefined
        ? old === undefined || used.includes(id)
        : follows({ base: old, mine: my, remote }, run.side)
    const conflict = { key: `the date of project ${id}`, base: old, mine: my!, remote }
    if (isTheirs === undefined) find('conflict', { key: 'projects' }, conflict)
    else plan.base.projects[id] = created
    if (isTheirs) changed.set(id, created)
  }
  if (changed.size === 0) return held.size
  // as the file has them, with other dates and with new ones at the end
  const listed = (mappingOf(readData(mine?.profile.text).data).projects || []) as readonly Mapping[]
  const kept = listed.map(
    (one): Data => ({ ...one, created: changed.get(one.id as string) ?? one.created! }),
  )
  const added = [...changed]
    .filter(([id]) => !held.has(id))
    .map(([id, created]): Data => ({ id, created }))
  plan.profile.projects = [...kept, ...added]
  return held.size + added.length
}

const datesIn = (mine: Sides['mine']): ReadonlyMap<string, string> =>
  new Map(mine?.profile.said.projects.map(({ id, created }) => [id, created]))

/** Merges a total: content counts it, to `held` after this import, and only a higher figure can be written. */
const mergeTotal = (
  key: 'totalShots' | 'Projects',
  held: number,
  { plan, base, mine, site, run: { side }, remote: { user }, find }: Merging,
): void => {
  const text = textOf(user, key)
  const remote = canSay(text, profileFields.find((one) => one.key === key)!, site)
    ? text
    : undefined
  const isBelow = remote !== undefined && compareIds(remote, String(held)) < 0
  if (isBelow) find('total-below-content', { key }, { key, remote, counted: held })
  const wanted = isBelow || remote === String(held) ? undefined : remote
  const [my, before] = [mine?.profile.said[key], base?.profile[key]]
  const wasCounted = my === undefined && base?.counted.includes(key) === true
  const isUntouched = before !== undefined && (wasCounted || my === before)
  const isTooLow = my !== undefined && compareIds(my, String(held)) < 0
  const isNews = remote !== undefined && (before === undefined ? !isBelow : remote !== before)
  const isTheirs =
    mine === undefined || isUntouched || wanted === my
      ? true
      : (isTooLow || isNews) && (before === undefined && !isNews ? true : side && side === 'theirs')
  if (isTheirs && wanted !== my) plan.profile[key] = wanted
  // left out because of an import, and not by somebody here
  if (isTheirs ? wanted === undefined : wasCounted) plan.base.counted.push(key)
  const next = isTheirs === undefined ? before : text
  if (next !== undefined) plan.base.profile[key] = next
  const values = { base: before ?? undefined, mine: my ?? String(held), remote: text ?? 'null' }
  if (isTheirs === undefined) find('conflict', { key }, { key, ...values })
}

/** Tells what one value can't say for both schemes: https and http differ, and not only in the scheme of an asset. */
const compareSchemes = ({ remote, http, find }: Sides): void => {
  const compare = (one: Fields, other: Fields | undefined, id?: string): void => {
    const fields = id === undefined ? profileFields : [...shotFields, project]
    for (const { key, kind } of other ? fields : []) {
      const [https, http] = [shown(one.get(key)), shown(other!.get(key))]
      if (!isAlike(kind, https, http))
        find('scheme-differs', { id, key }, { what: fieldAt({ id, key }), https, http })
    }
  }
  compare(remote.user, http.user)
  const others = byId(http.shots)
  for (const [id, fields] of byId(remote.shots)) compare(fields, others.get(id), id)
}

const project = { key: 'created_project', kind: 'timestamp' } as const

/**
 * Sorts what the remote lists into the window, the shots that can be imported and the values that can't be kept; merges the
 * shots one by one, then looks for those that are listed no longer. Gives the dates of projects.
 */
const mergeShots = (merging: Merging): ReadonlyMap<string, string> => {
  const { plan, remote, mine, find } = merging
  /** In the order of the body, each once. */
  const window = new Map<string, Dated>()
  const held = datesIn(mine)
  const said = projectsIn(remote.shots, held)
  const dates = new Map<string, string>()
  const owner = textOf(remote.user, 'id')!
  for (const value of remote.strays) {
    const args = { what: strayShot, value: shown(value), problem: 'it is no object' }
    find('shot-not-imported', { at: 'shots', id: '', key: 'id' }, args)
  }
  for (const fields of remote.shots) {
    const id = textOf(fields, 'id') ?? ''
    if (window.has(id)) {
      const about = { at: 'shots', id, key: 'id' } as const
      find('shot-not-imported', about, refused(fields, about, 'the remote lists it twice'))
      continue
    }
    const isRefused = tellProblems(fields, merging, id)
    if (isId(id)) window.set(id, { id, date: dateIn(textOf(fields, 'date')) })
    if (isRefused) continue
    const notKept = (problem: string, instead: string, key = 'created_project'): void =>
      find('not-kept', { id, key }, { ...refused(fields, { key, id }, problem), instead })
    if (fields.has('user_id') && textOf(fields, 'user_id') !== owner)
      notKept("it is not the member's id", `it becomes ${owner}`, 'user_id')
    const project = textOf(fields, 'id_project') ?? ''
    const date = said.get(project)
    const isKept = keepsProject(fields, date ?? held.get(project), notKept)
    mergeShot(id, isKept ? fields : new Map([...fields, ['id_project', null]]), merging)
    if (isKept && date !== undefined && Object.hasOwn(plan.base.shots, id)) dates.set(project, date)
  }
  const all = [...window.values()]
  const dated = all.filter(({ date }) => date !== '')
  const [sent, sorted] = [dated, dated.toSorted(byNewest)].map((list) =>
    list.map(({ id }) => id).join(', '),
  )
  if (sent !== sorted) find('other-order', { at: 'shots' }, { sent: sent!, sorted: sorted! })
  if (window.size > shotsLimit) find('more-than-15', { at: 'shots' }, { count: window.size })
  mergeGone(all, merging)
  return dates
}

/** Where shots disagree on a project's date, the one that the profile lists wins, else the first that can be kept. */
const projectsIn = (shots: readonly Fields[], held: ReadonlyMap<string, string>) => {
  const dates = new Map<string, string>()
  for (const shot of shots) {
    const [id, created] = [textOf(shot, 'id_project'), textOf(shot, 'created_project')]
    if (!isId(id) || created === null || timestampProblem(created) !== undefined) continue
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
const keepsProject = (
  fields: Fields,
  date: string | undefined,
  notKept: (problem: string, instead: string) => void,
): boolean => {
  const [project, created] = [textOf(fields, 'id_project'), textOf(fields, 'created_project') ?? '']
  const isSaid = fields.has('created_project')
  const problem = isSaid ? timestampProblem(created) : 'it is missing'
  if (!isId(project)) {
    if (isSaid && created !== noTimestamp)
      notKept('the shot has no project', `it becomes ${noTimestamp}`)
    return true
  }
  if (date !== undefined && problem !== undefined) {
    if (isSaid) notKept(problem, `it becomes ${date}, the date of project ${project}`)
    return true
  }
  if (date !== undefined && normalTimestamp(created) === normalTimestamp(date)) return true
  const why = problem ?? `project ${project} has another date in another shot`
  notKept(why, `id_project ${project} is left out`)
  return false
}

const mergeShot = (id: string, fields: Fields, merging: Merging): void => {
  const { plan, mine, base, run, find } = merging
  const [my, old] = [mine?.shots.get(id)?.said, base?.shots[id]]
  const { drafted } = plan.base
  const isBack = my !== undefined && drafted.includes(id)
  // a draft that somebody made here stays as it is
  if (my?.draft && !isBack) return
  const holder = tokenHolder(id, fields, merging)
  const remote: Texts = {
    ...textsOf(fields, shotFields),
    ...(holder !== undefined && { token_id: null }),
  }
  if (my === undefined && old !== undefined) {
    // a shot whose file was removed here stays away as long as the remote says the same of it
    // a token that another shot has now says nothing of the remote
    const known = holder === undefined ? old : { ...old, token_id: null }
    if (shotFields.every(({ key }) => known[key] === remote[key])) return
    if (run.side === 'ours') plan.base.shots[id] = remote
    if (run.side === undefined) find('removed-here', {}, { id, title: remote.title! })
    if (run.side !== 'theirs') return
  }
  if (my === undefined && isElsewhere(id, merging)) return
  if (holder !== undefined && (my !== undefined || old === undefined)) {
    const about = { id, key: 'token_id' }
    const hint = `once shot ${holder} has another one, the next import takes it`
    const why = refused(fields, about, `shot ${holder} has it`)
    find('not-kept', about, { ...why, instead: 'it is left out', hint })
  }
  const ways = { base: old, mine: my, remote }
  const { changes, base: next } = mergeFields(shotFields, ways, merging, id)
  plan.base.shots[id] = next
  if (isBack) find('shot-returned', { id }, { id, title: my.title })
  if (isBack) plan.base.drafted = drafted.filter((one) => one !== id)
  if (my === undefined || 'token_id' in changes)
    run.index().tokens.set(String(changes.token_id ?? shotToken(id)), id)
  plan.shots.set(id, my?.draft ? { ...changes, draft: undefined } : changes)
}

/** Whether another member has a shot's id, which is told. */
const isElsewhere = (id: string, { run, name, username, find }: Sides): boolean => {
  const path = run.index().paths.get(id)
  const { content } = run.found
  const { username: owner } = inMember(path ?? '', content)
  if (owner === '' || owner === username) return false
  const from = `${content.name}/${path}`
  const to = `${content.name}/${memberFolder(username, content)}/${names.shots}/`
  const there = { file: from, ...fileStart, message: `the shot ${id}` }
  find(
    'shot-elsewhere',
    { at: 'shots', id },
    { id, asked: name, owner, from, to },
    { related: there },
  )
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
  const { plan, base, mine, remote, run, find } = merging
  const ids = window.map(({ id }) => id)
  plan.base.window = ids
  const isFull = remote.shots.length + remote.strays.length >= shotsLimit
  if (base === undefined) return
  const [first, last] = [window[0], window.at(-1)]
  // a server may send the oldest first
  const oldest = first && last && isOlder(first, last) ? first : last
  const vanished = Object.entries(base.shots).flatMap(([id, { date }]) => {
    const shot = mine?.shots.get(id)?.said
    // shots that somebody removed or made drafts here don't count a second time
    if (ids.includes(id) || plan.base.drafted.includes(id) || shot === undefined || shot.draft)
      return []
    const wouldShow = !isFull || !oldest || isOlder(oldest, { id, date: dateIn(date) })
    return wouldShow ? [shot] : []
  })
  if (isFull && base.window.length > 0 && !base.window.some((id) => ids.includes(id))) {
    const before = base.window.map((id) => dateIn(base.shots[id]?.date)).sort()
    const now = window.flatMap(({ date }) => (date === '' ? [] : [date])).sort()
    find('windows-apart', { at: 'shots' }, { before: before.at(-1) ?? '', now: now[0] ?? '' })
  }
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

const dateIn = (date: string | null | undefined): string =>
  date == null || timestampProblem(date) !== undefined ? '' : normalTimestamp(date)

/** Whether a shot comes after another in the remote's order. */
const isOlder = (a: Dated, b: Dated): boolean =>
  a.date !== '' && b.date !== '' && byNewest(a, b) > 0
