import { suggest } from '../../text/suggest.ts'
import type { Profile, Shot } from '../member.ts'
import type { ProfileFacts } from '../salvage.ts'
import type { Violation } from './violation.ts'

/** A rule for a shot together with its member's profile; its violations are in the shot's file. */
export type ShotRule = {
  readonly name: string
  readonly check: (shot: Pick<Shot, 'id_project'>, profile: Pick<Profile, 'projects'>) => readonly Violation[]
}

/** A rule for a profile together with the member's shots; its violations are in the profile. */
export type CountRule = {
  readonly name: string
  readonly check: (profile: ProfileFacts, publishedShots: number) => readonly Violation[]
}

const projectExists: ShotRule['check'] = ({ id_project: id }, { projects }) => {
  if (id === '0' || projects.some((project) => project.id === id)) return []
  const known = projects.slice(0, mostCompared).map((project) => project.id)
  const args = { id, suggestion: suggest(id, known) }
  return [{ code: 'unknown-project', args, path: ['id_project'], of: 'value' }]
}

/** A stranger's profile of 1 MiB can list 30,000, each of which is compared with each wrong shot. */
const mostCompared = 300

const totalShotsCoversThePublished: CountRule['check'] = ({ totalShots }, publishedShots) =>
  covers('totalShots', totalShots, publishedShots)

const projectsCoversTheListed: CountRule['check'] = ({ Projects, projects }) =>
  projects === undefined ? [] : covers('Projects', Projects, projects.length)

export const shotRules: readonly ShotRule[] = [
  { name: 'the project of a shot is one of its member', check: projectExists },
]

export const countRules: readonly CountRule[] = [
  { name: 'totalShots is not below the published shots', check: totalShotsCoversThePublished },
  { name: 'Projects is not below the listed projects', check: projectsCoversTheListed },
]

/** What is wrong with a shot, compared with its member's profile. */
export const checkShot = (
  shot: Pick<Shot, 'id_project'>,
  profile: Pick<Profile, 'projects'>,
): readonly Violation[] => shotRules.flatMap(({ check }) => check(shot, profile))

/** What is wrong with a profile, compared with the number of its member's published shots. */
export const checkCounts = (profile: ProfileFacts, publishedShots: number): readonly Violation[] =>
  countRules.flatMap(({ check }) => check(profile, publishedShots))

/** Which of a profile's aliases the site has reserved. */
export const checkAliases = ({ aliases = [] }: ProfileFacts, isReserved: IsReserved): readonly Violation[] =>
  aliases.flatMap((name, index): readonly Violation[] =>
    isReserved(name)
      ? [{ code: 'reserved-name', args: { name }, path: ['aliases', index], of: 'value' }]
      : [],
  )

/** Whether the site reserves a name, in any letter case: no member and no alias may have it. */
export type IsReserved = (name: string) => boolean

const covers = (key: string, value: string | undefined, counted: number): readonly Violation[] =>
  value === undefined || isAtLeast(value, String(counted))
    ? []
    : [{ code: 'count-too-low', args: { key, value, counted }, path: [key], of: 'value' }]

/** Compares canonical numbers of any length. */
const isAtLeast = (a: string, b: string): boolean => a.length > b.length || (a.length === b.length && a >= b)
