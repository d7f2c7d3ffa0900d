import { byNewest, shotsLimit } from '../api/latest.ts'
import { noTimestamp } from '../api/records.ts'
import { names } from '../content/layout.ts'
import type { Shot } from '../content/member.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { fileStart } from '../problems/diagnostic.ts'
import { shotToken } from '../snapshot/compile.ts'
import { own } from './base.ts'
import { type Fields, shown, textOf } from './body.ts'
import {
  type Changes,
  canSay,
  isSame,
  mergeFields,
  problemsIn,
  sayable,
  shotFields,
  shotValues,
  type Texts,
  textsOf,
  toChanges,
  type Values,
} from './fields.ts'
import type { Json } from './json.ts'
import type { Sides } from './merge.ts'
import { type Finding, find } from './messages.ts'

/** A shot of a window; its date as `YYYY-MM-DD HH:MM:SS`, or empty. */
type Dated = { readonly id: string; readonly date: string }

/** What the remote lists, as far as content can hold it. */
export type ListedShots = {
  /** How many shots the body lists, whatever they are. */
  readonly count: number
  /** In the order of the body, each once. */
  readonly window: readonly Dated[]
  readonly shots: ReadonlyMap<string, Fields>
  /** The dates of the projects that the shots name. */
  readonly projects: ReadonlyMap<string, string>
  readonly findings: readonly Finding[]
}

const isId = (text: string | null): text is string => text !== null && /^[1-9][0-9]*$/.test(text)

/** Sorts what the remote lists into the window, the shots that can be imported, and the values that can't be kept. */
export const listShots = ({ remote, mine, site }: Sides): ListedShots => {
  const held = new Map(mine?.profile.projects.map(({ id, created }) => [id, created]))
  const findings = remote.strays.map((value) =>
    notImported({ key: 'id' }, strayShot, [value, 'it is no object']),
  )
  const window = new Map<string, Dated>()
  const shots = new Map<string, Fields>()
  const projects = projectsIn(remote.shots, held)
  const owner = textOf(remote.user, 'id')!
  for (const fields of remote.shots) {
    const id = textOf(fields, 'id')
    const problems = problemsIn(fields, shotFields, site)
    const refused = problems.filter(({ field }) => field.required)
    const of = isId(id) ? `shot ${id}` : 'a shot without an id'
    const refuse = (key: string, problem: string): void => {
      findings.push(notImported({ id: id ?? '', key }, `${key} of ${of}`, [fields.get(key), problem]))
    }
    for (const { field, problem } of refused) refuse(field.key, problem)
    if (!isId(id)) continue
    if (window.has(id)) {
      refuse('id', 'the remote lists it twice')
      continue
    }
    window.set(id, { id, date: dateIn(textOf(fields, 'date')) })
    if (refused.length > 0) continue
    const notKept = (key: string, problem: string, instead = 'it is left out'): void => {
      const args = { what: `${key} of ${of}`, value: shown(fields.get(key)), problem, instead }
      findings.push(find('not-kept', { part: 'shot', id, key }, args))
    }
    for (const { field, problem } of problems) notKept(field.key, problem)
    if (fields.has('user_id') && textOf(fields, 'user_id') !== owner) {
      notKept('user_id', "it is not the member's id", `it becomes ${owner}`)
    }
    const project = textOf(fields, 'id_project') ?? ''
    const kept = keepsProject(fields, { date: projects.get(project) ?? held.get(project), notKept })
    shots.set(id, kept ? fields : new Map([...fields, ['id_project', null]]))
  }
  const dated = [...window.values()].filter(({ date }) => date !== '')
  const sorted = dated.toSorted(byNewest)
  if (dated.some((shot, index) => shot !== sorted[index])) {
    const [sent, inOrder] = [dated, sorted].map((list) => list.map(({ id }) => id).join(', '))
    findings.push(find('other-order', { part: 'shots' }, { sent: sent!, sorted: inOrder! }))
  }
  if (window.size > shotsLimit) {
    findings.push(find('more-than-15', { part: 'shots' }, { count: window.size }))
  }
  const count = remote.shots.length + remote.strays.length
  return { count, window: [...window.values()], shots, projects, findings }
}

/** What a message calls a shot that is none. */
export const strayShot = 'an entry of "Shots"'

const notImported = (
  about: { readonly id?: string; readonly key: string },
  what: string,
  [value, problem]: readonly [Json | undefined, string],
): Finding =>
  find('shot-not-imported', { part: 'shots', id: '', ...about }, { what, value: shown(value), problem })

/** Where shots disagree on a project's date, the one that the profile lists wins, else the first that can be kept. */
const projectsIn = (shots: readonly Fields[], held: ReadonlyMap<string, string>) => {
  const dates = new Map<string, string>()
  for (const shot of shots) {
    const [id, created] = [textOf(shot, 'id_project'), textOf(shot, 'created_project')]
    if (!isId(id) || created === null || timestampProblem(created) !== undefined) continue
    if (!dates.has(id) || normalTimestamp(created) === held.get(id)) dates.set(id, created)
  }
  return dates
}

