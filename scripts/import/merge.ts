import type { Project } from '../content/member.ts'
import { normalTimestamp } from '../content/values/timestamp.ts'
import { type Base, isLess, own } from './base.ts'
import { type Fields, type Remote, shown, textOf } from './body.ts'
import type { Mine } from './content.ts'
import {
  type Changes,
  canSay,
  type Field,
  type ImportSite,
  isAsset,
  mergeFields,
  problemsIn,
  profileFields,
  profileValues,
  sayable,
  shotFields,
  type Texts,
  textsOf,
  toChanges,
  totals,
  withoutScheme,
} from './fields.ts'
import type { Run } from './member.ts'
import { listShots, mergeShots, type ShotPlan } from './merge-shots.ts'
import { type About, type Finding, find } from './messages.ts'

/** What is said of one member: by the remote now, by the remote last time, and by the content. */
export type Sides = {
  readonly run: Run
  /** Where the member's values will be: addresses whose pictures it holds can be said. */
  readonly site: ImportSite
  /** The name that was asked for, and that of the member's folder. */
  readonly name: string
  readonly username: string
  readonly remote: Remote
  /** What is known of http. */
  readonly http: Partial<Remote>
  /** The digests of the bodies. */
  readonly bodies: Readonly<Record<string, string>>
  readonly base: Base | undefined
  /** Absent for a new member. */
  readonly mine: Mine | undefined
  /** Addresses in `mine` that stand for pictures which the site publishes there, by the names of their keys. */
  readonly published: ReadonlyMap<string, string> | undefined
}

/** What to write for a member. */
export type MemberPlan = {
  readonly profile: Changes
  /** Projects to list, or to list with another date. */
  readonly projects: readonly Project[]
  readonly shots: readonly ShotPlan[]
  readonly base: Base
}

export type Merge = {
  /** Absent if the remote lacks what a profile needs. */
  readonly plan?: MemberPlan
  readonly findings: readonly Finding[]
}

/** Merges what the remote says now with what it said last and with what content says. */
export const mergeMember = (sides: Sides): Merge => {
  const { remote, mine, site, base } = sides
  const schemes = compareSchemes(sides)
  const problems = problemsIn(remote.user, profileFields, site).map(({ field, problem }) => {
    return { field, args: { what: field.key, value: shown(remote.user.get(field.key)), problem } }
  })
  const refused = problems.filter(({ field }) => field.required)
  if (refused.length > 0) {
    const findings = refused.map(({ args }) => find('member-not-imported', { part: 'user' }, args))
    return { findings: [...findings, ...schemes] }
  }
  const findings = problems.map(({ field: { key }, args }) =>
    find('not-kept', { part: 'profile', key }, { ...args, instead: 'it is left out' }),
  )
  const [before, now] = [base?.profile.id, textOf(remote.user, 'id')!]
  if (before != null && before !== now) {
    // the name may have been given to somebody else
    findings.unshift(find('other-id', { part: 'profile', key: 'id' }, { before, now }))
  }
  const listed = listShots(sides)
  const { plans, published, findings: ofShots, ...shots } = mergeShots(listed, sides)
  const used = new Set<unknown>(
    plans.map(({ id, changes }) =>
      'id_project' in changes ? changes.id_project : mine?.shots.get(id)?.id_project,
    ),
  )
  const dates = new Map<string, string>()
  for (const [id, fields] of listed.shots) {
    const project = textOf(fields, 'id_project') ?? ''
    const date = listed.projects.get(project)
    if (date !== undefined && Object.hasOwn(shots.shots, id)) dates.set(project, date)
  }
  const projects = mergeProjects(sides, dates, used)
  const profile = mergeProfile(sides, { published, projects: projects.added })
  return {
    plan: {
      profile: profile.changes,
      projects: projects.listed,
      shots: plans,
      base: {
        username: sides.name,
        ...profile.base,
        ...{ projects: projects.base, ...shots, bodies: sides.bodies },
      },
    },
    findings: [
      ...findings,
      ...listed.findings,
      ...ofShots,
      ...profile.findings,
      ...projects.findings,
      ...schemes,
    ],
  }
}

type Grown = {
  /** How many more shots are published than before, and how many more projects are listed. */
  readonly published: number
  readonly projects: number
}

/** Merges the fields of a profile, then the totals, which depend on what content holds. */
const mergeProfile = (sides: Sides, { published: more, projects }: Grown) => {
  const { base, mine, remote, site, run } = sides
  const texts = textsOf(remote.user, profileFields)
  const fields = profileFields.filter(({ key }) => !(totals as readonly string[]).includes(key))
  const values = mine && profileValues(mine.profile, site)
  const about = { part: 'profile' } as const
  const merged =
    values === undefined
      ? { changed: sayable(fields, texts, site), base: textsOf(remote.user, fields), findings: [] }
      : mergeFields(
          fields,
          { base: base?.profile, mine: values, remote: texts },
          { about, site, side: run.side },
        )
  const published = [...(mine?.shots.values() ?? [])].filter(({ draft }) => !draft).length
  const counted = [published + more, (mine?.profile.projects.length ?? 0) + projects]
  const merging = totals.map((key, index) => mergeTotal(key, texts[key] ?? null, counted[index]!, sides))
  const all = { ...values, ...merged.changed }
  const changes = toChanges(fields, { changed: merged.changed, all }, site)
  return {
    changes: Object.assign({ ...changes }, ...merging.map(({ changes }) => changes)) as Changes,
    base: {
      profile: Object.assign({}, merged.base, ...merging.map(({ base }) => base)) as Texts,
      counted: totals.filter((_, index) => merging[index]!.isCounted),
    },
    findings: [...merged.findings, ...merging.flatMap(({ findings }) => findings)],
  }
}

