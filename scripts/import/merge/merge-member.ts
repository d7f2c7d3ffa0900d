import { textOf } from '../read/said.ts'
import { profileFields } from '../values/fields.ts'
import type { Finding } from './finding.ts'
import { listedShots, shown } from './listed-shots.ts'
import { problemsOf } from './merge-fields.ts'
import { mergeProfile } from './merge-profile.ts'
import { mergeShots } from './merge-shots.ts'
import type { MemberPlan, MergeInput } from './plan.ts'

export type Merge = {
  /** Absent if the API lacks what a profile needs. */
  readonly plan?: MemberPlan
  readonly findings: readonly Finding[]
}

/** Whether a profile has what content needs of one. */
export const isImportable = (
  { user }: Pick<MergeInput['theirs'], 'user'>,
  site: MergeInput['site'],
): boolean => problemsOf(profileFields, user, site).every(({ required }) => !required)

/** Merges what the API says now with what it said last and with what content says. */
export const mergeMember = (input: MergeInput): Merge => {
  const { theirs, mine, site } = input
  const problems = problemsOf(profileFields, theirs.user, site)
  const refused = problems.filter(({ required }) => required)
  if (refused.length > 0) {
    return {
      findings: refused.map(({ key, said, problem }) => ({
        code: 'member-not-imported',
        about: { part: 'user' },
        args: { what: key, value: shown(said), problem },
      })),
    }
  }
  const notKept = problems.map(
    ({ key, said, problem }): Finding => ({
      code: 'not-kept',
      about: { part: 'profile', key },
      args: { what: key, value: shown(said), problem, instead: 'it is left out' },
    }),
  )
  const found = listedShots(theirs.shots, {
    userId: textOf(theirs.user, 'id')!,
    portsAllowed: site.portsAllowed,
    strays: theirs.strays,
    listed: new Map(mine?.profile.projects.map(({ id, created }) => [id, created])),
  })
  const shots = mergeShots(found, input)
  const imported = [...found.shots.keys()].filter((id) => Object.hasOwn(shots.shots, id))
  const used = new Set<string>()
  for (const { id, changes } of shots.plans) {
    const project = 'id_project' in changes ? changes.id_project : mine?.shots.get(id)?.id_project
    if (typeof project === 'string') used.add(project)
  }
  const projects = new Map(
    imported.flatMap((id) => {
      const project = textOf(found.shots.get(id)!, 'id_project') ?? ''
      const date = found.projects.get(project)
      return date === undefined ? [] : [[project, date] as const]
    }),
  )
  const profile = mergeProfile(input, { published: shots.published, projects, used })
  return {
    plan: {
      isNew: mine === undefined,
      profile: profile.changes,
      projects: profile.changed,
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
    findings: [...idProblem(input), ...notKept, ...found.findings, ...shots.findings, ...profile.findings],
  }
}

/** A name that has another id than at the last import may have been given to somebody else. */
const idProblem = ({ base, theirs }: MergeInput): readonly Finding[] => {
  const [before, now] = [base?.profile.id, textOf(theirs.user, 'id')]
  if (before == null || now === null || before === now) return []
  return [{ code: 'other-id', about: { part: 'profile', key: 'id' }, args: { before, now } }]
}
