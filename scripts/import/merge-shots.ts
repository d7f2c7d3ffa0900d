import { noTimestamp } from '../api/records.ts'
import { names } from '../content/layout.ts'
import type { Shot } from '../content/member.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { fileStart, type Related } from '../problems/diagnostic.ts'
import { shotToken } from '../snapshot/compile.ts'
import { type Base, byId, own } from './base.ts'
import { type Fields, type Said, saidOf, shown, textOf } from './body.ts'
import type { KnownShot } from './content.ts'
import {
  type Changes,
  canSay,
  isSame,
  problemsIn,
  sayable,
  shotFields,
  shotValues,
  type Texts,
  textsOf,
  toChanges,
  type Values,
} from './fields.ts'
import { type MergeInput, mergeFields } from './merge-fields.ts'
import { type Finding, find } from './messages.ts'

/** The most shots that the remote lists. */
const windowSize = 15

/** What the remote lists, as far as content can hold it. */
export type ListedShots = {
  /** How many shots the body lists, whatever they are. */
  readonly count: number
  /** In the order of the body, each once. */
  readonly ids: readonly string[]
  /** The dates of those that have one, as `YYYY-MM-DD HH:MM:SS`. */
  readonly dates: ReadonlyMap<string, string>
  readonly shots: ReadonlyMap<string, Fields>
  /** The dates of the projects that the shots name. */
  readonly projects: ReadonlyMap<string, string>
  readonly findings: readonly Finding[]
}

const isId = (text: string | null): text is string => text !== null && /^[1-9][0-9]*$/.test(text)

/** Sorts what the remote lists into the window, the shots that can be imported, and the values that can't be kept. */
export const listShots = ({ remote, mine, site }: MergeInput): ListedShots => {
  const held = new Map(mine?.profile.projects.map(({ id, created }) => [id, created]))
  const findings: Finding[] = remote.strays.map((said) =>
    notImported(['', 'id'], strayShot, [said, 'it is no object']),
  )
  const [ids, dates] = [[] as string[], new Map<string, string>()]
  const shots = new Map<string, Fields>()
  const projects = projectsIn(remote.shots, held)
  for (const fields of remote.shots) {
    const id = textOf(fields, 'id')
    const problems = problemsIn(fields, shotFields, site)
    const refused = problems.filter(({ field }) => field.required)
    const of = isId(id) ? `shot ${id}` : 'a shot without an id'
    for (const { field, said, problem } of refused) {
      findings.push(notImported([id ?? '', field.key], `${field.key} of ${of}`, [said, problem]))
    }
    if (!isId(id)) continue
    if (ids.includes(id)) {
      findings.push(
        notImported([id, 'id'], `id of ${of}`, [saidOf(fields, 'id'), 'the remote lists it twice']),
      )
      continue
    }
    ids.push(id)
    const date = textOf(fields, 'date') ?? ''
    if (timestampProblem(date) === undefined) dates.set(id, normalTimestamp(date))
    if (refused.length > 0) continue
    const notKept = (key: string, problem: string, instead: string): void => {
      const args = { what: `${key} of ${of}`, value: shown(saidOf(fields, key)), problem, instead }
      findings.push(find('not-kept', { part: 'shot', id, key }, args))
    }
    for (const { field, problem } of problems) notKept(field.key, problem, 'it is left out')
    const user = saidOf(fields, 'user_id')
    const owner = textOf(remote.user, 'id')!
    if (user.text !== owner && user.kind !== 'missing') {
      notKept('user_id', "it is not the member's id", `it becomes ${owner}`)
    }
    const kept = keepsProject(fields, { date: projectDate(fields, projects, held), notKept })
    shots.set(id, kept ? fields : new Map([...fields, ['id_project', { kind: 'null', json: 'null' }]]))
  }
  const dated = ids.filter((id) => dates.has(id))
  const order = dated.toSorted((a, b) => (isOlder([a, dates.get(a)], [b, dates.get(b)]) ? 1 : -1))
  if (dated.some((id, index) => id !== order[index])) {
    const args = { sent: dated.join(', '), sorted: order.join(', ') }
    findings.push(find('other-order', { part: 'shots' }, args))
  }
  if (ids.length > windowSize) {
    findings.push(find('more-than-15', { part: 'shots' }, { count: ids.length }))
  }
  return { count: remote.shots.length + remote.strays.length, ids, dates, shots, projects, findings }
}

