import { type ShotRecord, shotsLimit } from '../api/records.ts'
import type { Variant } from '../api/routes.ts'
import { normalTimestamp, timestampProblem } from '../content/values/timestamp.ts'
import { baseAt } from './base.ts'
import { byId, type Fields, type Remote, shown, textOf } from './body.ts'
import {
  defaultOf,
  isAlike,
  type Kind,
  profileFields,
  shotFields,
  withoutScheme,
} from './fields.ts'
import type { About, Finding } from './messages.ts'
import { type comparePictures, nameOf, saidAt } from './pictures.ts'
import type { MemberPlan } from './plan.ts'
import { strayShot } from './refusals.ts'
import type { Sides } from './run.ts'
import type { Result } from './tally.ts'

/** A field, or another difference such as a missing shot. */
export type Comparison = {
  readonly result: Result
  readonly about: About
  /** Default: what it is about. */
  readonly what?: string
  readonly remote: string
  readonly ours: string
  /** How many fields it stands for. Default: 1. */
  readonly fields?: number
}

/** What a comparison depends on. */
export type Facts = Sides & {
  readonly scheme: Variant
  /** What an import would do; absent if it would not import the member. */
  readonly plan: MemberPlan | undefined
  /** What it would tell. */
  readonly told: readonly Finding[]
  readonly shows: Awaited<ReturnType<typeof comparePictures>>
}

/** Losses of a whole member or shot, which always fail. */
export const missing: readonly string[] = [
  'shot-not-imported',
  'shot-elsewhere',
  'member-not-imported',
]

/** A profile, or the shot with an id, as the remote says it over one scheme and as a build would. */
type Pair = {
  readonly said: Fields
  readonly record: Readonly<Record<string, string>>
  readonly facts: Facts
  readonly id: string | undefined
}

/** Compares every field of a profile, or of the shot with an id, those too that only one of the two has. */
export const compareRecord = (
  said: Fields,
  record: Readonly<Record<string, string>>,
  facts: Facts,
  id?: string,
): readonly Comparison[] =>
  [...new Set([...said.keys(), ...Object.keys(record)])].map((key) => ({
    result: resultAt(key, { said, record, facts, id }),
    about: { id, key: key.slice(0, 60) },
    remote: shown(said.get(key)),
    ours: ownOf(record, key) ?? 'missing',
  }))

/** Fields of the remote may be called as anything, such as `constructor`. */
const ownOf = (record: Pair['record'], key: string): string | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

/** The table of "The proof" in docs/import.md, for one field. */
const resultAt = (key: string, pair: Pair): Result => {
  const { said, record, facts, id } = pair
  const our = ownOf(record, key)
  if (our === undefined) return 'unknown-field'
  const field = (id === undefined ? profileFields : shotFields).find((one) => one.key === key)
  const isLeftOut = saidAt({ key, id }, facts.mine) === undefined
  /** What stands where nothing is said. */
  const fallback = field === undefined || isLeftOut ? our : defaultOf(field, record, facts.site)
  const text = textOf(said, key)
  const isMissing = !said.has(key) && our === fallback
  const isSame = text === null ? isMissing : isEqual(field?.kind ?? 'timestamp or none', text, our)
  if (isSame) return 'equal'
  const shared = sharedAt(key, pair)
  const show = facts.shows.get(nameOf({ key, id }))
  if (show !== undefined && text !== null && withoutScheme(text) === shared) return show
  if (facts.plan === undefined) return 'member-not-imported'
  const loss = lossAt(key, { ...pair, our, isFallback: our === fallback, shared })
  return loss ?? (wasEdited(key, pair) ? 'edited' : 'different')
}

/** Whether both say the same value: a moment in whatever form, an address in either scheme. */
const isEqual = (kind: Kind, text: string, ours: string): boolean => {
  if (isAlike(kind, text, ours)) return true
  const isMoment = kind.startsWith('timestamp') && timestampProblem(text) === undefined
  return isMoment && normalTimestamp(text) === ours
}

/** What the remote says over https, as both schemes share it. */
const sharedAt = (key: string, { facts: { remote }, id }: Pair): string => {
  const https = id === undefined ? remote.user : byId(remote.shots).get(id)
  return withoutScheme((https && textOf(https, key)) ?? '')
}

type Lossy = Pair & {
  readonly our: string
  readonly isFallback: boolean
  readonly shared: string
}

/** The loss that explains a difference: the value is as the import, which tells the loss, has left it. */
const lossAt = (key: string, pair: Lossy): Result | undefined => {
  const { facts, id, our, isFallback, shared } = pair
  const told = facts.told.filter(({ about }) => about.id === id)
  // one that is listed twice was imported once
  if (told.some(({ code, about }) => code === 'shot-not-imported' && about.key !== 'id'))
    return 'shot-not-imported'
  const explains = ({ code, about }: Finding): boolean => {
    if (code === 'scheme-differs')
      return about.key === key && facts.scheme === 'http' && shared === withoutScheme(our)
    // a shot loses its project because of the project's date
    const isCause = about.key === key || (key === 'id_project' && about.key === 'created_project')
    return isCause && isFallback && (code === 'not-kept' || code === 'total-below-content')
  }
  return told.find(explains)?.code
}

