import { assetUrl } from '../../api/assets.ts'
import type { ShotRecord } from '../../api/records.ts'
import type { Variant } from '../../api/routes.ts'
import type { Site } from '../../content/site.ts'
import type { Base } from '../merge/base.ts'
import { type Fields, textOf } from '../read/said.ts'
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
}

/** Compares the shots of two bodies by id, then which ones are there, then their order. */
export const compareShots = (
  legacy: readonly Fields[],
  ours: readonly ShotRecord[],
  facts: ShotsFacts,
): readonly Comparison[] => {
  const rest = new Map(ours.map((shot) => [shot.id, shot]))
  const common: string[] = []
  const comparisons: Comparison[] = []
  for (const fields of legacy) {
    const id = textOf(fields, 'id') ?? ''
    const shot = rest.get(id)
    rest.delete(id)
    if (shot === undefined) {
      comparisons.push({
        ...presence(id, facts),
        ...(common.includes(id) ? asLoss('shot-not-imported') : whyMissing(id, facts)),
        legacy: 'there',
        ours: 'not there',
        fields: fields.size,
      })
    } else {
      common.push(id)
      for (const comparison of compareShot(fields, shot, facts)) comparisons.push(comparison)
    }
  }
  const edited = comparisons.some(({ verdict }) => verdict === 'edited')
  const lost = comparisons.find(({ rule }) => rule === 'shot-not-imported' || rule === 'shot-elsewhere')?.rule
  for (const id of rest.keys()) {
    const movedUp = !facts.base?.window.includes(id)
    const verdict: Judged =
      isOwn(id, facts) || (edited && movedUp)
        ? { verdict: 'edited' }
        : lost !== undefined && movedUp
          ? asLoss(lost as Loss)
          : { verdict: 'different' }
    comparisons.push({ ...presence(id, facts), ...verdict, legacy: 'not there', ours: 'there', fields: 1 })
  }
  const order = ours.map(({ id }) => id).filter((id) => common.includes(id))
  // with the same dates, another order is not that of the interface
  const datesDiffer = comparisons.some(
    ({ about, verdict }) =>
      'key' in about && about.key === 'date' && verdict !== 'equal' && verdict !== 'rule',
  )
  const judged: Judged = order.every((id, index) => id === common[index])
    ? { verdict: 'equal' }
    : !datesDiffer
      ? asLoss('other-order')
      : { verdict: edited ? 'edited' : 'different' }
  const what = `the order of the shots${facts.variant === 'http' ? ' over http' : ''}`
  comparisons.push({
    variant: facts.variant,
    about: { part: 'shots' },
    what,
    ...judged,
    legacy: common.join(','),
    ours: order.join(','),
    fields: 1,
  })
  return comparisons
}

const presence = (id: string, { variant }: ShotsFacts) => ({
  variant,
  about: { part: 'shot', id } as const,
  what: `shot ${id}${variant === 'http' ? ' over http' : ''}`,
})

type Judged = Pick<Comparison, 'verdict' | 'rule'>

const asLoss = (rule: Loss): Judged => ({ verdict: 'rule', rule })

/** A shot of the last window that is not shown was made a draft or removed here, or shots made here push it out. */
const whyMissing = (id: string, { base, losses }: ShotsFacts): Judged => {
  if (base?.window.includes(id) && Object.hasOwn(base.shots, id)) return { verdict: 'edited' }
  const loss = losses.ofShot(id)
  return loss === undefined ? { verdict: 'different' } : asLoss(loss)
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
    if (old.id_project === project && shot.id_project !== project && project !== null) return 'edited'
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