/** Merges lists of projects. They grow and never shrink: the remote shows only the projects of the last shots. */
const mergeProjects = (
  { base, mine, run: { side } }: Sides,
  dates: ReadonlyMap<string, string>,
  used: ReadonlySet<unknown>,
) => {
  const held = new Map(mine?.profile.projects.map(({ id, created }) => [id, created]))
  const listed: Project[] = []
  const nextBase: Record<string, string | null> = { ...base?.projects }
  const findings: Finding[] = []
  for (const [id, created] of dates) {
    const [my, their] = [held.get(id), normalTimestamp(created)]
    const before = own(base?.projects, id)
    const old = before == null ? undefined : normalTimestamp(before)
    if (my === undefined) {
      // a project that was removed here stays out, unless a shot needs it
      if (old === undefined || used.has(id)) listed.push({ id, created })
    } else if (my !== their && my !== old && old !== their && side === undefined) {
      const args = { key: 'projects', base: old && `${id}: ${old}` }
      const both = { ...args, mine: `${id}: ${my}`, remote: `${id}: ${their}` }
      findings.push(find('conflict', { part: 'profile', key: 'projects' }, both))
      continue
    } else if (my !== their && (my === old || (old !== their && side === 'theirs'))) {
      listed.push({ id, created })
    }
    nextBase[id] = created
  }
  const added = listed.filter(({ id }) => !held.has(id)).length
  return { listed, added, base: nextBase, findings }
}

/**
 * `totalShots` or `Projects`: content counts them, to `counted` after this import, and only a higher figure can be written.
 * `isCounted` says whether the key is left out because of an import, and not by somebody here.
 */
const mergeTotal = (
  key: (typeof totals)[number],
  text: string | null,
  counted: number,
  { base, mine, site, run }: Sides,
) => {
  const about = { part: 'profile', key } as const
  const field = profileFields.find((one) => one.key === key)!
  const remote = canSay(text, field, site) ? text : undefined
  const isBelow = remote !== undefined && isLess(remote, String(counted))
  const findings = isBelow ? [find('total-below-content', about, { key, remote, counted })] : []
  const wanted = isBelow || remote === String(counted) ? undefined : remote
  const [my, before] = [mine?.profile[key], base?.profile[key]]
  const wasCounted = base?.counted.includes(key) === true
  const next = { base: { [key]: text } as Texts, findings }
  const changes: Changes = wanted === my ? {} : { [key]: wanted }
  const follow = { ...next, changes, isCounted: wanted === undefined }
  const keep = { ...next, changes: {} as Changes, isCounted: my === undefined && wasCounted }
  const isUntouched = before !== undefined && (my === undefined ? wasCounted : my === (before ?? ''))
  if (mine === undefined || isUntouched || wanted === my) return follow
  const isTooLow = my !== undefined && isLess(my, String(counted))
  if (before === undefined && (remote === undefined || isBelow)) return isTooLow ? follow : keep
  if (before !== undefined && (remote === undefined || remote === before) && !isTooLow) return keep
  if (run.side === 'theirs') return follow
  if (run.side === 'ours') return keep
  const args = { key, base: before ?? undefined, mine: my ?? String(counted), remote: text ?? 'null' }
  return {
    ...keep,
    base: (before === undefined ? {} : { [key]: before }) as Texts,
    findings: [...findings, find('conflict', about, args)],
  }
}

/** What one value can't say for both schemes: https and http differ, and not only in the scheme of an asset. */
const compareSchemes = ({ remote, http }: Sides): readonly Finding[] => {
  const [byId, others] = [remote.shots, http.shots ?? []].map(
    (shots) =>
      // of two with one id the first
      new Map(shots.toReversed().map((fields) => [textOf(fields, 'id'), fields])),
  ) as [Map<string | null, Fields>, Map<string | null, Fields>]
  return [
    ...(http.user ? differences([remote.user, http.user], { of: '', about: { part: 'profile' } }) : []),
    ...remote.shots.flatMap((fields) => {
      const id = textOf(fields, 'id')
      const other = others.get(id)
      if (id === null || other === undefined || byId.get(id) !== fields) return []
      return differences([fields, other], { of: ` of shot ${id}`, about: { part: 'shot', id } })
    }),
  ]
}

const differences = (
  [https, http]: readonly [Fields, Fields],
  { of, about }: { readonly of: string; readonly about: About },
): readonly Finding[] => {
  const fields: readonly Pick<Field, 'key' | 'kind'>[] =
    about.part === 'profile' ? profileFields : [...shotFields, { key: 'created_project', kind: 'timestamp' }]
  return fields.flatMap(({ key, kind }) => {
    const [one, other] = [shown(https.get(key)), shown(http.get(key))]
    const isEqual = isAsset(kind) ? withoutScheme(one) === withoutScheme(other) : one === other
    return isEqual
      ? []
      : [find('scheme-differs', { ...about, key }, { what: key + of, https: one, http: other })]
  })
}
