import { suggest } from '../../diagnostics/suggest.ts'
import type { Profile, Shot } from '../member.ts'
import type { Violation } from './violation.ts'

/** A truth about a shot beside its member's profile; what breaks it stands in the shot's file. */
export type ShotRule = {
  readonly name: string
  readonly check: (shot: Shot, profile: Pick<Profile, 'projects'>) => readonly Violation[]
}

/** A truth about a member's content as a whole; what breaks it stands in the profile. */
export type CountRule = {
  readonly name: string
  readonly check: (profile: Profile, publishedShots: number) => readonly Violation[]
}

export const shotRules: readonly ShotRule[] = [
  {
    name: 'the project of a shot is one of its member',
    check: ({ id_project: id }, { projects }) => {
      if (id === '0' || projects.some((project) => project.id === id)) return []
      const suggestion = suggest(
        id,
        projects.map((project) => project.id),
      )
      return [{ code: 'unknown-project', args: { id, suggestion }, path: ['id_project'], of: 'value' }]
    },
  },
]

export const countRules: readonly CountRule[] = [
  {
    name: 'totalShots covers the published shots',
    check: ({ totalShots }, publishedShots) => covers('totalShots', totalShots, publishedShots),
  },
  {
    name: 'Projects covers the listed projects',
    check: ({ Projects, projects }) => covers('Projects', Projects, projects.length),
  },
]

/** What is wrong with a shot beside its member's profile. */
export const checkShot = (shot: Shot, profile: Pick<Profile, 'projects'>): readonly Violation[] =>
  shotRules.flatMap(({ check }) => check(shot, profile))

/** What is wrong with a profile beside the number of its member's shots that are not drafts. */
export const checkCounts = (profile: Profile, publishedShots: number): readonly Violation[] =>
  countRules.flatMap(({ check }) => check(profile, publishedShots))

const covers = (key: string, value: string | undefined, counted: number): readonly Violation[] =>
  value === undefined || isAtLeast(value, String(counted))
    ? []
    : [{ code: 'count-too-low', args: { key, value, counted }, path: [key], of: 'value' }]

/** Compares canonical numbers of any length. */
const isAtLeast = (a: string, b: string): boolean => a.length > b.length || (a.length === b.length && a >= b)
