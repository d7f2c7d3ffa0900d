import { type ShotRecord, shotsLimit } from '../api/records.ts'
import type { Variant } from '../api/routes.ts'
import { baseAt } from './base.ts'
import { type Fields, fieldsAt, type Remote, shown, textOf } from './body.ts'
import { saidAt } from './content.ts'
import { defaultOf, fieldsOf, isSame, type Texts, withoutScheme } from './fields.ts'
import type { About, Finding, ImportCode } from './messages.ts'
import { comparePicture } from './pictures.ts'
import { projectOf } from './projects.ts'
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
}

/**
 * A profile, or the shot with an id, as the remote says it over one scheme and as a build
 * would.
 */
type Pair = {
  readonly said: Fields
  readonly built: Readonly<Record<string, string>>
  readonly facts: Facts
  readonly id?: string
}

/** Compares every field of a profile, or of a shot, those too that only one of the two has. */
export const compareRecord = async (pair: Pair): Promise<readonly Comparison[]> => {
  const { said, built, id } = pair
  const compared: Comparison[] = []
  for (const key of new Set([...said.keys(), ...Object.keys(built)])) {
    // fields of the remote may be called as anything, such as `constructor`
    const our = Object.hasOwn(built, key) ? built[key] : undefined
    compared.push({
      result: our === undefined ? 'unknown-field' : await compareField(key, pair),
      about: { id, key: key.slice(0, 60) },
      remote: shown(said.get(key)),
      ours: our ?? 'missing',
    })
  }
  return compared
}

/** The table of "The proof" in docs/import.md, for a field that the API has. */
const compareField = async (key: string, pair: Pair): Promise<Result> => {
  const { said, built, facts, id } = pair
  const { mine, told, site, remote } = facts
  const our = built[key] ?? ''
  const field = fieldsOf(id).find((one) => one.key === key)
  /** Whether it is what stands where nothing is said. */
  const isFallback =
    !field || saidAt(mine, { key, id }) === undefined || our === defaultOf(field, built, site)
  const text = textOf(said, key)
  const isEqual =
    text === null
      ? isFallback && !said.has(key)
      : isSame(field?.kind ?? 'timestamp', our, text, site)
  if (isEqual) return 'equal'
  const isShared = withoutScheme(text) === withoutScheme(textOf(fieldsAt(remote, id), key))
  const show = isShared ? await comparePicture({ key, id }, facts) : undefined
  if (show !== undefined) return show
  if (!facts.isImported) return 'member-not-imported'
  const isOther = said.has('id_project') && textOf(said, 'id_project') !== built.id_project
  if (key === 'created_project' && isOther) return compareField('id_project', pair)
  const explains = ({ code, about }: Finding) => {
    // one that is listed twice was imported once
    if (code === 'shot-not-imported') return about.key !== 'id'
    if (code === 'scheme-differs') return about.key === key && !isShared
    // a shot loses its project because of the project's date
    const isCause =
      about.key === key || (key === 'id_project' && about.key === 'created_project')
    return isCause && isFallback && (code === 'not-kept' || code === 'total-below-content')
  }
  const loss = told.find((one) => one.about.id === id && explains(one))
  return loss?.code ?? (wasEdited(key, pair) ? 'edited' : 'different')
}

/** Whether the remote says what it said at the last import, so that a difference was made here. */
const wasEdited = (key: string, { said, facts, id }: Pair) => {
  const { base, name, username } = facts
  // the old name of a member that was renamed here answers with the name of today
  if (key === 'username') return name !== username
  const before: Texts | undefined = baseAt(base, id) && {
    ...baseAt(base, id),
    user_id: base.profile.id ?? null,
    created_project: base.projects[projectOf(said)] ?? null,
  }
  const old = before?.[key]
  return old !== undefined && withoutScheme(old) === withoutScheme(textOf(said, key))
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
export const compareShots = async (
  said: Remote,
  shots: readonly ShotRecord[],
  facts: Facts,
): Promise<readonly Comparison[]> => {
  const { base, mine, told, isImported } = facts
  const { byId: listed } = said
  const ours = new Map(shots.map((shot) => [shot.id, shot]))
  const records = []
  for (const [id, fields] of listed) {
    const built = ours.get(id)
    if (built) records.push(await compareRecord({ said: fields, built, facts, id }))
  }
  const compared = records.flat()
  const extra = [...ours.keys()].filter((id) => !listed.has(id))
  /** Whether somebody here made a shot, or published one again that had vanished. */
  const isOwn = (id: string) =>
    base.username !== '' && (!base.shots[id] || base.drafted.includes(id))
  const isEdited = compared.some(({ result }) => result === 'edited') || extra.some(isOwn)
  /**
   * Why the snapshot lacks a shot: others come before it, or it was made a draft, removed, or
   * not imported.
   */
  const whyGone = (id: string): Result => {
    const isPublished = saidAt(mine, { id, key: 'draft' }) === 'false'
    if (ours.has(id)) return 'shot-not-imported'
    if (isPublished && said.shots.length > shotsLimit) return 'more-than-15'
    const isKnown = base.window.includes(id) && base.shots[id]
    // one that vanished, and is back in a way that can't be imported, is a draft by nobody here
    if (isKnown && (isPublished ? isEdited : !base.drafted.includes(id))) return 'edited'
    if (isPublished && told.some(({ code }) => code === 'other-order')) return 'other-order'
    const loss = told.find(({ code, about }) => about.id === id && missing.includes(code))
    return loss?.code ?? (isImported ? 'different' : 'member-not-imported')
  }
  const gone = said.shots.flatMap((fields): readonly Comparison[] => {
    const id = textOf(fields, 'id') ?? ''
    if (listed.get(id) === fields && ours.has(id)) return []
    const size = Math.max(1, fields.size)
    return [{ result: whyGone(id), about: { id }, ...isGone, fields: size }]
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
    ...extra.map((id) => ({ result: whyExtra(id), about: { id }, ...isExtra })),
    compareOrder(compared, listed, ours),
    ...compareOthers(said),
  ]
}

/** What a body says beside the shots. */
const compareOthers = ({ others }: Remote): readonly Comparison[] =>
  Array.from(others, ([key, value]) => ({
    result: 'unknown-field',
    about: { at: 'https shots' },
    what: `"${key.slice(0, 60)}" beside the shots`,
    remote: shown(value),
    ours: 'missing',
  }))

export const isGone = { remote: 'there', ours: 'not there' }
const isExtra = { remote: 'not there', ours: 'there' }

type ById = ReadonlyMap<string, unknown>

/** With the same dates, another order is not that of the API. */
const compareOrder = (
  compared: readonly Comparison[],
  listed: ById,
  built: ById,
): Comparison => {
  const remote = [...listed.keys()].filter((id) => built.has(id)).join(',')
  const ours = [...built.keys()].filter((id) => listed.has(id)).join(',')
  const date = compared.find(
    ({ about, result }) => about.key === 'date' && result !== 'equal',
  )
  return {
    result: remote === ours ? 'equal' : (date?.result ?? 'other-order'),
    about: { at: 'https shots' },
    what: 'the order of the shots',
    remote,
    ours,
  }
}
