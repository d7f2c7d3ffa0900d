import type { Shot } from '../../content/member.ts'
import { normalTimestamp, timestampProblem } from '../../content/values/timestamp.ts'
import { type Fields, textOf, textsOf } from '../read/said.ts'
import { shotFields } from '../values/fields.ts'
import { problemOf } from '../values/keep-text.ts'
import { shotValues } from '../values/mine.ts'
import { sameValue, type Values } from '../values/site-values.ts'
import { toData } from '../values/to-data.ts'
import type { Base, BaseFields } from './base.ts'
import type { Finding } from './finding.ts'
import type { ListedShots } from './listed-shots.ts'
import { mergeFields, sayable } from './merge-fields.ts'
import { type MergeInput, newToken, type ShotPlan } from './plan.ts'
import { findGone } from './window.ts'

export type MergedShots = Pick<Base, 'shots' | 'drafted' | 'window' | 'span'> & {
  readonly plans: readonly ShotPlan[]
  readonly findings: readonly Finding[]
  /** How many more shots are published than before. */
  readonly published: number
}

/** Merges the shots that the API lists one by one, then looks for those that it lists no longer. */
export const mergeShots = (found: ListedShots, input: MergeInput): MergedShots => {
  const known = input.base?.shots ?? {}
  const shots: Record<string, BaseFields> = { ...known }
  const tokens = madeTokens(found, input)
  const shotWithToken: MergeInput['shotWithToken'] = (token, id) => {
    const other = tokens.get(token)
    return other !== undefined && other !== id ? other : input.shotWithToken(token, id)
  }
  const inputOfShots = { ...input, shotWithToken }
  const merged = [...found.shots].map(([id, fields]) => {
    const shot = mergeShot(id, fields, inputOfShots)
    const token = shot.plan && newToken(shot.plan, input.tokenOf)
    if (token !== undefined) tokens.set(token, id)
    return shot
  })
  for (const { id, base } of merged) if (base !== undefined) shots[id] = base
  const back = new Set(merged.flatMap(({ returned, id }) => (returned ? [id] : [])))
  const drafted = (input.base?.drafted ?? []).filter((id) => !back.has(id))
  const gone = mergeGone(found, { ...input, drafted })
  const plans = [...merged.flatMap(({ plan }) => plan ?? []), ...gone.plans]
  return {
    ...gone,
    shots,
    drafted: [...drafted, ...gone.plans.map(({ id }) => id)],
    plans,
    findings: [...merged.flatMap(({ findings }) => findings), ...gone.findings],
    published: merged.filter(({ plan, undrafted }) => plan?.isNew || undrafted).length - gone.plans.length,
  }
}

/** Tokens that are made of the ids of listed shots, and the ids: no other shot may take one away. */
const madeTokens = ({ shots }: ListedShots, { tokenOf, site }: MergeInput): Map<string, string> => {
  const made = new Map<string, string>()
  for (const [id, fields] of shots) {
    const [token, own] = [textOf(fields, 'token_id'), tokenOf(id)]
    if (token === own || token === null || !isToken(token, site)) made.set(own, id)
  }
  return made
}

type MergedShot = {
  readonly id: string
  readonly base: BaseFields | undefined
  readonly plan?: ShotPlan | undefined
  readonly findings: readonly Finding[]
  /** Whether it was a draft because it had vanished, and is listed again. */
  readonly returned?: boolean
  /** Whether that makes it published here. */
  readonly undrafted?: boolean
}

const mergeShot = (id: string, fields: Fields, input: MergeInput): MergedShot => {
  const { mine, base } = input
  const [my, old] = [mine?.shots.get(id), own(base?.shots, id)]
  const token = tokenProblem(id, fields, input)
  const said = textsOf(fields, shotFields)
  const theirs = token === undefined ? said : { ...said, token_id: null }
  if (my === undefined) {
    return old === undefined
      ? addShot(id, theirs, { input, token })
      : mergeRemoved(id, { old, theirs, token }, input)
  }
  const wasDrafted = base?.drafted.includes(id) === true
  // a draft that somebody made here stays as it is
  if (my.draft && !wasDrafted) return { id, base: old, findings: [] }
  const values = shotValues(my, input)
  const merged = mergeFields(shotFields, { base: old, mine: values, theirs }, input)
  const changed = { ...keptLarge(my, merged.changes), ...merged.changes }
  const changes = {
    ...toData(shotFields, changed, { ...values, ...changed }, input),
    ...(my.draft && { draft: undefined }),
  }
  const title = my.title
  const findings: Finding[] = [
    ...(token ? [token] : []),
    ...merged.conflicts.map(
      (args): Finding => ({ code: 'conflict', about: { part: 'shot', id, key: args.key }, args }),
    ),
    ...(wasDrafted
      ? [{ code: 'shot-returned', about: { part: 'shot', id }, args: { id, title } } as const]
      : []),
  ]
  const plan = { id, isNew: false, title, changes }
  return { id, base: merged.base, plan, findings, returned: wasDrafted, undrafted: my.draft }
}

