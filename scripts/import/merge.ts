import { compareIds } from '../api/records.ts'
import type { Base } from './base.ts'
import { byId, type Fields, shown, textOf } from './body.ts'
import { digestIn } from './fetch.ts'
import { canSay, isAlike, profileFields, shotFields, textsOf } from './fields.ts'
import { fieldAt } from './messages.ts'
import { type MemberPlan, type Merging, mergeFields, planned } from './plan.ts'
import { mergeProjects } from './projects.ts'
import { tellProblems } from './refusals.ts'
import type { Sides } from './run.ts'
import { mergeShots } from './shots.ts'
import { judgeTotal } from './verdict.ts'

const totals = ['totalShots', 'Projects'] as const

/** Those of a profile but for the totals, which content counts. */
const statedFields = profileFields.filter(({ key }) => !totals.some((total) => total === key))

/**
 * Merges what the remote says now with what it said last and with what content says, and tells what somebody must know.
 * There is no plan if the remote lacks what a profile needs.
 */
export const mergeMember = (sides: Sides): MemberPlan | undefined => {
  const { name, got, remote, mine, base, find } = sides
  const isRefused = tellProblems(remote.user, sides)
  const before = base?.profile.id
  const now = textOf(remote.user, 'id')
  // the name may have been given to somebody else
  if (!isRefused && before != null && before !== now)
    find('other-id', { key: 'id' }, { before, now: String(now) })
  compareSchemes(sides)
  if (isRefused) return undefined
  const ways = {
    base: base?.profile,
    mine: mine?.profile.said,
    remote: textsOf(remote.user, statedFields),
  }
  const { changes, base: profile } = mergeFields(statedFields, ways, sides)
  const next: Base = {
    username: name,
    profile,
    counted: [],
    projects: { ...base?.projects },
    shots: { ...base?.shots },
    drafted: [...(base?.drafted ?? [])],
    window: [],
    bodies: Object.fromEntries(Object.entries(got).map(([key, one]) => [key, digestIn(one)])),
  }
  const plan: MemberPlan = { profile: changes, shots: new Map(), base: next }
  const merging = { ...sides, plan }
  const listed = mergeProjects(mergeShots(merging), merging)
  const all = new Set([...(mine?.shots.keys() ?? []), ...plan.shots.keys()])
  mergeTotal('totalShots', [...all].filter((id) => !planned(id, 'draft', merging)).length, merging)
  mergeTotal('Projects', listed, merging)
  return plan
}

/** Merges a total: content counts it, to `held` after this import, and only a higher figure can be written. */
const mergeTotal = (key: Total, held: number, merging: Merging): void => {
  const { plan, base, mine, run, find } = merging
  const text = textOf(merging.remote.user, key)
  const remote = sayableTotal(key, text, merging)
  const isBelow = remote !== undefined && isLess(remote, held)
  if (isBelow) find('total-below-content', { key }, { key, remote, counted: held })
  /** What the profile has to say for the remote's figure; nothing where content counts it, or can't say it. */
  const wanted = isBelow || remote === String(held) ? undefined : remote
  const my = mine?.profile.said[key]
  const before = base?.profile[key]
  const isNew = before === undefined ? !isBelow : remote !== before
  const verdict = judgeTotal(
    {
      untouched: mine === undefined || wanted === my || isAsLeft(key, merging),
      news: remote !== undefined && isNew,
      tooLow: my !== undefined && isLess(my, held),
      known: before !== undefined,
    },
    run.side,
  )
  if (verdict === 'theirs' && wanted !== my) plan.profile[key] = wanted
  if (verdict === 'theirs' ? wanted === undefined : wasCounted(key, merging))
    plan.base.counted.push(key)
  if (verdict !== 'conflict') plan.base.profile[key] = text
  else {
    const ways = { base: before ?? undefined, mine: my ?? String(held), remote: text ?? 'null' }
    find('conflict', { key }, { key, ...ways })
    if (before !== undefined) plan.base.profile[key] = before
  }
}

type Total = (typeof totals)[number]

const isLess = (figure: string, than: number): boolean => compareIds(figure, String(than)) < 0

/** Whether a total was left out because of an import, and not by somebody here. */
const wasCounted = (key: Total, { base, mine }: Sides): boolean =>
  mine?.profile.said[key] === undefined && base?.counted.includes(key) === true

/** Whether a total is as the last import left it. */
const isAsLeft = (key: Total, sides: Sides): boolean => {
  const before = sides.base?.profile[key]
  const isSame = sides.mine?.profile.said[key] === before
  return before !== undefined && (isSame || wasCounted(key, sides))
}

/** A total, if content could write it. */
const sayableTotal = (key: string, text: string | null, { site }: Sides): string | undefined => {
  const field = profileFields.find((one) => one.key === key)
  return field && canSay(text, field, site) ? text : undefined
}

/** Tells what one value can't say for both schemes: https and http differ, and not only in the scheme of an asset. */
const compareSchemes = ({ remote, http, find }: Sides): void => {
  const compare = (one: Fields, other: Fields | undefined, id?: string): void => {
    if (other === undefined) return
    for (const { key, kind } of id === undefined ? profileFields : [...shotFields, project]) {
      const values = { https: shown(one.get(key)), http: shown(other.get(key)) }
      if (!isAlike(kind, values.https, values.http))
        find('scheme-differs', { id, key }, { what: fieldAt({ id, key }), ...values })
    }
  }
  compare(remote.user, http.user)
  const others = byId(http.shots)
  for (const [id, fields] of byId(remote.shots)) compare(fields, others.get(id), id)
}

const project = { key: 'created_project', kind: 'timestamp' } as const
