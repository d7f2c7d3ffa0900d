import { assetUrl } from '../../api/assets.ts'
import { shotsLimit } from '../../api/latest.ts'
import type { ShotRecord } from '../../api/records.ts'
import type { Variant } from '../../api/routes.ts'
import type { Site } from '../../content/site.ts'
import type { Base } from '../merge/base.ts'
import { shown, strayShot } from '../merge/listed-shots.ts'
import { type Fields, type Said, textOf } from '../read/said.ts'
import { shotFields } from '../values/fields.ts'
import { compareRecord } from './compare-record.ts'
import type { Loss, Losses } from './losses.ts'
import type { Comparison, Verdict } from './verdict.ts'

export type ShotsFacts = {
  readonly variant: Variant
  readonly site: Site
  readonly base: Base | undefined
  readonly tokenOf: (id: string) => string
  readonly losses: Losses
  /** The shots over https. */
  readonly https: readonly Fields[]
  /** Ids of all shots of the content but drafts, those too that the snapshot doesn't list. */
  readonly published: ReadonlySet<string>
}

/** What a body lists. */
type Listed = { readonly shots: readonly Fields[]; readonly strays?: readonly Said[] | undefined }

/** Compares the shots of two bodies by id, then which ones are there, then their order. */
export const compareShots = (
  { shots: legacy, strays = [] }: Listed,
  ours: readonly ShotRecord[],
  facts: ShotsFacts,
): readonly Comparison[] => {
  const mine = new Map(ours.map((shot) => [shot.id, shot]))
  const common = new Map<string, Fields>()
  for (const fields of legacy) {
    const id = idOf(fields)
    if (mine.has(id) && !common.has(id)) common.set(id, fields)
  }
  const shared = [...common].flatMap(([id, fields]) => compareShot(fields, mine.get(id)!, facts))
  const extra = ours.flatMap(({ id }) => (common.has(id) ? [] : [id]))
  const isEdited = shared.some(wasEdited) || extra.some((id) => isOwn(id, facts))
  const missing = legacy.flatMap((fields): readonly Comparison[] => {
    const id = idOf(fields)
    if (common.get(id) === fields) return []
    const isLong = legacy.length > shotsLimit
    const verdict = common.has(id)
      ? asLoss('shot-not-imported')
      : whyMissing(id, { ...facts, isLong, isEdited })
    return [{ ...presence(id, facts), ...verdict, legacy: 'there', ours: 'not there', fields: fields.size }]
  })
  const present = [...shared, ...missing, ...strays.map((said) => compareStray(said, facts))]
  return [
    ...present,
    ...extra.map(
      (id): Comparison => ({
        ...presence(id, facts),
        ...whyListed(id, present, facts),
        ...{ legacy: 'not there', ours: 'there', fields: 1 },
      }),
    ),
    compareOrder([...common.keys()], { ours, shared }, facts),
  ]
}

const compareStray = (said: Said, { variant }: ShotsFacts): Comparison => ({
  ...{ variant, about: { part: 'shots' }, what: strayShot },
  ...asLoss('shot-not-imported'),
  ...{ legacy: shown(said), ours: 'missing', fields: 1 },
})

const idOf = (fields: Fields): string => textOf(fields, 'id') ?? ''

const wasEdited = ({ verdict }: Comparison): boolean => verdict === 'edited'

const presence = (id: string, { variant }: ShotsFacts) => ({
  variant,
  about: { part: 'shot', id } as const,
  what: `shot ${id}${variant === 'http' ? ' over http' : ''}`,
})

type Judged = Pick<Comparison, 'verdict' | 'rule'>

const asLoss = (rule: Loss): Judged => ({ verdict: 'rule', rule })

