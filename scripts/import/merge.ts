import { byNewest, compareIds, noTimestamp, shotsLimit } from '../api/records.ts'
import { names } from '../content/layout.ts'
import type { Project } from '../content/member.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { fileStart } from '../problems/diagnostic.ts'
import { shotToken } from '../snapshot/compile.ts'
import type { Base } from './base.ts'
import { byId, type Fields, shown, textOf } from './body.ts'
import {
  type Changes,
  canSay,
  type Field,
  follows,
  isAsset,
  isSame,
  mergeFields,
  problemsIn,
  profileFields,
  sayable,
  shotFields,
  statedFields,
  type Texts,
  textsOf,
  withoutScheme,
} from './fields.ts'
import type { Sides } from './member.ts'
import { type About, fieldAt } from './messages.ts'

/** What to write for a member; files that stay as they are have no changes. */
export type MemberPlan = {
  readonly files: readonly FilePlan[]
  /** Projects to list, or to list with another date. */
  readonly projects: readonly Project[]
  readonly base: Base
}

/** What to change in the profile, or in the shot with an id, or to write as a new file. */
export type FilePlan = {
  readonly id?: string
  /** For the name of a shot's new file. */
  readonly title?: string
  readonly changes: Changes
  /** The token of a shot if it is new, or another one. */
  readonly token?: string | undefined
}

/** A shot of a window; its date as `YYYY-MM-DD HH:MM:SS`, or empty. */
type Dated = { readonly id: string; readonly date: string }

/** What a message calls a shot that is none. */
export const strayShot = 'an entry of "Shots"'

/**
 * Merges what the remote says now with what it said last and with what content says, and tells what somebody must know.
 * There is no plan if the remote lacks what a profile needs.
 */
export const mergeMember = (sides: Sides): MemberPlan | undefined => {
  const { name, remote, mine, site, base, bodies, find } = sides
  const problems = problemsIn(remote.user, profileFields, site)
  const isRefused = problems.some(({ field }) => field.required)
  const [before, now] = [base?.profile.id, textOf(remote.user, 'id')]
  // the name may have been given to somebody else
  if (!isRefused && before != null && before !== now) find('other-id', { key: 'id' }, { before, now: now! })
  for (const { field, problem } of problems) {
    const { key } = field
    const args = { what: key, value: shown(remote.user.get(key)), problem }
    if (field.required) find('member-not-imported', { at: 'user' }, args)
    else if (!isRefused) find('not-kept', { key }, { ...args, instead: 'it is left out' })
  }
  compareSchemes(sides)
  if (isRefused) return undefined
  const { plans, dates, published, ...merged } = mergeShots(sides)
  const projects = mergeProjects(sides, dates, plans)
  const ways = { base: base?.profile, mine: mine?.profile.said, remote: textsOf(remote.user, statedFields) }
  const profile = mergeFields(statedFields, ways, { ...sides, about: {} })
  // content counts these
  const merging = [mergeTotal('totalShots', published, sides), mergeTotal('Projects', projects.listed, sides)]
  const counted = merging.flatMap(({ key, isCounted }) => (isCounted ? [key] : []))
  const texts: Texts = Object.assign({}, profile.base, ...merging.map(({ base }) => base))
  const changes: Changes = Object.assign({}, profile.changes, ...merging.map((one) => one.changes))
  const planned = new Set(plans.map(({ id }) => id))
  const others = [...(mine?.shots.keys() ?? [])].filter((id) => !planned.has(id))
  return {
    files: [{ changes }, ...plans, ...others.map((id) => ({ id, changes: {} }))],
    projects: projects.changed,
    base: { username: name, profile: texts, counted, projects: projects.base, ...merged, bodies },
  }
}