/** Without the key the large image is the image: once that changes, the key is needed. */
const keptLarge = ({ image, large_image }: Shot, changes: Values): Values =>
  large_image === undefined && Object.hasOwn(changes, 'image') ? { large_image: image } : {}

const own = <T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined

const addShot = (
  id: string,
  theirs: BaseFields,
  { input, token }: { readonly input: MergeInput; readonly token: Finding | undefined },
): MergedShot => {
  const owner = input.ownerOf(id)
  if (owner !== undefined) {
    return {
      id,
      base: undefined,
      findings: [{ code: 'shot-elsewhere', about: { part: 'shots' }, args: { id, owner } }],
    }
  }
  const values = sayable(shotFields, theirs, input)
  const value = values.token_id!
  const holder = input.shotWithToken(value, id)
  if (holder !== undefined) {
    const problem = `it has no token of its own, and shot ${holder} has the one that is made of its id`
    const args = { id, key: 'token_id', what: `token_id of shot ${id}`, value, problem }
    return { id, base: undefined, findings: [{ code: 'shot-not-imported', about: { part: 'shots' }, args }] }
  }
  const plan = { id, isNew: true, title: values.title!, changes: toData(shotFields, values, values, input) }
  return { id, base: theirs, plan, findings: token ? [token] : [] }
}

/** A shot whose file somebody removed here is not imported again as long as the API says the same of it. */
const mergeRemoved = (
  id: string,
  {
    old,
    theirs,
    token,
  }: { readonly old: BaseFields; readonly theirs: BaseFields; readonly token: Finding | undefined },
  input: MergeInput,
): MergedShot => {
  const [before, now] = [sayable(shotFields, old, input), sayable(shotFields, theirs, input)]
  // a token that another shot has now says nothing of the API
  const same = shotFields.every(
    ({ key, kind }) =>
      (token !== undefined && key === 'token_id') || sameValue(kind, before[key]!, now[key]!, input),
  )
  if (same && input.side !== 'theirs') return { id, base: old, findings: [] }
  if (input.side === 'theirs') return addShot(id, theirs, { input, token: undefined })
  if (input.side === 'ours') return { id, base: theirs, findings: [] }
  const args = { id, title: now.title! }
  return { id, base: old, findings: [{ code: 'removed-here', about: { part: 'profile' }, args }] }
}

const tokenProblem = (
  id: string,
  fields: Fields,
  { shotWithToken, tokenOf, site }: MergeInput,
): Finding | undefined => {
  const token = textOf(fields, 'token_id') ?? ''
  // a value that is no token is reported as such
  const other = isToken(token, site) && token !== tokenOf(id) ? shotWithToken(token, id) : undefined
  if (other === undefined) return undefined
  const args = {
    what: `token_id of shot ${id}`,
    value: token,
    problem: `shot ${other} has it`,
    instead: 'it is left out',
  }
  return { code: 'not-kept', about: { part: 'shot', id, key: 'token_id' }, args }
}

const isToken = (text: string, site: MergeInput['site']): boolean =>
  problemOf({ kind: 'text', text }, { kind: 'token' }, site) === undefined

type MergedGone = Pick<MergedShots, 'window' | 'span' | 'plans' | 'findings'>

const mergeGone = (
  { window }: ListedShots,
  { base, mine, allowRemoval, drafted }: MergeInput & { readonly drafted: readonly string[] },
): MergedGone => {
  const span = spanOf(window.dates)
  const now = { window: window.ids, span }
  if (base === undefined) return { ...now, plans: [], findings: [] }
  // shots that somebody removed or made drafts here don't count a second time
  const dates = Object.entries(base.shots).flatMap(([id, { date }]): [string, string][] =>
    drafted.includes(id) || mine?.shots.get(id)?.draft !== false ? [] : [[id, validDate(date)]],
  )
  const { vanished, tooMany, apart } = findGone({ dates: new Map(dates), window: base.window }, window)
  const findings: Finding[] = []
  if (apart) {
    const args = { before: base.span.at(-1) ?? '', now: span[0] ?? '' }
    findings.push({ code: 'windows-apart', about: { part: 'shots' }, args })
  }
  if (tooMany && !allowRemoval) {
    const args = { count: vanished.length, of: base.window.length }
    findings.push({ code: 'too-many-vanished', about: { part: 'shots' }, args })
    return { window: base.window, span: base.span, plans: [], findings }
  }
  const plans = vanished.map((id) => ({ id, isNew: false, title: '', changes: { draft: 'true' } }))
  for (const id of vanished) {
    const args = { id, title: mine?.shots.get(id)?.title ?? '' }
    findings.push({ code: 'shot-vanished', about: { part: 'shot', id }, args })
  }
  return { ...now, plans, findings }
}

const validDate = (date: string | null | undefined): string =>
  date == null || timestampProblem(date) !== undefined ? '' : normalTimestamp(date)

/** The dates of the oldest and the newest shot. */
const spanOf = (dates: ReadonlyMap<string, string>): readonly string[] => {
  const sorted = [...dates.values()].sort()
  return sorted.length === 0 ? [] : [sorted[0]!, sorted.at(-1)!]
}
