import { suggest } from '../../text/suggest.ts'
import type { Profile, Shot } from '../member.ts'
import type { ProfileFacts } from '../salvage.ts'
import type { Violation } from './violation.ts'

/** What is wrong with a shot, compared with its member's profile; the places are in the shot's file. */
export const checkShot = (
  { id_project: id }: Pick<Shot, 'id_project'>,
  { projects }: Pick<Profile, 'projects'>,
): readonly Violation[] => {
  if (id === '0' || projects.some((project) => project.id === id)) return []
  const known = projects.slice(0, mostCompared).map((project) => project.id)
  const args = { id, suggestion: suggest(id, known) }
  return [{ code: 'unknown-project', args, path: ['id_project'], of: 'value' }]
}

/** A stranger's profile of 1 MiB can list 30,000, each of which is compared with each wrong shot. */
const mostCompared = 300

/** What is wrong with a profile, compared with the number of its member's published shots. */
export const checkCounts = (
  { totalShots, Projects, projects }: ProfileFacts,
  publishedShots: number,
): readonly Violation[] => [
  ...covers('totalShots', totalShots, publishedShots),
  ...(projects === undefined ? [] : covers('Projects', Projects, projects.length)),
]

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