/** Whether the remote says what it said at the last import, so that a difference was made here. */
const wasEdited = (key: string, { said, record, facts, id }: Pair): boolean => {
  const { base, name, username } = facts
  const text = textOf(said, key)
  const plain = (one: string | null) => one && withoutScheme(one)
  const wasSaid = (old: string | null | undefined): boolean =>
    old !== undefined && plain(old) === plain(text)
  // the old name of a member that was renamed here answers with the name of today
  if (key === 'username') return name !== username
  if (key === 'user_id') return wasSaid(base?.profile.id)
  const before = baseAt(base, id)
  if (key !== 'created_project') return wasSaid(before?.[key])
  const project = textOf(said, 'id_project') ?? ''
  if (before?.id_project === project && record.id_project !== project) return true
  const dates = new Map(Object.entries(base?.projects ?? {}))
  return before !== undefined && text !== null && wasSaid(dates.get(project))
}

/** Compares the shots of two bodies by id, then which ones are there, then their order. */
export const compareShots = (
  said: Remote,
  records: readonly ShotRecord[],
  facts: Facts,
): readonly Comparison[] => {
  const ours = new Map(records.map((record) => [record.id, record]))
  const common = [...byId(said.shots)].flatMap(([id, fields]) => {
    const record = ours.get(id)
    return record === undefined ? [] : [{ id, fields, record }]
  })
  const lists = { said, records, common: new Map(common.map(({ id, fields }) => [id, fields])) }
  const compared = common.flatMap(({ id, fields, record }) =>
    compareRecord(fields, record, facts, id),
  )
  const gone = [...missingShots(compared, lists, facts), ...strayShots(said)]
  const extra = extraShots([...compared, ...gone], lists, facts)
  return [
    ...compared,
    ...gone,
    ...extra,
    compareOrder(compared, lists),
    ...[...said.others].map(([key, value]) =>
      beside('unknown-field', `"${key.slice(0, 60)}" beside the shots`, value),
    ),
  ]
}

type Lists = {
  readonly said: Remote
  readonly records: readonly ShotRecord[]
  /** What both list, as the remote says it, in its order. */
  readonly common: ReadonlyMap<string, Fields>
}

const strayShots = ({ strays }: Remote): readonly Comparison[] =>
  strays.map((value) => beside('shot-not-imported', strayShot, value))

const beside = (result: Result, what: string, value: unknown): Comparison => {
  return { result, about: { at: 'shots' }, what, remote: shown(value), ours: 'missing' }
}

const extraIds = ({ records, common }: Lists): readonly string[] =>
  records.map(({ id }) => id).filter((id) => !common.has(id))

/** Whether somebody here made a shot, or published one again that had vanished. */
const isOwn = (id: string, { base }: Facts): boolean =>
  base !== undefined && (!Object.hasOwn(base.shots, id) || base.drafted.includes(id))

/** What the remote lists and the snapshot doesn't. */
const missingShots = (
  compared: readonly Comparison[],
  lists: Lists,
  facts: Facts,
): readonly Comparison[] => {
  const { said, common } = lists
  const { base, mine, plan, told } = facts
  const isEdited =
    compared.some(({ result }) => result === 'edited') ||
    extraIds(lists).some((id) => isOwn(id, facts))
  /** Why: others come before it, or it was made a draft, removed, or not imported. */
  const why = (id: string): Result => {
    if (common.has(id)) return 'shot-not-imported'
    const isPublished = mine?.shots.get(id)?.said.draft === false
    if (isPublished && said.shots.length > shotsLimit) return 'more-than-15'
    const isKnown = base?.window.includes(id) && Object.hasOwn(base.shots, id)
    if (isKnown && (isEdited || !isPublished)) return 'edited'
    if (isPublished && told.some(({ code }) => code === 'other-order')) return 'other-order'
    const loss = told.find(({ code, about }) => about.id === id && missing.includes(code))
    return loss?.code ?? (plan === undefined ? 'member-not-imported' : 'different')
  }
  return said.shots.flatMap((fields): readonly Comparison[] => {
    const id = textOf(fields, 'id') ?? ''
    if (common.get(id) === fields) return []
    const size = Math.max(1, fields.size)
    return [{ result: why(id), about: { id }, remote: 'there', ours: 'not there', fields: size }]
  })
}

const makingRoom: readonly Result[] = [
  'edited',
  'shot-not-imported',
  'shot-elsewhere',
  'other-order',
]

/** What the snapshot lists and the remote doesn't: it is of somebody here, or another one made room for it. */
const extraShots = (
  compared: readonly Comparison[],
  lists: Lists,
  facts: Facts,
): readonly Comparison[] => {
  const { base, plan } = facts
  const made = compared.find(({ result }) => makingRoom.includes(result))?.result
  const why = (id: string): Result => {
    if (isOwn(id, facts)) return 'edited'
    if (plan === undefined) return 'member-not-imported'
    return base?.window.includes(id) ? 'different' : (made ?? 'different')
  }
  return extraIds(lists).map((id) => {
    return { result: why(id), about: { id }, remote: 'not there', ours: 'there' }
  })
}

/** With the same dates, another order is not that of the API. */
const compareOrder = (compared: readonly Comparison[], { common, records }: Lists): Comparison => {
  const sent = [...common.keys()].join(',')
  const sorted = records
    .map(({ id }) => id)
    .filter((id) => common.has(id))
    .join(',')
  const date = compared.find(({ about, result }) => about.key === 'date' && result !== 'equal')
  const result = sent === sorted ? 'equal' : (date?.result ?? 'other-order')
  return {
    result,
    about: { at: 'shots' },
    what: 'the order of the shots',
    remote: sent,
    ours: sorted,
  }
}