/** Merges lists of projects. They grow and never shrink: the remote shows only the projects of the last shots. */
const mergeProjects = (
  { base, mine, run, find }: Sides,
  dates: ReadonlyMap<string, string>,
  plans: readonly FilePlan[],
) => {
  const held = new Map(mine?.profile.said.projects.map(({ id, created }) => [id, created]))
  const used = plans.map(({ id, changes }) =>
    'id_project' in changes ? changes.id_project : mine?.shots.get(id!)?.said.id_project,
  )
  const changed: Project[] = []
  const nextBase: Record<string, string | null> = { ...base?.projects }
  for (const [id, created] of dates) {
    const [my, before, their] = [held.get(id), base?.projects[id], normalTimestamp(created)]
    const old = before == null ? undefined : normalTimestamp(before)
    // a project that was removed here stays out, unless a shot needs it
    const isTheirs =
      my === undefined
        ? old === undefined || used.includes(id)
        : follows({ base: old, mine: my, remote: their }, run.side, (a, b) => a === b)
    if (isTheirs === undefined) {
      const args = { key: 'projects', base: old && `${id}: ${old}` }
      const both = { ...args, mine: `${id}: ${my}`, remote: `${id}: ${their}` }
      find('conflict', { key: 'projects' }, both)
    } else nextBase[id] = created
    if (isTheirs) changed.push({ id, created })
  }
  const added = changed.filter(({ id }) => !held.has(id)).length
  return { changed, listed: held.size + added, base: nextBase }
}

/** Merges a total: content counts it, to `counted` after this import, and only a higher figure can be written. */
const mergeTotal = (
  key: 'totalShots' | 'Projects',
  counted: number,
  { base, mine, site, run: { side }, remote: { user }, find }: Sides,
) => {
  const field = profileFields.find((one) => one.key === key)!
  const text = textOf(user, key)
  const remote = canSay(text, field, site) ? text : undefined
  const isBelow = remote !== undefined && compareIds(remote, String(counted)) < 0
  if (isBelow) find('total-below-content', { key }, { key, remote, counted })
  const wanted = isBelow || remote === String(counted) ? undefined : remote
  const [my, before] = [mine?.profile.said[key], base?.profile[key]]
  const wasCounted = my === undefined && base?.counted.includes(key) === true
  const isUntouched = before !== undefined && (wasCounted || my === (before ?? ''))
  const isTooLow = my !== undefined && compareIds(my, String(counted)) < 0
  const isNews = remote !== undefined && (before === undefined ? !isBelow : remote !== before)
  const isTheirs =
    mine === undefined || isUntouched || wanted === my
      ? true
      : (isTooLow || isNews) && (before === undefined && !isNews ? true : side && side === 'theirs')
  if (isTheirs === undefined) {
    const args = { key, base: before ?? undefined, mine: my ?? String(counted), remote: text ?? 'null' }
    find('conflict', { key }, args)
  }
  const next = isTheirs === undefined ? before : text
  return {
    key,
    changes: isTheirs && wanted !== my ? { [key]: wanted } : {},
    base: next === undefined ? {} : { [key]: next },
    /** Whether it is left out because of an import, and not by somebody here. */
    isCounted: isTheirs ? wanted === undefined : wasCounted,
  }
}

/** Tells what one value can't say for both schemes: https and http differ, and not only in the scheme of an asset. */
const compareSchemes = ({ remote, http, find }: Sides): void => {
  const compare = (https: Fields, other: Fields | undefined, about: About): void => {
    const project = { key: 'created_project', kind: 'timestamp' } as const
    const fields: readonly Pick<Field, 'key' | 'kind'>[] =
      about.id === undefined ? profileFields : [...shotFields, project]
    for (const { key, kind } of other === undefined ? [] : fields) {
      const [one, two] = [shown(https.get(key)), shown(other!.get(key))]
      const isEqual = isAsset(kind) ? withoutScheme(one) === withoutScheme(two) : one === two
      const at = { ...about, key }
      if (!isEqual) find('scheme-differs', at, { what: fieldAt(at), https: one, http: two })
    }
  }
  compare(remote.user, http.user, {})
  const others = byId(http.shots)
  for (const [id, fields] of byId(remote.shots)) compare(fields, others.get(id), { id })
}

const isId = (text: string | null): text is string => text !== null && /^[1-9][0-9]*$/.test(text)

/** What becomes of a member's shots, as far as they are merged. */
type Merged = {
  readonly plans: FilePlan[]
  readonly shots: Record<string, Texts>
  readonly drafted: Set<string>
  /** The shots that get a token in this import, by token. */
  readonly tokens: Map<string, string>
  /** How many shots are published. */
  published: number
}

/**
 * Sorts what the remote lists into the window, the shots that can be imported and the values that can't be kept; merges the
 * shots one by one, then looks for those that are listed no longer.
 */
