import type { Project } from '../../content/member.ts'
import type { Data } from '../../content/parse/data.ts'
import type { Fields, Said } from '../read/said.ts'
import type { Mine } from '../values/mine.ts'
import type { SiteValues } from '../values/site-values.ts'
import type { Base } from './base.ts'
import type { Side } from './merge-fields.ts'

/** What the API says of a member. */
export type Theirs = {
  readonly user: Fields
  readonly shots: readonly Fields[]
  /** What the body of shots says beside them: the interface has nothing there. */
  readonly others?: Fields
  /** What the list of shots holds that is no shot. */
  readonly strays?: readonly Said[]
}

export type MergeInput = SiteValues & {
  /** The name that was asked for. */
  readonly asked: string
  readonly base: Base | undefined
  /** Absent for a new member. */
  readonly mine: Mine | undefined
  readonly theirs: Theirs
  /** The other member of the site that has a shot of this id. */
  readonly ownerOf: (id: string) => string | undefined
  /** The other shot of the site that has this token. */
  readonly shotWithToken: (token: string, id: string) => string | undefined
  readonly side: Side
  /** The digests of the bodies that are merged. */
  readonly bodies: Readonly<Record<string, string>>
  readonly allowRemoval: boolean
}

/** Keys to set, or to leave out where the value is `undefined`. */
export type Changes = Readonly<Record<string, Data | undefined>>

export type ShotPlan = {
  readonly id: string
  readonly isNew: boolean
  /** The title of a new one, for its file's name. */
  readonly title: string
  readonly changes: Changes
}

/** The token that a shot will have; `undefined` if it stays as it is. */
export const newToken = (
  { id, isNew, changes }: ShotPlan,
  tokenOf: SiteValues['tokenOf'],
): string | undefined => {
  if (!isNew && !Object.hasOwn(changes, 'token_id')) return undefined
  return typeof changes.token_id === 'string' ? changes.token_id : tokenOf(id)
}

/** What to write for a member. */
export type MemberPlan = {
  readonly isNew: boolean
  readonly profile: Changes
  /** Projects to list, or to list with another date. */
  readonly projects: readonly Project[]
  readonly shots: readonly ShotPlan[]
  readonly base: Base
}
