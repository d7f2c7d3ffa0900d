import type { Project } from '../content/member.ts'
import type { Base } from './base.ts'
import { type Fields, saidOf, shown, textOf } from './body.ts'
import {
  type Changes,
  type Field,
  isAsset,
  problemsIn,
  profileFields,
  shotFields,
  withoutScheme,
} from './fields.ts'
import type { MergeInput } from './merge-fields.ts'
import { mergeProfile } from './merge-profile.ts'
import { listShots, mergeShots, type ShotPlan } from './merge-shots.ts'
import { type About, type Finding, find } from './messages.ts'

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
export const mergeMember = (input: MergeInput): Merge => {
  const { remote, mine, site, base } = input
  const schemes = compareSchemes(input)
  const problems = problemsIn(remote.user, profileFields, site)
  const refused = problems.filter(({ field }) => field.required)
  if (refused.length > 0) {
    const findings = refused.map(({ field: { key }, said, problem }) =>
      find('member-not-imported', { part: 'user' }, { what: key, value: shown(said), problem }),
    )
    return { findings: [...findings, ...schemes] }
  }
  const findings = problems.map(({ field: { key }, said, problem }) => {
    const args = { what: key, value: shown(said), problem, instead: 'it is left out' }
    return find('not-kept', { part: 'profile', key }, args)
  })
  const [before, now] = [base?.profile.id, textOf(remote.user, 'id')!]
  if (before != null && before !== now) {
    // the name may have been given to somebody else
    findings.unshift(find('other-id', { part: 'profile', key: 'id' }, { before, now }))
  }
  const listed = listShots(input)
  const shots = mergeShots(listed, input)
  const used = new Set<string>()
  for (const { id, changes } of shots.plans) {
    const project = 'id_project' in changes ? changes.id_project : mine?.shots.get(id)?.id_project
    if (typeof project === 'string') used.add(project)
  }
  const projects = new Map<string, string>()
  for (const [id, fields] of listed.shots) {
    const project = textOf(fields, 'id_project') ?? ''
    const date = listed.projects.get(project)
    if (date !== undefined && Object.hasOwn(shots.shots, id)) projects.set(project, date)
  }
  const profile = mergeProfile(input, { published: shots.published, projects, used })
  return {
    plan: {
      profile: profile.changes,
      projects: profile.listed,
      shots: shots.plans,
      base: {
        username: input.asked,
        profile: profile.profile,
        counted: profile.counted,
        projects: profile.projects,
        shots: shots.shots,
        drafted: shots.drafted,
        window: shots.window,
        span: shots.span,
        bodies: input.bodies,
      },
    },
    findings: [...findings, ...listed.findings, ...shots.findings, ...profile.findings, ...schemes],
  }
}

/** What one value can't say for both schemes: https and http differ, and not only in the scheme of an asset. */
const compareSchemes = ({ remote, http }: MergeInput): readonly Finding[] => {
  const others = new Map<string | null, Fields>()
  for (const fields of http.shots ?? []) {
    const id = textOf(fields, 'id')
    if (!others.has(id)) others.set(id, fields)
  }
  const seen = new Set<string | null>()
  return [
    ...(http.user ? differences([remote.user, http.user], { of: '', about: { part: 'profile' } }) : []),
    ...remote.shots.flatMap((fields) => {
      const id = textOf(fields, 'id')
      const other = others.get(id)
      if (id === null || other === undefined || seen.has(id)) return []
      seen.add(id)
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
    const [one, other] = [https, http].map((said) => shown(saidOf(said, key))) as [string, string]
    const isEqual = isAsset(kind) ? withoutScheme(one) === withoutScheme(other) : one === other
    return isEqual
      ? []
      : [find('scheme-differs', { ...about, key }, { what: key + of, https: one, http: other })]
  })
}
