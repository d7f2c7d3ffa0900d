import { type ShotRecord, shotsLimit, type UserRecord } from '../api/records.ts'
import type { Variant } from '../api/routes.ts'
import { baseAt } from './base.ts'
import { type Fields, fieldsAt, type Remote, shown, textOf } from './body.ts'
import { saidAt } from './content.ts'
import { defaultOf, fieldsOf, isSame, type Texts, withoutScheme } from './fields.ts'
import type { About, Finding, ImportCode } from './messages.ts'
import { type comparePictures, nameOf } from './pictures.ts'
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
  readonly record: ReadonlyMap<string, string>
  readonly facts: Facts
  readonly id: string | undefined
}

/** Compares every field of a profile, or of the shot with an id, those too that only one of the two has. */
export const compareRecord = (
  said: Fields,
  built: UserRecord | ShotRecord,
  facts: Facts,
  id?: string,
): readonly Comparison[] => {
  // fields of the remote may be called as anything, such as `constructor`
  const record = new Map(Object.entries(built))
  return [...new Set([...said.keys(), ...record.keys()])].map((key) => ({
    result: resultAt(key, { said, record, facts, id }),
    about: { id, key: key.slice(0, 60) },
    remote: shown(said.get(key)),
    ours: record.get(key) ?? 'missing',
  }))
}

/** The table of "The proof" in docs/import.md, for one field. */
const resultAt = (key: string, pair: Pair): Result => {
  const { said, record, facts, id } = pair
  const { mine, told, shows, site } = facts
  const our = record.get(key)
  if (our === undefined) return 'unknown-field'
  const field = fieldsOf(id).find((one) => one.key === key)
  const isLeftOut = !field || saidAt(mine, { key, id }) === undefined
  /** Whether it is what stands where nothing is said. */
  const isFallback = isLeftOut || our === defaultOf(field, Object.fromEntries(record), site)
  const text = textOf(said, key)
  const isEqual =
    text === null
      ? isFallback && !said.has(key)
      : isSame(field?.kind ?? 'timestamp', our, text, site)
  if (isEqual) return 'equal'
  const isShared = plain(text) === plain(textOf(fieldsAt(facts.remote, id), key))
  const show = isShared ? shows.get(nameOf({ key, id })) : undefined
  if (show !== undefined) return show
  if (!facts.isImported) return 'member-not-imported'
  const isOther = textOf(said, 'id_project') !== record.get('id_project')
  if (key === 'created_project' && isOther && said.has('id_project'))
    return resultAt('id_project', pair)
  const explains = ({ code, about }: Finding) => {
    // one that is listed twice was imported once
    if (code === 'shot-not-imported') return about.key !== 'id'
    if (code === 'scheme-differs') return about.key === key && !isShared
    // a shot loses its project because of the project's date
    const isCause = about.key === key || (key === 'id_project' && about.key === 'created_project')
    return isCause && isFallback && (code === 'not-kept' || code === 'total-below-content')
  }
  const loss = told.find((one) => one.about.id === id && explains(one))
  return loss?.code ?? (wasEdited(key, pair) ? 'edited' : 'different')
}

const plain = (text: string | null) => text && withoutScheme(text)

/** Whether the remote says what it said at the last import, so that a difference was made here. */
const wasEdited = (key: string, { said, facts, id }: Pair) => {
  const { base, name, username } = facts
  // the old name of a member that was renamed here answers with the name of today
  if (key === 'username') return name !== username
  const before = baseAt(base, id)
  const dates = new Map(Object.entries(base.projects))
  const old: Texts | undefined = before && {
    ...before,
    user_id: base.profile.id ?? null,
    created_project: dates.get(textOf(said, 'id_project') ?? '') ?? null,
  }
  return old?.[key] !== undefined && plain(old[key]) === plain(textOf(said, key))
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
  const listed = said.byId
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
    const isPublished = saidAt(mine, { id, key: 'draft' }) === 'false'
    if (ours.has(id)) return 'shot-not-imported'
    if (isPublished && said.shots.length > shotsLimit) return 'more-than-15'
    const loss = told.find(({ code, about }) => about.id === id && missing.includes(code))
    const isKnown = base.window.includes(id) && Object.hasOwn(base.shots, id)
    // one that vanished, and is back in a way that can't be imported, is a draft by nobody here
    if (isKnown && (isPublished ? isEdited : !base.drafted.includes(id))) return 'edited'
    if (isPublished && told.some(({ code }) => code === 'other-order')) return 'other-order'
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
  const whyExtra = (id: string) => {
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