const mergeShots = (sides: Sides) => {
  const { remote, mine, site, base, find } = sides
  const published = [...(mine?.shots.values() ?? [])].filter(({ said }) => !said.draft).length
  const merged: Merged = {
    plans: [],
    shots: { ...base?.shots },
    drafted: new Set(base?.drafted),
    tokens: new Map(),
    published,
  }
  /** In the order of the body, each once. */
  const window = new Map<string, Dated>()
  const held = new Map(mine?.profile.said.projects.map(({ id, created }) => [id, created]))
  const said = projectsIn(remote.shots, held)
  const dates = new Map<string, string>()
  const owner = textOf(remote.user, 'id')!
  for (const value of remote.strays) {
    const args = { what: strayShot, value: shown(value), problem: 'it is no object' }
    find('shot-not-imported', { at: 'shots', id: '', key: 'id' }, args)
  }
  for (const fields of remote.shots) {
    const id = textOf(fields, 'id')
    const problems = problemsIn(fields, shotFields, site)
    const isRefused = problems.some(({ field }) => field.required)
    const argsOf = (key: string, problem: string) => {
      const what = isId(id) ? fieldAt({ key, id }) : `${key} of a shot without an id`
      return { what, value: shown(fields.get(key)), problem }
    }
    const refuse = (key: string, problem: string): void =>
      find('shot-not-imported', { at: 'shots', id: id ?? '', key }, argsOf(key, problem))
    const notKept = (key: string, problem: string, instead = 'it is left out'): void =>
      find('not-kept', { id: id!, key }, { ...argsOf(key, problem), instead })
    const isTwice = isId(id) && window.has(id)
    for (const { field, problem } of problems)
      if (field.required) refuse(field.key, problem)
      else if (!isRefused && !isTwice) notKept(field.key, problem)
    if (isTwice) refuse('id', 'the remote lists it twice')
    if (!isId(id) || isTwice) continue
    window.set(id, { id, date: dateIn(textOf(fields, 'date')) })
    if (isRefused) continue
    if (fields.has('user_id') && textOf(fields, 'user_id') !== owner)
      notKept('user_id', "it is not the member's id", `it becomes ${owner}`)
    const project = textOf(fields, 'id_project') ?? ''
    const date = said.get(project)
    const isKept = keepsProject(fields, date ?? held.get(project), notKept)
    mergeShot(id, isKept ? fields : new Map([...fields, ['id_project', null]]), merged, sides)
    if (isKept && date !== undefined && Object.hasOwn(merged.shots, id)) dates.set(project, date)
  }
  const all = [...window.values()]
  const dated = all.filter(({ date }) => date !== '')
  const sorted = dated.toSorted(byNewest)
  if (dated.some((shot, index) => shot !== sorted[index])) {
    const [sent, inOrder] = [dated, sorted].map((list) => list.map(({ id }) => id).join(', '))
    find('other-order', { at: 'shots' }, { sent: sent!, sorted: inOrder! })
  }
  if (window.size > shotsLimit) find('more-than-15', { at: 'shots' }, { count: window.size })
  const next = mergeGone(all, merged, sides)
  const { tokens, drafted, ...rest } = merged
  return { ...rest, dates, drafted: [...drafted], window: next }
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
  notKept: (key: string, problem: string, instead: string) => void,
): boolean => {
  const [project, created] = [textOf(fields, 'id_project'), textOf(fields, 'created_project') ?? '']
  const isMissing = !fields.has('created_project')
  const problem = isMissing ? 'it is missing' : timestampProblem(created)
  const wrong = (why: string, instead: string): void => notKept('created_project', why, instead)
  if (!isId(project)) {
    if (!isMissing && created !== noTimestamp) wrong('the shot has no project', `it becomes ${noTimestamp}`)
    return true
  }
  if (date !== undefined && problem !== undefined) {
    if (!isMissing) wrong(problem, `it becomes ${date}, the date of project ${project}`)
    return true
  }
  if (date !== undefined && normalTimestamp(created) === normalTimestamp(date)) return true
  wrong(problem ?? `project ${project} has another date in another shot`, `id_project ${project} is left out`)
  return false
}