/** Why the snapshot doesn't list a shot: others come before it, or it was made a draft, removed, or not imported. */
const whyMissing = (
  id: string,
  {
    base,
    losses,
    published,
    isLong,
    isEdited,
  }: ShotsFacts & { readonly isLong: boolean; readonly isEdited: boolean },
): Judged => {
  const isPublished = published.has(id)
  if (isPublished && isLong) return asLoss('more-than-15')
  const isKnown = base?.window.includes(id) && Object.hasOwn(base.shots, id)
  if (isKnown && (isEdited || !isPublished)) return { verdict: 'edited' }
  if (isPublished && losses.isReordered) return asLoss('other-order')
  const loss = losses.ofShot(id)
  return loss === undefined ? { verdict: 'different' } : asLoss(loss)
}

/** Losses for which the snapshot doesn't list a shot, but perhaps an older one. */
const makingRoom: readonly string[] = ['shot-not-imported', 'shot-elsewhere', 'other-order']

/** Why the snapshot lists a shot that the API doesn't: it is of somebody here, or another one made room for it. */
const whyListed = (id: string, others: readonly Comparison[], facts: ShotsFacts): Judged => {
  if (isOwn(id, facts)) return { verdict: 'edited' }
  const { ofMember } = facts.losses
  if (ofMember !== undefined) return asLoss(ofMember)
  if (facts.base?.window.includes(id)) return { verdict: 'different' }
  if (others.some(wasEdited)) return { verdict: 'edited' }
  const lost = others.find(({ rule }) => rule !== undefined && makingRoom.includes(rule))
  return lost === undefined ? { verdict: 'different' } : asLoss(lost.rule as Loss)
}

const compareOrder = (
  common: readonly string[],
  { ours, shared }: { readonly ours: readonly ShotRecord[]; readonly shared: readonly Comparison[] },
  { variant }: ShotsFacts,
): Comparison => {
  const order = ours.map(({ id }) => id).filter((id) => common.includes(id))
  // with the same dates, another order is not that of the interface
  const datesDiffer = shared.some(
    ({ about, verdict }) =>
      'key' in about && about.key === 'date' && verdict !== 'equal' && verdict !== 'rule',
  )
  const judged: Judged = order.every((id, index) => id === common[index])
    ? { verdict: 'equal' }
    : datesDiffer
      ? { verdict: shared.some(wasEdited) ? 'edited' : 'different' }
      : asLoss('other-order')
  const what = `the order of the shots${variant === 'http' ? ' over http' : ''}`
  const [sent, sorted] = [common.join(','), order.join(',')]
  return { variant, about: { part: 'shots' }, what, ...judged, legacy: sent, ours: sorted, fields: 1 }
}

/** Whether somebody here made a shot, or published one again that had vanished. */
const isOwn = (id: string, { base }: ShotsFacts): boolean =>
  base !== undefined && (!Object.hasOwn(base.shots, id) || base.drafted.includes(id))

const compareShot = (fields: Fields, shot: ShotRecord, facts: ShotsFacts): readonly Comparison[] => {
  const { variant, site, base, tokenOf, losses, https } = facts
  const old = base && Object.hasOwn(base.shots, shot.id) ? base.shots[shot.id] : undefined
  const [project, created] = [textOf(fields, 'id_project'), textOf(fields, 'created_project')]
  const derived = (key: string): Verdict => {
    if (key !== 'created_project' || old === undefined) return 'different'
    const couldBeSaid = /^(?:0|[1-9][0-9]*)$/.test(project ?? '')
    if (couldBeSaid && old.id_project === project && shot.id_project !== project) return 'edited'
    return created !== null && base?.projects[project ?? ''] === created ? 'edited' : 'different'
  }
  return compareRecord(fields, shot, {
    variant,
    fields: shotFields,
    about: { part: 'shot', id: shot.id },
    base: old,
    fallbacks: {
      id_project: '0',
      status: site.defaults.status,
      token_id: tokenOf(shot.id),
      large_image: shot.image || assetUrl('', variant, site),
    },
    counted: [],
    isAlias: false,
    portsAllowed: site.portsAllowed,
    derived,
    lossesOf: (key) => losses.ofField(key, shot.id),
    https: https.find((one) => textOf(one, 'id') === shot.id),
  })
}
