import type { Project } from '../../content/member.ts'
import { normalTimestamp, timestampProblem } from '../../content/values/timestamp.ts'
import { type Fields, textOf } from '../read/said.ts'
import type { BaseFields } from './base.ts'
import type { Conflict, Side } from './merge-fields.ts'

/**
 * The projects that a body's shots name, each with its date. Where shots disagree, the date that the profile lists wins,
 * else the first one that can be kept.
 */
export const projectsIn = (
  shots: readonly Fields[],
  listed: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> => {
  const dates = new Map<string, string>()
  for (const shot of shots) {
    const [id, created] = [textOf(shot, 'id_project'), textOf(shot, 'created_project')]
    if (id === null || !/^[1-9][0-9]*$/.test(id) || created === null) continue
    if (timestampProblem(created) !== undefined) continue
    if (!dates.has(id) || normalTimestamp(created) === listed.get(id)) dates.set(id, created)
  }
  return dates
}

export type MergedProjects = {
  /** Projects to list, or to list with another date. */
  readonly changed: readonly Project[]
  readonly base: BaseFields
  readonly conflicts: readonly Conflict[]
}

/** Merges lists of projects. They grow and never shrink: the API shows only the projects of the last shots. */
export const mergeProjects = ({ base, mine, theirs, used }: ProjectSides, side: Side): MergedProjects => {
  const listed = new Map(mine.map(({ id, created }) => [id, created]))
  const changed: Project[] = []
  const nextBase: Record<string, string | null> = { ...base }
  const conflicts: Conflict[] = []
  for (const [id, created] of theirs) {
    const [my, their] = [listed.get(id), normalTimestamp(created)]
    const old = base?.[id] == null ? undefined : normalTimestamp(base[id])
    if (my === undefined) {
      // a project that was removed here stays out, unless a shot needs it
      if (old === undefined || used.has(id)) changed.push({ id, created })
    } else if (my !== their && my !== old && old !== their && side === undefined) {
      conflicts.push({
        key: 'projects',
        base: old && `${id}: ${old}`,
        mine: `${id}: ${my}`,
        theirs: `${id}: ${their}`,
      })
      continue
    } else if (my !== their && (my === old || (old !== their && side === 'theirs'))) {
      changed.push({ id, created })
    }
    nextBase[id] = created
  }
  return { changed, base: nextBase, conflicts }
}

export type ProjectSides = {
  readonly base: BaseFields | undefined
  readonly mine: readonly Project[]
  /** Dates as the API says them, by id. */
  readonly theirs: ReadonlyMap<string, string>
  /** Projects that shots name after the merge. */
  readonly used: ReadonlySet<string>
}
