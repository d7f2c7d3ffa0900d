import { type ShotRecord, shotsLimit, type UserRecord } from '../api/records.ts'
import type { Variant } from '../api/routes.ts'
import { baseAt } from './base.ts'
import { byId, type Fields, type Remote, shown, textOf } from './body.ts'
import { defaultOf, fieldsOf, isSame, withoutScheme } from './fields.ts'
import type { About, Finding, ImportCode } from './messages.ts'
import { type comparePictures, nameOf, saidAt } from './pictures.ts'
import type { Sides } from './run.ts'

/** What a comparison came to; a loss has the name of what the import tells of it. */
export type Result = 'equal' | ImportCode

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
  /** Whether an import would import the member, and what it would tell. */
  readonly isImported: boolean
  readonly told: readonly Finding[]
  readonly shows: Awaited<ReturnType<typeof comparePictures>>
}

/** A profile, or the shot with an id, as the remote says it over one scheme and as a build would. */
type Pair = {
  readonly said: Fields
  readonly record: UserRecord | ShotRecord
  readonly facts: Facts
  readonly id: string | undefined
}

/** Compares every field of a profile, or of the shot with an id, those too that only one of the two has. */
export const compareRecord = (
  said: Fields,
  record: UserRecord | ShotRecord,
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
const ownOf = (record: object, key: string) =>
  new Map<string, string>(Object.entries(record)).get(key)

/** The table of "The proof" in docs/import.md, for one field. */
const resultAt = (key: string, pair: Pair): Result => {
  const { said, record, facts, id } = pair
  const our = ownOf(record, key)
  if (our === undefined) return 'unknown-field'
  const field = fieldsOf(id).find((one) => one.key === key)
  /** Whether it is what stands where nothing is said. */
  const isFallback =
    !field ||
    saidAt({ key, id }, facts.mine) === undefined ||
    our === defaultOf(field, record, facts.site)
  const text = textOf(said, key)
  const isEqual =
    text === null
      ? isFallback && !said.has(key)
      : isSame(field?.kind ?? 'timestamp', our, text, facts.site)
  if (isEqual) return 'equal'
  const https = id === undefined ? facts.remote.user : byId(facts.remote.shots).get(id)
  /** What the remote says over https, as both schemes share it. */
  const shared = withoutScheme((https && textOf(https, key)) ?? '')
  const show = facts.shows.get(nameOf({ key, id }))
  if (show !== undefined && text !== null && withoutScheme(text) === shared) return show
  if (!facts.isImported) return 'member-not-imported'
  const explains = ({ code, about }: Finding) => {
    // one that is listed twice was imported once
    if (code === 'shot-not-imported') return about.key !== 'id'
    if (code === 'scheme-differs')
      return about.key === key && facts.scheme === 'http' && shared === withoutScheme(our)
    // a shot loses its project because of the project's date
    const isCause = about.key === key || (key === 'id_project' && about.key === 'created_project')
    return isCause && isFallback && (code === 'not-kept' || code === 'total-below-content')
  }
  const loss = facts.told.find((one) => one.about.id === id && explains(one))
  return loss?.code ?? (wasEdited(key, pair) ? 'edited' : 'different')
}

/** Whether the remote says what it said at the last import, so that a difference was made here. */
const wasEdited = (key: string, { said, record, facts, id }: Pair) => {
  const { base, name, username } = facts
  // the old name of a member that was renamed here answers with the name of today
  if (key === 'username') return name !== username
  const before = baseAt(base, id)
  const project = textOf(said, 'id_project') ?? ''
  const isOther = before?.id_project === project && ownOf(record, 'id_project') !== project
  if (key === 'created_project' && isOther) return true
  const old: Readonly<Record<string, string | null | undefined>> = {
    ...before,
    user_id: base.profile.id,
    created_project: before && ownOf(base.projects, project),
  }
  const plain = (text: string | null) => text && withoutScheme(text)
  return old[key] !== undefined && plain(old[key]) === plain(textOf(said, key))
}

/** Losses of a whole member or shot, which always fail. */
export const missing: readonly Result[] = [
  'shot-not-imported',
  'shot-elsewhere',
  'member-not-imported',
]

/** What shifts a window, so that it lists others. */
const makingRoom: readonly Result[] = [
  'edited',
  'shot-not-imported',
  'shot-elsewhere',
  'other-order',
]

/** Compares the shots of two bodies by id, then which ones are there, then their order. */
export const compareShots = (
  said: Remote,
  records: readonly ShotRecord[],
  facts: Facts,
): readonly Comparison[] => {
  const { base, mine, told, isImported } = facts
  const ours = new Map(records.map((record) => [record.id, record]))
  const listed = byId(said.shots)
  const compared = [...listed].flatMap(([id, fields]) => {
    const record = ours.get(id)
    return record ? compareRecord(fields, record, facts, id) : []
  })
  const extra = [...ours.keys()].filter((id) => !listed.has(id))
  /** Whether somebody here made a shot, or published one again that had vanished. */
  const isOwn = (id: string) =>
    base.username !== '' && (!Object.hasOwn(base.shots, id) || base.drafted.includes(id))
  const isEdited = compared.some(({ result }) => result === 'edited') || extra.some(isOwn)
  /** Why the snapshot lacks a shot: others come before it, or it was made a draft, removed, or not imported. */
  const whyGone = (id: string): Result => {
    const isPublished = mine?.shots.get(id)?.said.draft === false
    if (ours.has(id)) return 'shot-not-imported'
    if (isPublished && said.shots.length > shotsLimit) return 'more-than-15'
    const isKnown = base.window.includes(id) && Object.hasOwn(base.shots, id)
    if (isKnown && (isEdited || !isPublished)) return 'edited'
    if (isPublished && told.some(({ code }) => code === 'other-order')) return 'other-order'
    const loss = told.find(({ code, about }) => about.id === id && missing.includes(code))
    return loss?.code ?? (isImported ? 'different' : 'member-not-imported')
  }
  const gone = said.shots.flatMap((fields): readonly Comparison[] => {
    const id = textOf(fields, 'id') ?? ''
    if (listed.get(id) === fields && ours.has(id)) return []
    const size = Math.max(1, fields.size)
    return [
      { result: whyGone(id), about: { id }, remote: 'there', ours: 'not there', fields: size },
    ]
  })
  const before = [...compared, ...gone]
  const made = before.find(({ result }) => makingRoom.includes(result))?.result
  /** Why the snapshot has another shot: it is of somebody here, or one made room for it. */
  const whyExtra = (id: string): Result => {
    if (isOwn(id)) return 'edited'
    if (!isImported) return 'member-not-imported'
    return (base.window.includes(id) ? undefined : made) ?? 'different'
  }
  return [
    ...before,
    ...extra.map((id) => {
      return { result: whyExtra(id), about: { id }, remote: 'not there', ours: 'there' }
    }),
    compareOrder(compared, [...listed.keys()], [...ours.keys()]),
    ...[...said.others].map(([key, value]) => ({
      result: 'unknown-field' as const,
      about: { at: 'shots' as const },
      what: `"${key.slice(0, 60)}" beside the shots`,
      remote: shown(value),
      ours: 'missing',
    })),
  ]
}

/** With the same dates, another order is not that of the API. */
const compareOrder = (
  compared: readonly Comparison[],
  listed: readonly string[],
  ours: readonly string[],
): Comparison => {
  const remote = listed.filter((id) => ours.includes(id)).join(',')
  const sorted = ours.filter((id) => listed.includes(id)).join(',')
  const date = compared.find(({ about, result }) => about.key === 'date' && result !== 'equal')
  return {
    result: remote === sorted ? 'equal' : (date?.result ?? 'other-order'),
    about: { at: 'shots' },
    what: 'the order of the shots',
    remote,
    ours: sorted,
  }
}