const mergeShot = (id: string, fields: Fields, merged: Merged, sides: Sides): void => {
  const { mine, base, site, run, find } = sides
  const { side } = run
  const [my, old] = [mine?.shots.get(id)?.said, base?.shots[id]]
  const isBack = my !== undefined && merged.drafted.has(id)
  // a draft that somebody made here stays as it is
  if (my?.draft && !isBack) return
  const holder = tokenHolder(id, fields, merged, sides)
  const remote: Texts = { ...textsOf(fields, shotFields), ...(holder !== undefined && { token_id: null }) }
  if (my === undefined && old !== undefined && side !== 'theirs') {
    // a shot whose file was removed here stays away as long as the remote says the same of it
    const [before, now] = [sayable(shotFields, old, site), sayable(shotFields, remote, site)]
    // a token that another shot has now says nothing of the remote
    const same = shotFields.every(
      ({ key, kind }) =>
        (holder !== undefined && key === 'token_id') || isSame(kind, before[key]!, now[key]!, site),
    )
    if (!same && side === 'ours') merged.shots[id] = remote
    else if (!same) find('removed-here', {}, { id, title: now.title! })
    return
  }
  if (my === undefined && isElsewhere(id, sides)) return
  if (holder !== undefined && (my !== undefined || old === undefined)) {
    const at = { id, key: 'token_id' }
    const args = { what: fieldAt(at), value: textOf(fields, 'token_id')!, problem: `shot ${holder} has it` }
    const hint = `once shot ${holder} has another one, the next import takes it`
    find('not-kept', at, { ...args, instead: 'it is left out', hint })
  }
  const ways = { base: old, mine: my, remote }
  const { changes, base: next } = mergeFields(shotFields, ways, { ...sides, about: { id } })
  merged.shots[id] = next
  const title = my?.title ?? remote.title!
  if (isBack) find('shot-returned', { id }, { id, title })
  if (isBack) merged.drafted.delete(id)
  if (my === undefined || my.draft) merged.published++
  const isOther = my === undefined || 'token_id' in changes
  const token = isOther ? String(changes.token_id ?? shotToken(id)) : undefined
  if (token !== undefined) merged.tokens.set(token, id)
  merged.plans.push({ id, title, changes: my?.draft ? { ...changes, draft: undefined } : changes, token })
}

/** Whether another member has a shot's id, which is told. */
const isElsewhere = (id: string, { run, name, username, find }: Sides): boolean => {
  const other = run.index().shotWithId(id)
  if (other === undefined || other.owner === username) return false
  const { name: content } = run.found.content
  const from = `${content}/${other.path}`
  const to = `${content}/${names.members}/${username}/${names.shots}/`
  const there = { file: from, ...fileStart, message: `the shot ${id}` }
  find('shot-elsewhere', { at: 'shots', id }, { id, asked: name, owner: other.owner, from, to }, there)
  return true
}

const tokenField = shotFields.find(({ key }) => key === 'token_id')!

/** The id of another shot that has this one's token; a value that is no token is told as such. */
const tokenHolder = (
  id: string,
  fields: Fields,
  { tokens }: Merged,
  { site, run }: Sides,
): string | undefined => {
  const token = textOf(fields, 'token_id')
  if (!canSay(token, tokenField, site) || token === shotToken(id)) return undefined
  const holders = [tokens.get(token), run.index().shotWithToken(token)?.id]
  return holders.find((one) => one !== undefined && one !== id)
}

/** Makes drafts of the shots that vanished, apart from those that newer ones pushed out of the window; gives the window. */
const mergeGone = (window: readonly Dated[], merged: Merged, sides: Sides): readonly string[] => {
  const { base, mine, remote, run, find } = sides
  const ids = window.map(({ id }) => id)
  const isFull = remote.shots.length + remote.strays.length >= shotsLimit
  if (base === undefined) return ids
  const [first, last] = [window[0], window.at(-1)]
  // a server may send the oldest first
  const oldest = first && last && isOlder(first, last) ? first : last
  const vanished = Object.entries(base.shots).flatMap(([id, { date }]) => {
    const shot = mine?.shots.get(id)?.said
    // shots that somebody removed or made drafts here don't count a second time
    if (ids.includes(id) || merged.drafted.has(id) || shot === undefined || shot.draft) return []
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
    return base.window
  }
  for (const { id, title } of vanished) {
    find('shot-vanished', { id }, { id, title })
    merged.plans.push({ id, changes: { draft: 'true' } })
    merged.drafted.add(id)
    merged.published--
  }
  return ids
}

const dateIn = (date: string | null | undefined): string =>
  date == null || timestampProblem(date) !== undefined ? '' : normalTimestamp(date)

/** Whether a shot comes after another in the remote's order. */
const isOlder = (a: Dated, b: Dated): boolean => a.date !== '' && b.date !== '' && byNewest(a, b) > 0
