import { compareIds } from '../api/records.ts'
import { byId, type Fields, shown, textOf } from './body.ts'
import { digestIn } from './fetch.ts'
import {
  canSay,
  type Field,
  isSame,
  profileFields,
  shotFields,
  statedFields,
  textsOf,
  totals,
} from './fields.ts'
import { fieldAt } from './messages.ts'
import { type MemberPlan, type Merging, mergeFields, planned, tellProblems } from './plan.ts'
import type { Sides } from './run.ts'
import { mergeShots } from './shots.ts'

/**
 * Merges what the remote says now with what it said last and with what content says, and tells what somebody must know.
 * There is no plan if the remote lacks what a profile needs.
 */
export const mergeMember = (sides: Sides): MemberPlan | undefined => {
  const { name, got, remote, mine, base, find } = sides
  const isRefused = tellProblems(remote.user, sides)
  const before = base.profile.id
  const now = textOf(remote.user, 'id')
  // the name may have been given to somebody else
  if (!isRefused && before != null && before !== now)
    find('other-id', { key: 'id' }, { before, now: String(now) })
  compareSchemes(sides)
  if (isRefused) return undefined
  const ways = {
    base: base.profile,
    mine: mine?.profile.said,
    remote: textsOf(remote.user, statedFields),
  }
  const { changes, base: profile } = mergeFields(ways, sides)
  const stated = { profile, counted: [], projects: { ...base.projects } }
  const { pictures: _, ...old } = structuredClone(base)
  const bodies = Object.fromEntries(Object.entries(got).map(([key, one]) => [key, digestIn(one)]))
  const plan: MemberPlan = {
    profile: { changes, settle: (next) => void Object.assign(next, stated) },
    stated,
    shots: new Map(),
    base: { ...old, username: name, bodies },
  }
  const merging = { ...sides, plan }
  const listed = mergeShots(merging)
  const all = new Set([...(mine?.shots.keys() ?? []), ...plan.shots.keys()])
  const published = [...all].filter((id) => !planned(id, 'draft', merging)).length
  for (const field of totals)
    mergeTotal(field, field.key === 'totalShots' ? published : listed, merging)
  return plan
}

/** Merges a total: content counts it, to `held` after this import, and only a higher figure can be written. */
const mergeTotal = (field: Field, held: number, merging: Merging) => {
  const { plan, base, mine, run, site, find } = merging
  const { key } = field
  const counted = String(held)
  const text = textOf(merging.remote.user, key)
  const remote = canSay(text, field, site) ? text : undefined
  const isBelow = remote !== undefined && compareIds(remote, counted) < 0
  if (isBelow) find('total-below-content', { key }, { key, remote, counted: held })
  /** What the profile has to say for the remote's figure; nothing where content counts it, or can't say it. */
  const wanted = isBelow || remote === counted ? undefined : remote
  const my = (mine?.profile.said as Readonly<Record<string, string>> | undefined)?.[key]
  const before = base.profile[key]
  /** Left out because of an import, and not by somebody here. */
  const wasCounted = my === undefined && base.counted.includes(key)
  const isAsLeft = before !== undefined && (my === before || wasCounted)
  const isNew = remote !== undefined && (before === undefined ? !isBelow : remote !== before)
  const isTooLow = my !== undefined && compareIds(my, counted) < 0
  const isFree = !mine || wanted === my || isAsLeft
  const isKnown = before !== undefined
  const verdict = judgeTotal({ isFree, isNew, isTooLow, isKnown }, run.side)
  if (verdict === 'theirs' && wanted !== my) plan.profile.changes[key] = wanted
  if (verdict === 'theirs' ? wanted === undefined : wasCounted) plan.stated.counted.push(key)
  if (verdict !== 'conflict') plan.stated.profile[key] = text
  else {
    const ways = { base: before ?? undefined, mine: my ?? counted, remote: text ?? 'null' }
    find('conflict', { key }, { key, ...ways })
    if (before !== undefined) plan.stated.profile[key] = before
  }
}

type Judging = Readonly<Record<'isFree' | 'isNew' | 'isTooLow' | 'isKnown', boolean>>

/** Which side a total follows. Where content counts it, no figure says whether it was touched here. */
const judgeTotal = (
  { isFree, isNew, isTooLow, isKnown }: Judging,
  side: 'ours' | 'theirs' | undefined,
) => {
  // without a base, one that can't stay and of which the remote says nothing better goes
  if (isFree || (isTooLow && !isNew && !isKnown)) return 'theirs'
  return isNew || isTooLow ? (side ?? 'conflict') : 'ours'
}

/** Tells what one value can't say for both schemes: https and http differ, and not only in the scheme of an asset. */
const compareSchemes = ({ remote, http, site, find }: Sides) => {
  const compare = (one: Fields, other: Fields | undefined, id?: string) => {
    for (const { key, kind } of id === undefined ? profileFields : [...shotFields, project]) {
      const values = { https: shown(one.get(key)), http: shown(other?.get(key)) }
      if (other && !isSame(kind, values.https, values.http, site))
        find('scheme-differs', { id, key }, { what: fieldAt({ id, key }), ...values })
    }
  }
  compare(remote.user, http.user)
  const others = byId(http.shots)
  for (const [id, fields] of byId(remote.shots)) compare(fields, others.get(id), id)
}

const project = { key: 'created_project', kind: 'timestamp' } as const