type ProjectTools = {
  /** The date of the shot's project, if any is known. */
  readonly date: string | undefined
  readonly notKept: (key: string, problem: string, instead: string) => void
}

/** A project has one date: a shot that gives it another one can't name it, nor can one without any if none is known. */
const keepsProject = (fields: Fields, { date, notKept }: ProjectTools): boolean => {
  const isMissing = !fields.has('created_project')
  const created = textOf(fields, 'created_project') ?? ''
  const project = textOf(fields, 'id_project')
  if (!isId(project)) {
    const isNone = isMissing || created === noTimestamp
    if (!isNone) notKept('created_project', 'the shot has no project', `it becomes ${noTimestamp}`)
    return true
  }
  const problem = isMissing ? 'it is missing' : timestampProblem(created)
  if (date !== undefined && problem !== undefined) {
    const instead = `it becomes ${date}, the date of project ${project}`
    if (!isMissing) notKept('created_project', problem, instead)
    return true
  }
  if (date !== undefined && normalTimestamp(created) === normalTimestamp(date)) return true
  const two = `project ${project} has another date in another shot`
  notKept('created_project', problem ?? two, `id_project ${project} is left out`)
  return false
}

export type ShotPlan = {
  readonly id: string
  readonly isNew: boolean
  /** The title of a new one, for its file's name. */
  readonly title: string
  readonly changes: Changes
}

/** The token that a shot will have; `undefined` if it stays as it is. */
export const newToken = ({ id, isNew, changes }: ShotPlan): string | undefined => {
  if (!isNew && !Object.hasOwn(changes, 'token_id')) return undefined
  return typeof changes.token_id === 'string' ? changes.token_id : shotToken(id)
}

/** Merges the shots that the remote lists one by one, then looks for those that it lists no longer. */
export const mergeShots = (listed: ListedShots, sides: Sides) => {
  const { base } = sides
  const tokens = new Map<string, string>()
  const shots: Record<string, Texts> = { ...base?.shots }
  const merged = [...listed.shots].map(([id, fields]) => {
    const shot = mergeShot(id, fields, { ...sides, tokens })
    const token = shot.plan && newToken(shot.plan)
    if (token !== undefined) tokens.set(token, id)
    if (shot.base !== undefined) shots[id] = shot.base
    return shot
  })
  const back = new Set(merged.flatMap(({ isBack, id }) => (isBack ? [id] : [])))
  const drafted = (base?.drafted ?? []).filter((id) => !back.has(id))
  const gone = findGone(listed, drafted, sides)
  return {
    shots,
    drafted: [...drafted, ...gone.plans.map(({ id }) => id)],
    window: gone.window,
    plans: [...merged.flatMap(({ plan }) => plan ?? []), ...gone.plans],
    findings: [...merged.flatMap(({ findings }) => findings), ...gone.findings],
    /** How many more shots are published than before. */
    published: merged.filter(({ isMore }) => isMore).length - gone.plans.length,
  }
}

const tokenField = shotFields.find(({ key }) => key === 'token_id')!

type MergedShot = {
  readonly id: string
  readonly base: Texts | undefined
  readonly plan?: ShotPlan
  readonly findings: readonly Finding[]
  /** Whether it was a draft because it had vanished, and is listed again. */
  readonly isBack?: boolean
  /** Whether one more shot is published. */
  readonly isMore?: boolean
}

type Merging = Sides & {
  /** The shots of the member that get a token in this import, by token. */
  readonly tokens: ReadonlyMap<string, string>
}

const mergeShot = (id: string, fields: Fields, merging: Merging): MergedShot => {
  const { mine, base, site, run } = merging
  const [my, old] = [mine?.shots.get(id), own(base?.shots, id)]
  const taken = whoHasToken(id, fields, merging)
  const texts = textsOf(fields, shotFields)
  const remote = taken === undefined ? texts : { ...texts, token_id: null }
  const told = taken === undefined ? [] : [taken]
  if (my === undefined) {
    return old === undefined ? addShot(id, remote, told, merging) : mergeRemoved(id, remote, told, merging)
  }
  const isBack = base?.drafted.includes(id) === true
  // a draft that somebody made here stays as it is
  if (my.draft && !isBack) return { id, base: old, findings: [] }
  const values = shotValues(my, site)
  const about = { part: 'shot', id } as const
  const merged = mergeFields(shotFields, { base: old, mine: values, remote }, { about, site, side: run.side })
  const changed = { ...keptLarge(my, merged.changed), ...merged.changed }
  const changes = toChanges(shotFields, { changed, all: { ...values, ...changed } }, site)
  const { title } = my
  const returned = isBack ? [find('shot-returned', about, { id, title })] : []
  return {
    id,
    base: merged.base,
    plan: { id, isNew: false, title, changes: my.draft ? { ...changes, draft: undefined } : changes },
    findings: [...told, ...merged.findings, ...returned],
    isBack,
    isMore: my.draft,
  }
}