/** What a message calls a shot that is none. */
export const strayShot = 'an entry of "Shots"'

const notImported = (
  [id, key]: readonly [string, string],
  what: string,
  [said, problem]: readonly [Said, string],
): Finding => find('shot-not-imported', { part: 'shots', id, key }, { what, value: shown(said), problem })

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

const projectDate = (
  fields: Fields,
  ...known: readonly ReadonlyMap<string, string>[]
): string | undefined => {
  const project = textOf(fields, 'id_project') ?? ''
  return known.map((dates) => dates.get(project)).find((date) => date !== undefined)
}

type ProjectTools = {
  /** The date of the shot's project, if any is known. */
  readonly date: string | undefined
  readonly notKept: (key: string, problem: string, instead: string) => void
}

/** A project has one date: a shot that gives it another one can't name it, nor can one without any if none is known. */
const keepsProject = (fields: Fields, { date, notKept }: ProjectTools): boolean => {
  const created = saidOf(fields, 'created_project')
  const project = textOf(fields, 'id_project')
  if (!isId(project)) {
    const isNone = created.kind === 'missing' || created.text === noTimestamp
    if (!isNone) notKept('created_project', 'the shot has no project', `it becomes ${noTimestamp}`)
    return true
  }
  const problem = created.kind === 'missing' ? 'it is missing' : timestampProblem(created.text ?? '')
  if (date !== undefined && created.kind === 'missing') return true
  if (date !== undefined && problem !== undefined) {
    notKept('created_project', problem, `it becomes ${date}, the date of project ${project}`)
    return true
  }
  if (date !== undefined && normalTimestamp(created.text!) === normalTimestamp(date)) return true
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

export type MergedShots = Pick<Base, 'shots' | 'drafted' | 'window' | 'span'> & {
  readonly plans: readonly ShotPlan[]
  readonly findings: readonly Finding[]
  /** How many more shots are published than before. */
  readonly published: number
}

/** Merges the shots that the remote lists one by one, then looks for those that it lists no longer. */
export const mergeShots = (listed: ListedShots, input: MergeInput): MergedShots => {
  const { base, site } = input
  // tokens that are made of the ids of listed shots: no other shot may take one away
  const tokens = new Map<string, string>()
  for (const [id, fields] of listed.shots) {
    const [token, made] = [textOf(fields, 'token_id'), shotToken(id)]
    if (token === made || !canSay(token, tokenField, site)) tokens.set(made, id)
  }
  const shots: Record<string, Texts> = { ...base?.shots }
  const merged = [...listed.shots].map(([id, fields]) => {
    const shot = mergeShot(id, fields, { input, tokens })
    const token = shot.plan && newToken(shot.plan)
    if (token !== undefined) tokens.set(token, id)
    if (shot.base !== undefined) shots[id] = shot.base
    return shot
  })
  const back = new Set(merged.flatMap(({ isBack, id }) => (isBack ? [id] : [])))
  const drafted = (base?.drafted ?? []).filter((id) => !back.has(id))
  const gone = findGone(listed, { input, drafted })
  return {
    ...gone,
    shots,
    drafted: [...drafted, ...gone.plans.map(({ id }) => id)],
    plans: [...merged.flatMap(({ plan }) => plan ?? []), ...gone.plans],
    findings: [...merged.flatMap(({ findings }) => findings), ...gone.findings],
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

type Merging = {
  readonly input: MergeInput
  /** The tokens that shots of the member get in this import. */
  readonly tokens: ReadonlyMap<string, string>
}

const mergeShot = (id: string, fields: Fields, merging: Merging): MergedShot => {
  const { input } = merging
  const { mine, base } = input
  const [my, old] = [mine?.shots.get(id), own(base?.shots, id)]
  const taken = whoHasToken(id, fields, merging)
  const texts = textsOf(fields, shotFields)
  const remote = taken === undefined ? texts : { ...texts, token_id: null }
  if (my === undefined) {
    return old === undefined
      ? addShot(id, remote, { ...merging, taken })
      : mergeRemoved(id, remote, { ...merging, taken })
  }
  const isBack = base?.drafted.includes(id) === true
  // a draft that somebody made here stays as it is
  if (my.draft && !isBack) return { id, base: old, findings: [] }
  const values = shotValues(my, input.site)
  const about = { part: 'shot', id } as const
  const merged = mergeFields(shotFields, { base: old, mine: values, remote }, { about, input })
  const changed = { ...keptLarge(my, merged.changed), ...merged.changed }
  const changes = toChanges(shotFields, { changed, all: { ...values, ...changed } }, input.site)
  const { title } = my
  return {
    id,
    base: merged.base,
    plan: { id, isNew: false, title, changes: my.draft ? { ...changes, draft: undefined } : changes },
    findings: [
      ...(taken ? [taken] : []),
      ...merged.findings,
      ...(isBack ? [find('shot-returned', about, { id, title })] : []),
    ],
    isBack,
    isMore: my.draft,
  }
}

/** Without the key the large image is the image: once that changes, the key is needed. */
const keptLarge = ({ image, large_image }: Shot, changed: Values): Values =>
  large_image === undefined && Object.hasOwn(changed, 'image') ? { large_image: image } : {}

type Taken = Merging & { readonly taken: Finding | undefined }

const addShot = (id: string, remote: Texts, { input, tokens, taken }: Taken): MergedShot => {
  const other = input.shotWithId(id)
  if (other !== undefined && other.owner !== input.username) {
    return { id, base: undefined, findings: [elsewhere(other, input)] }
  }
  const values = sayable(shotFields, remote, input.site)
  const token = values.token_id!
  const holder = holderOf(token, id, { input, tokens })
  if (holder !== undefined) {
    const problem = `it has no token of its own, and shot ${holder.id} has the one that is made of its id`
    const args = { what: `token_id of shot ${id}`, value: token, problem }
    const finding = find('shot-not-imported', { part: 'shots', id }, args, relatedOf(holder, input))
    return { id, base: undefined, findings: [finding] }
  }
  const changes = toChanges(shotFields, { changed: values, all: values }, input.site)
  const plan = { id, isNew: true, title: values.title!, changes }
  return { id, base: remote, plan, findings: taken ? [taken] : [], isMore: true }
}

const elsewhere = (other: KnownShot, input: MergeInput): Finding => {
  const { username, asked, contentName, isImported } = input
  const { id, owner, path } = other
  const to = `${contentName}/${names.members}/${username}/${names.shots}/`
  const args = { id, asked, owner, from: `${contentName}/${path}`, to, isOwn: !isImported(owner) }
  return find('shot-elsewhere', { part: 'shots', id }, args, relatedOf(other, input))
}

/** A shot whose file somebody removed here is not imported again as long as the remote says the same of it. */
const mergeRemoved = (id: string, remote: Texts, merging: Taken): MergedShot => {
  const { input, taken } = merging
  const old = own(input.base?.shots, id)!
  const [before, now] = [sayable(shotFields, old, input.site), sayable(shotFields, remote, input.site)]
  // a token that another shot has now says nothing of the remote
  const same = shotFields.every(
    ({ key, kind }) =>
      (taken !== undefined && key === 'token_id') || isSame(kind, before[key]!, now[key]!, input.site),
  )
  if (input.side === 'theirs') return addShot(id, remote, { ...merging, taken: undefined })
  if (same) return { id, base: old, findings: [] }
  if (input.side === 'ours') return { id, base: remote, findings: [] }
  return { id, base: old, findings: [find('removed-here', { part: 'profile' }, { id, title: now.title! })] }
}

type Holder = { readonly id: string; readonly path?: string }

/** The other shot that has a token, or gets it in this import. */
const holderOf = (token: string, id: string, { input, tokens }: Merging): Holder | undefined => {
  const own = tokens.get(token)
  if (own !== undefined && own !== id) return { id: own }
  const other = input.shotWithToken(token)
  return other === undefined || other.id === id ? undefined : other
}

const relatedOf = ({ id, path }: Holder, { contentName }: MergeInput): Related | undefined =>
  path === undefined ? undefined : { file: `${contentName}/${path}`, ...fileStart, message: `the shot ${id}` }

const whoHasToken = (id: string, fields: Fields, merging: Merging): Finding | undefined => {
  const { input } = merging
  const token = textOf(fields, 'token_id')
  // a value that is no token is told as such
  if (!canSay(token, tokenField, input.site) || token === shotToken(id)) return undefined
  const other = holderOf(token, id, merging)
  if (other === undefined) return undefined
  const args = {
    what: `token_id of shot ${id}`,
    value: token,
    problem: `shot ${other.id} has it`,
    instead: 'it is left out',
    hint: `once shot ${other.id} has another one, the next import takes it`,
  }
  return find('not-kept', { part: 'shot', id, key: 'token_id' }, args, relatedOf(other, input))
}

type Gone = Pick<MergedShots, 'window' | 'span' | 'plans' | 'findings'>

/** Finds the shots that vanished, apart from those that newer ones pushed out of the window. */
const findGone = (
  { count, ids, dates }: ListedShots,
  { input, drafted }: { readonly input: MergeInput; readonly drafted: readonly string[] },
): Gone => {
  const { base, mine, allowRemoval } = input
  const sorted = [...dates.values()].sort()
  const span = sorted.length === 0 ? [] : [sorted[0]!, sorted.at(-1)!]
  if (base === undefined) return { window: ids, span, plans: [], findings: [] }
  const [first, last] = [ids.at(0) ?? '', ids.at(-1) ?? ''].map((id) => [id, dates.get(id)] as const)
  // a server may send the oldest first
  const oldest = isOlder(first!, last!) ? first! : last!
  const vanished = Object.entries(base.shots).flatMap(([id, { date }]) => {
    // shots that somebody removed or made drafts here don't count a second time
    if (ids.includes(id) || drafted.includes(id) || mine?.shots.get(id)?.draft !== false) return []
    const wouldShow = count < windowSize || ids.length === 0 || isOlder(oldest, [id, dateIn(date)])
    return wouldShow ? [id] : []
  })
  const findings: Finding[] = []
  if (base.window.length > 0 && count >= windowSize && !base.window.some((id) => ids.includes(id))) {
    const args = { before: base.span.at(-1) ?? '', now: span[0] ?? '' }
    findings.push(find('windows-apart', { part: 'shots' }, args))
  }
  if (vanished.length * 2 > base.window.length && vanished.length > 0 && !allowRemoval) {
    const args = { count: vanished.length, of: base.window.length }
    findings.push(find('too-many-vanished', { part: 'shots' }, args))
    return { window: base.window, span: base.span, plans: [], findings }
  }
  for (const id of vanished) {
    const args = { id, title: mine!.shots.get(id)!.title }
    findings.push(find('shot-vanished', { part: 'shot', id }, args))
  }
  const plans = vanished.map((id) => ({ id, isNew: false, title: '', changes: { draft: 'true' } }))
  return { window: ids, span, plans, findings }
}

const dateIn = (date: string | null | undefined): string =>
  date == null || timestampProblem(date) !== undefined ? '' : normalTimestamp(date)

type Dated = readonly [id: string, date: string | undefined]

/** Whether a shot comes after another in the remote's order: by date, then by id, newest first. */
const isOlder = ([a, dateA]: Dated, [b, dateB]: Dated): boolean =>
  dateA !== undefined && dateB !== undefined && (dateA === dateB ? byId(a, b) < 0 : dateA < dateB)