/** Without the key the large image is the image: once that changes, the key is needed. */
const keptLarge = ({ image, large_image }: Shot, changed: Values): Values =>
  large_image === undefined && Object.hasOwn(changed, 'image') ? { large_image: image } : {}

const addShot = (id: string, remote: Texts, told: readonly Finding[], sides: Sides): MergedShot => {
  const { run, site, username } = sides
  const other = run.index.shotWithId(id)
  if (other !== undefined && other.owner !== username) {
    const folder = `${run.found.content.name}/${names.members}/${username}/${names.shots}/`
    const args = {
      id,
      asked: sides.name,
      owner: other.owner,
      from: `${run.found.content.name}/${other.path}`,
      to: folder,
    }
    const there = { file: args.from, ...fileStart, message: `the shot ${id}` }
    return { id, base: undefined, findings: [find('shot-elsewhere', { part: 'shots', id }, args, there)] }
  }
  const values = sayable(shotFields, remote, site)
  const changes = toChanges(shotFields, { changed: values, all: values }, site)
  const plan = { id, isNew: true, title: values.title!, changes }
  return { id, base: remote, plan, findings: told, isMore: true }
}

/** A shot whose file somebody removed here is not imported again as long as the remote says the same of it. */
const mergeRemoved = (id: string, remote: Texts, told: readonly Finding[], merging: Merging): MergedShot => {
  const { site, run } = merging
  const old = own(merging.base?.shots, id)!
  const [before, now] = [sayable(shotFields, old, site), sayable(shotFields, remote, site)]
  // a token that another shot has now says nothing of the remote
  const same = shotFields.every(
    ({ key, kind }) => (told.length > 0 && key === 'token_id') || isSame(kind, before[key]!, now[key]!, site),
  )
  if (run.side === 'theirs') return addShot(id, remote, [], merging)
  if (same) return { id, base: old, findings: [] }
  if (run.side === 'ours') return { id, base: remote, findings: [] }
  return { id, base: old, findings: [find('removed-here', { part: 'profile' }, { id, title: now.title! })] }
}

const whoHasToken = (id: string, fields: Fields, { site, run, tokens }: Merging): Finding | undefined => {
  const token = textOf(fields, 'token_id')
  // a value that is no token is told as such
  if (!canSay(token, tokenField, site) || token === shotToken(id)) return undefined
  const holders = [tokens.get(token), run.index.shotWithToken(token)?.id]
  const other = holders.find((one) => one !== undefined && one !== id)
  if (other === undefined) return undefined
  const args = {
    ...{
      what: `token_id of shot ${id}`,
      value: token,
      problem: `shot ${other} has it`,
      instead: 'it is left out',
    },
    hint: `once shot ${other} has another one, the next import takes it`,
  }
  return find('not-kept', { part: 'shot', id, key: 'token_id' }, args)
}

/** Finds the shots that vanished, apart from those that newer ones pushed out of the window. */
const findGone = ({ count, window }: ListedShots, drafted: readonly string[], { base, mine, run }: Sides) => {
  const ids = window.map(({ id }) => id)
  const findings: Finding[] = []
  if (base === undefined) return { window: ids, plans: [], findings }
  const [first, last] = [window[0], window.at(-1)]
  // a server may send the oldest first
  const oldest = first && last && isOlder(first, last) ? first : last
  const vanished = Object.entries(base.shots).flatMap(([id, { date }]) => {
    const shot = mine?.shots.get(id)
    // shots that somebody removed or made drafts here don't count a second time
    if (ids.includes(id) || drafted.includes(id) || shot === undefined || shot.draft) return []
    const wouldShow = count < shotsLimit || !oldest || isOlder(oldest, { id, date: dateIn(date) })
    return wouldShow ? [shot] : []
  })
  if (base.window.length > 0 && count >= shotsLimit && !base.window.some((id) => ids.includes(id))) {
    const before = base.window.map((id) => dateIn(own(base.shots, id)?.date)).sort()
    const now = window.flatMap(({ date }) => (date === '' ? [] : [date])).sort()
    const args = { before: before.at(-1) ?? '', now: now[0] ?? '' }
    findings.push(find('windows-apart', { part: 'shots' }, args))
  }
  if (vanished.length * 2 > base.window.length && !run.allowRemoval) {
    const args = { count: vanished.length, of: base.window.length }
    findings.push(find('too-many-vanished', { part: 'shots' }, args))
    return { window: base.window, plans: [], findings }
  }
  for (const { id, title } of vanished)
    findings.push(find('shot-vanished', { part: 'shot', id }, { id, title }))
  const plans = vanished.map(({ id, title }) => ({ id, isNew: false, title, changes: { draft: 'true' } }))
  return { window: ids, plans, findings }
}

const dateIn = (date: string | null | undefined): string =>
  date == null || timestampProblem(date) !== undefined ? '' : normalTimestamp(date)

/** Whether a shot comes after another in the remote's order. */
const isOlder = (a: Dated, b: Dated): boolean => a.date !== '' && b.date !== '' && byNewest(a, b) > 0
